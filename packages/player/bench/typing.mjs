// Keystrokes in a field of the template page, until the film with them is on the canvas.
import { createOperator, filmShown, openPage, startBrowser } from "../../../web/tests/browser.mjs";
import { startService } from "../../../web/tests/service.mjs";

const TEMPLATE = "/dashboard/templates/tpl_product_spotlight";
const FIELD = "Product Name";

/** Runs in the page: notes the time from each keystroke to the `ready` of the film with it. */
function listen() {
  const player = document.querySelector("rondo-player");
  globalThis.times = [];
  let pressed = null;
  addEventListener(
    "keydown",
    ({ timeStamp }) => {
      pressed = timeStamp;
    },
    true,
  );
  player.addEventListener("ready", () => {
    if (pressed !== null) times.push(performance.now() - pressed);
    pressed = null;
  });
}

/** Milliseconds of each of `count` keystrokes. */
export async function typing(count) {
  const service = await startService();
  const browser = await startBrowser();
  try {
    const page = await openPage(browser, service.url);
    await createOperator(page);
    await page.goto(TEMPLATE);
    await filmShown(page);
    const field = page.getByLabel(FIELD, { exact: true });
    await field.focus();
    await field.press("End");
    // The playhead goes to a frame in which the field is seen.
    await page.waitForTimeout(2000);
    await page.evaluate(listen);
    for (let turn = 0; turn < count; turn++) {
      await page.keyboard.press(turn % 8 < 4 ? "abcd"[turn % 4] : "Backspace");
      await page.waitForFunction((turn) => times.length > turn, turn, { polling: 20, timeout: 10_000 });
      await page.waitForTimeout(50);
    }
    return await page.evaluate(() => times);
  } finally {
    await browser.close();
    await service.stop();
  }
}
