/** The state of content that failed to load. */

import { CircleAlert, RotateCw } from "lucide-react";
import { errorMessage } from "@/lib/error";
import { Button } from "./button";
import { cx } from "./cx";

export function ErrorState({ error, retry, className }: { error: unknown; retry?: () => void; className?: string }) {
  return (
    <div role="alert" className={cx("flex flex-col items-center px-6 py-12 text-center", className)}>
      <div className="mb-4 grid size-12 place-items-center rounded-full bg-danger-soft text-danger" aria-hidden="true">
        <CircleAlert className="size-5" />
      </div>
      <p className="text-[15px] font-semibold">Failed to load</p>
      <p className="mt-1 max-w-md text-muted">{errorMessage(error)}</p>
      {retry && (
        <Button className="mt-5" onClick={retry} icon={<RotateCw className="size-4" />}>
          Retry
        </Button>
      )}
    </div>
  );
}
