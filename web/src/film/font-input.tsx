/** An input for a font family: the families of this service, and those of the brand kit. */

import { useQuery } from "@tanstack/react-query";
import { memo, useId, useMemo, useState } from "react";
import { fonts } from "@/api/queries";
import { buttonClass } from "@/ui/button";
import { Input } from "@/ui/field";

interface Props {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean | undefined;
  label: string;
  value: string;
  placeholder?: string;
  /** Offered as buttons. */
  families?: (string | null | undefined)[];
  onChange: (family: string) => void;
}

export function FontInput({ label, value, placeholder, families = [], onChange, ...field }: Props) {
  const list = useId();
  const { data } = useQuery(fonts);
  const known = useMemo(() => data?.entries.map(({ name }) => String(name)) ?? [], [data]);
  // What is being typed, until it is a family or the field is left.
  const [typed, setTyped] = useState<string | null>(null);
  const offers = [...new Set(families)].filter((family): family is string => Boolean(family) && family !== value);
  return (
    <>
      <Input
        {...field}
        list={list}
        maxLength={60}
        spellCheck={false}
        placeholder={placeholder}
        value={typed ?? value}
        onChange={(event) => {
          const next = event.target.value;
          const isKnown = known.includes(next);
          setTyped(isKnown ? null : next);
          if (isKnown) onChange(next);
        }}
        onBlur={() => {
          if (typed !== null) onChange(typed.trim());
          setTyped(null);
        }}
      />
      <Families id={list} names={known} />
      {offers.length > 0 && (
        <fieldset className="flex flex-wrap gap-1.5" aria-label={`Brand fonts for ${label}`}>
          {offers.map((family) => (
            <button
              key={family}
              type="button"
              className={buttonClass("secondary", "sm")}
              aria-label={`Use ${family} for ${label}`}
              onClick={() => {
                setTyped(null);
                onChange(family);
              }}
            >
              {family}
            </button>
          ))}
        </fieldset>
      )}
    </>
  );
}

/** All families of the service: more than a hundred options, which need not be rendered with each key that is pressed. */
const Families = memo(function Families({ id, names }: { id: string; names: string[] }) {
  return (
    <datalist id={id}>
      {names.map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
});
