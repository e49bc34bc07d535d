/** For the operator: every account, its plan and its credits. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, Search, Users } from "lucide-react";
import { type FormEvent, useState } from "react";
import { own, sentence } from "@/api/http";
import { client, operatorAccounts } from "@/api/queries";
import type { Account, OperatorAccount } from "@/api/types";
import { number, plural, words } from "@/lib/format";
import { useSettled } from "@/lib/hooks";
import { MIN_PASSWORD } from "@/lib/password";
import { Ago, Badge } from "@/ui/bits";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Check, Field, Input, Password, Select } from "@/ui/field";
import { Card, Empty, Notice, PageHeader, Problem, SkeletonRows } from "@/ui/surface";
import { Table, Td, Th, Tr } from "@/ui/table";
import { say } from "@/ui/toast";

export function OperatorAccounts() {
  const [search, setSearch] = useState("");
  const [page, setPage] = useState(1);
  const [edited, setEdited] = useState<OperatorAccount | null>(null);
  const asked = useSettled(search.trim(), 250);
  const { data, error, refetch, isPlaceholderData } = useQuery(operatorAccounts(asked, page));
  const pages = data?.pagination.pages ?? 1;
  return (
    <>
      <PageHeader title="Accounts" about="Everyone on this installation." />
      <div className="mb-4 flex items-center gap-3">
        <div className="relative w-full max-w-sm">
          <Search className="pointer-events-none absolute top-2.5 left-3 size-4 text-quiet" aria-hidden="true" />
          <Input
            type="search"
            aria-label="Search accounts"
            placeholder="Name or email"
            className="pl-9"
            value={search}
            onChange={(event) => {
              setSearch(event.target.value);
              setPage(1);
            }}
          />
        </div>
        {data && (
          <span role="status" className="nums ml-auto text-[13px] whitespace-nowrap text-quiet">
            {plural(data.pagination.total, "account")}
          </span>
        )}
      </div>
      <Card label="Accounts">
        {error ? (
          <Problem error={error} retry={() => void refetch()} />
        ) : !data ? (
          <SkeletonRows rows={6} />
        ) : data.items.length === 0 ? (
          <Empty icon={<Users />} title="No account matches">
            Try a part of the name or of the address.
          </Empty>
        ) : (
          <Table
            label="Accounts"
            head={
              <>
                <Th>Account</Th>
                <Th className="hidden sm:table-cell">Plan</Th>
                <Th className="hidden text-right sm:table-cell">Credits</Th>
                <Th className="hidden text-right md:table-cell">Renders</Th>
                <Th className="hidden lg:table-cell">Last seen</Th>
                <Th>
                  <span className="sr-only">Actions</span>
                </Th>
              </>
            }
          >
            {data.items.map((account) => (
              <Tr key={account.id}>
                <Td className="max-w-56 sm:max-w-70">
                  <span className="flex items-center gap-2">
                    <span className="truncate font-medium">{account.name || "No name"}</span>
                    {account.isOperator && <Badge tone="accent">Operator</Badge>}
                  </span>
                  <span className="block truncate text-[13px] text-quiet">{account.email}</span>
                  <span className="nums block text-[13px] text-quiet sm:hidden">
                    {account.plan === "none" ? "No plan" : words(account.plan)} · {plural(account.credits, "credit")}
                  </span>
                </Td>
                <Td className="hidden sm:table-cell">
                  {account.plan === "none" ? <span className="text-quiet">None</span> : words(account.plan)}
                </Td>
                <Td className="nums hidden text-right sm:table-cell">{number(account.credits)}</Td>
                <Td className="nums hidden text-right md:table-cell">{number(account.renders)}</Td>
                <Td className="hidden text-quiet lg:table-cell">
                  <Ago at={account.lastSeenAt} />
                </Td>
                <Td className="text-right">
                  <Button size="sm" onClick={() => setEdited(account)} aria-label={`Change ${account.email}`}>
                    Change
                  </Button>
                </Td>
              </Tr>
            ))}
          </Table>
        )}
      </Card>
      {pages > 1 && (
        <nav aria-label="Pages" className="mt-4 flex items-center justify-between">
          <span className="nums text-[13px] text-quiet">
            Page {page} of {pages}
          </span>
          <span className="flex gap-2">
            <Button
              size="sm"
              disabled={page === 1 || isPlaceholderData}
              onClick={() => setPage(page - 1)}
              icon={<ChevronLeft className="size-4" />}
            >
              Back
            </Button>
            <Button size="sm" disabled={page >= pages || isPlaceholderData} onClick={() => setPage(page + 1)}>
              Next <ChevronRight className="size-4" />
            </Button>
          </span>
        </nav>
      )}
      {edited && <Change key={edited.id} account={edited} onClose={() => setEdited(null)} />}
    </>
  );
}

function Change({ account, onClose }: { account: OperatorAccount; onClose: () => void }) {
  const [plan, setPlan] = useState(account.plan);
  const [credits, setCredits] = useState("");
  const [isOperator, setOperator] = useState(account.isOperator);
  const [password, setPassword] = useState("");
  const delta = credits.trim() === "" ? 0 : Number(credits);
  const changes = {
    ...(plan !== account.plan ? { plan } : {}),
    ...(delta ? { credits: delta } : {}),
    ...(isOperator !== account.isOperator ? { isOperator } : {}),
    ...(password ? { password } : {}),
  };
  const save = useMutation({
    mutationFn: () => own("patch", "/operator/accounts/{id}", { path: { id: account.id }, body: changes }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ["operator-accounts"] });
      void client.invalidateQueries({ queryKey: ["session"] });
      void client.invalidateQueries({ queryKey: ["transactions"] });
      say(`${account.email} was changed.`);
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={account.name || account.email}
      about={account.email}
    >
      <form onSubmit={submit} className="flex flex-col gap-5">
        {save.error && <Notice tone="bad">{sentence(save.error)}</Notice>}
        <Field label="Plan">
          {(given) => (
            <Select {...given} value={plan} onChange={(event) => setPlan(event.target.value as Account["plan"])}>
              <option value="none">None</option>
              <option value="creator">Creator</option>
              <option value="business">Business</option>
            </Select>
          )}
        </Field>
        <Field
          label="Add credits"
          aside={`${number(account.credits)} now`}
          hint="A negative number takes credits away. The change is written down as a transaction."
        >
          {(given) => (
            <Input
              {...given}
              type="number"
              step={1}
              value={credits}
              onChange={(event) => setCredits(event.target.value)}
              placeholder="0"
              className="nums"
            />
          )}
        </Field>
        <Field label="New password" hint="Ends every session of this account. Leave it empty to keep the password.">
          {(given) => (
            <Password
              {...given}
              minLength={MIN_PASSWORD}
              autoComplete="new-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <Check
          label="Operator"
          hint="Sees these pages, and may change every account."
          checked={isOperator}
          onChange={(event) => setOperator(event.target.checked)}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="primary"
            busy={save.isPending}
            disabled={!Object.keys(changes).length || !Number.isInteger(delta)}
          >
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
