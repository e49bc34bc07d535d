/** Generated pages as Markdown: for people who copy them, and for language models. Reads the HTML that this folder writes, and no other. */
import { decode } from "./html.mjs";

/** Text without tags, on one line. */
const plain = (html) =>
  decode(html.replace(/<[^>]*>/g, ""))
    .replace(/\s+/g, " ")
    .trim();

/** Text with code and links. */
const inlineText = (html) =>
  plain(
    html
      .replace(/<code>([\s\S]*?)<\/code>/g, (_, it) => `\`${it}\``)
      .replace(/<a [^>]*href="([/h][^"]*)"[^>]*>([\s\S]*?)<\/a>/g, (_, href, it) => `[${it}](${href})`),
  );

/** `<li>` as an item. A card leads to a page with its title, and tells what is there. */
function item(html) {
  const [, href, title, about] =
    /^<a href="([^"]*)">\s*<strong>([\s\S]*?)<\/strong>(?:<span>([\s\S]*?)<\/span>)?<\/a>$/.exec(html) ?? [];
  if (!href) return inlineText(html);
  return `[${plain(title)}](${href})${about ? `: ${plain(about)}` : ""}`;
}

function field(name, about) {
  const facts = plain(name.replace(/^[\s\S]*?<\/a>/, ""));
  const sentence = inlineText(about);
  return `\`${plain(name.replace(/<span[\s\S]*/, ""))}\` (${facts})${sentence ? `: ${sentence}` : ""}`;
}

export function toMarkdown(html) {
  const kept = [];
  const keep = (text) => `\uE000${kept.push(text) - 1}\uE001`;
  const block = (text) => (text ? keep(`\n\n${text}\n\n`) : "");
  const text = html
    .replace(/<(figure|form|button|svg|details class="nested send")[\s\S]*?<\/\1>/g, "")
    .replace(/<p class="(?:filter|crumb)">[\s\S]*?<\/p>/g, "")
    .replace(/<pre[^>]*data-language="(\w*)"[^>]*><code>([\s\S]*?)<\/code><\/pre>/g, (_, language, it) =>
      block(`\`\`\`${language}\n${decode(it.replace(/<[^>]*>/g, ""))}\n\`\`\``),
    )
    .replace(/<div class="code-head">[\s\S]*?<\/div>/g, "")
    .replace(/<h([1-4])[^>]*>([\s\S]*?)<\/h\1>/g, (_, level, it) => block(`${"#".repeat(level)} ${plain(it)}`))
    .replace(/<dt>([\s\S]*?)<\/dt><dd>([\s\S]*?)<\/dd>/g, (_, name, about) => keep(`\n- ${field(name, about)}`))
    .replace(/<li[^>]*>([\s\S]*?)<\/li>/g, (_, it) => keep(`\n- ${item(it)}`))
    .replace(/<p[^>]*>([\s\S]*?)<\/p>/g, (_, it) => block(inlineText(it)));
  // Between what was kept there are only tags and spaces.
  const filled = plain(text)
    .replace(/\uE001\s+\uE000/g, "\uE001\uE000")
    .replace(/\uE000(\d+)\uE001/g, (_, index) => kept[index]);
  return `${filled.replace(/\n{3,}/g, "\n\n").trim()}\n`;
}
