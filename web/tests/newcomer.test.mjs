// What a newcomer meets: outputs of every kind, credits, drafts, projects and ways back.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  assertAccessible,
  assertNoConsoleErrors,
  createOperator,
  filmShown,
  openPage,
  startBrowser,
} from "./browser.mjs";
import { startService } from "./service.mjs";

const text = (id, name, from, content) => ({
  id,
  type: "text",
  row: id,
  from,
  durationInFrames: 30,
  left: 20,
  top: 50,
  width: 280,
  height: 80,
  isDynamic: true,
  name,
  content,
  styles: { color: "#fff" },
});
const FILM = {
  width: 320,
  height: 180,
  fps: 30,
  durationInFrames: 60,
  backgroundColor: "#0f172a",
  overlays: [text(1, "opening", 0, "Hello"), text(2, "ending", 30, "Good bye")],
};

let service, browser, page;
before(async () => {
  [service, browser] = await Promise.all([
    startService("--sign-up-credits", "40", "--contact", "help@example.com"),
    startBrowser(),
  ]);
  page = await openPage(browser, service.url);
  await createOperator(page);
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

const heading = (name) => page.getByRole("heading", { level: 1, name }).waitFor();
const button = (name, scope = page) => scope.getByRole("button", { name, exact: typeof name === "string" });
const dialog = () => page.getByRole("dialog");
const toast = (message) => page.getByText(message).first().waitFor();

async function post(path, body) {
  const response = await page.request.post(path, { data: body, headers: { origin: service.url } });
  assert.equal(response.status(), 200, await response.text());
  return (await response.json()).data;
}

/** Renders and opens the page of the render. */
async function render(body) {
  const { jobId, projectId } = await post("/api/v1/renders", { inputProps: FILM, ...body });
  await page.goto(`/dashboard/renders/${jobId}`);
  await page.getByText("Completed").first().waitFor({ timeout: 60_000 });
  return { jobId, projectId };
}

test("every output is shown as what it is, under its right name", async () => {
  const view = page.locator("main");
  const named = { createProject: true, projectName: "Été: the film" };
  await render({ ...named, output: { format: "gif", range: [0, 9] } });
  await page.waitForFunction(() => document.querySelector("main img[alt='Été: the film']")?.naturalWidth === 320);
  assert.equal(await page.getByRole("link", { name: "Download" }).getAttribute("download"), "ete-the-film.gif");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).click();
  assert.equal((await download).suggestedFilename(), "ete-the-film.gif");
  await view.getByText("320 × 180").first().waitFor();
  await view.getByText("0.3 s · 10 frames").waitFor();
  await assertAccessible(page, "GIF");

  await render({ output: { format: "png", frame: 3, scale: 0.5 } });
  await page.waitForFunction(() => document.querySelector("main img")?.naturalWidth === 160);

  await render({ output: { format: "wav" } });
  await view.getByRole("img", { name: /^Waveform/ }).waitFor();
  await page.waitForFunction(() => document.querySelector("main audio")?.readyState >= 1);
  await assertAccessible(page, "audio");

  await render({ output: { format: "jpg", range: [0, 4] } });
  await view.getByRole("list", { name: "Files" }).getByText("frame-000004.jpg").waitFor();
  assert.equal(await view.getByRole("list", { name: "Files" }).getByRole("listitem").count(), 5);
  await assertAccessible(page, "archive");

  await render({ output: { format: "webm", range: [0, 9] } });
  await page.waitForFunction(() => document.querySelector("main video")?.videoWidth === 320);
  assert.match(await view.locator("video").getAttribute("poster"), /\/files\/job_.*-poster\.jpg$/);

  await render({ output: { format: "mov", range: [0, 9] } });
  await view.getByText("This browser cannot play this MOV file.").waitFor();
  await assertAccessible(page, "film that cannot be played");

  await page.goto("/dashboard/renders");
  const row = page.getByRole("region", { name: "Renders" }).getByRole("link");
  await row.filter({ hasText: "ZIP" }).waitFor();
  for (const format of ["GIF", "PNG", "WAV", "ZIP", "WebM", "MOV"])
    assert.equal(await row.filter({ hasText: `${format} ·` }).count(), 1, format);
  await page.waitForFunction(
    () => [...document.querySelectorAll("main li img")].filter(({ naturalWidth }) => naturalWidth > 0).length === 5,
  );
  assert.equal(await page.locator("main video").count(), 0);
});

test("renders are searched, and selected ones are downloaded or cancelled", async () => {
  await page.getByLabel("Search renders").fill("THE FILM");
  await page.getByText("1 render", { exact: true }).waitFor();
  await page.getByLabel("Date").selectOption("7");
  await page.getByLabel("Select Été: the film").check();
  const download = page.waitForEvent("download");
  await button("Download 1").click();
  await download;
  await assertAccessible(page, "renders, one selected");
  const long = { ...FILM, width: 1920, height: 1080, durationInFrames: 9000 };
  long.overlays = [{ ...FILM.overlays[0], durationInFrames: 9000, styles: { animation: { during: "pulse" } } }];
  await post("/api/v1/renders", { inputProps: long, createProject: true, projectName: "Much too long" });
  await page.getByLabel("Search renders").fill("much too");
  await page.getByRole("link", { name: /Much too long/ }).click();
  // A running render shows its film.
  await filmShown(page);
  await assertAccessible(page, "running render");
  await page.goBack();
  await page.getByLabel("Select Much too long").check();
  await button("Cancel 1").click();
  await toast("1 render cancelled. Credits refunded.");
});

test("the live frame follows the focus, and the form is a draft", async () => {
  const { projectId } = await post("/api/v1/renders", {
    inputProps: FILM,
    createProject: true,
    projectName: "Two texts",
  });
  await page.goto(`/dashboard/projects/${projectId}`);
  await filmShown(page);
  await page.getByLabel("Opening").focus();
  await page.waitForFunction(() => document.querySelector("rondo-player").currentFrame < 30);
  await page.getByLabel("Ending", { exact: true }).focus();
  await page.waitForFunction(() => document.querySelector("rondo-player").currentFrame >= 30);
  assert.equal(await page.getByLabel("Ending", { exact: true }).evaluate((field) => field.tagName), "INPUT");
  await page.getByLabel("Ending", { exact: true }).fill("See you");
  await page.reload();
  assert.equal(await page.getByLabel("Ending", { exact: true }).inputValue(), "See you");
  await page.goto("/dashboard");
  await page.goBack();
  assert.equal(await page.getByLabel("Ending", { exact: true }).inputValue(), "See you");
  await filmShown(page);
  await page.getByText("More options").click();
  await page.getByLabel("Format").selectOption("gif");
  await page.getByLabel("Size").selectOption({ index: 0 });
  await page.getByLabel("To second").fill("1");
  await page.getByText('"format": "gif"').waitFor();
  await page.getByText(/"range": \[\s*0,\s*29\s*\]/).waitFor();
  await assertAccessible(page, "form with options");
  await button("Render GIF").click();
  await heading("Two texts");
  await page.getByText("Completed").first().waitFor({ timeout: 60_000 });
  await button("Edit").click();
  await heading("Two texts");
  assert.equal(await page.getByLabel("Ending", { exact: true }).inputValue(), "See you");
  await button("Start over").click();
  assert.equal(await page.getByLabel("Ending", { exact: true }).inputValue(), "Good bye");
});

test("a sound takes a script, captions are made automatically, and both have a price", async () => {
  await page.goto("/dashboard/templates/tpl_space_fact");
  await filmShown(page);
  await page
    .getByRole("radiogroup", { name: "Source of Narration" })
    .getByRole("radio", { name: "Type a script" })
    .click();
  await page.getByLabel("Narration", { exact: true }).fill("A day on Venus is longer than its year.");
  await page.getByRole("radio", { name: "Caption automatically" }).click();
  await page.getByText('"text": "A day on Venus is longer than its year."').waitFor();
  await page.getByText('"source": "narration"').waitFor();
  await page.getByText(/of video and speech \(0\.5\)/).waitFor();
  await assertAccessible(page, "narration");
});

test("projects are searched, renamed and deleted, and have pictures", async () => {
  await page.goto("/dashboard/projects");
  await page.getByText("3 projects").waitFor();
  await page.getByLabel("Search projects").fill("two");
  await page.getByText("1 project", { exact: true }).waitFor();
  await page.waitForFunction(() => document.querySelector("main li img")?.naturalWidth > 0);
  await button("Rename Two texts").click();
  await dialog().getByLabel("Name").fill("Two lines");
  await button("Rename", dialog()).click();
  await toast("Project renamed.");
  await page.getByLabel("Search projects").fill("lines");
  await button("Delete Two lines").click();
  await assertAccessible(page, "deleting a project");
  await button("Delete project").click();
  await toast("Project deleted.");
  await page.getByText("No projects found").waitFor();
});

test("an invite carries credits, and without any the form says whom to ask", async () => {
  for (const [credits, email] of [
    ["25", "grace@example.com"],
    ["0", "joan@example.com"],
  ]) {
    await page.goto("/dashboard/operator/invites");
    await button("Create invite").first().click();
    await dialog().getByLabel("Plan").selectOption("creator");
    await dialog().getByLabel("Credits").fill(credits);
    await assertAccessible(page, "new invite");
    await button("Create link", dialog()).click();
    const link = await dialog().getByLabel("Invite link").textContent();
    await button("Done").click();
    await page.getByText(`Creator plan · ${credits} credits`).first().waitFor();
    const other = await openPage(browser, service.url);
    await other.goto(link);
    await other.getByLabel("Name").fill("A Colleague");
    await other.getByLabel("Email").fill(email);
    await other.getByLabel("Password", { exact: true }).fill("another long password");
    await other.getByRole("button", { name: "Create account" }).click();
    await other
      .locator("aside")
      .getByRole("link", { name: new RegExp(`Credits.*Creator.*${credits}`) })
      .waitFor();
    await other.goto("/dashboard/templates/tpl_quote_card");
    const start = other.getByRole("button", { name: "Render video" });
    if (credits === "0") {
      await other.getByText("You need 1 credit and have 0.").waitFor({ timeout: 60_000 });
      await other.getByRole("link", { name: "help@example.com" }).waitFor();
      assert.ok(await start.isDisabled());
      await assertAccessible(other, "form without credits");
    } else {
      await other.getByText(/25 available/).waitFor({ timeout: 60_000 });
      assert.ok(await start.isEnabled());
    }
    assertNoConsoleErrors(other);
    await other.context().close();
  }
});

test("dead ends lead somewhere", async () => {
  for (const [path, what, way] of [
    ["/dashboard/templates/tpl_none", "This template does not exist", "Browse templates"],
    ["/dashboard/renders/job_none", "This render does not exist", "All renders"],
    ["/dashboard/projects/prj_none", "This project does not exist", "All projects"],
    ["/edit/prv_none", "This preview has expired", "Browse templates"],
    ["/dashboard/webhooks/whk_none", "This webhook does not exist", "All webhooks"],
  ]) {
    await page.goto(path);
    await page.getByText(what).waitFor();
    await page.getByRole("main").getByRole("link", { name: way }).waitFor();
  }
  await assertAccessible(page, "missing webhook");
  for (const path of ["/nowhere", "/preview/prv_none", "/files/job_none.mp4"]) {
    await page.goto(path);
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    await assertAccessible(page, path);
    await page.getByRole("link", { name: "Go to the dashboard" }).click();
    await heading("Hello, Ada");
  }
});

test("the playground completes names, marks warnings, and its ten examples are valid", async () => {
  await page.goto("/dashboard/playground");
  const editor = page.getByRole("textbox", { name: /Request body/ });
  await filmShown(page);
  const write = async (written) => {
    await editor.click();
    await page.keyboard.press("Control+a");
    await page.evaluate((clip) => navigator.clipboard.writeText(clip), written);
    await page.keyboard.press("Control+v");
  };
  await write('{"output": {"format": ""');
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type("w");
  await page.getByRole("option", { name: '"webm"' }).click();
  await page.getByText('"webm"').first().waitFor();
  await write('{"inputProps": {');
  await page.keyboard.type('"po');
  await page.getByRole("option", { name: '"posterFrame"' }).waitFor();
  await page.keyboard.press("Escape");
  const odd = { ...FILM, overlays: [{ ...FILM.overlays[0], styles: { animation: { enter: "no-such-preset" } } }] };
  await write(JSON.stringify({ inputProps: odd }, null, 2));
  await page.getByRole("button", { name: "inputProps.overlays[0].styles.animation.enter" }).click();
  assert.match(await page.evaluate(() => getSelection().toString()), /no-such-preset/);
  await page.locator(".cm-lintRange-warning").first().waitFor();
  await assertAccessible(page, "playground with a warning");
  await button("Examples").click();
  const names = await page.getByRole("menuitem").allTextContents();
  assert.equal(names.length, 10);
  await page.keyboard.press("Escape");
  // The first one was there from the start.
  for (const name of names.slice(1)) {
    await button("Examples").click();
    const previewed = page.waitForResponse((response) => response.url().endsWith("/api/v1/previews"));
    await page.getByRole("menuitem", { name, exact: true }).click();
    const { data } = await (await previewed).json();
    const problems = data?.warnings.filter(({ severity }) => severity !== "info");
    assert.deepEqual(problems, [], name);
  }
  assertNoConsoleErrors(page);
});

test("templates are filtered by aspect ratio", async () => {
  await page.goto("/dashboard/templates");
  const cards = page.getByRole("main").getByRole("link");
  await cards.first().waitFor();
  const all = await cards.count();
  await page.getByRole("group", { name: "Aspect ratio" }).getByRole("button", { name: "9:16" }).click();
  await page.waitForFunction((count) => document.querySelectorAll("main a").length < count, all);
  for (const card of await cards.all()) assert.match(await card.textContent(), /9:16/);
  await assertAccessible(page, "vertical templates");
  assertNoConsoleErrors(page);
});
