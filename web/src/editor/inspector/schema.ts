/** The fields of the format, read from its own schema. */

import schemas from "virtual:format";
import type { Json } from "@/editor/model/film";

export interface Schema {
  type?: string | readonly string[];
  enum?: readonly string[];
  const?: Json;
  default?: Json;
  description?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  items?: Schema;
  $ref?: string;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  examples?: readonly string[];
}

export interface Field {
  /** From the overlay or the film: `styles.animation.enter`. */
  path: string;
  name: string;
  schema: Schema;
  required: boolean;
  /** The objects it is inside of, `styles` left out: `["animation"]`. */
  sections: readonly string[];
  /** The fields of an item, if the field is a list of objects. */
  items?: readonly Field[];
}

const nameOf = ($ref: string) => $ref.slice($ref.lastIndexOf("/") + 1);

const SCHEMA_OF: Record<string, string> = Object.fromEntries(
  Object.entries(schemas).flatMap(([name, { properties }]) => {
    const type = properties?.["type"]?.const;
    return typeof type === "string" ? [[type, name]] : [];
  }),
);

/** The types of overlays. */
export const TYPES: readonly string[] = Object.keys(SCHEMA_OF);

function read(name: string, prefix: string, sections: readonly string[]): Field[] {
  const { properties = {}, required = [] } = schemas[name] ?? {};
  return Object.entries(properties).flatMap(([key, schema]) => {
    const path = prefix ? `${prefix}.${key}` : key;
    // The overlays of a film are its layers, not a field of it.
    if (path === "overlays") return [];
    if (schema.$ref) return read(nameOf(schema.$ref), path, key === "styles" ? sections : [...sections, key]);
    const field: Field = { path, name: key, schema, required: required.includes(key), sections };
    const item = schema.items?.$ref;
    if (item) field.items = read(nameOf(item), "", []);
    return [field];
  });
}

const known = new Map<string, readonly Field[]>();

/** The fields of a schema. Nested objects are spread out, lists are one field. */
function fieldsIn(name: string): readonly Field[] {
  const fields = known.get(name) ?? read(name, "", []);
  known.set(name, fields);
  return fields;
}

export const filmFields = (): readonly Field[] => fieldsIn("Composition");

/** The fields of an overlay of a type; an unknown type has none. */
export const overlayFields = (type: string): readonly Field[] => {
  const name = SCHEMA_OF[type];
  return name ? fieldsIn(name) : [];
};

/** The fields that overlays of all these types have, with the schema of the first one. */
export function sharedFields(types: readonly string[]): readonly Field[] {
  const [first, ...others] = [...new Set(types)];
  if (!first) return [];
  const sets = others.map((type) => new Set(overlayFields(type).map(({ path }) => path)));
  return overlayFields(first).filter(({ path }) => sets.every((set) => set.has(path)));
}

/** For completion in the JSON view. */
export const jsonSchema = (type: string) => ({
  root: { $ref: `#/components/schemas/${SCHEMA_OF[type] ?? "Composition"}` },
  schemas: schemas as Record<string, object>,
});

export const isText = ({ type }: Schema) => (Array.isArray(type) ? type.includes("string") : type === "string");
export const isNumber = ({ type }: Schema) => type === "number" || type === "integer";
