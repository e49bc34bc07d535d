import { chromium } from "playwright-core";
const base = "http://127.0.0.1:7802";
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--headless","--no-sandbox","--disable-gpu"] });
const context = await browser.newContext({ baseURL: base, viewport: { width: 1440, height: 900 }, reducedMotion: "reduce", permissions: ["clipboard-read","clipboard-write"] });
const page = await context.newPage();
page.on("pageerror", (e) => console.log("pageerror", e.message));
page.on("console", (m) => m.type() === "error" && console.log("console", m.text().slice(0, 300)));
export async function signIn() {
  await page.goto("/sign-in");
  await page.waitForTimeout(1500);
  const api = (path, body) => page.evaluate(async ([p, b]) => (await fetch(p, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(b) })).json(), [path, body]);
  let r = await api("/api/dashboard/session/sign-up", { name: "Ada", email: "ada@example.com", password: "correct horse battery" });
  if (!r.success) r = await api("/api/dashboard/session/sign-in", { email: "ada@example.com", password: "correct horse battery" });
  if (!r.success) console.log(JSON.stringify(r).slice(0, 300));
  return api;
}
export { page, browser, context };
