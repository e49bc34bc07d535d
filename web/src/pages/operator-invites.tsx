/** For the operator: links with which people may sign up. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { Plus, Ticket } from "lucide-react";
import { type FormEvent, useState } from "react";
import { own, sentence } from "@/api/http";
import { client, invites } from "@/api/queries";
import type { Invite } from "@/api/types";
import { useNow } from "@/lib/hooks";
import { Ago, Badge } from "@/ui/bits";
import { Button } from "@/ui/button";
import { Secret } from "@/ui/code";
import { Confirm, Dialog } from "@/ui/dialog";
import { Field, Input } from "@/ui/field";
import { Card, Empty, Notice, PageHeader, Problem, SkeletonRows } from "@/ui/surface";
import { say } from "@/ui/toast";

export function OperatorInvites() {
  const { data, error, refetch } = useQuery(invites);
  const [creating, setCreating] = useState(false);
  const create = (
    <Button look="primary" onClick={() => setCreating(true)} icon={<Plus className="size-4" />}>
      Invite someone
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Invites"
        about="Each link lets one person create an account, also where sign-up is closed to others."
        actions={create}
      />
      <Card label="Invites">
        {error ? (
          <Problem error={error} retry={() => void refetch()} />
        ) : !data ? (
          <SkeletonRows rows={3} />
        ) : data.length === 0 ? (
          <Empty icon={<Ticket />} title="No invites yet" action={create}>
            Make a link and send it to whom you like.
          </Empty>
        ) : (
          <ul>
            {data.map((invite) => (
              <InviteRow key={invite.id} invite={invite} />
            ))}
          </ul>
        )}
      </Card>
      <NewInvite open={creating} onClose={() => setCreating(false)} />
    </>
  );
}

function InviteRow({ invite }: { invite: Invite }) {
  const over = useNow() > Date.parse(invite.expiresAt);
  const revoke = async () => {
    await own("delete", "/operator/invites/{id}", { path: { id: invite.id } });
    await client.invalidateQueries({ queryKey: ["invites"] });
    say("The invite was withdrawn.");
  };
  return (
    <li className="flex items-center gap-4 border-b px-5 py-3.5 last:border-b-0">
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{invite.email ?? "Anyone with the link"}</span>
        <span className="block truncate text-[13px] text-quiet">
          {invite.usedBy ? (
            `Used by ${invite.usedBy}`
          ) : (
            <>
              {over ? "Ended" : "Ends"} <Ago at={invite.expiresAt} />
            </>
          )}
        </span>
      </span>
      {invite.usedBy ? (
        <Badge tone="good">Used</Badge>
      ) : over ? (
        <Badge>Over</Badge>
      ) : (
        <Confirm
          trigger={
            <Button look="quietDanger" size="sm">
              Withdraw
            </Button>
          }
          title="Withdraw this invite?"
          act="Withdraw"
          onConfirm={revoke}
        >
          Its link stops working at once.
        </Confirm>
      )}
    </li>
  );
}

function NewInvite({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [email, setEmail] = useState("");
  const create = useMutation({
    mutationFn: () => own("post", "/operator/invites", { body: email.trim() ? { email: email.trim() } : {} }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["invites"] }),
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
        firm
        wide
        title="The invitation"
        about="Send this link. It works once, and is shown this once."
      >
        <Secret value={create.data.url} label="Invitation link" />
        <div className="mt-6 flex justify-end">
          <Button look="primary" onClick={close}>
            I have copied it
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog open={open} onOpenChange={(next) => !next && close()} title="Invite someone">
      <form onSubmit={submit} className="flex flex-col gap-5">
        {create.error && <Notice tone="bad">{sentence(create.error)}</Notice>}
        <Field label="Email" hint="Only this address can then use the link. Leave it empty for anyone.">
          {(given) => (
            <Input {...given} type="email" autoFocus value={email} onChange={(event) => setEmail(event.target.value)} />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" look="primary" busy={create.isPending}>
            Make the link
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
