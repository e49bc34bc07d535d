/** Generated pages as Markdown: for people who copy them, and for language models. Reads the HTML that this folder writes, and no other. */
import { textOf } from "./html.mjs";

const decode = (html) => textOf(html);
const code = (html) =>
  html
    .replace(/<[^>]*>/g, "")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, "&");

const inlineText = (html) =>
  decode(
    html
      .replace(/<code>([\s\S]*?)<\/code>/g, (_, it) => `\`${it}\``)
      .replace(/<a [^>]*href="(\/[^"]*)"[^>]*>([\s\S]*?)<\/a>/g, (_, href, it) => `[${it}](${href})`),
  );

export function toMarkdown(html) {
  const kept = [];
  const keep = (text) => `\uE000${kept.push(text) - 1}\uE001`;
  const text = html
    .replace(/<(figure|form|button|svg|details class="nested send")[\s\S]*?<\/\1>/g, "")
    .replace(/<p class="filter">[\s\S]*?<\/p>/g, "")
    .replace(/<pre[^>]*><code>([\s\S]*?)<\/code><\/pre>/g, (_, it) => keep(`\n\n\`\`\`\n${code(it)}\n\`\`\`\n\n`))
    .replace(/<div class="code-head">[\s\S]*?<\/div>/g, "")
    .replace(/<h([1-4])[^>]*>([\s\S]*?)<\/h\1>/g, (_, level, it) => keep(`\n\n${"#".repeat(level)} ${decode(it)}\n\n`))
    .replace(/<dt>([\s\S]*?)<\/dt><dd>([\s\S]*?)<\/dd>/g, (_, name, about) =>
      keep(
        `\n- \`${decode(name.replace(/<span[\s\S]*/, ""))}\` (${decode(name.replace(/^[\s\S]*?<\/a>/, ""))}): ${inlineText(about)}`,
      ),
    )
    .replace(/<li[^>]*>([\s\S]*?)<\/li>/g, (_, it) => keep(`\n- ${inlineText(it)}`))
    .replace(/<tr>([\s\S]*?)<\/tr>/g, (_, row) => keep(`\n- ${inlineText(row.replace(/<\/t[dh]>/g, " "))}`))
    .replace(/<p[^>]*>([\s\S]*?)<\/p>/g, (_, it) => keep(`\n\n${inlineText(it)}\n\n`));
  const filled = decode(text).replace(/\uE000(\d+)\uE001/g, (_, index) => kept[index]);
  return `${filled.replace(/\n{3,}/g, "\n\n").trim()}\n`;
}
