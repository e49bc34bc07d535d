/** Form fields. Hint and error are announced with the input. */

import { ChevronDown, Eye, EyeOff } from "lucide-react";
import { type ComponentProps, type ReactNode, useId, useState } from "react";
import { cx } from "./cx";

interface FieldControl {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean | undefined;
}

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | null | undefined;
  aside?: ReactNode;
  className?: string;
  children: (field: FieldControl) => ReactNode;
}

export function Field({ label, hint, error, aside, className, children }: FieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return (
    <div className={cx("flex min-w-0 flex-col gap-1.5", className)}>
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-[13px] font-medium">
          {label}
        </label>
        {aside && <span className="text-xs text-muted">{aside}</span>}
      </div>
      {children({ id, "aria-describedby": described || undefined, "aria-invalid": error ? true : undefined })}
      {error && (
        <p id={`${id}-error`} className="text-[13px] text-danger">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-[13px] text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

export const Input = ({ className, ...rest }: ComponentProps<"input">) => (
  <input className={cx("control h-9 w-full min-w-0 px-3 text-base sm:text-sm", className)} {...rest} />
);

export const Textarea = ({ className, ...rest }: ComponentProps<"textarea">) => (
  <textarea
    className={cx(
      "control field-sizing-content max-h-64 min-h-9 w-full resize-y px-3 py-[7px] text-base sm:text-sm",
      className,
    )}
    {...rest}
  />
);

export function Select({ className, children, ...rest }: ComponentProps<"select">) {
  return (
    <span className={cx("relative inline-flex", className)}>
      <select className="control h-9 w-full appearance-none truncate pr-8 pl-3 text-base sm:text-sm" {...rest}>
        {children}
      </select>
      <ChevronDown className="pointer-events-none absolute top-2.5 right-2.5 size-4 text-muted" aria-hidden="true" />
    </span>
  );
}

/** A password or another secret, which is named for the button that shows it. */
export function PasswordInput({ what = "password", className, ...rest }: ComponentProps<"input"> & { what?: string }) {
  const [shown, setShown] = useState(false);
  return (
    <span className="relative flex">
      <Input {...rest} type={shown ? "text" : "password"} className={cx("pr-10", className)} />
      <button
        type="button"
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 grid w-10 place-items-center rounded-lg text-muted hover:text-foreground"
        aria-label={`${shown ? "Hide" : "Show"} ${what}`}
        aria-pressed={shown}
      >
        {shown ? <EyeOff className="size-4" /> : <Eye className="size-4" />}
      </button>
    </span>
  );
}

interface CheckboxProps extends Omit<ComponentProps<"input">, "type"> {
  label: ReactNode;
  hint?: ReactNode;
}

export function Checkbox({ label, hint, className, ...rest }: CheckboxProps) {
  return (
    <label className={cx("flex items-start gap-2.5", className)}>
      <input type="checkbox" className="mt-0.5 size-4 shrink-0 accent-(--accent-fill)" {...rest} />
      <span>
        <span className="font-medium">{label}</span>
        {hint && <span className="block text-[13px] text-muted">{hint}</span>}
      </span>
    </label>
  );
}
