/** The overview: usage figures, getting-started guide, recent renders, templates. */

import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowRight, Clapperboard, Film } from "lucide-react";
import type { ReactNode } from "react";
import { account, renders, session, templates, usage } from "@/api/queries";
import type { UsageDay } from "@/api/types";
import { GettingStarted } from "@/film/getting-started";
import { RenderList } from "@/film/render-list";
import { TemplateCard } from "@/film/template-card";
import { lastDays } from "@/lib/dates";
import { formatDuration, formatNumber, humanize } from "@/lib/format";
import { buttonClass } from "@/ui/button";
import { Section } from "@/ui/card";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { PageHeader } from "@/ui/page-header";
import { Repeat, Skeleton, SkeletonRows } from "@/ui/skeleton";

const MORE_LINK = "flex items-center gap-1 rounded text-[13px] font-medium text-muted hover:text-foreground";

export function OverviewPage() {
  const { data: current } = useSuspenseQuery(session);
  const recent = useQuery(renders({ limit: 6 }));
  const gallery = useQuery(templates);
  const name = current.account?.name.split(" ")[0];
  const started = recent.data ? recent.data.total > 0 : null;
  return (
    <>
      <PageHeader
        title={name ? `Hello, ${name}` : "Overview"}
        documentTitle="Overview"
        description="Recent renders, usage and credits."
        actions={
          <Link to="/dashboard/templates" className={buttonClass("render")}>
            <Clapperboard className="size-4" /> New render
          </Link>
        }
      />
      <div className="flex flex-col gap-6">
        <Figures />
        <GettingStarted started={started} />
        <Section
          title="Recent renders"
          actions={
            <Link to="/dashboard/renders" className={MORE_LINK}>
              View all renders <ArrowRight className="size-3.5" />
            </Link>
          }
        >
          {recent.error ? (
            <ErrorState error={recent.error} retry={() => void recent.refetch()} />
          ) : !recent.data ? (
            <SkeletonRows rows={4} height="h-17" />
          ) : recent.data.renders.length ? (
            <RenderList renders={recent.data.renders} />
          ) : (
            <EmptyState
              icon={<Film />}
              title="No renders yet"
              action={
                <Link to="/dashboard/templates" className={buttonClass()}>
                  Browse templates
                </Link>
              }
            >
              Renders created here or through the API appear in this list.
            </EmptyState>
          )}
        </Section>
        <section aria-label="Templates">
          <div className="mb-3 flex items-center justify-between">
            <h2 className="text-[15px] font-semibold tracking-[-0.01em]">Start from a template</h2>
            <Link to="/dashboard/templates" className={MORE_LINK}>
              View all templates <ArrowRight className="size-3.5" />
            </Link>
          </div>
          <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
            {gallery.data ? (
              ["tpl_flash_sale", "tpl_dream_home_tour", "tpl_summit_opener", "tpl_quote_card"]
                .map(
                  (id, index) =>
                    gallery.data.templates.find((template) => template.id === id) ?? gallery.data.templates[index],
                )
                .filter((template) => template !== undefined)
                .map((template) => <TemplateCard key={template.id} template={template} />)
            ) : (
              <Repeat count={4}>
                <Skeleton className="aspect-4/3.6 rounded-xl" />
              </Repeat>
            )}
          </div>
        </section>
      </div>
    </>
  );
}

function Figures() {
  const { data: current } = useSuspenseQuery(session);
  const plan = useQuery(account).data?.plan;
  const { from, to } = lastDays(30);
  const days = useQuery(usage(from, to)).data?.days;
  const sum = (pick: (day: UsageDay) => number) => days?.reduce((total, day) => total + pick(day), 0);
  const count = sum((day) => day.renders);
  const seconds = sum((day) => day.seconds);
  const spent = sum((day) => day.credits + day.aiCredits);
  return (
    <dl className="grid grid-cols-2 overflow-hidden rounded-xl border bg-border shadow-card [gap:1px] lg:grid-cols-4">
      <Figure
        name="Credits"
        value={formatNumber(current.account?.credits ?? 0)}
        caption={plan ? (plan.name === "none" ? "No plan" : `${humanize(plan.name)} plan`) : " "}
      />
      <Figure name="Renders" value={count === undefined ? null : formatNumber(count)} caption="Last 30 days" />
      <Figure
        name="Video rendered"
        value={seconds === undefined ? null : formatDuration(seconds)}
        caption="Last 30 days"
      />
      <Figure name="Credits used" value={spent === undefined ? null : formatNumber(spent)} caption="Last 30 days" />
    </dl>
  );
}

function Figure({ name, value, caption }: { name: string; value: string | null; caption: ReactNode }) {
  return (
    <div className="bg-surface px-5 py-4">
      <dt className="text-[13px] text-muted">{name}</dt>
      <dd className="mt-1">
        {value === null ? (
          <Skeleton className="my-1.5 h-6 w-16" />
        ) : (
          <span className="nums block h-9 text-[26px] leading-9 font-semibold tracking-[-0.025em]">{value}</span>
        )}
        <span className="block text-xs text-muted">{caption}</span>
      </dd>
    </div>
  );
}
