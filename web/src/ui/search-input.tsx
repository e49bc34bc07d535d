/** A search field. */

import { Search } from "lucide-react";
import { cx } from "./cx";
import { Input } from "./field";

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
  className?: string;
}

export function SearchInput({ label, value, onChange, className }: Props) {
  return (
    <div className={cx("relative", className)}>
      <Search className="pointer-events-none absolute top-2.5 left-3 size-4 text-muted" aria-hidden="true" />
      <Input
        type="search"
        aria-label={label}
        placeholder={label}
        className="pl-9"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
