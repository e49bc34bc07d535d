/** Daily usage, the statement and plan limits. */

import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight, Download, Receipt } from "lucide-react";
import { useMemo, useState } from "react";
import { account, session, statement, usage } from "@/api/queries";
import type { StatementEntry, UsageDay } from "@/api/types";
import { saveCsv } from "@/lib/csv";
import { eachDay, lastDays } from "@/lib/dates";
import { formatBytes, formatDateTime, formatDuration, formatNumber, formatUtcDay, humanize } from "@/lib/format";
import { BarChart } from "@/ui/bar-chart";
import { Button } from "@/ui/button";
import { Section } from "@/ui/card";
import { cx } from "@/ui/cx";
import { DescriptionList } from "@/ui/description-list";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { PageHeader } from "@/ui/page-header";
import { SegmentedControl } from "@/ui/segmented-control";
import { Skeleton, SkeletonRows } from "@/ui/skeleton";
import { Table, Td, Th, Tr } from "@/ui/table";

/** Entries of the statement that the page shows. */
const SHOWN = 50;

type Measure = "renders" | "seconds" | "credits";
const MEASURES: Record<Measure, { name: string; pick: (day: UsageDay) => number; show: (value: number) => string }> = {
  renders: { name: "Renders", pick: (day) => day.renders, show: formatNumber },
  seconds: { name: "Video", pick: (day) => day.seconds, show: formatDuration },
  credits: { name: "Credits", pick: (day) => day.credits + day.aiCredits, show: formatNumber },
};

export function UsagePage() {
  const [range, setRange] = useState<"7" | "30" | "90">("30");
  const [measure, setMeasure] = useState<Measure>("renders");
  const { from, to } = lastDays(Number(range));
  const { data, error, refetch } = useQuery(usage(from, to));
  const days = useMemo(() => {
    const known = new Map(data?.days.map((day) => [day.date.slice(0, 10), day]));
    return eachDay(from, to).map(
      (date) => known.get(date) ?? { date, renders: 0, seconds: 0, credits: 0, aiCredits: 0 },
    );
  }, [data, from, to]);
  const { name, pick, show } = MEASURES[measure];
  return (
    <>
      <PageHeader
        title="Usage"
        description="Renders, video duration and credits per day (UTC)."
        actions={
          <>
            <Button
              disabled={!data}
              icon={<Download className="size-4" />}
              onClick={() =>
                saveCsv(`rondo-usage-${from}.csv`, [
                  ["date", "renders", "seconds", "credits"],
                  ...days.map((day) => [
                    day.date,
                    String(day.renders),
                    String(day.seconds),
                    String(day.credits + day.aiCredits),
                  ]),
                ])
              }
            >
              CSV
            </Button>
            <SegmentedControl
              label="Range"
              value={range}
              onChange={setRange}
              options={[
                ["7", "7 days"],
                ["30", "30 days"],
                ["90", "90 days"],
              ]}
            />
          </>
        }
      />
      <div className="flex flex-col gap-6">
        <section aria-label="Daily usage" className="overflow-hidden rounded-xl border bg-surface shadow-card">
          <div role="radiogroup" aria-label="Measure" className="grid grid-cols-3 divide-x border-b">
            {(Object.keys(MEASURES) as Measure[]).map((key) => {
              const option = MEASURES[key];
              return (
                <button
                  key={key}
                  type="button"
                  role="radio"
                  aria-checked={key === measure}
                  onClick={() => setMeasure(key)}
                  className={cx(
                    "relative px-4 py-3.5 text-left transition-colors focus-visible:-outline-offset-2 sm:px-5",
                    key !== measure && "bg-inset hover:bg-hover",
                  )}
                >
                  {key === measure && (
                    <span aria-hidden="true" className="absolute inset-x-0 top-0 h-0.5 bg-accent-fill" />
                  )}
                  <span className="block text-[13px] text-muted">{option.name}</span>
                  {data ? (
                    <span className="nums block truncate text-[17px] font-semibold tracking-[-0.02em] sm:text-2xl">
                      {option.show(days.reduce((sum, day) => sum + option.pick(day), 0))}
                    </span>
                  ) : (
                    <Skeleton className="my-1 h-6 w-16" />
                  )}
                </button>
              );
            })}
          </div>
          {error ? (
            <ErrorState error={error} retry={() => void refetch()} />
          ) : data ? (
            <>
              <BarChart label={name} days={days.map((day) => ({ date: day.date, value: pick(day) }))} show={show} />
              <details className="group border-t">
                <summary className="flex items-center gap-2 px-5 py-3 text-[13px] text-muted hover:text-foreground focus-visible:-outline-offset-2">
                  <ChevronRight className="size-4 transition-transform group-open:rotate-90" aria-hidden="true" /> View
                  as table
                </summary>
                <Table
                  label="Daily usage"
                  head={
                    <>
                      <Th>Day</Th>
                      <Th className="text-right">Renders</Th>
                      <Th className="text-right">Video</Th>
                      <Th className="text-right">Credits</Th>
                    </>
                  }
                >
                  {days
                    .toReversed()
                    .filter((day) => day.renders || day.credits || day.aiCredits)
                    .map((day) => (
                      <Tr key={day.date} className="nums">
                        <Td className="h-10!">{formatUtcDay(day.date)}</Td>
                        <Td className="h-10! text-right">{formatNumber(day.renders)}</Td>
                        <Td className="h-10! text-right">{formatDuration(day.seconds)}</Td>
                        <Td className="h-10! text-right">{formatNumber(day.credits + day.aiCredits)}</Td>
                      </Tr>
                    ))}
                </Table>
              </details>
            </>
          ) : (
            <div className="p-5">
              <Skeleton className="h-67 rounded-lg" />
            </div>
          )}
        </section>
        <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)]">
          <Statement from={from} to={to} />
          <Plan />
        </div>
      </div>
    </>
  );
}

const CAUSES: Record<string, string> = { credit: "Credits added", render: "Render", speech: "Speech" };

/** What was added to the balance and what was spent. */
function Statement({ from, to }: { from: string; to: string }) {
  const { data, error, refetch } = useQuery(statement(from, to));
  const entries = data?.entries;
  const save = () =>
    entries &&
    saveCsv(`rondo-statement-${from}.csv`, [
      ["date", "type", "name", "id", "credits"],
      ...entries.map((entry) => [entry.createdAt, entry.cause, entry.name ?? "", entry.id, String(entry.credits)]),
    ]);
  return (
    <Section
      title="Statement"
      description="Credits added and spent"
      actions={
        <Button size="sm" disabled={!entries?.length} onClick={save} icon={<Download className="size-3.5" />}>
          CSV
        </Button>
      }
    >
      {error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : !entries ? (
        <SkeletonRows rows={3} />
      ) : entries.length === 0 ? (
        <EmptyState icon={<Receipt />} title="Nothing in this period" className="py-10">
          Credits that are added or spent appear here.
        </EmptyState>
      ) : (
        <Table
          label="Statement"
          head={
            <>
              <Th>Entry</Th>
              <Th className="hidden sm:table-cell">Date</Th>
              <Th className="text-right">Credits</Th>
            </>
          }
        >
          {entries.slice(0, SHOWN).map((entry) => (
            <Tr key={entry.id}>
              <Td className="max-w-64">
                <EntryName entry={entry} />
              </Td>
              <Td className="hidden text-muted sm:table-cell">{formatDateTime(entry.createdAt)}</Td>
              <Td className={cx("nums text-right font-medium", entry.credits > 0 && "text-success")}>
                {entry.credits > 0 ? "+" : "−"}
                {formatNumber(Math.abs(entry.credits))}
              </Td>
            </Tr>
          ))}
        </Table>
      )}
      {entries && entries.length > SHOWN && (
        <p className="border-t px-5 py-3 text-[13px] text-muted">
          The latest {SHOWN} of {formatNumber(entries.length)} entries. The CSV file has all of them.
        </p>
      )}
    </Section>
  );
}

function EntryName({ entry }: { entry: StatementEntry }) {
  const cause = CAUSES[entry.cause] ?? humanize(entry.cause);
  if (entry.cause !== "render") return <span className="font-medium">{cause}</span>;
  return (
    <Link
      to="/dashboard/renders/$jobId"
      params={{ jobId: entry.id }}
      className="block truncate font-medium underline decoration-border-strong underline-offset-3 hover:decoration-current"
    >
      {entry.name ? `${cause}: ${entry.name}` : cause}
    </Link>
  );
}

function Plan() {
  const { data: current } = useSuspenseQuery(session);
  const { data } = useQuery(account);
  return (
    <Section title="Plan and limits">
      {data ? (
        <DescriptionList
          className="px-5 py-4"
          rows={[
            ["Plan", data.plan.name === "none" ? "None" : humanize(data.plan.name)],
            ["Credits", formatNumber(current.account?.credits ?? data.credits)],
            ["Requests per minute", formatNumber(data.plan.rateLimitPerMinute)],
            ["Concurrent renders", formatNumber(data.plan.concurrentRenders)],
            ["Maximum duration", `${data.limits.maxMinutes} min`],
            ["Maximum resolution", `${(data.limits.maxPixels / 1e6).toFixed(1)} megapixels`],
            ["Maximum upload size", formatBytes(data.limits.maxUploadBytes)],
            [
              "Storage",
              `${formatBytes(data.storage.usedBytes)} of ${data.storage.allowedBytes == null ? "unlimited" : formatBytes(data.storage.allowedBytes)}`,
            ],
          ]}
        />
      ) : (
        <SkeletonRows rows={5} height="h-9" />
      )}
    </Section>
  );
}
