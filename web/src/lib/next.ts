/** Where to go after signing in: only ever a path of this site. */
const PAGES = ["/dashboard", "/edit/"];

export function safeNext(next: unknown): string {
  if (typeof next !== "string" || !next.startsWith("/")) return "/dashboard";
  const url = URL.canParse(next, location.origin) ? new URL(next, location.origin) : null;
  if (!url || url.origin !== location.origin) return "/dashboard";
  return url.pathname + url.search + url.hash;
}

/** Whether the path is a page of this application; others, such as the consent page, come from the service. */
export const isOwnPage = (path: string) => PAGES.some((page) => path.startsWith(page));
