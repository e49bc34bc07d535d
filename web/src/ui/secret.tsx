/** A secret that is shown once. */
import { CopyButton } from "./copy";

export function Secret({ value, label }: { value: string; label: string }) {
  return (
    <div className="flex items-center gap-2 rounded-lg border border-border-strong bg-inset py-1.5 pr-1.5 pl-3.5">
      <output className="min-w-0 flex-1 font-mono text-[13px] break-all" aria-label={label}>
        {value}
      </output>
      <CopyButton text={value} variant="primary" />
    </div>
  );
}
