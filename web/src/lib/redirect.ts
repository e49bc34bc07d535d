/** The redirect after sign-in. Only same-origin paths are allowed. */

const PAGES = ["/dashboard", "/edit/"];

export function safeRedirect(next: unknown): string {
  if (typeof next !== "string" || !next.startsWith("/")) return "/dashboard";
  const url = URL.canParse(next, location.origin) ? new URL(next, location.origin) : null;
  if (!url || url.origin !== location.origin) return "/dashboard";
  return url.pathname + url.search + url.hash;
}

/** Whether this application serves the path. Other pages, such as the consent page, come from the service. */
export const isAppPath = (path: string) => PAGES.some((page) => path.startsWith(page));
