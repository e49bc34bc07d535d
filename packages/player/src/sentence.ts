/** What went wrong, for people. */
export const sentence = (error: unknown) => (error instanceof Error ? error.message : String(error));
