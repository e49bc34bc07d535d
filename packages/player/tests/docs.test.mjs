// The examples of docs/player.md and of the README run as they are written.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { serve, startBrowser } from "./browser.mjs";
import { startService, textFilm } from "./site.mjs";

const root = join(import.meta.dirname, "../../..");
const guide = readFileSync(join(root, "docs/player.md"), "utf8");
const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
const blocks = (text, language) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, "g"))].map(([, code]) => code);
const example = (language, number = 0) => blocks(guide, language)[number];
const html = example("html");

let service;
let browser;

/** The React example with a page around it. */
const reactPage = () => `${example("jsx").replace('"https://rondo.example"', "{location.origin}")}
  import { createRoot } from "react-dom/client";
  createRoot(document.querySelector("main")).render(<Preview composition={${JSON.stringify(textFilm("React"))}} />);`;

/** A script that uses the package, in one file. */
async function bundle(contents) {
  const dist = join(import.meta.dirname, "../dist");
  const { outputFiles } = await build({
    stdin: { contents, loader: "jsx", resolveDir: join(root, "web") },
    bundle: true,
    format: "esm",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": "'production'" },
    alias: { "@rondo/player/react": join(dist, "react.js"), "@rondo/player": join(dist, "rondo-player.js") },
    nodePaths: [join(root, "web/node_modules")],
    write: false,
  });
  return outputFiles[0].text;
}

before(async () => {
  service = await startService();
  const { pages } = service;
  pages["/preview/prv_123"] = JSON.stringify({ composition: textFilm("Preview") });
  pages["/example"] =
    `<!doctype html><title>Example</title><link rel="icon" href="data:,">${html.replaceAll("https://rondo.example", service.url)}`;
  pages["/player/react-example.js"] = await bundle(reactPage());
  pages["/react"] =
    '<!doctype html><title>React</title><link rel="icon" href="data:,"><main></main><script type="module" src="/player/react-example.js"></script>';
  pages["/player/readme.js"] = await bundle(blocks(readme, "js").join("\n"));
  const placed = blocks(readme, "html")
    .join("\n")
    .replace(/"https:[^"]*"/, '"/preview/prv_123"');
  pages["/readme"] =
    `<!doctype html><title>README</title><link rel="icon" href="data:,"><script type="module" src="/player/readme.js"></script>${placed}`;
  pages["/place"] =
    `<!doctype html><title>Place</title><style>${example("css")}</style><rondo-player></rondo-player><p>Below`;
  browser = await startBrowser(["--autoplay-policy=no-user-gesture-required"]);
});

after(async () => {
  await browser?.close();
  await service?.close();
});

test("the element plays the film that src names", async () => {
  const page = await browser.newPage();
  await page.goto(`${service.url}/example`);
  await page.waitForFunction(() => document.querySelector("rondo-player")?.exact);
  assert.equal(await page.evaluate(() => document.querySelector("rondo-player").durationInFrames), 60);
});

test("the film set from script plays", async () => {
  const page = await browser.newPage();
  await page.goto(`${service.url}/example`);
  await page.waitForFunction(() => document.querySelector("rondo-player")?.exact);
  await page.addScriptTag({ content: example("js"), type: "module" });
  await page.waitForFunction(() => document.querySelector("rondo-player").currentFrame > 10);
  assert.equal(await page.evaluate(() => document.querySelector("rondo-player").durationInFrames), 90);
});

test("a click on the film tells the overlay that is there", async () => {
  const page = await browser.newPage();
  await page.goto(`${service.url}/example`);
  await page.waitForFunction(() => document.querySelector("rondo-player")?.exact);
  const said = [];
  page.on("console", (message) => said.push(message.text()));
  await page.addScriptTag({ content: example("js", 1), type: "module" });
  const { x, y, width } = await page.locator("rondo-player").boundingBox();
  await page.mouse.click(x + width / 2, y + (90 / 320) * width);
  await page.mouse.click(x + width / 2, y + (20 / 320) * width);
  const deadline = Date.now() + 10_000;
  while (said.length < 2 && Date.now() < deadline) await page.waitForTimeout(20);
  assert.deepEqual(said, ["0 [Array(2), Array(2), Array(2), Array(2)]", "undefined undefined"]);
});

test("the React component shows a composition and calls back", async () => {
  const page = await browser.newPage();
  const said = new Promise((resolve) => page.on("console", (message) => resolve(message.text())));
  await page.goto(`${service.url}/react`);
  assert.equal(await said, "ready");
  assert.equal(await page.evaluate(() => document.querySelector("rondo-player").durationInFrames), 60);
});

test("the element of the README plays its film with the package", async () => {
  const page = await browser.newPage();
  await page.goto(`${service.url}/readme`);
  await page.waitForFunction(() => document.querySelector("rondo-player")?.exact);
  assert.equal(await page.evaluate(() => document.querySelector("rondo-player").durationInFrames), 60);
});

test("the style keeps the place of the player while its script loads", async () => {
  const page = await browser.newPage();
  await page.goto(`${service.url}/place`);
  const { width, height } = await page.locator("rondo-player").boundingBox();
  assert.ok(width > 100 && Math.abs(width / height - 16 / 9) < 0.01, `${width} × ${height}`);
});

test("a page of another origin with the policy of the guide plays a film", async () => {
  const policy = example("policy").trim().replaceAll(/\bS\b/g, service.url);
  const other = await serve({
    pages: { "/": `<!doctype html><title>Other</title>${html.replaceAll("https://rondo.example", service.url)}` },
    headers: () => ({ "Content-Security-Policy": `default-src 'none'; ${policy}` }),
  });
  try {
    const page = await browser.newPage();
    await page.goto(other.url);
    await page.waitForFunction(() => document.querySelector("rondo-player")?.exact);
    assert.equal(await page.evaluate(() => document.querySelector("rondo-player").durationInFrames), 60);
  } finally {
    await other.close();
  }
});
