/** The editor of a project, or of the throwaway copy that the API's editUrl opens. */

import { useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Clock } from "lucide-react";
import { useEffect, useState } from "react";
import { isMissing } from "@/api/http";
import { session as sessionQuery } from "@/api/queries";
import { openSession } from "@/editor/save/open";
import type { Session } from "@/editor/save/session";
import { EditorView } from "@/editor/shell/editor";
import { OPEN } from "@/editor/strings/shell";
import { buttonClass } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Missing } from "@/ui/missing";
import { Spinner } from "@/ui/spinner";

const route = getRouteApi("/account/edit/$projectId");

export function EditPage() {
  const { projectId } = route.useParams();
  return <OpenFilm key={projectId} id={projectId} />;
}

function OpenFilm({ id }: { id: string }) {
  const accountId = useSuspenseQuery(sessionQuery).data.account?.id ?? "";
  const [opened, setOpened] = useState<Session | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens again at each try.
  useEffect(() => {
    let isCurrent = true;
    setError(null);
    openSession(id, accountId).then(
      (session) => isCurrent && setOpened(session),
      (problem: unknown) => isCurrent && setError(problem),
    );
    return () => {
      isCurrent = false;
    };
  }, [id, accountId, tries]);
  if (opened) return <EditorView session={opened} />;
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      {error && isMissing(error) ? (
        <NotThere isPreview={id.startsWith("prv_")} />
      ) : error ? (
        <ErrorState error={error} retry={() => setTries(tries + 1)} />
      ) : (
        <Spinner className="size-6 text-muted" />
      )}
    </main>
  );
}

const NotThere = ({ isPreview }: { isPreview: boolean }) =>
  isPreview ? (
    <EmptyState
      icon={<Clock />}
      title={OPEN.expired}
      className="rounded-xl border bg-surface"
      action={
        <span className="flex flex-wrap justify-center gap-2">
          <Link to="/dashboard/templates" className={buttonClass("primary")}>
            {OPEN.browse}
          </Link>
          <Link to="/edit/new" className={buttonClass()}>
            {OPEN.startNew}
          </Link>
        </span>
      }
    >
      {OPEN.expiredHint}
    </EmptyState>
  ) : (
    <Missing what="project">
      <Link to="/dashboard/projects" className={buttonClass("primary")}>
        {OPEN.projects}
      </Link>
      <Link to="/edit/new" className={buttonClass()}>
        {OPEN.startNew}
      </Link>
    </Missing>
  );
