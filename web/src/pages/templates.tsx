/** The gallery of templates. */

import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { LayoutTemplate, Search } from "lucide-react";
import { templates } from "@/api/queries";
import { TemplateCard } from "@/film/template-card";
import { humanize, pluralize } from "@/lib/format";
import { Button } from "@/ui/button";
import { cx } from "@/ui/cx";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Input } from "@/ui/field";
import { PageHeader } from "@/ui/page-header";
import { Repeat, Skeleton } from "@/ui/skeleton";

const route = getRouteApi("/home/dashboard/templates");

export function TemplatesPage() {
  const { category, search = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(templates);
  const set = (next: { category?: string | undefined; search?: string | undefined }) =>
    void navigate({ search: { category, search: search || undefined, ...next }, replace: true });
  const query = search.trim().toLowerCase();
  const found = data?.templates.filter(
    (template) =>
      (!category || template.category === category) &&
      (!query ||
        `${template.name} ${template.description} ${humanize(template.category)}`.toLowerCase().includes(query)),
  );
  const categories = [...new Set(data?.templates.map((template) => template.category))].sort();
  const chipClass = (chosen: boolean) =>
    cx(
      "h-8 rounded-full border px-3.5 text-[13px] font-medium whitespace-nowrap transition-colors",
      chosen
        ? "border-primary bg-primary text-on-primary"
        : "bg-surface text-muted hover:border-border-strong hover:text-foreground",
    );
  return (
    <>
      <PageHeader title="Templates" description="Ready-made videos for your own text, images and audio." />
      <div className="mb-6 flex flex-col gap-3">
        <div className="relative max-w-md">
          <Search className="pointer-events-none absolute top-2.5 left-3 size-4 text-muted" aria-hidden="true" />
          <Input
            type="search"
            aria-label="Search templates"
            placeholder="Search templates"
            className="pl-9"
            value={search}
            onChange={(event) => set({ search: event.target.value || undefined })}
          />
        </div>
        <div role="group" aria-label="Category" className="flex flex-wrap gap-2">
          <button
            type="button"
            aria-pressed={!category}
            className={chipClass(!category)}
            onClick={() => set({ category: undefined })}
          >
            All
          </button>
          {categories.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={category === name}
              className={chipClass(category === name)}
              onClick={() => set({ category: category === name ? undefined : name })}
            >
              {humanize(name)}
            </button>
          ))}
        </div>
      </div>
      <p className="sr-only" role="status">
        {found ? pluralize(found.length, "template") : "Loading"}
      </p>
      {error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : found?.length === 0 ? (
        <EmptyState
          icon={<LayoutTemplate />}
          title="No templates found"
          action={<Button onClick={() => set({ category: undefined, search: undefined })}>Clear filters</Button>}
        >
          Try a different search or category.
        </EmptyState>
      ) : (
        <div className="grid gap-5 min-[560px]:grid-cols-2 xl:grid-cols-3">
          {found ? (
            found.map((template) => <TemplateCard key={template.id} template={template} detailed />)
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
