/** Copying to the clipboard. */

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./button";
import { cx } from "./cx";
import { showError } from "./toast";

function useCopy() {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1800);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      showError(new Error("Could not copy to the clipboard. Select the text and copy it manually."));
    }
  };
  return { copied, copy };
}

export function CopyButton({
  text,
  label = "Copy",
  variant = "ghost",
  size = "sm",
}: {
  text: string;
  label?: string;
  size?: "sm" | "md";
  variant?: "ghost" | "secondary" | "primary";
}) {
  const { copied, copy } = useCopy();
  return (
    <Button
      size={size}
      variant={variant}
      onClick={() => void copy(text)}
      icon={copied ? <Check className="size-3.5 text-success" /> : <Copy className="size-3.5" />}
    >
      <span aria-live="polite">{copied ? "Copied" : label}</span>
    </Button>
  );
}

/** An ID that is copied on click. */
export function CopyableId({ value, className }: { value: string; className?: string }) {
  const { copied, copy } = useCopy();
  return (
    <button
      type="button"
      onClick={() => void copy(value)}
      title="Copy"
      aria-label={`Copy ${value}`}
      className={cx(
        "group inline-flex max-w-full items-center gap-1.5 rounded-md font-mono text-[12.5px] text-muted hover:text-foreground",
        className,
      )}
    >
      <span className="truncate">{value}</span>
      {copied ? (
        <Check className="size-3 shrink-0 text-success" />
      ) : (
        <Copy className="size-3 shrink-0 opacity-50 group-hover:opacity-100" />
      )}
    </button>
  );
}
