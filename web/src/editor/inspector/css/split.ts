/** Cuts CSS values at commas or spaces that are not inside parentheses. */

export function split(text: string, at: "," | " "): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (const letter of text) {
    if (letter === "(") depth++;
    if (letter === ")") depth--;
    const isCut = depth === 0 && (at === "," ? letter === "," : /\s/.test(letter));
    if (!isCut) part += letter;
    else if (part.trim() || at === ",") {
      parts.push(part.trim());
      part = "";
    }
  }
  if (part.trim()) parts.push(part.trim());
  return parts;
}

/** The functions of a list such as `blur(2px) sepia(0.5)`; null if there is anything else. */
export function functions(text: string): { name: string; value: string }[] | null {
  const found = split(text, " ").map((part) => /^([\w-]+)\((.*)\)$/s.exec(part));
  return found.every((match) => match)
    ? found.map((match) => ({ name: match?.[1] ?? "", value: match?.[2]?.trim() ?? "" }))
    : null;
}
