/** The surfaces pages are made of: header, card, section, states without content. */
import { CircleAlert, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { sentence } from "@/api/http";
import { useTitle } from "@/lib/hooks";
import { Button } from "./button";
import { cx } from "./cx";

interface HeaderProps {
  title: string;
  /** What the browser's tab says, where it differs. */
  tab?: string;
  about?: ReactNode;
  back?: ReactNode;
  badge?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, tab, about, back, badge, actions }: HeaderProps) {
  useTitle(tab ?? title);
  return (
    <header className="mb-7 flex flex-col gap-4 sm:flex-row sm:items-end sm:justify-between">
      <div className="min-w-0">
        {back}
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 text-[26px] leading-tight font-semibold tracking-[-0.022em] break-words">{title}</h1>
          {badge}
        </div>
        {about && <p className="mt-1.5 max-w-2xl text-[15px] text-quiet">{about}</p>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}

export function Card({ className, children, label }: { className?: string; children: ReactNode; label?: string }) {
  return (
    <section aria-label={label} className={cx("rounded-xl border bg-surface shadow-card", className)}>
      {children}
    </section>
  );
}

interface SectionProps {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  className?: string;
  children: ReactNode;
}

export function Section({ title, about, actions, className, children }: SectionProps) {
  return (
    <section className={cx("rounded-xl border bg-surface shadow-card", className)} aria-label={title}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b px-5 py-3.5">
        <div className="min-w-0">
          <h2 className="text-[15px] font-semibold tracking-[-0.01em]">{title}</h2>
          {about && <p className="text-[13px] text-quiet">{about}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  );
}

interface EmptyProps {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
}

export function Empty({ icon, title, children, action, className }: EmptyProps) {
  return (
    <div className={cx("flex flex-col items-center px-6 py-14 text-center", className)}>
      <div
        className="mb-4 grid size-12 place-items-center rounded-full border bg-sunken text-quiet [&_svg]:size-5"
        aria-hidden="true"
      >
        {icon}
      </div>
      <p className="text-[15px] font-semibold">{title}</p>
      {children && <p className="mt-1 max-w-sm text-quiet">{children}</p>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  );
}

export function Problem({ error, retry, className }: { error: unknown; retry?: () => void; className?: string }) {
  return (
    <div role="alert" className={cx("flex flex-col items-center px-6 py-12 text-center", className)}>
      <div className="mb-4 grid size-12 place-items-center rounded-full bg-bad-soft text-bad" aria-hidden="true">
        <CircleAlert className="size-5" />
      </div>
      <p className="text-[15px] font-semibold">This could not be loaded</p>
      <p className="mt-1 max-w-md text-quiet">{sentence(error)}</p>
      {retry && (
        <Button className="mt-5" onClick={retry} icon={<RotateCw className="size-4" />}>
          Try again
        </Button>
      )}
    </div>
  );
}

export const Skeleton = ({ className }: { className?: string }) => (
  <span aria-hidden="true" className={cx("block animate-shimmer rounded-md bg-hover", className)} />
);

/** Rows in the place of a list that is on its way. */
export function SkeletonRows({ rows = 5, height = "h-14" }: { rows?: number; height?: string }) {
  return (
    <div role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={cx("flex items-center gap-4 border-b px-5 last:border-b-0", height)}>
          <Skeleton className="h-3.5 w-2/5" />
          <Skeleton className="ml-auto h-3.5 w-1/5" />
        </div>
      ))}
    </div>
  );
}

export function Notice({
  tone = "info",
  children,
  className,
}: {
  tone?: "info" | "warn" | "bad" | "good";
  children: ReactNode;
  className?: string;
}) {
  const tones = {
    info: "bg-info-soft text-info",
    warn: "bg-warn-soft text-warn",
    bad: "bg-bad-soft text-bad",
    good: "bg-good-soft text-good",
  };
  return (
    <div
      role={tone === "bad" ? "alert" : undefined}
      className={cx("rounded-lg px-3.5 py-2.5 text-[13px]", tones[tone], className)}
    >
      {children}
    </div>
  );
}
