/** A text written where it is seen: the engine paints the letters, the page shows caret and selection over them. */

import { useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Overlay } from "@/editor/model/film";
import { STRINGS } from "@/editor/strings/canvas";
import { useEditor } from "@/editor/use-editor";
import { boxOf } from "./boxes";
import { loadFamily, pageFamily } from "./fonts";
import { leaveMode } from "./modes";
import { lookOf, scaled } from "./text-fit";
import { toScreen, useView } from "./view";

export function TextEditor({ overlay }: { overlay: Overlay }) {
  const editor = useEditor();
  const field = useRef<HTMLTextAreaElement>(null);
  const { x, y, scale } = useView((view) => ({ x: view.x, y: view.y, scale: view.scale }));
  const [loaded, setLoaded] = useState(0);
  // Measuring takes longer than painting: the caret may follow the letters a moment later.
  const measured = useDeferredValue(overlay);
  // biome-ignore lint/correctness/useExhaustiveDependencies: fonts that arrive change what is measured
  const look = useMemo(() => lookOf(measured), [measured, loaded]);
  const { family, weight, style } = look;
  const content = String(overlay["content"] ?? "");

  useEffect(() => {
    let isCurrent = true;
    const done = (changed: boolean) => changed && isCurrent && setLoaded((count) => count + 1);
    loadFamily(family, { weight, style }, content).then(done, () => undefined);
    return () => {
      isCurrent = false;
    };
  }, [family, weight, style, content]);

  useLayoutEffect(() => {
    const { current } = field;
    if (current && current.value !== content) current.value = content;
  }, [content]);

  useLayoutEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.select();
  }, []);

  const box = boxOf(overlay);
  const [left, top] = toScreen([box.left, box.top], { x, y, scale });
  const css = Object.fromEntries(
    Object.entries(look.css).map(([name, value]) => [name, name === "lineHeight" ? value : scaled(value, scale)]),
  );
  const lineHeight = /px$/.test(look.css["lineHeight"] ?? "")
    ? scaled(look.css["lineHeight"] ?? "", scale)
    : css["lineHeight"];
  return (
    <div
      className="absolute overflow-hidden outline-2 outline-accent-fill"
      style={{
        left,
        top,
        width: box.width * scale,
        height: box.height * scale,
        transform: `rotate(${box.rotation}deg)`,
      }}
    >
      <textarea
        ref={field}
        aria-label={STRINGS.editText}
        defaultValue={content}
        spellCheck={false}
        className="absolute inset-x-0 block w-full resize-none overflow-hidden border-solid border-transparent bg-transparent text-transparent outline-none [font-synthesis:none] [overflow-wrap:break-word] [text-rendering:geometricPrecision] selection:text-transparent"
        style={{
          top: look.top * scale,
          height: Math.ceil(look.height * scale) + 2,
          fontFamily: pageFamily(family),
          fontWeight: weight,
          fontStyle: style,
          fontSize: look.size * scale,
          ...css,
          lineHeight,
          caretColor: look.color,
        }}
        onInput={(event) =>
          editor.apply(
            { op: "set", id: overlay.id, path: "content", value: event.currentTarget.value },
            { name: STRINGS.steps.text, gesture: `text-${overlay.id}` },
          )
        }
        onBlur={() => leaveMode(editor)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
          event.preventDefault();
          event.stopPropagation();
          const item = document.querySelector<SVGElement>(`[data-overlay="${overlay.id}"]`);
          leaveMode(editor);
          item?.focus({ preventScroll: true });
        }}
      />
    </div>
  );
}
