/** For the operator: what is being rendered, and by whom. */
import { useQuery } from "@tanstack/react-query";
import { Activity, Server } from "lucide-react";
import { queue, workers } from "@/api/queries";
import { number, words } from "@/lib/format";
import { Ago, Badge, Progress } from "@/ui/bits";
import { Mono } from "@/ui/code";
import { Empty, PageHeader, Problem, Section, Skeleton, SkeletonRows } from "@/ui/surface";
import { Table, Td, Th, Tr } from "@/ui/table";

export function OperatorQueue() {
  return (
    <>
      <PageHeader title="Queue and workers" about="What this installation does right now. Renewed every few seconds." />
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
    ["Waiting", data?.waiting],
    ["Rendering", data?.running.length],
    ["Finished, last hour", data?.finishedLastHour],
    ["Failed, last hour", data?.failedLastHour],
  ];
  return (
    <>
      <dl className="grid grid-cols-2 overflow-hidden rounded-xl border bg-line shadow-card [gap:1px] lg:grid-cols-4">
        {figures.map(([name, value]) => (
          <div key={name} className="bg-surface px-5 py-4">
            <dt className="text-[13px] text-quiet">{name}</dt>
            <dd className="nums mt-1 h-9 text-[26px] leading-9 font-semibold tracking-[-0.025em]">
              {value === undefined ? <Skeleton className="my-1.5 h-6 w-10" /> : number(value)}
            </dd>
          </div>
        ))}
      </dl>
      <Section title="Rendering now">
        {error ? (
          <Problem error={error} retry={() => void refetch()} />
        ) : !data ? (
          <SkeletonRows rows={2} />
        ) : data.running.length === 0 ? (
          <Empty icon={<Activity />} title="Nothing is being rendered" className="py-10">
            Workers wait for the next request.
          </Empty>
        ) : (
          <Table
            label="Rendering now"
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
            {data.running.map((one) => (
              <Tr key={one.jobId}>
                <Td className="max-w-40 sm:max-w-none">
                  <Mono className="block truncate">{one.jobId}</Mono>
                  <span className="block truncate text-[13px] text-quiet sm:hidden">{one.accountEmail}</span>
                </Td>
                <Td className="hidden max-w-52 truncate sm:table-cell">{one.accountEmail}</Td>
                <Td className="w-44">
                  <span className="flex items-center gap-3">
                    <Progress percent={one.progress} label={`Progress of ${one.jobId}`} className="w-16 sm:w-24" />
                    <span className="nums text-[13px] text-quiet">{one.progress} %</span>
                  </span>
                </Td>
                <Td className="hidden text-quiet md:table-cell">{one.owner ?? "–"}</Td>
                <Td className="hidden text-quiet lg:table-cell">
                  <Ago at={one.startedAt} none="–" />
                </Td>
                <Td className="nums hidden text-right sm:table-cell">{one.attempts}</Td>
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
    <Section title="Workers" about="Processes of this installation">
      {error ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows rows={2} />
      ) : data.length === 0 ? (
        <Empty icon={<Server />} title="No worker runs" className="py-10">
          Start one with rondo serve, and waiting renders begin.
        </Empty>
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
                <Mono className="block truncate">{worker.owner}</Mono>
              </Td>
              <Td>
                <Badge>{words(worker.role)}</Badge>
              </Td>
              <Td className="hidden text-quiet sm:table-cell">
                <Ago at={worker.startedAt} />
              </Td>
              <Td className="text-quiet">
                <Ago at={worker.lastSeenAt} />
              </Td>
              <Td className="nums text-right">{worker.running}</Td>
            </Tr>
          ))}
        </Table>
      )}
    </Section>
  );
}
