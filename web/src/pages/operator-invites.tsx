/** Operator: invite links. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { Plus, Ticket } from "lucide-react";
import { type FormEvent, useState } from "react";
import { dashboardApi } from "@/api/http";
import { invites, queryClient } from "@/api/queries";
import type { Invite } from "@/api/types";
import { errorMessage } from "@/lib/error";
import { useNow } from "@/lib/hooks";
import { Alert } from "@/ui/alert";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { Dialog } from "@/ui/dialog";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Field, Input } from "@/ui/field";
import { PageHeader } from "@/ui/page-header";
import { Secret } from "@/ui/secret";
import { SkeletonRows } from "@/ui/skeleton";
import { TimeAgo } from "@/ui/time-ago";
import { showToast } from "@/ui/toast";

export function InvitesPage() {
  const { data, error, refetch } = useQuery(invites);
  const [creating, setCreating] = useState(false);
  const create = (
    <Button variant="primary" onClick={() => setCreating(true)} icon={<Plus className="size-4" />}>
      Create invite
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Invites"
        description="An invite link lets one person create an account, even when sign-up is disabled."
        actions={create}
      />
      <Card label="Invites">
        {error ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : !data ? (
          <SkeletonRows rows={3} />
        ) : data.length === 0 ? (
          <EmptyState icon={<Ticket />} title="No invites yet" action={create}>
            Create a link and share it.
          </EmptyState>
        ) : (
          <ul>
            {data.map((invite) => (
              <InviteRow key={invite.id} invite={invite} />
            ))}
          </ul>
        )}
      </Card>
      <InviteDialog open={creating} onClose={() => setCreating(false)} />
    </>
  );
}

function InviteRow({ invite }: { invite: Invite }) {
  const expired = useNow() > Date.parse(invite.expiresAt);
  const revoke = async () => {
    await dashboardApi("delete", "/operator/invites/{id}", { path: { id: invite.id } });
    await queryClient.invalidateQueries({ queryKey: ["invites"] });
    showToast("Invite revoked.");
  };
  return (
    <li className="flex items-center gap-4 border-b px-5 py-3.5 last:border-b-0">
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{invite.email ?? "Anyone with the link"}</span>
        <span className="block truncate text-[13px] text-muted">
          {invite.usedBy ? (
            `Used by ${invite.usedBy}`
          ) : (
            <>
              {expired ? "Expired" : "Expires"} <TimeAgo at={invite.expiresAt} />
            </>
          )}
        </span>
      </span>
      {invite.usedBy ? (
        <Badge tone="success">Used</Badge>
      ) : expired ? (
        <Badge>Expired</Badge>
      ) : (
        <ConfirmDialog
          trigger={
            <Button variant="dangerGhost" size="sm">
              Revoke
            </Button>
          }
          title="Revoke this invite?"
          confirmLabel="Revoke"
          onConfirm={revoke}
        >
          The link stops working immediately.
        </ConfirmDialog>
      )}
    </li>
  );
}

function InviteDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [email, setEmail] = useState("");
  const create = useMutation({
    mutationFn: () => dashboardApi("post", "/operator/invites", { body: email.trim() ? { email: email.trim() } : {} }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["invites"] }),
  });
  const close = () => {
    onClose();
    setEmail("");
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
        title="Invite created"
        description="Share this link. It can be used once and is not shown again."
      >
        <Secret value={create.data.url} label="Invite link" />
        <div className="mt-6 flex justify-end">
          <Button variant="primary" onClick={close}>
            Done
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog open={open} onOpenChange={(next) => !next && close()} title="Create invite">
      <form onSubmit={submit} className="flex flex-col gap-5">
        {create.error && <Alert tone="danger">{errorMessage(create.error)}</Alert>}
        <Field label="Email" hint="Optional. Restricts the invite to this address.">
          {(field) => (
            <Input {...field} type="email" autoFocus value={email} onChange={(event) => setEmail(event.target.value)} />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" variant="primary" busy={create.isPending}>
            Create link
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
