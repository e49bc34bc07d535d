/** Operator: accounts, plans and credits. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, Search, Users } from "lucide-react";
import { type FormEvent, useState } from "react";
import { dashboardApi } from "@/api/http";
import { operatorAccounts, queryClient } from "@/api/queries";
import type { Account, OperatorAccount } from "@/api/types";
import { errorMessage } from "@/lib/error";
import { formatNumber, humanize, pluralize } from "@/lib/format";
import { useDebounced } from "@/lib/hooks";
import { MIN_PASSWORD } from "@/lib/password";
import { Alert } from "@/ui/alert";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { Dialog } from "@/ui/dialog";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Checkbox, Field, Input, PasswordInput, Select } from "@/ui/field";
import { PageHeader } from "@/ui/page-header";
import { SkeletonRows } from "@/ui/skeleton";
import { Table, Td, Th, Tr } from "@/ui/table";
import { TimeAgo } from "@/ui/time-ago";
import { showToast } from "@/ui/toast";

export function AccountsPage() {
  const [search, setSearch] = useState("");
  const [page, setPage] = useState(1);
  const [edited, setEdited] = useState<OperatorAccount | null>(null);
  const query = useDebounced(search.trim(), 250);
  const { data, error, refetch, isPlaceholderData } = useQuery(operatorAccounts(query, page));
  const pages = data?.pagination.pages ?? 1;
  return (
    <>
      <PageHeader title="Accounts" description="All accounts on this installation." />
      <div className="mb-4 flex items-center gap-3">
        <div className="relative w-full max-w-sm">
          <Search className="pointer-events-none absolute top-2.5 left-3 size-4 text-muted" aria-hidden="true" />
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
          <span role="status" className="nums ml-auto text-[13px] whitespace-nowrap text-muted">
            {pluralize(data.pagination.total, "account")}
          </span>
        )}
      </div>
      <Card label="Accounts">
        {error ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : !data ? (
          <SkeletonRows rows={6} />
        ) : data.items.length === 0 ? (
          <EmptyState icon={<Users />} title="No accounts found">
            Try a different name or email.
          </EmptyState>
        ) : (
          <Table
            label="Accounts"
            head={
              <>
                <Th>Account</Th>
                <Th className="hidden sm:table-cell">Plan</Th>
                <Th className="hidden text-right sm:table-cell">Credits</Th>
                <Th className="hidden text-right md:table-cell">Renders</Th>
                <Th className="hidden lg:table-cell">Last active</Th>
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
                    {account.suspendedAt && <Badge tone="danger">Suspended</Badge>}
                  </span>
                  <span className="block truncate text-[13px] text-muted">{account.email}</span>
                  <span className="nums block text-[13px] text-muted sm:hidden">
                    {account.plan === "none" ? "No plan" : humanize(account.plan)} ·{" "}
                    {pluralize(account.credits, "credit")}
                  </span>
                </Td>
                <Td className="hidden sm:table-cell">
                  {account.plan === "none" ? <span className="text-muted">None</span> : humanize(account.plan)}
                </Td>
                <Td className="nums hidden text-right sm:table-cell">{formatNumber(account.credits)}</Td>
                <Td className="nums hidden text-right md:table-cell">{formatNumber(account.renders)}</Td>
                <Td className="hidden text-muted lg:table-cell">
                  <TimeAgo at={account.lastSeenAt} />
                </Td>
                <Td className="text-right">
                  <Button size="sm" onClick={() => setEdited(account)} aria-label={`Edit ${account.email}`}>
                    Edit
                  </Button>
                </Td>
              </Tr>
            ))}
          </Table>
        )}
      </Card>
      {pages > 1 && (
        <nav aria-label="Pages" className="mt-4 flex items-center justify-between">
          <span className="nums text-[13px] text-muted">
            Page {page} of {pages}
          </span>
          <span className="flex gap-2">
            <Button
              size="sm"
              disabled={page === 1 || isPlaceholderData}
              onClick={() => setPage(page - 1)}
              icon={<ChevronLeft className="size-4" />}
            >
              Previous
            </Button>
            <Button size="sm" disabled={page >= pages || isPlaceholderData} onClick={() => setPage(page + 1)}>
              Next <ChevronRight className="size-4" />
            </Button>
          </span>
        </nav>
      )}
      {edited && <EditAccountDialog key={edited.id} account={edited} onClose={() => setEdited(null)} />}
    </>
  );
}

function EditAccountDialog({ account, onClose }: { account: OperatorAccount; onClose: () => void }) {
  const [plan, setPlan] = useState(account.plan);
  const [credits, setCredits] = useState("");
  const [isOperator, setOperator] = useState(account.isOperator);
  const [suspended, setSuspended] = useState(Boolean(account.suspendedAt));
  const [password, setPassword] = useState("");
  const delta = credits.trim() === "" ? 0 : Number(credits);
  const changes = {
    ...(plan !== account.plan ? { plan } : {}),
    ...(delta ? { credits: delta } : {}),
    ...(isOperator !== account.isOperator ? { isOperator } : {}),
    ...(suspended !== Boolean(account.suspendedAt) ? { suspended } : {}),
    ...(password ? { password } : {}),
  };
  const save = useMutation({
    mutationFn: () => dashboardApi("patch", "/operator/accounts/{id}", { path: { id: account.id }, body: changes }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ["operator-accounts"] });
      void queryClient.invalidateQueries({ queryKey: ["session"] });
      void queryClient.invalidateQueries({ queryKey: ["statement"] });
      showToast(`Account updated: ${account.email}`);
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
      description={account.email}
    >
      <form onSubmit={submit} className="flex flex-col gap-5">
        {save.error && <Alert tone="danger">{errorMessage(save.error)}</Alert>}
        <Field label="Plan">
          {(field) => (
            <Select {...field} value={plan} onChange={(event) => setPlan(event.target.value as Account["plan"])}>
              <option value="none">None</option>
              <option value="creator">Creator</option>
              <option value="business">Business</option>
            </Select>
          )}
        </Field>
        <Field
          label="Add credits"
          aside={`Current: ${formatNumber(account.credits)}`}
          hint="Use a negative number to remove credits. The change is recorded as a transaction."
        >
          {(field) => (
            <Input
              {...field}
              type="number"
              step={1}
              value={credits}
              onChange={(event) => setCredits(event.target.value)}
              placeholder="0"
              className="nums"
            />
          )}
        </Field>
        <Field
          label="New password"
          hint="Signs out all sessions of this account. Leave empty to keep the current password."
        >
          {(field) => (
            <PasswordInput
              {...field}
              minLength={MIN_PASSWORD}
              autoComplete="new-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <Checkbox
          label="Operator"
          hint="Can manage accounts, invites and workers."
          checked={isOperator}
          onChange={(event) => setOperator(event.target.checked)}
        />
        <Checkbox
          label="Suspended"
          hint="Keys, sessions and apps of this account do not work, and queued renders do not start."
          checked={suspended}
          onChange={(event) => setSuspended(event.target.checked)}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
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
