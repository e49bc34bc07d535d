/** Programs that act for the account after its owner agreed. */
import { useQuery } from "@tanstack/react-query";
import { Plug } from "lucide-react";
import { own } from "@/api/http";
import { apps, client } from "@/api/queries";
import type { App } from "@/api/types";
import { Ago, Badge } from "@/ui/bits";
import { Button } from "@/ui/button";
import { CodeBlock } from "@/ui/code";
import { Confirm } from "@/ui/dialog";
import { Card, Empty, PageHeader, Problem, SkeletonRows } from "@/ui/surface";
import { say } from "@/ui/toast";

export function Apps() {
  const { data, error, refetch } = useQuery(apps);
  return (
    <>
      <PageHeader
        title="Connected apps"
        about="Assistants and programs you allowed to work with your account. Revoking ends their access at once."
      />
      <Card label="Connected apps">
        {error ? (
          <Problem error={error} retry={() => void refetch()} />
        ) : !data ? (
          <SkeletonRows rows={3} height="h-18" />
        ) : data.length === 0 ? (
          <Empty icon={<Plug />} title="No connected apps">
            When an assistant asks for access, you decide on a page of Rondo, and it is listed here.
          </Empty>
        ) : (
          <ul>
            {data.map((app) => (
              <AppRow key={app.clientId} app={app} />
            ))}
          </ul>
        )}
      </Card>
      <div className="mt-6">
        <CodeBlock label="Connect an assistant: the address of the MCP server" text={`${location.origin}/api/mcp`} />
      </div>
    </>
  );
}

function AppRow({ app }: { app: App }) {
  const revoke = async () => {
    await own("delete", "/apps/{clientId}", { path: { clientId: app.clientId } });
    await client.invalidateQueries({ queryKey: ["apps"] });
    say(`${app.name} no longer has access.`);
  };
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 border-b px-5 py-4 last:border-b-0">
      <span
        aria-hidden="true"
        className="grid size-10 shrink-0 place-items-center rounded-xl border bg-sunken font-semibold text-quiet"
      >
        {app.name.charAt(0).toUpperCase()}
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words">
          {app.name} {app.host && <span className="font-normal text-quiet">· {app.host}</span>}
        </p>
        <p className="text-[13px] text-quiet">
          Allowed <Ago at={app.createdAt} />,{" "}
          {app.lastUsedAt ? (
            <>
              last used <Ago at={app.lastUsedAt} />
            </>
          ) : (
            "never used"
          )}
        </p>
      </div>
      <Confirm
        trigger={
          <Button look="quietDanger" size="sm">
            Revoke
          </Button>
        }
        title={`Revoke ${app.name}?`}
        act="Revoke access"
        onConfirm={revoke}
      >
        It is signed out everywhere and must ask you again before it can do anything.
      </Confirm>
      <ul aria-label="What it may do" className="flex w-full flex-wrap gap-1.5 sm:pl-14">
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
