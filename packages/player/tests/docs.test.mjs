// The examples of docs/player.md run as they are written.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { startBrowser } from "./browser.mjs";
import { startService, textFilm } from "./site.mjs";

const root = join(import.meta.dirname, "../../..");
const guide = readFileSync(join(root, "docs/player.md"), "utf8");
const example = (language, number = 0) =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, "g"))][number][1];
const html = example("html");

let service;
let browser;

/** The React example with a page around it, in one file. */
async function bundleReact() {
  const { outputFiles } = await build({
    stdin: {
      contents: `${example("jsx").replace('"https://rondo.example"', "{location.origin}")}
        import { createRoot } from "react-dom/client";
        createRoot(document.querySelector("main")).render(<Preview composition={${JSON.stringify(textFilm("React"))}} />);`,
      loader: "jsx",
      resolveDir: join(root, "web"),
    },
    bundle: true,
    format: "esm",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": "'production'" },
    alias: { "@rondo/player/react": join(import.meta.dirname, "../dist/react.js") },
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
  pages["/player/react-example.js"] = await bundleReact();
  pages["/react"] =
    '<!doctype html><title>React</title><link rel="icon" href="data:,"><main></main><script type="module" src="/player/react-example.js"></script>';
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
