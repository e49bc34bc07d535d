/** The link to the parent page. */
import { Link } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";

export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <Link
      to={to}
      className="mb-2 -ml-1 flex w-fit items-center gap-0.5 rounded text-[13px] text-muted hover:text-foreground"
    >
      <ChevronLeft className="size-4" aria-hidden="true" /> {children}
    </Link>
  );
}
