/** Operator: invite links. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { Plus, Ticket } from "lucide-react";
import { type FormEvent, useState } from "react";
import { dashboardApi } from "@/api/http";
import { invites, queryClient } from "@/api/queries";
import type { Account, Invite } from "@/api/types";
import { errorMessage } from "@/lib/error";
import { humanize, pluralize } from "@/lib/format";
import { useNow } from "@/lib/hooks";
import { oneOf } from "@/lib/one-of";
import { Alert } from "@/ui/alert";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { Dialog } from "@/ui/dialog";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Field, Input, Select } from "@/ui/field";
import { PageHeader } from "@/ui/page-header";
import { Secret } from "@/ui/secret";
import { SkeletonRows } from "@/ui/skeleton";
import { TimeAgo } from "@/ui/time-ago";
import { showToast } from "@/ui/toast";

/** Credits that the form suggests: enough for a first look. */
const SUGGESTED_CREDITS = "10";
const PLANS = ["none", "creator", "business"] as const satisfies Account["plan"][];

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
          {describeStart(invite)}
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

/** The plan and credits of the account, where the invite says. */
function describeStart({ plan, credits }: Invite): string {
  const parts = [
    ...(plan && plan !== "none" ? [`${humanize(plan)} plan`] : []),
    ...(credits == null ? [] : [pluralize(credits, "credit")]),
  ];
  return parts.map((part) => ` · ${part}`).join("");
}

function InviteDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [email, setEmail] = useState("");
  const [plan, setPlan] = useState<Account["plan"]>("none");
  const [credits, setCredits] = useState(SUGGESTED_CREDITS);
  const create = useMutation({
    mutationFn: () =>
      dashboardApi("post", "/operator/invites", {
        body: {
          ...(email.trim() ? { email: email.trim() } : {}),
          ...(plan === "none" ? {} : { plan }),
          ...(credits.trim() ? { credits: Number(credits) } : {}),
        },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["invites"] }),
  });
  const close = () => {
    onClose();
    setEmail("");
    setPlan("none");
    setCredits(SUGGESTED_CREDITS);
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
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Plan">
            {(field) => (
              <Select {...field} value={plan} onChange={(event) => setPlan(oneOf(event.target.value, PLANS) ?? "none")}>
                <option value="none">None</option>
                <option value="creator">Creator</option>
                <option value="business">Business</option>
              </Select>
            )}
          </Field>
          <Field label="Credits">
            {(field) => (
              <Input
                {...field}
                type="number"
                min={0}
                step={1}
                value={credits}
                onChange={(event) => setCredits(event.target.value)}
                className="nums"
              />
            )}
          </Field>
        </div>
        <p className="-mt-2 text-[13px] text-muted">
          What the new account starts with. A render costs at least 1 credit.
        </p>
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
