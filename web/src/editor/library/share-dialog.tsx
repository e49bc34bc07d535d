/** The address of a preview of the open film, for people without an account. */

import { ExternalLink } from "lucide-react";
import { STRINGS } from "@/editor/strings/library";
import { usePreview } from "@/film/use-preview";
import { errorMessage } from "@/lib/error";
import { formatDateTime } from "@/lib/format";
import { Alert } from "@/ui/alert";
import { buttonClass } from "@/ui/button";
import { CopyButton } from "@/ui/copy";
import { Dialog } from "@/ui/dialog";
import { Input } from "@/ui/field";
import { Spinner } from "@/ui/spinner";
import type { DialogProps } from "./render-dialog";
import { useSource } from "./source";

export function ShareDialog({ open, onOpenChange }: DialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={STRINGS.share.title} description={STRINGS.share.text}>
      <Address />
    </Dialog>
  );
}

function Address() {
  const source = useSource();
  const { preview: data, error } = usePreview(source?.body ?? null);
  if (error) return <Alert tone="danger">{errorMessage(error)}</Alert>;
  if (!data) return <Spinner className="mx-auto my-4 size-5 text-muted" />;
  return (
    <div className="flex flex-col gap-4">
      <Input
        readOnly
        aria-label={STRINGS.share.address}
        value={data.previewUrl}
        onFocus={(event) => event.currentTarget.select()}
        className="font-mono text-[13px]!"
      />
      <div className="flex flex-wrap items-center gap-2">
        <CopyButton variant="primary" text={data.previewUrl} label={STRINGS.share.copy} />
        <a className={buttonClass("secondary", "sm")} href={data.previewUrl} target="_blank" rel="noreferrer">
          <ExternalLink className="size-3.5" aria-hidden="true" /> {STRINGS.share.open}
        </a>
      </div>
      <p className="text-[13px] text-muted">{STRINGS.share.until(formatDateTime(data.expiresAt))}</p>
    </div>
  );
}
