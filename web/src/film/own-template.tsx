/** What the maker of a template can do with it: change its details, give it another film, unpublish it. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { Ellipsis, FilePen, GalleryVerticalEnd, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { api } from "@/api/http";
import { projects, queryClient } from "@/api/queries";
import type { Project, Template } from "@/api/types";
import { errorMessage } from "@/lib/error";
import { formatDuration } from "@/lib/format";
import { useDebounced } from "@/lib/hooks";
import { Alert } from "@/ui/alert";
import { Button } from "@/ui/button";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { cx } from "@/ui/cx";
import { Dialog } from "@/ui/dialog";
import { DropdownMenu, MenuItem } from "@/ui/dropdown-menu";
import { ErrorState } from "@/ui/error-state";
import { SearchInput } from "@/ui/search-input";
import { Repeat, Skeleton } from "@/ui/skeleton";
import { TimeAgo } from "@/ui/time-ago";
import { showToast } from "@/ui/toast";
import { ProjectThumbnail } from "./project-thumbnail";
import { bodyOf, fieldsOf, lostVariables, TemplateFields } from "./template-fields";

/** Lists of templates, their forms and pictures are read again. */
export function forgetTemplates() {
  for (const key of ["templates", "template-variables", "preview", "painted-picture"])
    void queryClient.invalidateQueries({ queryKey: [key] });
}

type Opened = "details" | "version" | "unpublish" | null;

interface MenuProps {
  template: Template;
  /** On the page of the template: it is left when the template is gone. */
  onUnpublished?: () => void;
  className?: string;
}

export function TemplateMenu({ template, onUnpublished, className }: MenuProps) {
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  const unpublish = async () => {
    await api("delete", "/templates/{templateId}", { path: { templateId: template.id } });
    forgetTemplates();
    showToast(`${template.name} is unpublished.`);
    onUnpublished?.();
  };
  return (
    <>
      <DropdownMenu
        trigger={
          <Button
            size="icon"
            className={cx("shrink-0", className)}
            aria-label={`Options of ${template.name}`}
            icon={<Ellipsis className="size-4" />}
          />
        }
      >
        <MenuItem icon={<FilePen />} onSelect={() => setOpened("details")}>
          Edit details
        </MenuItem>
        <MenuItem icon={<GalleryVerticalEnd />} onSelect={() => setOpened("version")}>
          New version
        </MenuItem>
        <MenuItem icon={<Trash2 />} onSelect={() => setOpened("unpublish")}>
          Unpublish
        </MenuItem>
      </DropdownMenu>
      {opened === "details" && <DetailsDialog template={template} onClose={close} />}
      {opened === "version" && <VersionDialog template={template} onClose={close} />}
      <ConfirmDialog
        open={opened === "unpublish"}
        onOpenChange={(open) => !open && close()}
        title={`Unpublish ${template.name}?`}
        confirmLabel="Unpublish"
        onConfirm={unpublish}
      >
        It can no longer be used. Projects and films that were made from it stay.
      </ConfirmDialog>
    </>
  );
}

function DetailsDialog({ template, onClose }: { template: Template; onClose: () => void }) {
  const [fields, setFields] = useState(() => fieldsOf(template));
  const save = useMutation({
    mutationFn: () =>
      api("put", "/templates/{templateId}", { path: { templateId: template.id }, body: bodyOf(fields) }),
    onSuccess: ({ name }) => {
      forgetTemplates();
      showToast(`${name} is changed.`);
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Details of the template">
      <form className="flex flex-col gap-4" onSubmit={submit}>
        <TemplateFields fields={fields} onChange={setFields} />
        {save.error && <Alert tone="danger">{errorMessage(save.error)}</Alert>}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={save.isPending} disabled={!fields.name.trim()}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Gives the template the film of a project. */
function VersionDialog({ template, onClose }: { template: Template; onClose: () => void }) {
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState<Project | null>(null);
  const { data, error, refetch } = useQuery(projects(useDebounced(search.trim(), 250)));
  const lost = chosen
    ? lostVariables(
        template,
        chosen.variables.map(({ name }) => name),
      )
    : [];
  const publish = useMutation({
    mutationFn: (projectId: string) =>
      api("put", "/templates/{templateId}", { path: { templateId: template.id }, body: { projectId } }),
    onSuccess: ({ name }) => {
      forgetTemplates();
      showToast(`${name} has a new version.`);
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen) publish.mutate(chosen.id);
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`New version of ${template.name}`}
      description="The template gets the film of a project. Films made from it before stay as they are."
    >
      <form className="flex flex-col gap-4" onSubmit={submit}>
        <SearchInput label="Search projects" value={search} onChange={setSearch} />
        {error ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : (
          <fieldset
            aria-label="Project"
            className="-mx-2 flex max-h-[38vh] min-h-24 min-w-0 flex-col gap-0.5 overflow-y-auto px-2 py-0.5"
          >
            {data?.projects.map((project) => (
              <ProjectChoice
                key={project.id}
                project={project}
                isChosen={project.id === chosen?.id}
                onChoose={() => setChosen(project)}
              />
            ))}
            {data?.projects.length === 0 && (
              <p className="py-8 text-center text-muted">
                {search ? "No projects found." : "There are no projects yet."}
              </p>
            )}
            {!data && (
              <Repeat count={3}>
                <Skeleton className="h-14 shrink-0 rounded-lg" />
              </Repeat>
            )}
          </fieldset>
        )}
        {lost.length > 0 && (
          <Alert tone="warning">
            The project does not have {lost.length === 1 ? "the variable" : "the variables"} {lost.join(", ")}. Programs
            that fill {lost.length === 1 ? "it" : "them"} in will not change the film.
          </Alert>
        )}
        {publish.error && <Alert tone="danger">{errorMessage(publish.error)}</Alert>}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={publish.isPending} disabled={!chosen}>
            Publish version
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface ChoiceProps {
  project: Project;
  isChosen: boolean;
  onChoose: () => void;
}

const ProjectChoice = ({ project, isChosen, onChoose }: ChoiceProps) => (
  <label
    className={cx(
      "flex cursor-pointer items-center gap-3 rounded-lg border px-2 py-1.5 has-focus-visible:outline-2",
      isChosen ? "border-foreground bg-hover" : "border-transparent hover:bg-hover",
    )}
  >
    <input type="radio" name="project" checked={isChosen} onChange={onChoose} className="sr-only" />
    <ProjectThumbnail project={project} className="h-11 w-18 shrink-0 rounded-md" />
    <span className="min-w-0">
      <span className="block truncate text-[13px] font-medium">{project.name}</span>
      <span className="nums block truncate text-xs text-muted">
        {project.width} × {project.height}
        {project.durationInFrames != null && ` · ${formatDuration(project.durationInFrames / project.fps)}`} ·{" "}
        <TimeAgo at={project.updatedAt} />
      </span>
    </span>
  </label>
);
