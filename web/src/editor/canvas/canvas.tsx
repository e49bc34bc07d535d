/** The region "Canvas" of the editor: the film as it is rendered, and what people do to it by hand. */

import { TriangleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import { findOverlay } from "@/editor/model/film";
import { STRINGS } from "@/editor/strings/canvas";
import { useEditor, useEditorState } from "@/editor/use-editor";
import { Spinner } from "@/ui/spinner";
import { MediaBar, SelectionBar, ViewBar } from "./bars";
import { Rulers } from "./guides";
import { Layer } from "./layer";
import { leaveMode } from "./modes";
import { showPicture } from "./picture";
import { PointerControl } from "./pointer";
import { TextEditor } from "./text-editor";
import { fit, resetView, useView, view } from "./view";

export function Canvas() {
  const editor = useEditor();
  const region = useRef<HTMLElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLDivElement>(null);

  useEffect(() => {
    resetView();
    const host = picture.current;
    const element = stage.current;
    if (!host || !element) return;
    const stops = [showPicture(host, editor), new PointerControl(element, editor).attach()];
    return () => {
      for (const stop of stops) stop();
    };
  }, [editor]);

  useEffect(() => {
    const element = region.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      view.setState({ width: element.clientWidth, height: element.clientHeight });
      if (view.getState().isFit) fit(editor.document());
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [editor]);

  const { width, height } = useEditorState((state) => ({ width: state.film.width, height: state.film.height }));
  const rulers = useView((state) => state.rulers);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another size, or rulers, fit in another way
  useEffect(() => {
    if (view.getState().isFit) fit(editor.document());
  }, [editor, width, height, rulers]);

  return (
    <section
      ref={region}
      aria-label={STRINGS.region}
      className="@container relative size-full overflow-hidden bg-inset"
    >
      <div
        ref={stage}
        tabIndex={-1}
        className="absolute inset-0 touch-none overflow-hidden outline-none select-none data-panning:cursor-grab"
      >
        <Picture ref={picture} />
        <Layer />
        <OpenedText />
      </div>
      <Rulers />
      <Problem />
      <SelectionBar />
      <Bottom />
    </section>
  );
}

/** The place of the player. */
function Picture({ ref }: { ref: React.Ref<HTMLDivElement> }) {
  const { width, height } = useEditorState((state) => ({ width: state.film.width, height: state.film.height }));
  const { x, y, scale, isLoading } = useView((state) => ({
    x: state.x,
    y: state.y,
    scale: state.scale,
    isLoading: !state.ready && !state.problem,
  }));
  const style = { width: width * scale, height: height * scale, transform: `translate(${x}px, ${y}px)` };
  return (
    <>
      <div
        ref={ref}
        className="checkerboard pointer-events-none absolute top-0 left-0 shadow-card ring-1 ring-border"
        style={style}
      />
      {isLoading && (
        <div className="pointer-events-none absolute top-0 left-0 grid place-items-center text-muted" style={style}>
          <Spinner className="size-6" />
        </div>
      )}
    </>
  );
}

/** The overlay that is open, as it is now. */
function useOpened(kind: "text" | "media") {
  const mode = useView((state) => state.mode);
  return useEditorState((state) => (mode?.kind === kind ? findOverlay(state.film, mode.id) : undefined));
}

function OpenedText() {
  const overlay = useOpened("text");
  return overlay && <TextEditor key={overlay.id} overlay={overlay} />;
}

function Bottom() {
  const editor = useEditor();
  const media = useOpened("media");
  const mode = useView((state) => state.mode);
  const isGone = useEditorState((state) => mode !== null && !state.selection.includes(mode.id));
  // An overlay that is no longer selected, or was deleted, is not open.
  useEffect(() => {
    if (isGone) leaveMode(editor);
  }, [editor, isGone]);
  useEffect(() => {
    if (mode?.kind !== "media") return;
    const leave = (event: KeyboardEvent) => {
      const isOnButton = event.target instanceof HTMLButtonElement;
      if (event.key !== "Escape" && (event.key !== "Enter" || isOnButton)) return;
      event.preventDefault();
      leaveMode(editor);
    };
    window.addEventListener("keydown", leave, { capture: true });
    return () => window.removeEventListener("keydown", leave, { capture: true });
  }, [editor, mode]);
  return media ? <MediaBar overlay={media} /> : <ViewBar />;
}

/** Why the picture is not up to date. The editor works on. */
function Problem() {
  const problem = useView((state) => state.problem);
  if (!problem) return null;
  return (
    <div
      role="alert"
      className="absolute bottom-14 left-1/2 z-10 flex w-max max-w-[calc(100%-1rem)] -translate-x-1/2 items-start gap-2.5 rounded-xl border border-danger/40 bg-surface px-3 py-2 text-[13px] shadow-float"
    >
      <TriangleAlert className="mt-0.5 size-4 shrink-0 text-danger" />
      <p className="min-w-0">
        <strong className="font-medium">{STRINGS.problem}.</strong> <span className="text-muted">{problem}</span>
      </p>
    </div>
  );
}
