/** The header of a page. Sets the document title. */

import type { ReactNode } from "react";
import { useDocumentTitle } from "@/lib/hooks";

interface HeaderProps {
  title: string;
  /** The document title, if it differs from the heading. */
  documentTitle?: string;
  description?: ReactNode;
  back?: ReactNode;
  badge?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, documentTitle, description, back, badge, actions }: HeaderProps) {
  useDocumentTitle(documentTitle ?? title);
  return (
    <header className="mb-7 flex flex-col gap-4 sm:flex-row sm:items-end sm:justify-between">
      <div className="min-w-0">
        {back}
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 text-[26px] leading-tight font-semibold tracking-[-0.022em] break-words">{title}</h1>
          {badge}
        </div>
        {description && <p className="mt-1.5 max-w-2xl text-[15px] text-muted">{description}</p>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}
