/** Fields in groups that open and close. */

import { ChevronDown, ChevronRight } from "lucide-react";
import { memo, type ReactNode } from "react";
import { STRINGS } from "@/editor/strings/inspector";
import { useEditorState } from "@/editor/use-editor";
import { cx } from "@/ui/cx";
import { useChecked } from "./check";
import { textOf } from "./controls/props";
import { GROUP_EXTRAS } from "./extras";
import { FieldRow } from "./field-row";
import { groupName, sectionName } from "./labels";
import { useOpen } from "./open";
import { useShared, useType } from "./scope";
import { type GroupName, isOfOtherEffect, type Placed } from "./table";

const OPEN_AT_FIRST: readonly GroupName[] = ["position", "content", "style", "sound"];

interface GroupProps {
  group: GroupName;
  fields: readonly Placed[];
  /** Everything is open while people search. */
  isSearched: boolean;
}

export const Group = memo(function Group({ group, fields, isSearched }: GroupProps) {
  const type = useType();
  const [wasOpen, toggle] = useOpen(`group ${group}`, type === "film" || OPEN_AT_FIRST.includes(group));
  const isOpen = isSearched || wasOpen;
  const found = useFoundCount(fields);
  const Extra = isSearched ? undefined : GROUP_EXTRAS[`${type}:${group}`];
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <section className="border-b" aria-label={groupName(type, group)}>
      <h3>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={toggle}
          className="flex h-9 w-full items-center gap-1.5 px-3 text-left text-[12px] font-semibold outline-offset-[-2px] hover:bg-hover"
        >
          <Chevron className="size-3.5 shrink-0 text-muted" aria-hidden="true" />
          <span className="min-w-0 flex-1 truncate">{groupName(type, group)}</span>
          {found > 0 && (
            <span
              role="img"
              aria-label={STRINGS.warnings(found)}
              className="grid h-4 min-w-4 place-items-center rounded-full bg-warning-soft px-1 text-[10.5px] font-medium text-warning"
            >
              {found}
            </span>
          )}
        </button>
      </h3>
      {isOpen && (
        <div className="flex flex-col gap-1 px-3 pr-2 pb-3">
          <Fields fields={fields} isSearched={isSearched} />
          {Extra && <Extra />}
        </div>
      )}
    </section>
  );
});

function useFoundCount(fields: readonly Placed[]): number {
  const isFilm = useType() === "film";
  const selection = useEditorState((state) => state.selection);
  return useChecked(({ found }) =>
    found.length
      ? found.filter(
          ({ id, path }) =>
            (isFilm ? id === undefined : id !== undefined && selection.includes(id)) &&
            fields.some((field) => path === field.path || path.startsWith(`${field.path}[`)),
        ).length
      : 0,
  );
}

/** Rows; those with a letter for a label two in a line, those of an inner object below its heading. */
function Fields({ fields, isSearched }: { fields: readonly Placed[]; isSearched: boolean }) {
  const type = useType();
  const short = fields.filter(({ spec }) => spec.short);
  const effect = textOf(useShared("content").value);
  const isOther = (field: Placed) => type === "effect" && isOfOtherEffect(effect, field);
  const plain = fields.filter((field) => !field.spec.short && isFlat(field.sections) && !isOther(field));
  const other = fields.filter(isOther);
  const sections = new Map<string, Placed[]>();
  for (const field of fields) {
    const [first] = field.sections;
    if (first === undefined || isFlat([first])) continue;
    sections.set(first, [...(sections.get(first) ?? []), field]);
  }
  return (
    <>
      {short.length > 0 && (
        <div className="grid grid-cols-2 gap-1.5 pr-7 pb-0.5">
          {short.map((field) => (
            <FieldRow key={field.path} field={field} />
          ))}
        </div>
      )}
      {plain.map((field) => (
        <FieldRow key={field.path} field={field} />
      ))}
      {other.length > 0 && (
        <Section name={OTHER} path={OTHER} isSearched={isSearched}>
          {other.map((field) => (
            <FieldRow key={field.path} field={field} />
          ))}
        </Section>
      )}
      {[...sections].map(([name, inside]) => (
        <Section key={name} name={name} path={pathOf(inside, name)} isSearched={isSearched}>
          {inside.map((field) => (
            <FieldRow key={field.path} field={field} />
          ))}
        </Section>
      ))}
    </>
  );
}

/** The section of fields that the chosen effect does not read. */
const OTHER = "otherEffects";

/** Objects whose fields need no heading: their group says it. */
const isFlat = ([first]: readonly string[]) => first === undefined || first === "animation" || first === "layout3D";

/** The path of the object that a section shows. */
const pathOf = ([field]: readonly Placed[], name: string) =>
  field ? field.path.slice(0, field.path.indexOf(name) + name.length) : name;

function Section({
  name,
  path,
  isSearched,
  children,
}: {
  name: string;
  path: string;
  isSearched: boolean;
  children: ReactNode;
}) {
  const { isSet } = useShared(path);
  const [wasOpen, toggle] = useOpen(`section ${name}`, isSet);
  const isOpen = isSearched || wasOpen;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <div role="group" aria-label={sectionName(name)} className="min-w-0">
      <h4>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={toggle}
          className="flex h-8 w-full items-center gap-1 rounded-md text-left text-[12px] sm:h-7"
        >
          <Chevron className="size-3 shrink-0 text-muted" aria-hidden="true" />
          <span className={cx("min-w-0 truncate", isSet ? "text-foreground" : "text-muted")}>{sectionName(name)}</span>
          {isSet && <span className="ml-1 size-1.5 shrink-0 rounded-full bg-accent-fill" aria-hidden="true" />}
        </button>
      </h4>
      {isOpen && <div className="flex flex-col gap-1 border-l pl-2.5">{children}</div>}
    </div>
  );
}
