import { Link } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { useTitle } from "@/lib/hooks";
import { buttonClass } from "@/ui/button";
import { Empty, Problem } from "@/ui/surface";

export function NotFound() {
  useTitle("Not found");
  return (
    <Empty
      icon={<Compass />}
      title="There is nothing here"
      className="min-h-[60vh] justify-center"
      action={
        <Link to="/dashboard" className={buttonClass("primary")}>
          Go to the overview
        </Link>
      }
    >
      The address may be mistyped, or what it led to has been removed.
    </Empty>
  );
}

export function Crash({ error }: { error: unknown }) {
  useTitle("Something went wrong");
  return <Problem error={error} retry={() => window.location.reload()} className="min-h-[60vh] justify-center" />;
}
