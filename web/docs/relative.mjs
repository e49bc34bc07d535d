/** A site that works wherever its folder is served: addresses between its files become relative. */
import { posix } from "node:path";
import { EXAMPLE_URL, fileFor } from "./site.mjs";

/** The address of `target`, seen from the file at `from`; null if the site does not have it. */
function seenFrom(from, target, files) {
  const [, path, rest] = /^([^?#]*)(.*)$/.exec(target);
  const file = fileFor(files, decodeURI(path));
  if (!file) return null;
  const isPage = file.endsWith("/index.html");
  const way = posix.relative(posix.dirname(from), isPage ? posix.dirname(file) : file);
  // The folder of a page, not its file: addresses stay as short as those of the service.
  return encodeURI(isPage ? `${way || "."}/` : way) + rest;
}

const PATTERNS = [
  [/\.html$/, /(\s(?:href|src|data-markdown)=")([^"]*)(")/g],
  [/\.(md|txt)$/, /(\]\()([^)\s]+)(\))/g],
];

/** Rewrites addresses of the site in `files`. What only a service has gets the address of the `service`. */
export function relocate(files, service) {
  const made = new Map();
  for (const [from, content] of files) {
    const [, pattern] = PATTERNS.find(([names]) => names.test(from)) ?? [];
    const rewrite = (whole, start, address, end) => {
      const target = address.startsWith(EXAMPLE_URL) ? address.slice(EXAMPLE_URL.length) : address;
      if (!target.startsWith("/")) return whole;
      const found = seenFrom(from, target, files) ?? `${service ?? EXAMPLE_URL}${target}`;
      return start + found + end;
    };
    made.set(from, pattern ? String(content).replace(pattern, rewrite) : content);
  }
  return made;
}
