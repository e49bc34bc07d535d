/** What people say about a template of their own: name, description, category, price, who can use it. */

import type { Template } from "@/api/types";
import { humanize } from "@/lib/format";
import { Field, Input, Select, Textarea } from "@/ui/field";
import { SegmentedControl } from "@/ui/segmented-control";

export const CATEGORIES = [
  "PERSONALIZED",
  "BRANDING",
  "REAL_ESTATE",
  "SOCIAL_MEDIA",
  "EDUCATIONAL",
  "ECOMMERCE",
  "SPORTS",
  "EVENTS",
  "TRAVEL",
] as const;

const VISIBILITIES = {
  private: "Only you can use it.",
  public: "Everyone on this service can use it, where its operator allows that.",
} as const;

/** Characters at most. */
const LONGEST_NAME = 100;
const LONGEST_DESCRIPTION = 1000;

export interface TemplateFieldValues {
  name: string;
  description: string;
  category: (typeof CATEGORIES)[number];
  /** Credits a minute, as it is written. */
  price: string;
  visibility: keyof typeof VISIBILITIES;
}

/** The fields of a template to be. */
export const newFields = (name: string): TemplateFieldValues => ({
  name: name.slice(0, LONGEST_NAME),
  description: "",
  category: "SOCIAL_MEDIA",
  price: "1",
  visibility: "private",
});

export const fieldsOf = (template: Template): TemplateFieldValues => ({
  name: template.name,
  description: template.description,
  category: CATEGORIES.find((name) => name === template.category) ?? "PERSONALIZED",
  price: String(template.creditsPerMinute),
  visibility: template.visibility === "public" ? "public" : "private",
});

/** The fields as the service takes them. */
export const bodyOf = ({ name, description, category, price, visibility }: TemplateFieldValues) => ({
  name: name.trim(),
  description: description.trim(),
  category,
  creditsPerMinute: Math.max(1, Math.min(1000, Math.round(Number(price) || 1))),
  visibility,
});

/** Variables that a template has and its next film has not: programs that fill them in will do so in vain. */
export const lostVariables = (template: Template, names: readonly string[]): string[] =>
  template.variables.map(({ name }) => name).filter((name) => !names.includes(name));

interface Props {
  fields: TemplateFieldValues;
  onChange: (fields: TemplateFieldValues) => void;
}

export function TemplateFields({ fields, onChange }: Props) {
  const set = (part: Partial<TemplateFieldValues>) => onChange({ ...fields, ...part });
  return (
    <>
      <Field label="Name">
        {(field) => (
          <Input
            {...field}
            required
            maxLength={LONGEST_NAME}
            value={fields.name}
            onChange={(event) => set({ name: event.target.value })}
          />
        )}
      </Field>
      <Field label="Description">
        {(field) => (
          <Textarea
            {...field}
            rows={2}
            maxLength={LONGEST_DESCRIPTION}
            placeholder="What it is for, in a sentence"
            value={fields.description}
            onChange={(event) => set({ description: event.target.value })}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field label="Category">
          {(field) => (
            <Select
              {...field}
              value={fields.category}
              onChange={(event) => set({ category: event.target.value as TemplateFieldValues["category"] })}
            >
              {CATEGORIES.map((name) => (
                <option key={name} value={name}>
                  {humanize(name)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Credits per minute">
          {(field) => (
            <Input
              {...field}
              type="number"
              required
              min={1}
              max={1000}
              step={1}
              value={fields.price}
              onChange={(event) => set({ price: event.target.value })}
            />
          )}
        </Field>
      </div>
      <div className="flex flex-col gap-1.5">
        <SegmentedControl
          label="Who can use it"
          value={fields.visibility}
          options={[
            ["private", "Private"],
            ["public", "Public"],
          ]}
          onChange={(visibility) => set({ visibility })}
          className="self-start"
        />
        <p className="text-[13px] text-muted">{VISIBILITIES[fields.visibility]}</p>
      </div>
    </>
  );
}
