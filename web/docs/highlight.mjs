/** Colours of code: tokens become `<span class="…">`. The classes are in client/styles/text.css. */
import { escapeHtml } from "./html.mjs";

const STRING = [/"(?:[^"\\\n]|\\.)*"/, "s"];
const NUMBER = [/-?\b\d[\d_.]*(?:e[+-]?\d+)?\b/i, "n"];
const keywords = (words) => [new RegExp(`\\b(?:${words})\\b`), "k"];
const SCRIPT = [
  [/\/\/[^\n]*|\/\*[\s\S]*?\*\//, "c"],
  [/`(?:[^`\\]|\\.)*`|'(?:[^'\\\n]|\\.)*'/, "s"],
  STRING,
  keywords(
    "import|from|export|default|const|let|var|function|return|await|async|for|of|in|if|else|new|class|extends|throw|try|catch|true|false|null|undefined|typeof",
  ),
  NUMBER,
];

/** What is coloured in each language, in order: a pattern and a class. */
const LANGUAGES = {
  json: [[/"(?:[^"\\\n]|\\.)*"(?=\s*:)/, "p"], STRING, keywords("true|false|null"), NUMBER],
  js: SCRIPT,
  ts: SCRIPT,
  jsx: SCRIPT,
  python: [
    [/#[^\n]*/, "c"],
    [/[rbf]?"""[\s\S]*?"""|[rbf]?'(?:[^'\\\n]|\\.)*'|[rbf]?"(?:[^"\\\n]|\\.)*"/, "s"],
    keywords(
      "import|from|def|return|await|async|for|in|if|else|elif|class|with|as|print|lambda|not|and|or|True|False|None|raise|try|except|while",
    ),
    NUMBER,
  ],
  sh: [
    [/(?<=^|\s)#[^\n]*/, "c"],
    [/'[^']*'/, "s"],
    [/"(?:[^"\\]|\\.)*"/, "s"],
    [/\$\{?\w+\}?/, "p"],
    [
      /(?<=^|\n|\| |\|\| |&& |\$\(|; )(?:curl|export|rondo|until|do|done|sleep|sed|grep|tee|printf|claude|echo|npm|pip|node|python3?|cat|git|scripts\/\w+|\.\/\w+|for|while|if|then|fi)\b/,
      "k",
    ],
    [/(?<=\s)--?[A-Za-z][\w-]*/, "f"],
  ],
  go: SCRIPT,
  rust: SCRIPT,
  css: [[/\/\*[\s\S]*?\*\//, "c"], STRING, [/[\w-]+(?=\s*:)/, "p"], NUMBER],
  html: [[/<!--[\s\S]*?-->/, "c"], [/<\/?[\w-]+|\/?>/, "k"], [/[\w-]+(?==)/, "p"], STRING],
};

/** Code as HTML. An unknown language has no colours. */
export function highlight(code, language) {
  const rules = LANGUAGES[language];
  if (!rules) return escapeHtml(code);
  const pattern = new RegExp(rules.map(([rule]) => `(${rule.source})`).join("|"), "gm");
  let html = "";
  let at = 0;
  for (const match of code.matchAll(pattern)) {
    const index = match.slice(1).findIndex((part) => part !== undefined);
    html += `${escapeHtml(code.slice(at, match.index))}<span class="t-${rules[index][1]}">${escapeHtml(match[0])}</span>`;
    at = match.index + match[0].length;
  }
  return html + escapeHtml(code.slice(at));
}
