/** Completes names and values of a request from its JSON Schema. */

import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { SyntaxNode } from "@lezer/common";

/** The parts of JSON Schema that the API uses. */
export interface Schema {
  $ref?: string;
  description?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  examples?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

export type Schemas = Record<string, Schema>;

/** Every schema that a value may follow: references resolved, alternatives side by side. */
function alternatives(schema: Schema, schemas: Schemas): Schema[] {
  const named = schema.$ref ? schemas[schema.$ref.split("/").at(-1) ?? ""] : undefined;
  const parts = [...(named ? [named] : []), ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [schema, ...parts.flatMap((part) => alternatives(part, schemas))];
}

/** The text of a string, or null for other values. */
function stringOf(state: EditorState, node: SyntaxNode | null): string | null {
  return node && /^(String|PropertyName)$/.test(node.name) ? state.sliceDoc(node.from + 1, node.to - 1) : null;
}

function properties(object: SyntaxNode): SyntaxNode[] {
  return object.getChildren("Property");
}

/** The value of a property of an object. */
function propertyValue(state: EditorState, object: SyntaxNode, name: string): SyntaxNode | null {
  const property = properties(object).find((one) => stringOf(state, one.getChild("PropertyName")) === name);
  return property?.lastChild ?? null;
}

/** The schemas that an object or array in the document follows. */
function schemasAt(state: EditorState, node: SyntaxNode, root: Schema, schemas: Schemas): Schema[] {
  const parent = node.parent;
  const found =
    !parent || parent.name === "JsonText"
      ? alternatives(root, schemas)
      : parent.name === "Property" && parent.parent
        ? schemasAt(state, parent.parent, root, schemas).flatMap((schema) => {
            const name = stringOf(state, parent.getChild("PropertyName"));
            const property = name === null ? undefined : schema.properties?.[name];
            return property ? alternatives(property, schemas) : [];
          })
        : parent.name === "Array"
          ? schemasAt(state, parent, root, schemas).flatMap((schema) =>
              schema.items ? alternatives(schema.items, schemas) : [],
            )
          : [];
  if (node.name !== "Object") return found;
  // Overlays say what they are.
  const type = stringOf(state, propertyValue(state, node, "type"));
  const fits = found.filter((schema) => {
    const known = schema.properties?.["type"];
    return !type || !known || known.const === undefined || known.const === type;
  });
  return fits.length ? fits : found;
}

/** The completions at the cursor. */
export function complete(context: CompletionContext, root: Schema, schemas: Schemas): CompletionResult | null {
  const { state, pos } = context;
  const inner = syntaxTree(state).resolveInner(pos, -1);
  const isText = /^(String|PropertyName)$/.test(inner.name);
  const from = isText ? inner.from : pos;
  const to = isText ? inner.to : pos;
  if (!isText && !context.explicit) return null;
  const holder = isText ? inner.parent : inner;
  const isValue = inner.name === "String" && holder?.name === "Property";
  if (isValue && holder?.parent) {
    const name = stringOf(state, holder.getChild("PropertyName"));
    const values = schemasAt(state, holder.parent, root, schemas)
      .flatMap((schema) => alternatives((name !== null && schema.properties?.[name]) || {}, schemas))
      .flatMap((schema) => [
        ...(schema.enum ?? []),
        ...(schema.const === undefined ? [] : [schema.const]),
        ...(schema.examples ?? []),
      ]);
    const options = [...new Set(values)]
      .filter((value) => typeof value === "string")
      .map((value): Completion => ({ label: JSON.stringify(value), type: "enum" }));
    return options.length ? { from, to, options, validFor: /^"[^"]*"?$/ } : null;
  }
  const object = inner.name === "Object" ? inner : holder?.name === "Property" ? holder.parent : holder;
  if (object?.name !== "Object") return null;
  const present = new Set(properties(object).map((one) => stringOf(state, one.getChild("PropertyName"))));
  const options = new Map<string, Completion>();
  for (const schema of schemasAt(state, object, root, schemas))
    for (const [name, property] of Object.entries(schema.properties ?? {}))
      if (!options.has(name) && (!present.has(name) || name === stringOf(state, inner)))
        options.set(name, {
          label: JSON.stringify(name),
          type: "property",
          apply: inner.name === "PropertyName" ? JSON.stringify(name) : `${JSON.stringify(name)}: `,
          ...(property.description ? { info: property.description } : {}),
        });
  return options.size ? { from, to, options: [...options.values()], validFor: /^"[^"]*"?$/ } : null;
}
