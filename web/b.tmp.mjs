import { page, browser, context, signIn } from "./shot.tmp.mjs";
await signIn();
const shot = (name, p = page) => p.screenshot({ path: `/tmp/core-shots/${name}.png` });
await page.goto("/edit/new");
await page.getByRole("button", { name: /Landscape/ }).click();
await page.getByRole("button", { name: "Undo" }).waitFor();
console.log(page.url());
const status = (p = page) => p.locator('header [role=status]').textContent();
const ed = (fn, arg, p = page) => p.evaluate(`(${fn})(window.rondo.editor, ${JSON.stringify(arg) ?? "undefined"})`);
const text = (id, content) => ({ op: "add", overlay: { id, type: "text", from: 0, durationInFrames: 90, row: id, left: 100, top: 200, width: 800, height: 160, rotation: 0, content, styles: { fontSize: "96px", color: "#fff" } } });
await ed((e, edit) => e.apply(edit, { name: "Add text" }), text(1, "Hello"));
console.log("after edit", await status());
await page.waitForTimeout(1200);
console.log("rested", await status());
// Second tab
const other = await context.newPage();
await other.goto(page.url());
await other.getByRole("button", { name: "Undo" }).waitFor();
await ed((e, edit) => e.apply(edit, { name: "Add text" }), text(2, "From other"), other);
await page.waitForTimeout(1500);
console.log("tab1 steps", await ed((e) => [e.state.steps, e.document().overlays.map((o) => o.content)]), await status());
// conflict: both change overlay 1 at once
await Promise.all([
  ed((e) => e.apply({ op: "set", id: 1, path: "content", value: "Mine" }, { name: "Text" })),
  ed((e) => e.apply([{ op: "set", id: 1, path: "content", value: "Theirs" }, { op: "set", id: 2, path: "left", value: 7 }], { name: "Text" }), undefined, other),
]);
await page.waitForTimeout(2500);
console.log("1:", await status(), await ed((e) => e.document().overlays.map((o) => [o.content, o.left])));
console.log("2:", await status(other), await ed((e) => e.document().overlays.map((o) => [o.content, o.left]), undefined, other));
await shot("conflict-a"); await shot("conflict-b", other);
const inConflict = (await page.getByRole("dialog").count()) ? page : other;
await inConflict.getByRole("radio", { name: /Theirs/ }).check();
await shot("conflict-chosen", inConflict);
await inConflict.getByRole("button", { name: "Apply" }).click();
await page.waitForTimeout(1500);
console.log("1:", await status(), await ed((e) => [e.state.steps, e.document().overlays.map((o) => [o.content, o.left])]));
console.log("2:", await status(other), await ed((e) => [e.state.steps, e.document().overlays.map((o) => [o.content, o.left])], undefined, other));
// rename
await page.getByLabel("Name of the film").fill("Holiday");
await page.keyboard.press("Enter");
await page.waitForTimeout(900);
console.log("name in tab 2", await other.getByLabel("Name of the film").inputValue());
// offline
await context.setOffline(true);
await ed((e) => e.apply({ op: "set", id: 1, path: "top", value: 5 }, { name: "Move" }));
await page.waitForTimeout(1500);
console.log("offline", await status()); await shot("offline");
await context.setOffline(false);
await page.waitForTimeout(2500);
console.log("online", await status());
await page.getByRole("button", { name: "History" }).click(); await page.waitForTimeout(200); await shot("history"); await page.keyboard.press("Escape");
await page.getByRole("button", { name: "More" }).click(); await page.waitForTimeout(200); await shot("menu"); await page.keyboard.press("Escape");
await page.keyboard.press("Control+Shift+s"); await page.waitForTimeout(200); await shot("saveas");
await page.getByRole("button", { name: "Duplicate" }).click(); await page.waitForTimeout(1500); console.log(page.url());
await browser.close();
