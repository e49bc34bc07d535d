/** Fewest characters of a password; the service has the last word. */
export const MIN_PASSWORD = 8;
