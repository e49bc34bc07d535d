/** The value, if it is one of the given ones. */
export const oneOf = <T extends string>(value: unknown, values: readonly T[]): T | undefined =>
  values.find((known) => known === value);
