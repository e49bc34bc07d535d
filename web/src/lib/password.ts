/** Minimum password length. The service enforces it. */

export const MIN_PASSWORD = 8;
