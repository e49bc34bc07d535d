/** Saves the film as another project, and opens that. A film that was deleted elsewhere is kept this way. */

import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { queryClient } from "@/api/queries";
import { createFilm, duplicateFilm } from "@/editor/save/projects";
import { useSession, useSessionState } from "@/editor/save/session";
import { SAVE_AS, STRINGS } from "@/editor/strings/shell";
import { errorMessage } from "@/lib/error";
import { Alert } from "@/ui/alert";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Field, Input } from "@/ui/field";
import { showToast } from "@/ui/toast";
import { closeDialog } from "./ui";

export function SaveAsDialog() {
  const session = useSession();
  const { isCopy, id } = session.state;
  const isGone = useSessionState((state) => state.status === "gone");
  const navigate = useNavigate();
  const [name, setName] = useState(() =>
    isCopy ? STRINGS.untitled : isGone ? session.state.name : SAVE_AS.copyOf(session.state.name),
  );
  const texts = SAVE_AS[isGone ? (isCopy ? "expired" : "deleted") : isCopy ? "copy" : "duplicate"];
  const save = useMutation({
    async mutationFn() {
      if (session.state.status === "gone") return createFilm(name.trim(), session.editor.composition());
      await session.save();
      return duplicateFilm(id, name.trim());
    },
    async onSuccess(project) {
      if (session.state.status === "gone") session.abandon();
      void queryClient.invalidateQueries({ queryKey: ["projects"] });
      closeDialog();
      showToast(SAVE_AS.saved);
      await navigate({ to: "/edit/$projectId", params: { projectId: project.id }, replace: isCopy || isGone });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Dialog open onOpenChange={(open) => !open && closeDialog()} title={texts.title} description={texts.hint}>
      <form onSubmit={submit} className="flex flex-col gap-5">
        {save.error && <Alert tone="danger">{errorMessage(save.error)}</Alert>}
        <Field label={SAVE_AS.name}>
          {(field) => (
            <Input
              {...field}
              autoFocus
              required
              maxLength={200}
              value={name}
              onFocus={(event) => event.target.select()}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={closeDialog}>{SAVE_AS.cancel}</Button>
          <Button type="submit" variant="primary" busy={save.isPending} disabled={!name.trim()}>
            {texts.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
