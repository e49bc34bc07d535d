/** The request in the playground, kept for the session. */

const STORAGE_KEY = "rondo-playground";

export const stringify = (body: unknown) => `${JSON.stringify(body, null, 2)}\n`;
export const storedRequest = () => sessionStorage.getItem(STORAGE_KEY);
export const storeRequest = (text: string) => sessionStorage.setItem(STORAGE_KEY, text);
