/** The message of an error, for display. */
export const errorMessage = (error: unknown) => (error instanceof Error ? error.message : "Something went wrong.");
