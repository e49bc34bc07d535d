/** The list of projects. */

import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FolderOpen, Pencil, Plus, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { api } from "@/api/http";
import { projects, queryClient, session } from "@/api/queries";
import type { Project } from "@/api/types";
import { tellTabs } from "@/editor/save/tabs";
import { ProjectThumbnail } from "@/film/project-thumbnail";
import { forgetForm } from "@/film/render-form";
import { errorMessage } from "@/lib/error";
import { formatDuration, pluralize } from "@/lib/format";
import { useDebounced } from "@/lib/hooks";
import { Alert } from "@/ui/alert";
import { Button, buttonClass } from "@/ui/button";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { Dialog } from "@/ui/dialog";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Field, Input } from "@/ui/field";
import { PageHeader } from "@/ui/page-header";
import { Pagination, useCursorPages } from "@/ui/pagination";
import { SearchInput } from "@/ui/search-input";
import { Repeat, Skeleton } from "@/ui/skeleton";
import { TimeAgo } from "@/ui/time-ago";
import { showToast } from "@/ui/toast";

export function ProjectsPage() {
  const [cursor, setCursor] = useState<string | undefined>();
  const [search, setSearch] = useState("");
  const [renamed, setRenamed] = useState<Project | null>(null);
  const query = useDebounced(search.trim(), 250);
  const { data, error, refetch, isPlaceholderData } = useQuery(projects(query, cursor));
  const pages = useCursorPages(cursor, setCursor);
  return (
    <>
      <PageHeader
        title="Projects"
        description="Your films. Edit them, or change their variables and render again."
        actions={
          <Link to="/edit/new" className={buttonClass("primary")}>
            <Plus className="size-4" aria-hidden="true" /> New film
          </Link>
        }
      />
      <div className="mb-5 flex items-center gap-3">
        <SearchInput
          label="Search projects"
          value={search}
          onChange={(text) => {
            setSearch(text);
            pages.reset();
          }}
          className="w-full max-w-sm"
        />
        {data && (
          <span role="status" className="nums ml-auto text-[13px] whitespace-nowrap text-muted">
            {pluralize(data.total, "project")}
          </span>
        )}
      </div>
      {error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : data?.total === 0 && query ? (
        <EmptyState
          icon={<FolderOpen />}
          title="No projects found"
          className="rounded-xl border bg-surface"
          action={<Button onClick={() => setSearch("")}>Clear search</Button>}
        >
          Try a different name.
        </EmptyState>
      ) : data?.total === 0 ? (
        <EmptyState
          icon={<FolderOpen />}
          title="No projects yet"
          className="rounded-xl border bg-surface"
          action={
            <span className="flex flex-wrap justify-center gap-2">
              <Link to="/edit/new" className={buttonClass("primary")}>
                New film
              </Link>
              <Link to="/dashboard/templates" className={buttonClass()}>
                Browse templates
              </Link>
            </span>
          }
        >
          Make one in the editor, or render a template.
        </EmptyState>
      ) : (
        <>
          <ul className="grid gap-5 min-[560px]:grid-cols-2 xl:grid-cols-3">
            {data ? (
              data.projects.map((project) => (
                <ProjectCard key={project.id} project={project} onRename={() => setRenamed(project)} />
              ))
            ) : (
              <Repeat count={6}>
                <Skeleton className="aspect-[1/0.76] rounded-xl" />
              </Repeat>
            )}
          </ul>
          {data && (
            <Pagination pages={pages} next={data.nextCursor ?? null} busy={isPlaceholderData} className="mt-6" />
          )}
        </>
      )}
      {renamed && <RenameDialog key={renamed.id} project={renamed} onClose={() => setRenamed(null)} />}
    </>
  );
}

function ProjectCard({ project, onRename }: { project: Project; onRename: () => void }) {
  const accountId = useSuspenseQuery(session).data.account?.id ?? "";
  const remove = async () => {
    await api("delete", "/projects/{projectId}", { path: { projectId: project.id } });
    forgetForm(accountId, { projectId: project.id });
    tellTabs({ id: project.id, etag: null });
    await queryClient.invalidateQueries({ queryKey: ["projects"] });
    void queryClient.invalidateQueries({ queryKey: ["renders"] });
    showToast("Project deleted.");
  };
  return (
    <li className="flex min-w-0 flex-col rounded-xl border bg-surface shadow-card transition-colors hover:border-border-strong">
      <Link to="/dashboard/projects/$projectId" params={{ projectId: project.id }} className="block rounded-t-xl">
        <ProjectThumbnail project={project} className="aspect-16/9 rounded-t-[11px]" />
        <span className="block px-4 pt-3">
          <span className="block truncate font-semibold tracking-[-0.01em]">{project.name}</span>
          <span className="nums block truncate text-[13px] text-muted">
            {project.width} × {project.height}
            {project.durationInFrames != null && ` · ${formatDuration(project.durationInFrames / project.fps)}`} ·{" "}
            {pluralize(project.variables.length, "variable")}
          </span>
        </span>
      </Link>
      <span className="flex items-center gap-1 px-4 pt-0.5 pb-2.5 text-[13px] text-muted">
        <span className="mr-auto">
          <TimeAgo at={project.updatedAt} />
        </span>
        <Link
          to="/edit/$projectId"
          params={{ projectId: project.id }}
          className={buttonClass("ghost", "sm")}
          aria-label={`Edit ${project.name}`}
        >
          Edit
        </Link>
        <Button variant="ghost" size="icon" onClick={onRename} aria-label={`Rename ${project.name}`}>
          <Pencil className="size-3.5" />
        </Button>
        <ConfirmDialog
          trigger={
            <Button variant="ghost" size="icon" aria-label={`Delete ${project.name}`}>
              <Trash2 className="size-3.5" />
            </Button>
          }
          title={`Delete ${project.name}?`}
          confirmLabel="Delete project"
          onConfirm={remove}
        >
          The project can no longer be rendered. Its renders and their files stay.
        </ConfirmDialog>
      </span>
    </li>
  );
}

function RenameDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const [name, setName] = useState(project.name);
  const save = useMutation({
    mutationFn: () =>
      api("put", "/projects/{projectId}", { path: { projectId: project.id }, body: { name: name.trim() } }),
    onSuccess: () => {
      for (const key of ["projects", "project", "renders", "render"])
        void queryClient.invalidateQueries({ queryKey: [key] });
      showToast("Project renamed.");
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Rename project">
      <form onSubmit={submit} className="flex flex-col gap-5">
        {save.error && <Alert tone="danger">{errorMessage(save.error)}</Alert>}
        <Field label="Name">
          {(field) => (
            <Input
              {...field}
              autoFocus
              required
              maxLength={200}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            busy={save.isPending}
            disabled={!name.trim() || name.trim() === project.name}
          >
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
