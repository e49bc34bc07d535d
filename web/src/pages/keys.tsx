/** API keys: made, shown once, revoked. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { own, sentence } from "@/api/http";
import { client, keys } from "@/api/queries";
import type { Key } from "@/api/types";
import { Ago, Badge } from "@/ui/bits";
import { Button } from "@/ui/button";
import { CodeBlock, Mono, Secret } from "@/ui/code";
import { Confirm, Dialog } from "@/ui/dialog";
import { Field, Input } from "@/ui/field";
import { Card, Empty, Notice, PageHeader, Problem, SkeletonRows } from "@/ui/surface";
import { Table, Td, Th, Tr } from "@/ui/table";
import { say } from "@/ui/toast";
import { firstRequest } from "./first-film";

export function Keys() {
  const { data, error, refetch } = useQuery(keys);
  const [creating, setCreating] = useState(false);
  const shown = data?.toSorted((a, b) => Number(Boolean(a.revokedAt)) - Number(Boolean(b.revokedAt)));
  const create = (
    <Button look="primary" onClick={() => setCreating(true)} icon={<Plus className="size-4" />}>
      Create a key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        about="Programs sign in with a key. A key can do everything you can, so keep it on your servers."
        actions={create}
      />
      <Card label="API keys">
        {error ? (
          <Problem error={error} retry={() => void refetch()} />
        ) : !shown ? (
          <SkeletonRows rows={3} />
        ) : shown.length === 0 ? (
          <Empty icon={<KeyRound />} title="No keys yet" action={create}>
            Create one to send requests from your own programs.
          </Empty>
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
            {shown.map((key) => (
              <KeyRow key={key.id} of={key} />
            ))}
          </Table>
        )}
      </Card>
      <NewKeyDialog open={creating} onClose={() => setCreating(false)} />
    </>
  );
}

function KeyRow({ of: key }: { of: Key }) {
  const revoke = async () => {
    await own("delete", "/keys/{id}", { path: { id: key.id } });
    await client.invalidateQueries({ queryKey: ["keys"] });
    say("The key was revoked.");
  };
  return (
    <Tr className={key.revokedAt ? "text-quiet" : ""}>
      <Td className="max-w-48 font-medium">
        <span className="block truncate">{key.name || "Unnamed"}</span>
        <Mono className="font-normal text-quiet sm:hidden">{`${key.prefix}…`}</Mono>
      </Td>
      <Td className="hidden sm:table-cell">
        <Mono className="whitespace-nowrap">{`${key.prefix}…`}</Mono>
      </Td>
      <Td className="hidden text-quiet sm:table-cell">
        <Ago at={key.createdAt} />
      </Td>
      <Td className="text-quiet">
        <Ago at={key.lastUsedAt} />
      </Td>
      <Td className="text-right">
        {key.revokedAt ? (
          <Badge>Revoked</Badge>
        ) : (
          <Confirm
            trigger={
              <Button look="quietDanger" size="sm">
                Revoke
              </Button>
            }
            title={`Revoke ${key.name || key.prefix}?`}
            act="Revoke the key"
            onConfirm={revoke}
          >
            Programs that use it are refused from this moment on. This cannot be undone.
          </Confirm>
        )}
      </Td>
    </Tr>
  );
}

function NewKeyDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [name, setName] = useState("");
  const create = useMutation({
    mutationFn: () => own("post", "/keys", { body: name.trim() ? { name: name.trim() } : {} }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["keys"] }),
  });
  const close = () => {
    onClose();
    setName("");
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
        title="Your new key"
        about="Copy it now: it is shown this once, and only its beginning is kept readable."
      >
        <Secret value={create.data.apiKey} label="API key" />
        <CodeBlock className="mt-4" label="Try it" text={firstRequest(create.data.apiKey)} />
        <div className="mt-6 flex justify-end">
          <Button look="primary" onClick={close}>
            I have copied it
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog open={open} onOpenChange={(next) => !next && close()} title="Create a key">
      <form onSubmit={submit} className="flex flex-col gap-5">
        {create.error && <Notice tone="bad">{sentence(create.error)}</Notice>}
        <Field label="Name" hint="Where it will be used, so that you know which one to revoke.">
          {(given) => (
            <Input
              {...given}
              autoFocus
              value={name}
              onChange={(event) => setName(event.target.value)}
              placeholder="Production server"
              maxLength={100}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" look="primary" busy={create.isPending}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
