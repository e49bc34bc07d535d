import { page, browser, signIn } from "./shot.tmp.mjs";
const api = await signIn();
const FILM = { width: 1280, height: 720, fps: 30, durationInFrames: 150, backgroundColor: "#123", overlays: [
 { id: 1, type: "text", from: 0, durationInFrames: 90, row: 1, left: 100, top: 200, width: 800, height: 160, rotation: 0, content: "Hello", styles: { fontSize: "96px", color: "#fff" } },
 { id: 2, type: "shape", from: 20, durationInFrames: 90, row: 2, left: 300, top: 200, width: 300, height: 300, rotation: 0, content: "rectangle", shape: "rectangle", styles: { fill: "#f80" } }] };
const r = await api("/api/v1/previews", { inputProps: FILM });
console.log(JSON.stringify(r).slice(0, 200));
const id = r.data.previewId;
for (const [w, h] of [[1440, 900], [820, 1000], [390, 844]]) for (const scheme of ["light", "dark"]) {
  await page.setViewportSize({ width: w, height: h });
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
  await page.goto(`/edit/${id}`);
  await page.getByRole("button", { name: "Undo" }).waitFor();
  await page.waitForTimeout(500);
  await page.screenshot({ path: `/tmp/core-shots/edit-${w}-${scheme}.png` });
  if (scheme === "dark") continue;
  await page.keyboard.press("Control+k");
  await page.waitForTimeout(300);
  await page.screenshot({ path: `/tmp/core-shots/palette-${w}.png` });
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.waitForTimeout(300);
  await page.screenshot({ path: `/tmp/core-shots/keys-${w}.png` });
  await page.keyboard.press("Escape");
  await page.goto(`/edit/new`);
  await page.waitForTimeout(800);
  await page.screenshot({ path: `/tmp/core-shots/new-${w}.png`, fullPage: false });
}
await browser.close();
