/** Operator: render queue and workers. */

import { useQuery } from "@tanstack/react-query";
import { Activity, Server } from "lucide-react";
import { queue, workers } from "@/api/queries";
import { formatNumber, humanize } from "@/lib/format";
import { Badge } from "@/ui/badge";
import { Section } from "@/ui/card";
import { InlineCode } from "@/ui/code-block";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { PageHeader } from "@/ui/page-header";
import { Progress } from "@/ui/progress";
import { Skeleton, SkeletonRows } from "@/ui/skeleton";
import { Table, Td, Th, Tr } from "@/ui/table";
import { TimeAgo } from "@/ui/time-ago";

export function QueuePage() {
  return (
    <>
      <PageHeader title="Queue and workers" description="Current load of this installation. Updates automatically." />
      <div className="flex flex-col gap-6">
        <QueueSection />
        <WorkerSection />
      </div>
    </>
  );
}

function QueueSection() {
  const { data, error, refetch } = useQuery(queue);
  const figures: [string, number | undefined][] = [
    ["Queued", data?.waiting],
    ["Rendering", data?.running.length],
    ["Completed, last hour", data?.finishedLastHour],
    ["Failed, last hour", data?.failedLastHour],
  ];
  return (
    <>
      <dl className="grid grid-cols-2 overflow-hidden rounded-xl border bg-border shadow-card [gap:1px] lg:grid-cols-4">
        {figures.map(([name, value]) => (
          <div key={name} className="bg-surface px-5 py-4">
            <dt className="text-[13px] text-muted">{name}</dt>
            <dd className="nums mt-1 h-9 text-[26px] leading-9 font-semibold tracking-[-0.025em]">
              {value === undefined ? <Skeleton className="my-1.5 h-6 w-10" /> : formatNumber(value)}
            </dd>
          </div>
        ))}
      </dl>
      <Section title="Active renders">
        {error ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : !data ? (
          <SkeletonRows rows={2} />
        ) : data.running.length === 0 ? (
          <EmptyState icon={<Activity />} title="No active renders" className="py-10">
            The workers are idle.
          </EmptyState>
        ) : (
          <Table
            label="Active renders"
            head={
              <>
                <Th>Render</Th>
                <Th className="hidden sm:table-cell">Account</Th>
                <Th>Progress</Th>
                <Th className="hidden md:table-cell">Worker</Th>
                <Th className="hidden lg:table-cell">Started</Th>
                <Th className="hidden text-right sm:table-cell">Attempt</Th>
              </>
            }
          >
            {data.running.map((render) => (
              <Tr key={render.jobId}>
                <Td className="max-w-40 sm:max-w-none">
                  <InlineCode className="block truncate">{render.jobId}</InlineCode>
                  <span className="block truncate text-[13px] text-muted sm:hidden">{render.accountEmail}</span>
                </Td>
                <Td className="hidden max-w-52 truncate sm:table-cell">{render.accountEmail}</Td>
                <Td className="w-44">
                  <span className="flex items-center gap-3">
                    <Progress
                      percent={render.progress}
                      label={`Progress of ${render.jobId}`}
                      className="w-16 sm:w-24"
                    />
                    <span className="nums text-[13px] text-muted">{render.progress} %</span>
                  </span>
                </Td>
                <Td className="hidden text-muted md:table-cell">{render.host ?? render.owner ?? "–"}</Td>
                <Td className="hidden text-muted lg:table-cell">
                  <TimeAgo at={render.startedAt} none="–" />
                </Td>
                <Td className="nums hidden text-right sm:table-cell">{render.attempts}</Td>
              </Tr>
            ))}
          </Table>
        )}
      </Section>
    </>
  );
}

function WorkerSection() {
  const { data, error, refetch } = useQuery(workers);
  return (
    <Section title="Workers" description="Processes of this installation">
      {error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows rows={2} />
      ) : data.length === 0 ? (
        <EmptyState icon={<Server />} title="No workers" className="py-10">
          Run rondo serve to start a worker.
        </EmptyState>
      ) : (
        <Table
          label="Workers"
          head={
            <>
              <Th>Process</Th>
              <Th>Role</Th>
              <Th className="hidden sm:table-cell">Started</Th>
              <Th>Last seen</Th>
              <Th className="text-right">Renders</Th>
            </>
          }
        >
          {data.map((worker) => (
            <Tr key={worker.owner}>
              <Td title={worker.owner} className="max-w-30 sm:max-w-72 lg:max-w-none">
                {worker.host ? (
                  <>
                    <span className="block truncate font-medium">{worker.host}</span>
                    <span className="block truncate text-[13px] text-muted">Process {processId(worker.owner)}</span>
                  </>
                ) : (
                  <InlineCode className="block truncate">{worker.owner}</InlineCode>
                )}
              </Td>
              <Td>
                <Badge>{humanize(worker.role)}</Badge>
              </Td>
              <Td className="hidden text-muted sm:table-cell">
                <TimeAgo at={worker.startedAt} />
              </Td>
              <Td className="text-muted">
                <TimeAgo at={worker.lastSeenAt} />
              </Td>
              <Td className="nums text-right">{worker.running}</Td>
            </Tr>
          ))}
        </Table>
      )}
    </Section>
  );
}

/** The process id in the identity of a process, `boot.namespace.pid.start`. */
const processId = (owner: string) => owner.split(".").at(-2) ?? owner;
