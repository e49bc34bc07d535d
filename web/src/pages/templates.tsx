/** The gallery of templates. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { LayoutTemplate, Search } from "lucide-react";
import { templates } from "@/api/queries";
import { TemplateCard } from "@/film/template-card";
import { plural, words } from "@/lib/format";
import { Button } from "@/ui/button";
import { cx } from "@/ui/cx";
import { Input } from "@/ui/field";
import { Empty, PageHeader, Problem, Skeleton } from "@/ui/surface";

const route = getRouteApi("/home/dashboard/templates");

export function Templates() {
  const { category, search = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(templates);
  const set = (next: { category?: string | undefined; search?: string | undefined }) =>
    void navigate({ search: { category, search: search || undefined, ...next }, replace: true });
  const asked = search.trim().toLowerCase();
  const found = data?.templates.filter(
    (template) =>
      (!category || template.category === category) &&
      (!asked || `${template.name} ${template.description} ${words(template.category)}`.toLowerCase().includes(asked)),
  );
  const categories = [...new Set(data?.templates.map((template) => template.category))].sort();
  const chip = (chosen: boolean) =>
    cx(
      "h-8 rounded-full border px-3.5 text-[13px] font-medium whitespace-nowrap transition-colors",
      chosen ? "border-ink bg-ink text-on-ink" : "bg-surface text-quiet hover:border-edge hover:text-text",
    );
  return (
    <>
      <PageHeader title="Templates" about="Finished films with places for your words, pictures and sound." />
      <div className="mb-6 flex flex-col gap-3">
        <div className="relative max-w-md">
          <Search className="pointer-events-none absolute top-2.5 left-3 size-4 text-quiet" aria-hidden="true" />
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
            className={chip(!category)}
            onClick={() => set({ category: undefined })}
          >
            All
          </button>
          {categories.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={category === name}
              className={chip(category === name)}
              onClick={() => set({ category: category === name ? undefined : name })}
            >
              {words(name)}
            </button>
          ))}
        </div>
      </div>
      <p className="sr-only" role="status">
        {found ? plural(found.length, "template") : "Loading"}
      </p>
      {error ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : found?.length === 0 ? (
        <Empty
          icon={<LayoutTemplate />}
          title="No template matches"
          action={<Button onClick={() => set({ category: undefined, search: undefined })}>Show all</Button>}
        >
          Try another word or category.
        </Empty>
      ) : (
        <div className="grid gap-5 min-[560px]:grid-cols-2 xl:grid-cols-3">
          {found
            ? found.map((template) => <TemplateCard key={template.id} template={template} about />)
            : Array.from({ length: 9 }, (_, index) => <Skeleton key={index} className="aspect-[1/1.05] rounded-xl" />)}
        </div>
      )}
    </>
  );
}
