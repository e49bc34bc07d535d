/** The first page: where the account stands, and the way to the first film. */
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowRight, Clapperboard, Film } from "lucide-react";
import type { ReactNode } from "react";
import { account, renders, session, templates, usage } from "@/api/queries";
import { RenderList } from "@/film/render-list";
import { TemplateCard } from "@/film/template-card";
import { lastDays } from "@/lib/days";
import { length, number, words } from "@/lib/format";
import { buttonClass } from "@/ui/button";
import { Empty, PageHeader, Problem, Section, Skeleton, SkeletonRows } from "@/ui/surface";
import { FirstFilm } from "./first-film";

const more = "flex items-center gap-1 rounded text-[13px] font-medium text-quiet hover:text-text";

export function Overview() {
  const { data: known } = useSuspenseQuery(session);
  const recent = useQuery(renders({ limit: 6 }));
  const gallery = useQuery(templates);
  const name = known.account?.name.split(" ")[0];
  const started = recent.data ? recent.data.total > 0 : null;
  return (
    <>
      <PageHeader
        title={name ? `Hello, ${name}` : "Overview"}
        tab="Overview"
        about="Your films, credits and what is being rendered right now."
        actions={
          <Link to="/dashboard/templates" className={buttonClass("render")}>
            <Clapperboard className="size-4" /> Make a film
          </Link>
        }
      />
      <div className="flex flex-col gap-6">
        <Numbers />
        <FirstFilm started={started} />
        <Section
          title="Recent renders"
          actions={
            <Link to="/dashboard/renders" className={more}>
              All renders <ArrowRight className="size-3.5" />
            </Link>
          }
        >
          {recent.error ? (
            <Problem error={recent.error} retry={() => void recent.refetch()} />
          ) : !recent.data ? (
            <SkeletonRows rows={4} height="h-17" />
          ) : recent.data.renders.length ? (
            <RenderList renders={recent.data.renders} />
          ) : (
            <Empty
              icon={<Film />}
              title="No films yet"
              action={
                <Link to="/dashboard/templates" className={buttonClass()}>
                  Browse templates
                </Link>
              }
            >
              Renders appear here the moment they are asked for, by you or through the API.
            </Empty>
          )}
        </Section>
        <section aria-label="Templates">
          <div className="mb-3 flex items-center justify-between">
            <h2 className="text-[15px] font-semibold tracking-[-0.01em]">Start from a template</h2>
            <Link to="/dashboard/templates" className={more}>
              All templates <ArrowRight className="size-3.5" />
            </Link>
          </div>
          <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
            {gallery.data
              ? ["tpl_flash_sale", "tpl_dream_home_tour", "tpl_summit_opener", "tpl_quote_card"]
                  .map(
                    (id, index) =>
                      gallery.data.templates.find((template) => template.id === id) ?? gallery.data.templates[index],
                  )
                  .filter((template) => template !== undefined)
                  .map((template) => <TemplateCard key={template.id} template={template} />)
              : Array.from({ length: 4 }, (_, index) => <Skeleton key={index} className="aspect-4/3.6 rounded-xl" />)}
          </div>
        </section>
      </div>
    </>
  );
}

function Numbers() {
  const { data: known } = useSuspenseQuery(session);
  const plan = useQuery(account).data?.plan;
  const { from, to } = lastDays(30);
  const days = useQuery(usage(from, to)).data?.days;
  const sum = (pick: (day: { renders: number; seconds: number; credits: number; aiCredits: number }) => number) =>
    days?.reduce((total, day) => total + pick(day), 0);
  const made = sum((day) => day.renders);
  const seconds = sum((day) => day.seconds);
  const spent = sum((day) => day.credits + day.aiCredits);
  return (
    <dl className="grid grid-cols-2 overflow-hidden rounded-xl border bg-line shadow-card [gap:1px] lg:grid-cols-4">
      <Figure
        name="Credits"
        value={number(known.account?.credits ?? 0)}
        about={plan ? (plan.name === "none" ? "No plan" : `${words(plan.name)} plan`) : " "}
      />
      <Figure name="Renders" value={made === undefined ? null : number(made)} about="Last 30 days" />
      <Figure name="Film made" value={seconds === undefined ? null : length(seconds)} about="Last 30 days" />
      <Figure name="Credits spent" value={spent === undefined ? null : number(spent)} about="Last 30 days" />
    </dl>
  );
}

function Figure({ name, value, about }: { name: string; value: string | null; about: ReactNode }) {
  return (
    <div className="bg-surface px-5 py-4">
      <dt className="text-[13px] text-quiet">{name}</dt>
      <dd className="mt-1">
        {value === null ? (
          <Skeleton className="my-1.5 h-6 w-16" />
        ) : (
          <span className="nums block h-9 text-[26px] leading-9 font-semibold tracking-[-0.025em]">{value}</span>
        )}
        <span className="block text-xs text-quiet">{about}</span>
      </dd>
    </div>
  );
}
