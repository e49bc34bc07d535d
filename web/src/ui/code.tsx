/** Text for machines: blocks with a copy button, ids, secrets that are shown once. */
import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./button";
import { cx } from "./cx";
import { complain } from "./toast";

export function useCopy() {
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
      complain(new Error("The browser did not allow copying. Select the text and copy it by hand."));
    }
  };
  return { copied, copy };
}

export function CopyButton({
  text,
  label = "Copy",
  look = "ghost",
}: {
  text: string;
  label?: string;
  look?: "ghost" | "secondary" | "primary";
}) {
  const { copied, copy } = useCopy();
  return (
    <Button
      size="sm"
      look={look}
      onClick={() => void copy(text)}
      icon={copied ? <Check className="size-3.5 text-good" /> : <Copy className="size-3.5" />}
    >
      <span aria-live="polite">{copied ? "Copied" : label}</span>
    </Button>
  );
}

export function CodeBlock({
  text,
  label,
  className,
  copy = true,
}: {
  text: string;
  label: string;
  className?: string;
  copy?: boolean;
}) {
  return (
    <div className={cx("relative overflow-hidden rounded-lg border bg-sunken", className)}>
      <div className="flex h-9 items-center justify-between border-b pr-1 pl-3.5">
        <span className="text-xs font-medium text-quiet">{label}</span>
        {copy && <CopyButton text={text} />}
      </div>
      <pre
        tabIndex={0}
        aria-label={label}
        role="region"
        className="max-h-96 overflow-auto p-3.5 font-mono text-[12.5px] leading-[1.65]"
      >
        {text}
      </pre>
    </div>
  );
}

export const Mono = ({ children, className }: { children: string; className?: string }) => (
  <code className={cx("font-mono text-[12.5px] break-all", className)}>{children}</code>
);

/** An id that copies itself. */
export function Id({ value, className }: { value: string; className?: string }) {
  const { copied, copy } = useCopy();
  return (
    <button
      type="button"
      onClick={() => void copy(value)}
      title="Copy"
      aria-label={`Copy ${value}`}
      className={cx(
        "group inline-flex max-w-full items-center gap-1.5 rounded-md font-mono text-[12.5px] text-quiet hover:text-text",
        className,
      )}
    >
      <span className="truncate">{value}</span>
      {copied ? (
        <Check className="size-3 shrink-0 text-good" />
      ) : (
        <Copy className="size-3 shrink-0 opacity-50 group-hover:opacity-100" />
      )}
    </button>
  );
}

/** A secret, this once. */
export function Secret({ value, label }: { value: string; label: string }) {
  return (
    <div className="flex items-center gap-2 rounded-lg border border-edge bg-sunken py-1.5 pr-1.5 pl-3.5">
      <code className="min-w-0 flex-1 font-mono text-[13px] break-all" aria-label={label}>
        {value}
      </code>
      <CopyButton text={value} look="primary" />
    </div>
  );
}
