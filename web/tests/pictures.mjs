// The screenshots of docs/dashboard, taken by the tests if RONDO_PICTURES is set.
import { mkdirSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../../docs/dashboard");
const SHOTS = [
  ["overview", "/dashboard", 1440, "light"],
  ["templates", "/dashboard/templates", 1440, "dark"],
  ["template", "/dashboard/templates/tpl_flash_sale", 1440, "light"],
  ["playground", "/dashboard/playground", 1440, "dark"],
  ["renders", "/dashboard/renders", 820, "light"],
  ["usage", "/dashboard/usage", 820, "dark"],
  ["overview-phone", "/dashboard", 390, "dark"],
  ["template-phone", "/dashboard/templates/tpl_flash_sale", 390, "light"],
];

export async function takePictures(page) {
  mkdirSync(folder, { recursive: true });
  for (const [name, path, width, colorScheme] of SHOTS) {
    await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto(path);
    await page.waitForLoadState("networkidle").catch(() => undefined);
    await page.waitForTimeout(2500);
    await page.screenshot({ path: join(folder, `${name}.jpg`), type: "jpeg", quality: 82 });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
}
