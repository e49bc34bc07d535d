/** Pieces that the tabs of the library share. */

import { type ComponentProps, type DragEvent, type ReactNode, useId } from "react";
import { cx } from "@/ui/cx";
import { type Draft, ITEM_TYPE } from "./place";
import type { Sheet } from "./sheet";

/** A tab: a head that stays, and what scrolls under it. */
export function TabBody({ label, head, children }: { label: string; head?: ReactNode; children: ReactNode }) {
  return (
    <div className="flex size-full min-h-0 flex-col">
      {head && <div className="flex shrink-0 flex-col gap-2 border-b p-2.5">{head}</div>}
      <div
        role="group"
        aria-label={label}
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto p-2.5 -outline-offset-2"
      >
        {children}
      </div>
    </div>
  );
}

/** A part of a tab with a heading. */
export function Part({
  title,
  aside,
  children,
  className,
}: {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={cx("mb-4 last:mb-0", className)}>
      <div className="mb-1.5 flex min-h-6 items-center justify-between gap-2">
        <h3 id={id} className="text-[12px] font-semibold text-muted">
          {title}
        </h3>
        {aside}
      </div>
      {children}
    </section>
  );
}

export const Note = ({ children, className }: { children: ReactNode; className?: string }) => (
  <p className={cx("text-[12.5px] leading-snug text-muted", className)}>{children}</p>
);

/** A text field of the size of the editor's controls. */
export const SmallInput = ({ className, ...rest }: ComponentProps<"input">) => (
  <input className={cx("control h-7 w-full min-w-0 px-2 text-base sm:text-[12.5px]", className)} {...rest} />
);

export const SmallSelect = ({ className, children, ...rest }: ComponentProps<"select">) => (
  <select className={cx("control h-7 w-full min-w-0 px-1.5 text-base sm:text-[12.5px]", className)} {...rest}>
    {children}
  </select>
);

/** A small button inside the library. */
export function SmallButton({ className, type, ...rest }: ComponentProps<"button">) {
  return (
    <button
      type={type ?? "button"}
      className={cx(
        "inline-flex h-7 shrink-0 items-center justify-center gap-1.5 rounded-md border border-border-strong bg-surface px-2 text-[12.5px] font-medium whitespace-nowrap hover:bg-hover disabled:cursor-not-allowed disabled:opacity-50 [&_svg]:size-3.5 [&_svg]:shrink-0",
        className,
      )}
      {...rest}
    />
  );
}

/** A button that shows only its symbol. */
export function IconButton({ label, className, type, ...rest }: ComponentProps<"button"> & { label: string }) {
  return (
    <button
      type={type ?? "button"}
      aria-label={label}
      title={label}
      className={cx(
        "grid size-6 shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-foreground disabled:cursor-not-allowed disabled:opacity-40 [&_svg]:size-3.5",
        className,
      )}
      {...rest}
    />
  );
}

/** Puts an item into a drag. */
export function carry(event: DragEvent, draft: Draft) {
  event.dataTransfer.effectAllowed = "copy";
  event.dataTransfer.setData(ITEM_TYPE, JSON.stringify(draft));
}

interface TileProps {
  label: string;
  /** Shown under the picture. */
  caption?: string;
  make: () => Draft;
  onAdd: () => void;
  /** Height to width. */
  shape: string;
  children: ReactNode;
}

/** Something to add: click, Enter, or drag it to the canvas or the timeline. */
export function Tile({ label, caption, make, onAdd, shape, children }: TileProps) {
  return (
    <button
      type="button"
      draggable
      aria-label={label}
      title={label}
      onClick={onAdd}
      onDragStart={(event) => carry(event, make())}
      className="group block w-full min-w-0 text-left"
    >
      <span
        className={cx(
          "relative block overflow-hidden rounded-lg border bg-[#171a21] transition-[border-color] group-hover:border-subtle",
          shape,
        )}
      >
        {children}
      </span>
      {caption && <span className="mt-1 block truncate text-[11.5px] text-muted">{caption}</span>}
    </button>
  );
}

/** One tile of a painted sheet. */
export function SheetPicture({ sheet, index }: { sheet: Sheet | undefined; index: number }) {
  if (!sheet) return <span className="absolute inset-0 animate-shimmer bg-white/5" />;
  const { columns, rows, url } = sheet;
  const x = columns > 1 ? ((index % columns) / (columns - 1)) * 100 : 0;
  const y = rows > 1 ? (Math.floor(index / columns) / (rows - 1)) * 100 : 0;
  return (
    <span
      aria-hidden="true"
      className="absolute inset-0 bg-no-repeat"
      style={{
        backgroundImage: `url(${url})`,
        backgroundSize: `${columns * 100}% ${rows * 100}%`,
        backgroundPosition: `${x}% ${y}%`,
      }}
    />
  );
}

/** A few facts on the picture of a tile. It lies beside the tile's button, whose name they are no part of. */
export const TileFacts = ({ children }: { children: ReactNode }) => (
  <span aria-hidden="true" className="pointer-events-none absolute inset-x-0 top-0 block aspect-4/3">
    <span className="nums absolute right-1 bottom-1 rounded bg-black/70 px-1 text-[10.5px] leading-4 text-white">
      {children}
    </span>
  </span>
);
