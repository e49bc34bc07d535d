/** Apps with OAuth access to the account. */

import { useQuery } from "@tanstack/react-query";
import { Plug } from "lucide-react";
import { dashboardApi } from "@/api/http";
import { apps, queryClient } from "@/api/queries";
import type { ConnectedApp } from "@/api/types";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { CodeBlock } from "@/ui/code-block";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { PageHeader } from "@/ui/page-header";
import { SkeletonRows } from "@/ui/skeleton";
import { TimeAgo } from "@/ui/time-ago";
import { showToast } from "@/ui/toast";

export function ConnectedAppsPage() {
  const { data, error, refetch } = useQuery(apps);
  return (
    <>
      <PageHeader title="Connected apps" description="Apps and AI assistants with access to your account." />
      <Card label="Connected apps">
        {error ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : !data ? (
          <SkeletonRows rows={3} height="h-18" />
        ) : data.length === 0 ? (
          <EmptyState icon={<Plug />} title="No connected apps">
            Apps you authorize appear here.
          </EmptyState>
        ) : (
          <ul>
            {data.map((app) => (
              <AppRow key={app.clientId} app={app} />
            ))}
          </ul>
        )}
      </Card>
      <div className="mt-6">
        <CodeBlock label="MCP server URL" text={`${location.origin}/api/mcp`} />
      </div>
    </>
  );
}

function AppRow({ app }: { app: ConnectedApp }) {
  const revoke = async () => {
    await dashboardApi("delete", "/apps/{clientId}", { path: { clientId: app.clientId } });
    await queryClient.invalidateQueries({ queryKey: ["apps"] });
    showToast(`Access revoked for ${app.name}.`);
  };
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 border-b px-5 py-4 last:border-b-0">
      <span
        aria-hidden="true"
        className="grid size-10 shrink-0 place-items-center rounded-xl border bg-inset font-semibold text-muted"
      >
        {app.name.charAt(0).toUpperCase()}
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words">
          {app.name} {app.host && <span className="font-normal text-muted">· {app.host}</span>}
        </p>
        <p className="text-[13px] text-muted">
          Authorized <TimeAgo at={app.createdAt} />,{" "}
          {app.lastUsedAt ? (
            <>
              last used <TimeAgo at={app.lastUsedAt} />
            </>
          ) : (
            "never used"
          )}
        </p>
      </div>
      <ConfirmDialog
        trigger={
          <Button variant="dangerGhost" size="sm">
            Revoke
          </Button>
        }
        title={`Revoke access for ${app.name}?`}
        confirmLabel="Revoke access"
        onConfirm={revoke}
      >
        The app loses access immediately and must request authorization again.
      </ConfirmDialog>
      <ul aria-label="Permissions" className="flex w-full flex-wrap gap-1.5 sm:pl-14">
        {app.scopes.map((scope) => (
          <li key={scope}>
            <Badge>
              <span className="font-mono text-[11.5px]">{scope}</span>
            </Badge>
          </li>
        ))}
      </ul>
    </li>
  );
}
