/** Whether the film is saved, in a word. Problems say what can be done. */

import { Check, CloudOff, LoaderCircle, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { type SaveStatus, useSession, useSessionState } from "@/editor/save/session";
import { SAVE } from "@/editor/strings/shell";
import { cx } from "@/ui/cx";
import { Tooltip } from "@/ui/tooltip";
import { openDialog } from "./ui";

const ICONS: Record<SaveStatus, ReactNode> = {
  saved: <Check className="size-3.5" />,
  unsaved: <LoaderCircle className="size-3.5" />,
  saving: <LoaderCircle className="size-3.5 animate-spin" />,
  offline: <CloudOff className="size-3.5" />,
  conflict: <TriangleAlert className="size-3.5" />,
  rejected: <TriangleAlert className="size-3.5" />,
  signedOut: <TriangleAlert className="size-3.5" />,
  gone: <TriangleAlert className="size-3.5" />,
};

/** What the service said; where that does not help, what people can do. */
const hintOf = (status: SaveStatus, problem: string | null) =>
  (status === "gone" ? null : problem) ?? SAVE.hints[status as keyof typeof SAVE.hints];

export function SaveState() {
  const session = useSession();
  const { status, problem } = useSessionState(({ status, problem }) => ({ status, problem }));
  const isProblem = !["saved", "unsaved", "saving"].includes(status);
  const act = () => {
    if (status === "conflict") openDialog("conflicts");
    else if (status === "signedOut") window.open("/sign-in", "_blank");
    else if (status === "gone") openDialog("saveAs");
    else session.retry();
  };
  const text = (
    <>
      <span aria-hidden="true">{ICONS[status]}</span>
      <span className={cx(!isProblem && "max-lg:sr-only")}>{SAVE[status]}</span>
    </>
  );
  return (
    <span role="status" className="flex shrink-0 items-center text-xs text-muted">
      {isProblem ? (
        <Tooltip text={<span className="max-w-72">{hintOf(status, problem)}</span>}>
          <button
            type="button"
            onClick={act}
            className="flex h-7 items-center gap-1.5 rounded-md bg-warning-soft px-2 font-medium whitespace-nowrap text-warning hover:brightness-95"
          >
            {text}
          </button>
        </Tooltip>
      ) : (
        <span className="flex items-center gap-1 px-1">{text}</span>
      )}
    </span>
  );
}
