/** The client of the service. It runs on the server only: browsers must not see the key. */
import { Rondo } from "@rondo/sdk";

/** Reads RONDO_URL and RONDO_API_KEY when it is needed: `next build` has neither. */
export const rondo = () => new Rondo();

/** The film that this app makes. */
export const filmOf = (quote: string) => ({
  templateId: "tpl_quote_card",
  replacements: { quote },
  createProject: false,
});

/** The text of a request, or null if it is none that fits the film. */
export async function quoteOf(request: Request): Promise<string | null> {
  const { quote } = await request.json().catch(() => ({}));
  return typeof quote === "string" && quote.trim() && quote.length <= 200 ? quote.trim() : null;
}
