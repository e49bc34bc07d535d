/** Makes a template of the open film. */

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, request } from "@/api/http";
import { queryClient } from "@/api/queries";
import { useSession, useSessionState } from "@/editor/save/session";
import { STRINGS } from "@/editor/strings/library";
import { useEditorState } from "@/editor/use-editor";
import { errorMessage } from "@/lib/error";
import { humanize } from "@/lib/format";
import { Alert } from "@/ui/alert";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Field, Input, Select, Textarea } from "@/ui/field";
import { SegmentedControl } from "@/ui/segmented-control";
import { showToast } from "@/ui/toast";
import type { DialogProps } from "./render-dialog";
import { savedSource } from "./source";

const CATEGORIES = [
  "BRANDING",
  "REAL_ESTATE",
  "SOCIAL_MEDIA",
  "EDUCATIONAL",
  "ECOMMERCE",
  "SPORTS",
  "PERSONALIZED",
  "EVENTS",
  "TRAVEL",
];

type Visibility = "private" | "public";

export function PublishDialog({ open, onOpenChange }: DialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={STRINGS.publish.title} description={STRINGS.publish.text}>
      <Form onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function Form({ onDone }: { onDone: () => void }) {
  const session = useSession();
  const variables = useEditorState(({ film }) => film.overlays.filter((overlay) => overlay["isDynamic"]).length);
  const [name, setName] = useState(useSessionState((state) => state.name));
  const [description, setDescription] = useState("");
  const [category, setCategory] = useState("SOCIAL_MEDIA");
  const [price, setPrice] = useState("1");
  const [visibility, setVisibility] = useState<Visibility>("private");
  const publish = useMutation({
    mutationFn: async () => {
      const saved = await savedSource(session);
      if (!saved) throw new Error(STRINGS.publish.unsaved);
      return request<{ id: string }>("POST", "/api/v1/templates", {
        ...saved,
        name: name.trim(),
        description: description.trim(),
        category,
        creditsPerMinute: Math.max(1, Math.round(Number(price) || 1)),
        visibility,
      });
    },
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ["templates"] });
      showToast(STRINGS.publish.done(name.trim()));
      onDone();
    },
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        publish.mutate();
      }}
    >
      <Field label={STRINGS.publish.name}>
        {(field) => (
          <Input {...field} required maxLength={200} value={name} onChange={(event) => setName(event.target.value)} />
        )}
      </Field>
      <Field label={STRINGS.publish.description}>
        {(field) => (
          <Textarea
            {...field}
            rows={2}
            maxLength={1000}
            value={description}
            onChange={(event) => setDescription(event.target.value)}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field label={STRINGS.publish.category}>
          {(field) => (
            <Select {...field} value={category} onChange={(event) => setCategory(event.target.value)}>
              {CATEGORIES.map((each) => (
                <option key={each} value={each}>
                  {humanize(each)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={STRINGS.publish.price}>
          {(field) => (
            <Input
              {...field}
              type="number"
              min={1}
              max={1000}
              step={1}
              value={price}
              onChange={(event) => setPrice(event.target.value)}
            />
          )}
        </Field>
      </div>
      <div className="flex flex-col gap-1.5">
        <SegmentedControl
          label={STRINGS.publish.visibility}
          value={visibility}
          options={[
            ["private", STRINGS.publish.private],
            ["public", STRINGS.publish.public],
          ]}
          onChange={setVisibility}
          className="self-start"
        />
        <p className="text-[13px] text-muted">{STRINGS.publish.who[visibility]}</p>
      </div>
      <Alert tone={variables ? "info" : "warning"}>{STRINGS.publish.variables(variables)}</Alert>
      {publish.error && <Alert tone="danger">{problemOf(publish.error)}</Alert>}
      <Button type="submit" variant="primary" className="self-end" busy={publish.isPending} disabled={!name.trim()}>
        {STRINGS.publish.button}
      </Button>
    </form>
  );
}

/** A service that is older than this page has no such call. */
const problemOf = (error: unknown) =>
  error instanceof ApiError && (error.status === 404 || error.status === 405)
    ? STRINGS.publish.absent
    : errorMessage(error);
