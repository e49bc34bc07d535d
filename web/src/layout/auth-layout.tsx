/** The layout of the sign-in pages: a form, and an illustration on wide screens. */

import type { ReactNode } from "react";
import { useDocumentTitle } from "@/lib/hooks";
import { Logo } from "@/ui/logo";
import { TimelineIllustration } from "./timeline-illustration";

export function AuthLayout({
  title,
  description,
  children,
  footer,
}: {
  title: string;
  description?: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
}) {
  useDocumentTitle(title);
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1.05fr)]">
      <main className="flex flex-col px-6 py-6 sm:px-10">
        <a href="/" className="flex w-fit items-center gap-2.5 rounded-lg text-[17px] font-semibold tracking-[-0.02em]">
          <Logo className="size-6.5" /> Rondo
        </a>
        <div className="mx-auto flex w-full max-w-sm flex-1 flex-col justify-center py-12">
          <h1 className="text-[28px] leading-tight font-semibold tracking-[-0.025em]">{title}</h1>
          {description && <p className="mt-2 text-[15px] text-muted">{description}</p>}
          <div className="mt-8">{children}</div>
          {footer && <p className="mt-7 text-muted">{footer}</p>}
        </div>
        <p className="text-[13px] text-muted">
          <a className="underline underline-offset-3 hover:text-foreground" href="/docs">
            Documentation
          </a>
        </p>
      </main>
      <aside aria-hidden="true" className="relative m-3 hidden overflow-hidden rounded-3xl bg-[#0d0f15] lg:block">
        <TimelineIllustration />
      </aside>
    </div>
  );
}
