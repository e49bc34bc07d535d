/** Earlier states of the film, with pictures painted by the engine. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { type FormEvent, useState } from "react";
import { queryClient } from "@/api/queries";
import { openFilm } from "@/editor/model/film";
import { getVersion, keepVersion, listVersions, type Version } from "@/editor/save/projects";
import { useSession, useSessionState } from "@/editor/save/session";
import { STEPS, VERSIONS } from "@/editor/strings/shell";
import { usePaintedPicture } from "@/film/painted-picture";
import { formatDateTime } from "@/lib/format";
import { useInView } from "@/lib/hooks";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Input } from "@/ui/field";
import { Repeat, Skeleton } from "@/ui/skeleton";
import { TimeAgo } from "@/ui/time-ago";
import { showError, showToast } from "@/ui/toast";
import { closeDialog } from "./ui";

export function VersionsDialog() {
  const id = useSessionState((state) => state.id);
  const { data, error, refetch } = useQuery({
    queryKey: ["versions", id],
    queryFn: () => listVersions(id),
    staleTime: 0,
  });
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && closeDialog()}
      title={VERSIONS.title}
      description={VERSIONS.hint}
    >
      <KeepForm id={id} />
      {error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : data?.versions.length === 0 ? (
        <EmptyState icon={<History />} title={VERSIONS.none} className="py-8" />
      ) : (
        <ul className="-mx-2 flex max-h-[56vh] flex-col overflow-y-auto">
          {data ? (
            data.versions.map((version) => <VersionRow key={version.id} projectId={id} version={version} />)
          ) : (
            <Repeat count={4}>
              <Skeleton className="m-2 h-16 rounded-lg" />
            </Repeat>
          )}
        </ul>
      )}
    </Dialog>
  );
}

/** Keeps the film as it is now, under a name. */
function KeepForm({ id }: { id: string }) {
  const session = useSession();
  const [name, setName] = useState("");
  const keep = useMutation({
    async mutationFn() {
      await session.save();
      return keepVersion(id, name.trim());
    },
    onSuccess() {
      setName("");
      showToast(VERSIONS.kept);
      void queryClient.invalidateQueries({ queryKey: ["versions", id] });
    },
    onError: showError,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) keep.mutate();
  };
  return (
    <form onSubmit={submit} className="mb-3 flex gap-2">
      <Input
        aria-label={VERSIONS.keepName}
        placeholder={VERSIONS.keepPlaceholder}
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" busy={keep.isPending} disabled={!name.trim()}>
        {VERSIONS.keep}
      </Button>
    </form>
  );
}

function VersionRow({ projectId, version }: { projectId: string; version: Version }) {
  const session = useSession();
  const { ref, seen } = useInView<HTMLLIElement>();
  const restore = useMutation({
    mutationFn: () => getVersion(projectId, version.id),
    onSuccess({ composition }) {
      session.editor.replace(openFilm(composition), { name: STEPS.restoreVersion });
      showToast(VERSIONS.restored);
      closeDialog();
    },
    onError: showError,
  });
  const name = version.name ?? VERSIONS.unnamed;
  return (
    <li ref={ref} className="flex items-center gap-3 rounded-lg px-2 py-1.5 hover:bg-hover">
      <Picture projectId={projectId} versionId={version.id} isWanted={seen} />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-[13px] font-medium">{name}</span>
        <span className="block truncate text-xs text-muted">
          <TimeAgo at={version.createdAt} />
          {version.changedBy && version.changedBy.kind !== "person" && ` · ${version.changedBy.name}`}
        </span>
      </span>
      <Button
        size="sm"
        busy={restore.isPending}
        aria-label={VERSIONS.restoreOf(`${name}, ${formatDateTime(version.createdAt)}`)}
        onClick={() => restore.mutate()}
      >
        {VERSIONS.restore}
      </Button>
    </li>
  );
}

/** Longer side of a picture, in pixels of the screen. */
const SIDE = 192;

function Picture({ projectId, versionId, isWanted }: { projectId: string; versionId: string; isWanted: boolean }) {
  const picture = usePaintedPicture({
    key: ["version", projectId, versionId],
    load: async () => (await getVersion(projectId, versionId)).composition,
    isWanted,
    side: SIDE,
  });
  return (
    <span className="grid h-14 w-24 shrink-0 place-items-center overflow-hidden rounded-md bg-[#0e1016]">
      {picture && <img src={picture} alt="" className="size-full object-contain" />}
    </span>
  );
}
