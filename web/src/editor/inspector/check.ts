/** What the service says about the film: the warnings of a preview, which is free. Asked for when the film rests. */

import { useEffect } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { ApiError, api } from "@/api/http";
import type { RenderBody, Warning } from "@/api/types";
import type { Film, Overlay } from "@/editor/model/film";
import { CHECK } from "@/editor/strings/inspector";
import { useEditor } from "@/editor/use-editor";
import { withoutEditorFields } from "@/film/warnings";

/** Milliseconds of rest before the film is checked, and after a refusal for too many requests. */
const REST_MS = 1500;
const LATER_MS = 20_000;

export interface Found {
  /** The overlay it is about; undefined for the film. */
  id: number | undefined;
  /** From that overlay, or from the film: `styles.fontFamily`. Empty if it is about all of it. */
  path: string;
  severity: "error" | "warning" | "info";
  code: string;
  message: string;
  hint: string | undefined;
}

/** A variable of the checked film. Fixed-size text has a capacity. */
export interface CheckedVariable {
  name: string;
  overlayId: unknown;
  field: string;
  type: string;
  maxCharacters?: number | null;
  linesAvailable?: number | null;
}

interface Checked {
  found: readonly Found[];
  variables: readonly CheckedVariable[];
}

const NOTHING: Checked = { found: [], variables: [] };
const store = createStore<Checked>(() => NOTHING);

export const useChecked = <T>(select: (state: Checked) => T): T => useStore(store, select);

/** The overlay and the rest of a path such as `inputProps.overlays[2].styles.color`. */
function locate(film: Film, path: string): Pick<Found, "id" | "path"> {
  const [, index, rest = ""] = /^(?:inputProps\.)?overlays\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
  const id = index === undefined ? undefined : film.overlays[Number(index)]?.id;
  return id === undefined ? { id: undefined, path: path.replace(/^inputProps\.?/, "") } : { id, path: rest };
}

const severityOf = (text: string): Found["severity"] => (text === "error" || text === "warning" ? text : "info");

function read(film: Film, { code, severity, message, hint, detail, variable }: Warning): Found {
  const path = typeof detail?.["path"] === "string" ? detail["path"] : "";
  const place = locate(film, path);
  const named = variable == null ? undefined : film.overlays.find((overlay) => overlay["name"] === variable);
  return {
    ...(place.id === undefined && !path && named ? { id: named.id, path: "" } : place),
    severity: severityOf(severity),
    code,
    message,
    hint: hint ?? undefined,
  };
}

/** Problems of a film that the service does not accept. */
function refused(film: Film, error: ApiError): Found[] {
  const base = { severity: "error", code: error.reason, hint: undefined } as const;
  if (!error.issues.length) return [{ ...base, id: undefined, path: "", message: error.message }];
  return error.issues.map(({ path, message }) => ({ ...base, ...locate(film, path), message }));
}

/** Media that has no file yet. */
const isEmpty = ({ type, src }: Overlay) => /^(video|image|sound)$/.test(type) && (src === undefined || src === "");

/** A preview needs every file. What has none yet is left out, with something invisible in its place. */
const withoutEmpty = (film: Film): Film =>
  film.overlays.some(isEmpty)
    ? {
        ...film,
        overlays: film.overlays.map((overlay) => {
          if (!isEmpty(overlay)) return overlay;
          const { id, from, durationInFrames, row } = overlay;
          const box = { left: 0, top: 0, width: 1, height: 1 };
          return {
            id,
            type: "shape",
            from,
            durationInFrames,
            row,
            ...box,
            content: "rectangle",
            styles: { opacity: 0 },
          };
        }),
      }
    : film;

/** Variables may be empty until the film is rendered; other media may not. */
const emptyOf = (film: Film): Found[] =>
  film.overlays
    .filter((overlay) => isEmpty(overlay) && overlay["isDynamic"] !== true)
    .map(({ id }) => ({
      id,
      path: "src",
      severity: "error",
      code: "MISSING_MEDIA_SOURCE",
      message: CHECK.noSource,
      hint: CHECK.addSource,
    }));

async function check(film: Film, signal: AbortSignal): Promise<Checked> {
  try {
    const body = { inputProps: withoutEmpty(film) } as unknown as RenderBody;
    const { warnings, resolved } = await api("post", "/previews", { body, signal });
    return {
      found: [...emptyOf(film), ...withoutEditorFields(warnings).map((warning) => read(film, warning))],
      variables: (resolved.variables ?? []) as unknown as readonly CheckedVariable[],
    };
  } catch (error) {
    if (error instanceof ApiError && (error.status === 400 || error.status === 422))
      return { found: refused(film, error), variables: [] };
    throw error;
  }
}

/** Checks the film of the editor each time it comes to rest. */
export function useCheck() {
  const editor = useEditor();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let abort = new AbortController();
    const plan = (after: number) => {
      clearTimeout(timer);
      timer = setTimeout(run, after);
    };
    const run = async () => {
      abort.abort();
      abort = new AbortController();
      const film = editor.document();
      try {
        const checked = await check(film, abort.signal);
        if (film === editor.document()) store.setState(checked);
      } catch (error) {
        if (error instanceof ApiError && error.status === 429) plan(LATER_MS);
      }
    };
    plan(0);
    const stop = editor.on("change", () => plan(REST_MS));
    return () => {
      stop();
      clearTimeout(timer);
      abort.abort();
      store.setState(NOTHING);
    };
  }, [editor]);
}
