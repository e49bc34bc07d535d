/** Templates whose overlays are put into the open film. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { LayoutTemplate } from "lucide-react";
import { useState } from "react";
import { templates } from "@/api/queries";
import type { Template } from "@/api/types";
import { openFilm } from "@/editor/model/film";
import { STRINGS } from "@/editor/strings/library";
import { useEditor } from "@/editor/use-editor";
import { filmOfTemplate } from "@/film/painted-picture";
import { aspectOf, useOwnPicture } from "@/film/template-card";
import { errorMessage } from "@/lib/error";
import { formatDuration } from "@/lib/format";
import { useInView } from "@/lib/hooks";
import { Spinner } from "@/ui/spinner";
import { showError } from "@/ui/toast";
import { insertFilm } from "./insert-film";
import { Note, SmallInput, TabBody, TileFacts } from "./parts";

export function TemplatesTab() {
  const [search, setSearch] = useState("");
  const { data, error } = useQuery(templates);
  const words = search.trim().toLowerCase();
  const shown = data?.templates.filter(({ name, description }) =>
    `${name} ${description}`.toLowerCase().includes(words),
  );
  return (
    <TabBody
      label={STRINGS.tab.templates}
      head={
        <SmallInput
          type="search"
          aria-label={STRINGS.templates.search}
          placeholder={STRINGS.templates.search}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      }
    >
      {error && <Note className="text-danger">{errorMessage(error)}</Note>}
      {!data && !error && <Spinner className="mx-auto mt-8 size-5 text-muted" />}
      {shown?.length === 0 && <Note className="px-2 py-8 text-center">{STRINGS.templates.nothing}</Note>}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(76px,1fr))] gap-x-2 gap-y-3">
        {shown?.map((template) => (
          <TemplateTile key={template.id} template={template} />
        ))}
      </ul>
    </TabBody>
  );
}

function TemplateTile({ template }: { template: Template }) {
  const editor = useEditor();
  const { ref, seen } = useInView<HTMLLIElement>();
  const painted = useOwnPicture(template, seen);
  const picture = template.thumbnailUrl ?? painted;
  const insert = useMutation({
    mutationFn: () => filmOfTemplate(template.id),
    onSuccess: (film) => insertFilm(editor, openFilm(film), STRINGS.steps.template(template.name)),
    onError: showError,
  });
  return (
    <li ref={ref} className="relative min-w-0">
      <button
        type="button"
        aria-label={STRINGS.templates.insert(template.name)}
        aria-busy={insert.isPending || undefined}
        title={template.description}
        onClick={() => !insert.isPending && insert.mutate()}
        className="group block w-full text-left"
      >
        <span className="relative block aspect-4/3 overflow-hidden rounded-lg border bg-[#0e1016] group-hover:border-subtle">
          {!picture && <LayoutTemplate className="absolute inset-0 m-auto size-5 text-white/40" aria-hidden="true" />}
          {picture && <img src={picture} alt="" loading="lazy" className="absolute inset-0 size-full object-contain" />}
          {insert.isPending && (
            <span className="absolute inset-0 grid place-items-center bg-black/50 text-white">
              <Spinner className="size-4" />
            </span>
          )}
        </span>
        <span className="mt-1 block truncate text-[11.5px] text-muted">{template.name}</span>
      </button>
      <TileFacts>
        {aspectOf(template)} · {formatDuration(template.durationInFrames / template.fps)}
      </TileFacts>
    </li>
  );
}
