/** Starts a film: blank in one of the usual shapes, or from a template. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { LayoutTemplate } from "lucide-react";
import { useState } from "react";
import { queryClient, templates } from "@/api/queries";
import type { Template } from "@/api/types";
import { createFilm, createFromTemplate, type StoredFilm } from "@/editor/save/projects";
import { NEW } from "@/editor/strings/new-film";
import { aspectOf, useOwnPicture } from "@/film/template-card";
import { Thumbnail } from "@/film/thumbnail";
import { errorMessage } from "@/lib/error";
import { formatDuration } from "@/lib/format";
import { useInView } from "@/lib/hooks";
import { Alert } from "@/ui/alert";
import { BackLink } from "@/ui/back-link";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { PageHeader } from "@/ui/page-header";
import { SearchInput } from "@/ui/search-input";
import { Repeat, Skeleton } from "@/ui/skeleton";
import { Spinner } from "@/ui/spinner";

const SIZES = [
  { aspect: "16:9", width: 1920, height: 1080, ...NEW.sizes.landscape },
  { aspect: "9:16", width: 1080, height: 1920, ...NEW.sizes.vertical },
  { aspect: "1:1", width: 1080, height: 1080, ...NEW.sizes.square },
  { aspect: "4:5", width: 1080, height: 1350, ...NEW.sizes.portrait },
] as const;

const FPS = 30;
const SECONDS = 10;

export function NewFilmPage() {
  const navigate = useNavigate();
  const start = useMutation({
    mutationFn: ({ make }: { key: string; make: () => Promise<StoredFilm> }) => make(),
    async onSuccess({ id }) {
      void queryClient.invalidateQueries({ queryKey: ["projects"] });
      await navigate({ to: "/edit/$projectId", params: { projectId: id }, replace: true });
    },
  });
  const starting = start.isPending ? start.variables.key : null;
  const blank = ({ aspect, width, height }: (typeof SIZES)[number]) => {
    const film = { width, height, fps: FPS, durationInFrames: SECONDS * FPS, backgroundColor: "#000000", overlays: [] };
    start.mutate({ key: aspect, make: () => createFilm(NEW.untitled, film) });
  };
  const fromTemplate = (template: Template) =>
    start.mutate({ key: template.id, make: () => createFromTemplate(template) });
  return (
    <>
      <PageHeader
        back={<BackLink to="/dashboard/projects">{NEW.back}</BackLink>}
        title={NEW.title}
        description={NEW.description}
      />
      {start.error && (
        <Alert tone="danger" className="mb-6">
          {errorMessage(start.error)}
        </Alert>
      )}
      <h2 className="mb-3 text-[15px] font-semibold">{NEW.blank}</h2>
      <ul className="mb-10 grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
        {SIZES.map((size) => (
          <li key={size.aspect}>
            <button
              type="button"
              disabled={start.isPending}
              onClick={() => blank(size)}
              className="group flex w-full flex-col items-center rounded-xl border bg-surface px-3 pt-5 pb-4 shadow-card transition-colors hover:border-border-strong disabled:opacity-60"
            >
              <span className="grid h-24 place-items-center" aria-hidden="true">
                <Shape width={size.width} height={size.height} isBusy={starting === size.aspect} />
              </span>
              <span className="mt-3 font-semibold tracking-[-0.01em]">
                {size.name} <span className="nums font-normal text-muted">{size.aspect}</span>
              </span>
              <span className="text-[13px] text-muted">{size.hint}</span>
            </button>
          </li>
        ))}
      </ul>
      <TemplateChoice starting={starting} isBusy={start.isPending} onChoose={fromTemplate} />
    </>
  );
}

/** The shape of a canvas; the longer side is always as long. */
function Shape({ width, height, isBusy }: { width: number; height: number; isBusy: boolean }) {
  const scale = 96 / Math.max(width, height);
  return (
    <span
      style={{ width: width * scale, height: height * scale }}
      className="grid place-items-center rounded-md border-2 border-border-strong bg-inset text-muted transition-colors group-hover:border-accent-fill group-hover:bg-accent-soft group-hover:text-accent"
    >
      {isBusy ? <Spinner /> : <span className="text-lg leading-none">+</span>}
    </span>
  );
}

interface ChoiceProps {
  starting: string | null;
  isBusy: boolean;
  onChoose: (template: Template) => void;
}

function TemplateChoice({ starting, isBusy, onChoose }: ChoiceProps) {
  const { data, error, refetch } = useQuery(templates);
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const found = data?.templates.filter(({ name, description }) =>
    `${name} ${description}`.toLowerCase().includes(wanted),
  );
  return (
    <section aria-label={NEW.template}>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-[15px] font-semibold">{NEW.template}</h2>
        <SearchInput label={NEW.search} value={search} onChange={setSearch} className="w-full sm:w-64" />
      </div>
      {error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : found?.length === 0 ? (
        <EmptyState icon={<LayoutTemplate />} title={NEW.none} className="rounded-xl border bg-surface" />
      ) : (
        <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4 lg:grid-cols-4">
          {found ? (
            found.map((template) => (
              <li key={template.id}>
                <TemplateButton
                  template={template}
                  isStarting={starting === template.id}
                  isBusy={isBusy}
                  onChoose={() => onChoose(template)}
                />
              </li>
            ))
          ) : (
            <Repeat count={8}>
              <Skeleton className="aspect-[1/0.9] rounded-xl" />
            </Repeat>
          )}
        </ul>
      )}
    </section>
  );
}

interface TemplateButtonProps {
  template: Template;
  isStarting: boolean;
  isBusy: boolean;
  onChoose: () => void;
}

function TemplateButton({ template, isStarting, isBusy, onChoose }: TemplateButtonProps) {
  const { ref, seen } = useInView<HTMLButtonElement>();
  const painted = useOwnPicture(template, seen);
  return (
    <button
      ref={ref}
      type="button"
      disabled={isBusy}
      onClick={onChoose}
      className="block w-full min-w-0 rounded-xl border bg-surface text-left shadow-card transition-colors hover:border-border-strong disabled:opacity-60"
    >
      <span className="relative block">
        <Thumbnail
          src={template.thumbnailUrl ?? painted ?? null}
          contain
          className="aspect-4/3 rounded-t-[11px] bg-[#0e1016]!"
        />
        {isStarting && (
          <span className="absolute inset-0 grid place-items-center rounded-t-[11px] bg-black/50 text-white">
            <Spinner className="size-5" />
          </span>
        )}
      </span>
      <span className="block px-3 py-2.5">
        <span className="block truncate text-[13px] font-semibold">{template.name}</span>
        <span className="nums block text-xs text-muted">
          {aspectOf(template)} · {formatDuration(template.durationInFrames / template.fps)}
        </span>
      </span>
    </button>
  );
}
