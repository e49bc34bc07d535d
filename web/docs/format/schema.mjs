/** The schemas of the format in words: type, limits and default of a field. */
import { escapeHtml } from "../html.mjs";
import { inline } from "../markdown.mjs";

const nameOf = (reference) => reference.split("/").pop();
const json = (value) => `<code>${escapeHtml(JSON.stringify(value))}</code>`;

/** The name of the schema that a field refers to, if any. */
export const referenceOf = (schema) => {
  const found = schema.$ref ?? schema.items?.$ref;
  return found ? nameOf(found) : null;
};

/** The type of a field, as HTML. `link` turns the name of a schema into an address, or null. */
export function typeOf(schema, link) {
  if (schema.$ref) {
    const name = nameOf(schema.$ref);
    const address = link(name);
    return address ? `<a href="${address}">${escapeHtml(name)}</a>` : escapeHtml(name);
  }
  if ("const" in schema) return json(schema.const);
  if (schema.enum) return schema.enum.map(json).join(" ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map((choice) => typeOf(choice, link)))].join(" or ");
  if (schema.type === "array") return `list of ${schema.items ? typeOf(schema.items, link) : "values"}`;
  const types = [schema.type ?? "any"].flat();
  // Styles accept both: `"fontSize": 40` is `"fontSize": "40px"`.
  return types.map(escapeHtml).join(" or ");
}

const number = (value) => value.toLocaleString("en-US");

/** The limits of a field, as text. */
export function limitsOf(schema) {
  const { minimum, maximum, minLength, maxLength, maxItems, maxProperties } = schema;
  const limits = [];
  if (minimum !== undefined && maximum !== undefined) limits.push(`${number(minimum)} to ${number(maximum)}`);
  else if (minimum !== undefined) limits.push(`at least ${number(minimum)}`);
  else if (maximum !== undefined) limits.push(`at most ${number(maximum)}`);
  if (minLength !== undefined && maxLength !== undefined)
    limits.push(`${number(minLength)} to ${number(maxLength)} characters`);
  else if (maxLength !== undefined) limits.push(`at most ${number(maxLength)} characters`);
  if (maxItems !== undefined) limits.push(`at most ${number(maxItems)} items`);
  if (maxProperties !== undefined) limits.push(`at most ${number(maxProperties)} keys`);
  return limits.join(", ");
}

/** The default of a field. The OpenAPI document has it as `x-default`, in parameters as `default`. */
const defaultOf = (schema) => schema["x-default"] ?? schema.default;

/** What a field is for, without the sentence that repeats its default: `factsOf` shows that. */
export function aboutOf(schema) {
  const about = schema.description ?? "";
  const value = defaultOf(schema);
  const sentence = [` Default: \`${value}\`.`, ` Default: ${value}.`].find((it) => about.endsWith(it)) ?? "";
  return about.slice(0, about.length - sentence.length);
}

/** Type, limits and default of a field on one line, as HTML. */
export function factsOf(schema, isRequired, link) {
  const facts = [typeOf(schema, link)];
  const limits = limitsOf(schema);
  if (limits) facts.push(escapeHtml(limits));
  if (isRequired) facts.push('<span class="required">required</span>');
  else if (defaultOf(schema) !== undefined) facts.push(`default ${json(defaultOf(schema))}`);
  return facts.join(" · ");
}

/** The fields of a schema as a list. `prefix` begins their ids. */
export function fieldList(schema, { prefix, link, without = [] }) {
  const rows = Object.entries(schema.properties ?? {})
    .filter(([name]) => !without.includes(name))
    .map(([name, field]) => {
      const id = `${prefix}${name}`;
      const facts = factsOf(field, schema.required?.includes(name), link);
      return `<div class="field" id="${id}"><dt><a href="#${id}"><code>${name}</code></a> <span class="facts">${facts}</span></dt><dd>${inline(aboutOf(field))}</dd></div>`;
    });
  return `<dl class="fields">${rows.join("")}</dl>`;
}
