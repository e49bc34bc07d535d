/** Blocks of code, alone and in tabs. */
import { highlight } from "./highlight.mjs";
import { escapeHtml } from "./html.mjs";

const NAMES = {
  sh: "Shell",
  ts: "TypeScript",
  js: "JavaScript",
  jsx: "React",
  python: "Python",
  json: "JSON",
  html: "HTML",
  css: "CSS",
  go: "Go",
  rust: "Rust",
};

const body = ({ code, language, label }) =>
  `<pre tabindex="0"${language ? ` data-language="${language}"` : ""} aria-label="${escapeHtml(label ?? NAMES[language] ?? "Code")}"><code>${highlight(code, language)}</code></pre>`;
const COPY = '<button type="button" class="copy" data-copy>Copy</button>';

/** A block of code with its language and a button that copies it. */
export function codeBlock(block) {
  const name = block.title ?? NAMES[block.language] ?? "";
  return `<div class="code"><div class="code-head"><span>${escapeHtml(name)}</span>${COPY}</div>${body(block)}</div>`;
}

let number = 0;

/** The same in several languages, one at a time. The choice counts for the whole site. */
export function tabs(blocks) {
  const group = `tabs-${++number}`;
  const heads = blocks.map(
    ([name], index) =>
      `<button type="button" role="tab" id="${group}-${index}" aria-controls="${group}-${index}-panel" aria-selected="${index === 0}" tabindex="${index === 0 ? 0 : -1}" data-tab="${escapeHtml(name)}">${escapeHtml(name)}</button>`,
  );
  const panels = blocks.map(
    ([, block], index) =>
      `<div role="tabpanel" id="${group}-${index}-panel" aria-labelledby="${group}-${index}"${index === 0 ? "" : " hidden"}>${body(block)}</div>`,
  );
  return `<div class="code tabs"><div class="code-head"><div role="tablist" aria-label="Language">${heads.join("")}</div>${COPY}</div>${panels.join("")}</div>`;
}

/** Ids count from the start again, so that a build of the same sources has the same bytes. */
export const restart = () => {
  number = 0;
};
