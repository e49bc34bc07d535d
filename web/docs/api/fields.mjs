/** The fields of requests and answers, with those of the objects inside them. Objects of the format have pages of their own. */
import { placeOf } from "../format/pages.mjs";
import { fieldList } from "../format/schema.mjs";

const nameOf = (reference) => reference.split("/").pop();
const alternativesOf = (schema) => schema.anyOf ?? schema.oneOf ?? [];

/** The schema itself, or the one that it refers to. */
export const resolve = (schema, schemas) => (schema?.$ref ? schemas[nameOf(schema.$ref)] : schema);

/** The value of an answer: the `data` of its envelope. */
export const dataOf = (schema, schemas) => resolve(resolve(schema, schemas).properties?.data ?? schema, schemas);

/** A field with what a reader wants to see in it: the words of a list instead of its name, the sentence of what it refers to. */
function plain(field, schemas) {
  const target = field.$ref && schemas[nameOf(field.$ref)];
  if (target && !placeOf(nameOf(field.$ref)) && !target.properties && !target.allOf) {
    const { $ref, ...own } = field;
    return plain({ ...target, ...own }, schemas);
  }
  const described = alternativesOf(field).find((it) => it.description);
  return {
    description: target?.description ?? described?.description,
    ...field,
    ...(field.items ? { items: plain(field.items, schemas) } : {}),
    ...(field.anyOf ? { anyOf: field.anyOf.map((it) => plain(it, schemas)) } : {}),
    ...(field.oneOf ? { oneOf: field.oneOf.map((it) => plain(it, schemas)) } : {}),
  };
}

/** The objects that a field can hold, and what stands behind its name in their paths: `[]` in lists, `.NAME` in maps. */
function targetsOf(field, schemas, suffix = "") {
  if (field.$ref) {
    const name = nameOf(field.$ref);
    if (placeOf(name)) return [];
    if (schemas[name].properties || schemas[name].allOf) return [{ name, suffix }];
    return targetsOf(schemas[name], schemas, suffix);
  }
  return [
    ...alternativesOf(field).flatMap((it) => targetsOf(it, schemas, suffix)),
    ...(field.items ? targetsOf(field.items, schemas, `${suffix}[]`) : []),
    ...(field.contentSchema ? targetsOf(field.contentSchema, schemas, suffix) : []),
    ...(field.additionalProperties?.$ref ? targetsOf(field.additionalProperties, schemas, `${suffix}.NAME`) : []),
  ];
}

/**
 * The fields of a schema, and of the objects inside it: `path` as people write it, `id` on the page, the schema of the field, and the objects
 * that it can hold with their `fields`. `choose` says which of several objects a field holds here.
 */
export function fieldTree(schema, { schemas, prefix = "", path = "", seen = [], choose = (_, names) => names }) {
  const parts = (schema.allOf ?? [schema]).map((part) => resolve(part, schemas));
  return parts.flatMap((part) =>
    Object.entries(part.properties ?? {}).map(([name, field]) => {
      const targets = targetsOf(field, schemas).filter((it) => !seen.includes(it.name));
      const names = choose(`${path}${name}`, [...new Set(targets.map((it) => it.name))]);
      const objects = names.map((target) => ({
        name: target,
        fields: fieldTree(schemas[target], {
          schemas,
          prefix: `${prefix}${name}.${names.length > 1 ? `${target}.` : ""}`,
          path: `${path}${name}${targets.find((it) => it.name === target).suffix}.`,
          seen: [...seen, target],
          choose,
        }),
      }));
      return {
        name,
        path: `${path}${name}`,
        id: `${prefix}${name}`,
        schema: plain(field, schemas),
        isRequired: part.required?.includes(name) ?? false,
        objects,
      };
    }),
  );
}

/** The fields as a list. Those of objects inside open on demand. */
export function fieldsHtml(fields, prefix) {
  if (fields.length === 0) return "";
  const properties = Object.fromEntries(fields.map(({ name, schema }) => [name, schema]));
  const required = fields.filter((it) => it.isRequired).map(({ name }) => name);
  const inner = fields.flatMap(({ name, id, objects }) =>
    objects.map(
      ({ name: object, fields: nested }) =>
        `<details class="nested"><summary><code>${name}</code> fields${objects.length > 1 ? ` of ${object}` : ""}</summary>${fieldsHtml(nested, nested[0]?.id.slice(0, -nested[0].name.length) ?? `${id}.`)}</details>`,
    ),
  );
  return fieldList({ properties, required }, { prefix, link: placeOf }) + inner.join("");
}

/** All fields of the tree, one after another. */
export const everyField = (fields) =>
  fields.flatMap((it) => [it, ...it.objects.flatMap((object) => everyField(object.fields))]);
