/** The gallery of templates. */

import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { LayoutTemplate } from "lucide-react";
import { templates } from "@/api/queries";
import type { Template } from "@/api/types";
import { TemplateMenu } from "@/film/own-template";
import { ASPECTS, aspectOf, TemplateCard } from "@/film/template-card";
import { humanize, pluralize } from "@/lib/format";
import { Button } from "@/ui/button";
import { cx } from "@/ui/cx";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { PageHeader } from "@/ui/page-header";
import { SearchInput } from "@/ui/search-input";
import { Repeat, Skeleton } from "@/ui/skeleton";

const route = getRouteApi("/home/dashboard/templates");

interface Filter {
  category?: string | undefined;
  aspect?: string | undefined;
  search?: string | undefined;
}

export function TemplatesPage() {
  const { category, aspect, search = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(templates);
  const set = (next: Filter) =>
    void navigate({ search: { category, aspect, search: search || undefined, ...next }, replace: true });
  const query = search.trim().toLowerCase();
  const isFiltered = Boolean(category || aspect || query);
  // Without a filter, one's own templates stand before the others.
  const own = isFiltered ? [] : (data?.templates.filter((template) => template.own) ?? []);
  const found = data?.templates.filter(
    (template) =>
      (isFiltered || !template.own) &&
      (!category || template.category === category) &&
      (!aspect || aspectOf(template) === aspect) &&
      (!query ||
        `${template.name} ${template.description} ${humanize(template.category)}`.toLowerCase().includes(query)),
  );
  const categories = [...new Set(data?.templates.map((template) => template.category))].sort();
  const aspects = ASPECTS.filter((one) => data?.templates.some((template) => aspectOf(template) === one));
  return (
    <>
      <PageHeader title="Templates" description="Ready-made videos for your own text, images and audio." />
      <div className="mb-6 flex flex-col gap-3">
        <SearchInput
          label="Search templates"
          value={search}
          onChange={(text) => set({ search: text || undefined })}
          className="max-w-md"
        />
        <Chips
          label="Category"
          value={category}
          options={categories.map((name) => [name, humanize(name)])}
          onChange={(next) => set({ category: next })}
        />
        {aspects.length > 1 && (
          <Chips
            label="Aspect ratio"
            value={aspect}
            options={aspects.map((name) => [name, name])}
            onChange={(next) => set({ aspect: next })}
          />
        )}
      </div>
      <p className="sr-only" role="status">
        {found ? pluralize(found.length + own.length, "template") : "Loading"}
      </p>
      {own.length > 0 && (
        <section aria-labelledby="own-templates" className="mb-3">
          <h2 id="own-templates" className="mb-3 font-semibold tracking-[-0.01em]">
            Your templates
          </h2>
          <div className={GRID}>
            {own.map((template) => (
              <OwnCard key={template.id} template={template} />
            ))}
          </div>
          {found?.length ? <h2 className="mt-8 font-semibold tracking-[-0.01em]">More templates</h2> : null}
        </section>
      )}
      {error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : found?.length === 0 && own.length === 0 ? (
        <EmptyState
          icon={<LayoutTemplate />}
          title="No templates found"
          action={
            <Button onClick={() => set({ category: undefined, aspect: undefined, search: undefined })}>
              Clear filters
            </Button>
          }
        >
          Try a different search, category or aspect ratio.
        </EmptyState>
      ) : (
        <div className={GRID}>
          {found ? (
            found.map((template) =>
              template.own ? (
                <OwnCard key={template.id} template={template} />
              ) : (
                <TemplateCard key={template.id} template={template} detailed />
              ),
            )
          ) : (
            <Repeat count={9}>
              <Skeleton className="aspect-[1/1.05] rounded-xl" />
            </Repeat>
          )}
        </div>
      )}
    </>
  );
}

const GRID = "grid grid-cols-2 gap-3 sm:gap-5 xl:grid-cols-3";

/** A template of one's own, with what its maker can do with it. */
const OwnCard = ({ template }: { template: Template }) => (
  <div className="relative min-w-0">
    <TemplateCard template={template} detailed />
    <span className="absolute top-2 right-2">
      <TemplateMenu template={template} className="size-8" />
    </span>
  </div>
);

interface ChipsProps {
  label: string;
  value: string | undefined;
  options: readonly (readonly [string, string])[];
  onChange: (value: string | undefined) => void;
}

/** Choices of which one or none applies. On a phone they scroll in one line. */
function Chips({ label, value, options, onChange }: ChipsProps) {
  const chip = (chosen: boolean) =>
    cx(
      "h-8 shrink-0 rounded-full border px-3.5 text-[13px] font-medium whitespace-nowrap transition-colors",
      chosen
        ? "border-primary bg-primary text-on-primary"
        : "bg-surface text-muted hover:border-border-strong hover:text-foreground",
    );
  return (
    <fieldset
      aria-label={label}
      className="-mx-4 flex min-w-0 gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:overflow-visible sm:px-0 sm:py-0"
    >
      <button type="button" aria-pressed={!value} className={chip(!value)} onClick={() => onChange(undefined)}>
        All
      </button>
      {options.map(([name, text]) => (
        <button
          key={name}
          type="button"
          aria-pressed={value === name}
          className={chip(value === name)}
          onClick={() => onChange(value === name ? undefined : name)}
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}
