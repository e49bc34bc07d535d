/** API keys: create, list, revoke. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { dashboardApi } from "@/api/http";
import { keys, queryClient } from "@/api/queries";
import type { ApiKey } from "@/api/types";
import { quickstartRequest } from "@/film/snippets";
import { errorMessage } from "@/lib/error";
import { formatDateTime } from "@/lib/format";
import { useNow } from "@/lib/hooks";
import { Alert } from "@/ui/alert";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { CodeBlock, InlineCode } from "@/ui/code-block";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { Dialog } from "@/ui/dialog";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Field, Input, Select } from "@/ui/field";
import { PageHeader } from "@/ui/page-header";
import { Secret } from "@/ui/secret";
import { SkeletonRows } from "@/ui/skeleton";
import { Table, Td, Th, Tr } from "@/ui/table";
import { TimeAgo } from "@/ui/time-ago";
import { showToast } from "@/ui/toast";

export function ApiKeysPage() {
  const { data, error, refetch } = useQuery(keys);
  const [creating, setCreating] = useState(false);
  const sorted = data?.toSorted((a, b) => Number(Boolean(a.revokedAt)) - Number(Boolean(b.revokedAt)));
  const create = (
    <Button variant="primary" onClick={() => setCreating(true)} icon={<Plus className="size-4" />}>
      Create API key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        description="Authenticate requests to the API. Keys give access to your account: keep them secret."
        actions={create}
      />
      <Card label="API keys">
        {error ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : !sorted ? (
          <SkeletonRows rows={3} />
        ) : sorted.length === 0 ? (
          <EmptyState icon={<KeyRound />} title="No API keys" action={create}>
            Create a key to call the API from your application.
          </EmptyState>
        ) : (
          <Table
            label="API keys"
            head={
              <>
                <Th>Name</Th>
                <Th className="hidden sm:table-cell">Key</Th>
                <Th className="hidden sm:table-cell">Created</Th>
                <Th>Last used</Th>
                <Th>
                  <span className="sr-only">Actions</span>
                </Th>
              </>
            }
          >
            {sorted.map((key) => (
              <ApiKeyRow key={key.id} apiKey={key} />
            ))}
          </Table>
        )}
      </Card>
      <ApiKeyDialog open={creating} onClose={() => setCreating(false)} />
    </>
  );
}

function ApiKeyRow({ apiKey: key }: { apiKey: ApiKey }) {
  const now = useNow();
  const expired = Boolean(key.expiresAt && Date.parse(key.expiresAt) <= now);
  const revoke = async () => {
    await dashboardApi("delete", "/keys/{id}", { path: { id: key.id } });
    await queryClient.invalidateQueries({ queryKey: ["keys"] });
    showToast("API key revoked.");
  };
  return (
    <Tr className={key.revokedAt || expired ? "text-muted" : ""}>
      <Td className="max-w-48 font-medium">
        <span className="flex items-center gap-2">
          <span className="truncate">{key.name || "Unnamed"}</span>
          {key.mode === "test" && <Badge>Test</Badge>}
          {key.access === "read" && <Badge tone="info">Read only</Badge>}
        </span>
        <InlineCode className="font-normal text-muted sm:hidden">{`${key.prefix}…`}</InlineCode>
      </Td>
      <Td className="hidden sm:table-cell">
        <InlineCode className="whitespace-nowrap">{`${key.prefix}…`}</InlineCode>
      </Td>
      <Td className="hidden text-muted sm:table-cell">
        <TimeAgo at={key.createdAt} />
        {key.expiresAt && !expired && (
          <span className="block text-[13px] whitespace-nowrap">Expires {formatDateTime(key.expiresAt)}</span>
        )}
      </Td>
      <Td className="text-muted">
        <TimeAgo at={key.lastUsedAt} />
      </Td>
      <Td className="text-right">
        {key.revokedAt ? (
          <Badge>Revoked</Badge>
        ) : expired ? (
          <Badge tone="warning">Expired</Badge>
        ) : (
          <ConfirmDialog
            trigger={
              <Button variant="dangerGhost" size="sm">
                Revoke
              </Button>
            }
            title={`Revoke ${key.name || key.prefix}?`}
            confirmLabel="Revoke key"
            onConfirm={revoke}
          >
            Requests with this key fail immediately. This cannot be undone.
          </ConfirmDialog>
        )}
      </Td>
    </Tr>
  );
}

function ApiKeyDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [name, setName] = useState("");
  const [access, setAccess] = useState<"full" | "read">("full");
  const [mode, setMode] = useState<"live" | "test">("live");
  const [days, setDays] = useState("");
  const create = useMutation({
    mutationFn: () =>
      dashboardApi("post", "/keys", {
        body: {
          access,
          mode,
          ...(name.trim() ? { name: name.trim() } : {}),
          ...(days ? { expiresAt: new Date(Date.now() + Number(days) * 86_400_000).toISOString() } : {}),
        },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["keys"] }),
  });
  const close = () => {
    onClose();
    setName("");
    setAccess("full");
    setMode("live");
    setDays("");
    create.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  if (create.data) {
    return (
      <Dialog
        open={open}
        onOpenChange={(next) => !next && close()}
        dismissible={false}
        wide
        title="API key created"
        description="Copy the key now. It is not shown again."
      >
        <Secret value={create.data.apiKey} label="API key" />
        <CodeBlock className="mt-4" label="Example request" text={quickstartRequest(create.data.apiKey)} />
        <div className="mt-6 flex justify-end">
          <Button variant="primary" onClick={close}>
            Done
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog open={open} onOpenChange={(next) => !next && close()} title="Create API key">
      <form onSubmit={submit} className="flex flex-col gap-5">
        {create.error && <Alert tone="danger">{errorMessage(create.error)}</Alert>}
        <Field label="Name" hint="Identifies the key in the list.">
          {(field) => (
            <Input
              {...field}
              autoFocus
              value={name}
              onChange={(event) => setName(event.target.value)}
              placeholder="Production server"
              maxLength={100}
            />
          )}
        </Field>
        <Field
          label="Type"
          hint={mode === "test" ? "Renders are free, carry a watermark and have at most 720p. 200 a day." : undefined}
        >
          {(field) => (
            <Select
              {...field}
              value={mode}
              onChange={(event) => setMode(event.target.value === "test" ? "test" : "live")}
            >
              <option value="live">Live key</option>
              <option value="test">Test key</option>
            </Select>
          )}
        </Field>
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Access" hint="A read-only key cannot render, upload or change anything.">
            {(field) => (
              <Select
                {...field}
                value={access}
                onChange={(event) => setAccess(event.target.value === "read" ? "read" : "full")}
              >
                <option value="full">Full access</option>
                <option value="read">Read only</option>
              </Select>
            )}
          </Field>
          <Field label="Expires">
            {(field) => (
              <Select {...field} value={days} onChange={(event) => setDays(event.target.value)}>
                <option value="">Never</option>
                <option value="7">In 7 days</option>
                <option value="30">In 30 days</option>
                <option value="90">In 90 days</option>
                <option value="365">In a year</option>
              </Select>
            )}
          </Field>
        </div>
        <div className="flex justify-end gap-2">
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" variant="primary" busy={create.isPending}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
