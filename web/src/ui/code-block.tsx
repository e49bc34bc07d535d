/** Code with a copy button. */
import { CopyButton } from "./copy";
import { cx } from "./cx";

export function CodeBlock({ text, label, className }: { text: string; label: string; className?: string }) {
  return (
    <div className={cx("relative overflow-hidden rounded-lg border bg-inset", className)}>
      <div className="flex h-9 items-center justify-between border-b pr-1 pl-3.5">
        <span className="text-xs font-medium text-muted">{label}</span>
        <CopyButton text={text} />
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

export const InlineCode = ({ children, className }: { children: string; className?: string }) => (
  <code className={cx("font-mono text-[12.5px] break-all", className)}>{children}</code>
);
