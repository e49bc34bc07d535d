/** Which fields are shown, in which groups, and which of them a search finds. */

import { labelOf, sectionName } from "./labels";
import { type Field, filmFields, sharedFields } from "./schema";
import { GROUPS, type GroupName, type Placed, placeField, placeFields } from "./table";

export interface FieldGroup {
  group: GroupName;
  fields: readonly Placed[];
}

const known = new Map<string, readonly FieldGroup[]>();

/** The groups of the fields that overlays of these types share; without types, those of the film. */
export function groupsOf(types: readonly string[]): readonly FieldGroup[] {
  const key = types.join();
  const groups = known.get(key) ?? group(types);
  known.set(key, groups);
  return groups;
}

function group(types: readonly string[]): readonly FieldGroup[] {
  const [first] = types;
  // The same name may mean a text here and a shape there: then they are not edited together.
  const isAlike = (field: Field) => new Set(types.map((type) => placeField(type, field).spec.control)).size === 1;
  const placed =
    first === undefined ? placeFields("film", filmFields()) : placeFields(first, sharedFields(types).filter(isAlike));
  return GROUPS.map((name) => ({ group: name, fields: placed.filter(({ spec }) => spec.group === name) })).filter(
    ({ fields }) => fields.length > 0,
  );
}

/** The fields that hold every word of a query in their name, path, heading or description. */
export function search(groups: readonly FieldGroup[], type: string, query: string): readonly FieldGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return groups;
  const matches = (field: Placed) => {
    const text = [
      labelOf(type, field),
      field.path,
      ...field.sections.map(sectionName),
      field.schema.description ?? "",
      ...(field.items?.map(({ name }) => name) ?? []),
    ]
      .join(" ")
      .toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return groups
    .map(({ group: name, fields }) => ({ group: name, fields: fields.filter(matches) }))
    .filter(({ fields }) => fields.length > 0);
}
