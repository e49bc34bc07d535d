/** Makes a template of the open film, or gives it to a template as its next version. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { useMemo, useState } from "react";
import { api } from "@/api/http";
import { templates } from "@/api/queries";
import type { Template } from "@/api/types";
import { useSession } from "@/editor/save/session";
import { STRINGS } from "@/editor/strings/library";
import { useEditorState } from "@/editor/use-editor";
import { forgetTemplates } from "@/film/own-template";
import { bodyOf, fieldsOf, lostVariables, newFields, TemplateFields } from "@/film/template-fields";
import { errorMessage } from "@/lib/error";
import { Alert } from "@/ui/alert";
import { Button, buttonClass } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Field, Select } from "@/ui/field";
import { Spinner } from "@/ui/spinner";
import type { DialogProps } from "./render-dialog";
import { savedSource } from "./source";
import { variableNames } from "./values";

const TEXTS = STRINGS.publish;

export function PublishDialog({ open, onOpenChange }: DialogProps) {
  const [published, setPublished] = useState<Template | null>(null);
  const change = (next: boolean) => {
    onOpenChange(next);
    if (!next) setPublished(null);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={published ? TEXTS.done(published.name) : TEXTS.title}
      description={published ? TEXTS.doneText : TEXTS.text}
    >
      {published ? (
        <div className="flex justify-end gap-2">
          <a className={buttonClass()} href={`/dashboard/templates/${published.id}`} target="_blank" rel="noreferrer">
            <ExternalLink className="size-4" aria-hidden="true" /> {TEXTS.open}
          </a>
          <Button variant="primary" onClick={() => change(false)}>
            {TEXTS.close}
          </Button>
        </div>
      ) : (
        <Publish onDone={setPublished} />
      )}
    </Dialog>
  );
}

function Publish({ onDone }: { onDone: (template: Template) => void }) {
  const { data, isPending } = useQuery(templates);
  if (isPending) return <Spinner className="mx-auto my-8 size-5 text-muted" />;
  return <Form own={data?.templates.filter(({ own }) => own) ?? []} onDone={onDone} />;
}

function Form({ own, onDone }: { own: readonly Template[]; onDone: (template: Template) => void }) {
  const session = useSession();
  const film = useEditorState((state) => state.film);
  const names = useMemo(() => variableNames(film), [film]);
  // The template of the same name is most likely the one that this film was published as before.
  const [target, setTarget] = useState(() => own.find(({ name }) => name === session.state.name));
  const [fields, setFields] = useState(() => (target ? fieldsOf(target) : newFields(session.state.name)));
  const lost = target ? lostVariables(target, names) : [];
  const choose = (id: string) => {
    const template = own.find((each) => each.id === id);
    setTarget(template);
    setFields(template ? fieldsOf(template) : newFields(session.state.name));
  };
  const publish = useMutation({
    async mutationFn() {
      const saved = await savedSource(session);
      if (!saved) throw new Error(TEXTS.unsaved);
      const body = { ...saved, ...bodyOf(fields) };
      return target
        ? api("put", "/templates/{templateId}", { path: { templateId: target.id }, body })
        : api("post", "/templates", { body });
    },
    onSuccess(template) {
      forgetTemplates();
      onDone(template);
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
      {own.length > 0 && (
        <Field label={TEXTS.as} {...(target ? { hint: TEXTS.versionHint } : {})}>
          {(field) => (
            <Select {...field} value={target?.id ?? ""} onChange={(event) => choose(event.target.value)}>
              <option value="">{TEXTS.asNew}</option>
              {own.map(({ id, name }) => (
                <option key={id} value={id}>
                  {TEXTS.asVersion(name)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <TemplateFields fields={fields} onChange={setFields} />
      {lost.length > 0 ? (
        <Alert tone="warning">{TEXTS.lost(lost)}</Alert>
      ) : (
        <Alert tone={names.length ? "info" : "warning"}>{TEXTS.variables(names.length)}</Alert>
      )}
      {publish.error && <Alert tone="danger">{errorMessage(publish.error)}</Alert>}
      <Button
        type="submit"
        variant="primary"
        className="self-end"
        busy={publish.isPending}
        disabled={!fields.name.trim()}
      >
        {target ? TEXTS.buttonVersion : TEXTS.button}
      </Button>
    </form>
  );
}
