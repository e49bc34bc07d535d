/** What was made and spent, by day, and the credits that came in. */
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { ChevronRight, Receipt } from "lucide-react";
import { useMemo, useState } from "react";
import { account, session, transactions, usage } from "@/api/queries";
import type { UsageDay } from "@/api/types";
import { eachDay, lastDays } from "@/lib/days";
import { absolute, bytes, length, number, utcDay, words } from "@/lib/format";
import { Bars } from "@/ui/bars";
import { Badge, Choice, Facts, type Tone } from "@/ui/bits";
import { cx } from "@/ui/cx";
import { Empty, PageHeader, Problem, Section, Skeleton, SkeletonRows } from "@/ui/surface";
import { Table, Td, Th, Tr } from "@/ui/table";

type Measure = "renders" | "seconds" | "credits";
const MEASURES: Record<Measure, { name: string; pick: (day: UsageDay) => number; show: (value: number) => string }> = {
  renders: { name: "Renders", pick: (day) => day.renders, show: number },
  seconds: { name: "Film", pick: (day) => day.seconds, show: length },
  credits: { name: "Credits", pick: (day) => day.credits + day.aiCredits, show: number },
};

export function Usage() {
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
        about="What you made and what it cost. Days are counted in UTC."
        actions={
          <Choice
            label="Range"
            value={range}
            onChange={setRange}
            options={[
              ["7", "7 days"],
              ["30", "30 days"],
              ["90", "90 days"],
            ]}
          />
        }
      />
      <div className="flex flex-col gap-6">
        <section aria-label="Use by day" className="overflow-hidden rounded-xl border bg-surface shadow-card">
          <div role="radiogroup" aria-label="Measure" className="grid grid-cols-3 divide-x border-b">
            {(Object.keys(MEASURES) as Measure[]).map((key) => {
              const one = MEASURES[key];
              return (
                <button
                  key={key}
                  type="button"
                  role="radio"
                  aria-checked={key === measure}
                  onClick={() => setMeasure(key)}
                  className={cx(
                    "relative px-4 py-3.5 text-left transition-colors focus-visible:-outline-offset-2 sm:px-5",
                    key !== measure && "bg-sunken hover:bg-hover",
                  )}
                >
                  {key === measure && (
                    <span aria-hidden="true" className="absolute inset-x-0 top-0 h-0.5 bg-accent-fill" />
                  )}
                  <span className="block text-[13px] text-quiet">{one.name}</span>
                  {data ? (
                    <span className="nums block truncate text-[17px] font-semibold tracking-[-0.02em] sm:text-2xl">
                      {one.show(days.reduce((sum, day) => sum + one.pick(day), 0))}
                    </span>
                  ) : (
                    <Skeleton className="my-1 h-6 w-16" />
                  )}
                </button>
              );
            })}
          </div>
          {error ? (
            <Problem error={error} retry={() => void refetch()} />
          ) : data ? (
            <>
              <Bars label={name} days={days.map((day) => ({ date: day.date, value: pick(day) }))} show={show} />
              <details className="group border-t">
                <summary className="flex items-center gap-2 px-5 py-3 text-[13px] text-quiet hover:text-text focus-visible:-outline-offset-2">
                  <ChevronRight className="size-4 transition-transform group-open:rotate-90" aria-hidden="true" /> As a
                  table
                </summary>
                <Table
                  label="Use by day"
                  head={
                    <>
                      <Th>Day</Th>
                      <Th className="text-right">Renders</Th>
                      <Th className="text-right">Film</Th>
                      <Th className="text-right">Credits</Th>
                    </>
                  }
                >
                  {days
                    .toReversed()
                    .filter((day) => day.renders || day.credits || day.aiCredits)
                    .map((day) => (
                      <Tr key={day.date} className="nums">
                        <Td className="h-10!">{utcDay(day.date)}</Td>
                        <Td className="h-10! text-right">{number(day.renders)}</Td>
                        <Td className="h-10! text-right">{length(day.seconds)}</Td>
                        <Td className="h-10! text-right">{number(day.credits + day.aiCredits)}</Td>
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
          <Transactions />
          <Plan />
        </div>
      </div>
    </>
  );
}

const STATES: Record<string, Tone> = { COMPLETED: "good", PENDING: "info", FAILED: "bad", REFUNDED: "warn" };

function Transactions() {
  const { data, error, refetch } = useQuery(transactions);
  return (
    <Section title="Transactions" about="Credits that were added to the account">
      {error ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows rows={3} />
      ) : data.transactions.length === 0 ? (
        <Empty icon={<Receipt />} title="No transactions yet" className="py-10">
          Credits you receive are listed here.
        </Empty>
      ) : (
        <Table
          label="Transactions"
          head={
            <>
              <Th>What</Th>
              <Th className="hidden sm:table-cell">When</Th>
              <Th>Status</Th>
              <Th className="text-right">Credits</Th>
            </>
          }
        >
          {data.transactions.map((transaction) => (
            <Tr key={transaction.id}>
              <Td className="font-medium">
                {words(transaction.type)}
                {transaction.amountInCents > 0 && (
                  <span className="nums block text-[13px] font-normal text-quiet">
                    {(transaction.amountInCents / 100).toFixed(2)} {transaction.currency.toUpperCase()}
                  </span>
                )}
              </Td>
              <Td className="hidden text-quiet sm:table-cell">{absolute(transaction.createdAt)}</Td>
              <Td>
                <Badge tone={STATES[transaction.status] ?? "neutral"}>{words(transaction.status)}</Badge>
              </Td>
              <Td className="nums text-right font-medium">
                {transaction.credits > 0 ? "+" : ""}
                {number(transaction.credits)}
              </Td>
            </Tr>
          ))}
        </Table>
      )}
    </Section>
  );
}

function Plan() {
  const { data: known } = useSuspenseQuery(session);
  const { data } = useQuery(account);
  return (
    <Section title="Plan and limits">
      {data ? (
        <Facts
          className="px-5 py-4"
          rows={[
            ["Plan", data.plan.name === "none" ? "None" : words(data.plan.name)],
            ["Credits", number(known.account?.credits ?? data.credits)],
            ["Requests a minute", number(data.plan.rateLimitPerMinute)],
            ["Renders at once", number(data.plan.concurrentRenders)],
            ["Longest film", `${data.limits.maxMinutes} min`],
            ["Largest picture", `${(data.limits.maxPixels / 1e6).toFixed(1)} megapixels`],
            ["Largest upload", bytes(data.limits.maxUploadBytes)],
          ]}
        />
      ) : (
        <SkeletonRows rows={5} height="h-9" />
      )}
    </Section>
  );
}
