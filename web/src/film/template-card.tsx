/** A template card. Its preview video plays on hover and focus. */

import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { Template } from "@/api/types";
import { formatDuration, humanize } from "@/lib/format";
import { useInView } from "@/lib/hooks";
import { cx } from "@/ui/cx";
import { Logo } from "@/ui/logo";
import { filmOfTemplate, usePaintedPicture } from "./painted-picture";

/** The aspect ratios of templates, from wide to tall. */
export const ASPECTS = ["16:9", "4:3", "1:1", "4:5", "9:16"] as const;

/** The nearest of the usual aspect ratios. */
export function aspectOf({ width, height }: Pick<Template, "width" | "height">): (typeof ASPECTS)[number] {
  const distance = (aspect: string) => {
    const [x = 1, y = 1] = aspect.split(":").map(Number);
    return Math.abs(Math.log(width / height) - Math.log(x / y));
  };
  return ASPECTS.reduce((best, aspect) => (distance(aspect) < distance(best) ? aspect : best));
}

/** The same template in other shapes: templates whose names differ only in the shape at their end, from wide to tall. */
export function variantsOf(template: Template, templates: Template[]): Template[] {
  const base = ({ name }: Template) => name.replace(/ \(\d+:\d+\)$/, "");
  if (base(template) === template.name) return [];
  return templates
    .filter((other) => other.id !== template.id && other.name !== base(other) && base(other) === base(template))
    .toSorted((a, b) => ASPECTS.indexOf(aspectOf(a)) - ASPECTS.indexOf(aspectOf(b)));
}

export function TemplateCard({ template, detailed = false }: { template: Template; detailed?: boolean }) {
  const { ref, seen } = useInView<HTMLAnchorElement>();
  const [playing, setPlaying] = useState(false);
  const painted = useOwnPicture(template, seen);
  const picture = template.thumbnailUrl ?? painted;
  return (
    <Link
      ref={ref}
      to="/dashboard/templates/$templateId"
      params={{ templateId: template.id }}
      onPointerEnter={(event) => event.pointerType === "mouse" && setPlaying(true)}
      onPointerLeave={() => setPlaying(false)}
      onFocus={() => setPlaying(true)}
      onBlur={() => setPlaying(false)}
      className="group block min-w-0 rounded-xl border bg-surface shadow-card transition-[border-color,box-shadow] hover:border-border-strong"
    >
      <span className="relative block aspect-4/3 overflow-hidden rounded-t-[11px] bg-[#0e1016]">
        {seen && picture ? (
          <TemplatePreview picture={picture} film={template.previewVideoUrl ?? null} playing={playing} />
        ) : (
          <span className="absolute inset-0 grid place-items-center text-white/70">
            <Logo className="size-9 opacity-50" />
          </span>
        )}
        {template.own && (
          <span className="absolute top-2 left-2 rounded bg-black/65 px-1.5 py-0.5 text-[11px] font-medium text-white">
            {template.visibility === "public" ? "Public" : "Private"}
          </span>
        )}
        {detailed && (
          <span className="nums absolute right-2 bottom-2 flex gap-1 text-[11px] font-medium text-white *:rounded *:bg-black/65 *:px-1.5 *:py-0.5">
            <span>{aspectOf(template)}</span>
            <span>{formatDuration(template.durationInFrames / template.fps)}</span>
          </span>
        )}
      </span>
      <span className="block px-3 pt-2.5 pb-3 sm:px-3.5 sm:pt-3 sm:pb-3.5">
        <span className="flex items-baseline justify-between gap-2">
          <span className="truncate font-semibold tracking-[-0.01em]">{template.name}</span>
          {detailed && (
            <span className="hidden shrink-0 text-xs text-muted sm:inline">{humanize(template.category)}</span>
          )}
        </span>
        <span className={cx("text-[13px] text-muted", detailed ? "mt-0.5 line-clamp-2 min-h-10" : "block truncate")}>
          {detailed ? template.description : humanize(template.category)}
        </span>
      </span>
    </Link>
  );
}

/** The service draws pictures of its own templates only. */
export const useOwnPicture = (template: Template, isWanted: boolean) =>
  usePaintedPicture({
    key: ["template", template.id],
    load: () => filmOfTemplate(template.id),
    isWanted: isWanted && template.own && !template.thumbnailUrl,
    side: 640,
  });

/** The thumbnail over a blurred copy of itself, and the preview video on top. */
function TemplatePreview({ picture, film, playing }: { picture: string; film: string | null; playing: boolean }) {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    if (!playing) setReady(false);
  }, [playing]);
  return (
    <>
      <img
        src={picture}
        alt=""
        aria-hidden="true"
        className="absolute inset-0 size-full scale-125 object-cover opacity-45 blur-xl"
      />
      <img
        src={picture}
        alt=""
        loading="lazy"
        className="absolute inset-0 size-full object-contain transition-transform duration-300 ease-out"
      />
      {playing && film && (
        <video
          src={film}
          autoPlay
          muted
          loop
          playsInline
          onPlaying={() => setReady(true)}
          className={cx(
            "absolute inset-0 size-full object-contain transition-opacity",
            ready ? "opacity-100" : "opacity-0",
          )}
        />
      )}
    </>
  );
}
