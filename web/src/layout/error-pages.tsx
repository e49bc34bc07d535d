/** The pages for unknown paths and unexpected errors. */
import { Link } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { useDocumentTitle } from "@/lib/hooks";
import { buttonClass } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";

export function NotFoundPage() {
  useDocumentTitle("Not found");
  return (
    <EmptyState
      icon={<Compass />}
      title="Page not found"
      className="min-h-[60vh] justify-center"
      action={
        <Link to="/dashboard" className={buttonClass("primary")}>
          Go to overview
        </Link>
      }
    >
      The page may have been moved or deleted.
    </EmptyState>
  );
}

export function ErrorPage({ error }: { error: unknown }) {
  useDocumentTitle("Something went wrong");
  return <ErrorState error={error} retry={() => window.location.reload()} className="min-h-[60vh] justify-center" />;
}
