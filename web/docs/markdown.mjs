/**
 * Markdown as HTML: headings, paragraphs, lists, tables, code, images, links, bold and italic text. It reads what the guides use, and
 * nothing else. Code blocks in several languages that follow each other become tabs.
 */
import { codeBlock, tabs } from "./code.mjs";
import { escapeHtml, slug, textOf } from "./html.mjs";

/** Languages that tell the same thing in tabs. */
const ALTERNATIVES = { sh: "curl", ts: "TypeScript", python: "Python" };

/** Code, images, links, bold and italic text. `link` turns the address of a link or an image into one of the site. */
export function inline(text, link = (address) => address) {
  const kept = [];
  const keep = (html) => `\uE000${kept.push(html) - 1}\uE000`;
  const marked = text
    .replace(/(`+)(.+?)\1(?!`)/g, (_, _ticks, code) => keep(`<code>${escapeHtml(code.trim())}</code>`))
    .replace(/\\([\\`*_{}[\]()#+\-.!|<>])/g, (_, letter) => keep(escapeHtml(letter)))
    .replace(/!\[([^\]]*)\]\(([^)\s]+)\)/g, (_, alt, src) =>
      keep(`<img src="${escapeHtml(link(src))}" alt="${escapeHtml(alt)}" loading="lazy">`),
    )
    .replace(/\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, (_, words, address) => {
      const target = link(address);
      return `${keep(`<a href="${escapeHtml(target)}">`)}${words}${keep("</a>")}`;
    });
  const html = escapeHtml(marked)
    .replace(/\*\*(.+?)\*\*/g, "<strong>$1</strong>")
    .replace(/(?<![\w*])\*([^*\s](?:[^*]*[^*\s])?)\*(?![\w*])/g, "<em>$1</em>")
    .replace(/(?<!\w)_([^_\s](?:[^_]*[^_\s])?)_(?!\w)/g, "<em>$1</em>");
  // Links can hold code: what was kept is put back from the inside out.
  let filled = html;
  for (let depth = 0; depth < 3; depth++) filled = filled.replace(/\uE000(\d+)\uE000/g, (_, index) => kept[index]);
  return filled;
}

const isTable = (lines, at) => lines[at]?.startsWith("|") && /^\|[\s:|-]+\|$/.test(lines[at + 1]?.trim() ?? "");
const cells = (row) =>
  row
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
const isBlock = (lines, at) =>
  /^(#{1,6} |```|[-*] |\d+\. |> )/.test(lines[at]) || isTable(lines, at) || lines[at].trim() === "";

/** The page of a Markdown text: its HTML, its title and its headings. */
export function markdown(text, { link } = {}) {
  const lines = text.replaceAll("\r", "").split("\n");
  const headings = [];
  const html = blocks(lines, { link, headings, ids: new Set() });
  const title = headings.find((heading) => heading.level === 1)?.text ?? "";
  return { html, title, headings };
}

function blocks(lines, context) {
  const out = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    const heading = /^(#{1,6}) (.*)/.exec(line);
    if (line.trim() === "") at++;
    else if (heading) {
      out.push(headingOf(heading[1].length, heading[2], context));
      at++;
    } else if (line.startsWith("```")) {
      const found = [];
      while (lines[at]?.startsWith("```")) {
        const info = lines[at].slice(3).trim();
        const end = lines.indexOf("```", at + 1);
        const last = end < 0 ? lines.length : end;
        found.push({ info, language: info.split(" ")[0], code: lines.slice(at + 1, last).join("\n") });
        at = last + 1;
        const next = lines.findIndex((text, index) => index >= at && text.trim() !== "");
        const isOther = next > 0 && lines[next].startsWith("```") && isAlternative(found, lines[next].slice(3).trim());
        if (!isOther) break;
        at = next;
      }
      out.push(found.length > 1 ? tabs(found.map((it) => [ALTERNATIVES[it.language], it])) : codeBlock(found[0]));
    } else if (line.startsWith("    ")) {
      const code = [];
      for (; lines[at]?.startsWith("    ") || lines[at] === ""; at++) code.push(lines[at].slice(4));
      out.push(codeBlock({ language: "sh", code: code.join("\n").trimEnd() }));
    } else if (isTable(lines, at)) {
      const rows = [];
      const header = cells(line);
      for (at += 2; lines[at]?.startsWith("|"); at++) rows.push(cells(lines[at]));
      out.push(table(header, rows, context));
    } else if (/^([-*]|\d+\.) /.test(line)) {
      const [html, next] = list(lines, at, context);
      out.push(html);
      at = next;
    } else if (line.startsWith("> ")) {
      const quoted = [];
      for (; lines[at]?.startsWith(">"); at++) quoted.push(lines[at].replace(/^> ?/, ""));
      out.push(`<blockquote>${blocks(quoted, context)}</blockquote>`);
    } else {
      const words = [line];
      for (at++; at < lines.length && !isBlock(lines, at); at++) words.push(lines[at]);
      out.push(`<p>${inline(words.join("\n"), context.link)}</p>`);
    }
  }
  return out.join("\n");
}

/** Whether the next block says the same in another language. */
const isAlternative = (found, info) =>
  info in ALTERNATIVES && found.every((it) => it.info in ALTERNATIVES && it.info !== info);

function headingOf(level, words, context) {
  const html = inline(words, context.link);
  const text = textOf(html);
  let id = slug(text);
  for (let number = 2; context.ids.has(id); number++) id = `${slug(text)}-${number}`;
  context.ids.add(id);
  context.headings.push({ level, id, text });
  if (level === 1) return `<h1 id="${id}">${html}</h1>`;
  return `<h${level} id="${id}">${html}<a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(text)}">#</a></h${level}>`;
}

function table(header, rows, { link }) {
  const head = header.some(Boolean)
    ? `<thead><tr>${header.map((cell) => (cell ? `<th scope="col">${inline(cell, link)}</th>` : "<td></td>")).join("")}</tr></thead>`
    : "";
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${inline(cell, link)}</td>`).join("")}</tr>`);
  return `<div class="scroll" tabindex="0"><table>${head}<tbody>${body.join("")}</tbody></table></div>`;
}

/** A list and the line after it. Lines that are indented belong to their item. */
function list(lines, start, context) {
  const isOrdered = /^\d/.test(lines[start]);
  const marker = isOrdered ? /^\d+\. / : /^[-*] /;
  const items = [];
  let at = start;
  while (at < lines.length) {
    if (marker.test(lines[at])) items.push([lines[at].replace(marker, "")]);
    else if (/^\s{2,}\S/.test(lines[at])) items.at(-1).push(lines[at].replace(/^ {2,3}/, ""));
    else if (lines[at].trim() === "" && (marker.test(lines[at + 1] ?? "") || /^\s{2,}\S/.test(lines[at + 1] ?? "")))
      items.at(-1).push("");
    else if (lines[at].trim() !== "" && !isBlock(lines, at)) items.at(-1).push(lines[at]);
    else break;
    at++;
  }
  const tag = isOrdered ? "ol" : "ul";
  const html = items.map((item) => `<li>${blocks(item, context).replace(/^<p>([\s\S]*?)<\/p>/, "$1")}</li>`);
  return [`<${tag}>${html.join("")}</${tag}>`, at];
}
