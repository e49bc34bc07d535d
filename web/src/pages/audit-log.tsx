/** Security events: those of the account, and for operators those of all accounts. */

import { useQuery } from "@tanstack/react-query";
import { ScrollText, Search } from "lucide-react";
import { useState } from "react";
import { auditEvents, operatorAuditEvents } from "@/api/queries";
import type { AuditEvent } from "@/api/types";
import { useDebounced } from "@/lib/hooks";
import { describeUserAgent } from "@/lib/user-agent";
import { Badge, type Tone } from "@/ui/badge";
import { Card } from "@/ui/card";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Input } from "@/ui/field";
import { PageHeader } from "@/ui/page-header";
import { Pagination, useCursorPages } from "@/ui/pagination";
import { SkeletonRows } from "@/ui/skeleton";
import { Table, Td, Th, Tr } from "@/ui/table";
import { TimeAgo } from "@/ui/time-ago";

const ACTIONS: Record<string, [label: string, tone: Tone]> = {
  "account.created": ["Account created", "info"],
  "sign-in": ["Signed in", "success"],
  "sign-in.failed": ["Sign-in failed", "danger"],
  "session.ended": ["Session revoked", "neutral"],
  "password.changed": ["Password changed", "warning"],
  "password.reset": ["Password reset", "warning"],
  "key.created": ["API key created", "info"],
  "key.revoked": ["API key revoked", "neutral"],
  "app.granted": ["App connected", "info"],
  "app.revoked": ["App revoked", "neutral"],
  "account.plan": ["Plan changed", "neutral"],
  "account.credits": ["Credits changed", "neutral"],
  "account.operator": ["Operator role changed", "warning"],
  "account.suspended": ["Account suspended", "danger"],
  "account.resumed": ["Account resumed", "success"],
  "invite.created": ["Invite created", "neutral"],
  "invite.deleted": ["Invite deleted", "neutral"],
};

export function AuditLogPage() {
  const [cursor, setCursor] = useState<string | undefined>();
  const { data, error, refetch, isPlaceholderData } = useQuery(auditEvents(cursor));
  const pages = useCursorPages(cursor, setCursor);
  return (
    <>
      <PageHeader title="Audit log" description="Sign-ins, keys, apps, passwords and acts of operators." />
      <Card label="Audit log">
        {error ? <ErrorState error={error} retry={() => void refetch()} /> : <EventTable events={data?.items} />}
      </Card>
      <Pagination pages={pages} next={data?.nextCursor ?? null} busy={isPlaceholderData} className="mt-4" />
    </>
  );
}

export function OperatorAuditLogPage() {
  const [cursor, setCursor] = useState<string | undefined>();
  const [search, setSearch] = useState("");
  const email = useDebounced(search.trim(), 400);
  const { data, error, refetch, isPlaceholderData } = useQuery(operatorAuditEvents(email, cursor));
  const pages = useCursorPages(cursor, setCursor);
  return (
    <>
      <PageHeader title="Audit log" description="Security events of all accounts." />
      <div className="relative mb-4 w-full max-w-sm">
        <Search className="pointer-events-none absolute top-2.5 left-3 size-4 text-muted" aria-hidden="true" />
        <Input
          type="search"
          aria-label="Email of an account"
          placeholder="Email"
          className="pl-9"
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            pages.reset();
          }}
        />
      </div>
      <Card label="Audit log">
        {error ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : (
          <EventTable events={data?.items} showAccount />
        )}
      </Card>
      <Pagination pages={pages} next={data?.nextCursor ?? null} busy={isPlaceholderData} className="mt-4" />
    </>
  );
}

function EventTable({ events, showAccount = false }: { events: AuditEvent[] | undefined; showAccount?: boolean }) {
  if (!events) return <SkeletonRows rows={6} />;
  if (events.length === 0)
    return (
      <EmptyState icon={<ScrollText />} title="No events">
        Security events appear here.
      </EmptyState>
    );
  return (
    <Table
      label="Audit log"
      head={
        <>
          <Th>Event</Th>
          <Th className="hidden sm:table-cell">{showAccount ? "Account" : "By"}</Th>
          <Th className="hidden md:table-cell">From</Th>
          <Th>When</Th>
        </>
      }
    >
      {events.map((event) => (
        <EventRow key={event.id} event={event} showAccount={showAccount} />
      ))}
    </Table>
  );
}

function EventRow({ event, showAccount }: { event: AuditEvent; showAccount: boolean }) {
  const [label, tone] = ACTIONS[event.action] ?? [event.action, "neutral"];
  const actor = event.actor || "Unknown";
  return (
    <Tr>
      <Td className="max-w-64">
        <Badge tone={tone}>{label}</Badge>
        {event.subject && <span className="mt-1 block truncate text-[13px] text-muted">{event.subject}</span>}
      </Td>
      <Td className="hidden max-w-56 sm:table-cell">
        <span className="block truncate">{showAccount ? event.account : actor}</span>
        {showAccount && event.actor !== event.account && (
          <span className="block truncate text-[13px] text-muted">by {actor}</span>
        )}
      </Td>
      <Td className="hidden text-muted md:table-cell">
        <span className="nums block">{event.address || "–"}</span>
        {event.userAgent && (
          <span className="block truncate text-[13px]">{describeUserAgent(event.userAgent).name}</span>
        )}
      </Td>
      <Td className="text-muted">
        <TimeAgo at={event.createdAt} />
      </Td>
    </Tr>
  );
}
