// Walks the whole dashboard as a person would, against a service of its own.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startApp } from "./app.mjs";
import { assertQuiet, assertSound, openPage, startBrowser } from "./browser.mjs";
import { takePictures } from "./pictures.mjs";
import { startReceiver, startService } from "./service.mjs";

const PERSON = { name: "Ada Lovelace", email: "ada@example.com", password: "correct horse battery" };
const FILM = {
  width: 320,
  height: 180,
  fps: 30,
  durationInFrames: 60,
  backgroundColor: "#0f172a",
  overlays: [
    {
      id: 1,
      type: "text",
      row: 0,
      from: 0,
      durationInFrames: 60,
      left: 20,
      top: 50,
      width: 280,
      height: 80,
      isDynamic: true,
      name: "headline",
      content: "Hello",
      styles: { color: "#fff" },
    },
  ],
};

let service, receiver, browser, page;
before(async () => {
  [service, receiver, browser] = await Promise.all([startService(), startReceiver(), startBrowser()]);
  page = await openPage(browser, service.url);
});
after(async () => {
  await browser?.close();
  receiver?.stop();
  await service?.stop();
});

const heading = (name) => page.getByRole("heading", { level: 1, name }).waitFor();
const button = (name, scope = page) => scope.getByRole("button", { name, exact: typeof name === "string" });
const dialog = () => page.getByRole("dialog");
const go = async (name) =>
  page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name, exact: true }).click();
const toast = (text) => page.getByText(text).first().waitFor();

let key;

test("the first visitor sets up the installation and becomes its operator", async () => {
  await page.goto("/");
  await heading("Set up Rondo");
  await assertSound(page, "sign-up");
  await page.getByLabel("Name").fill(PERSON.name);
  await page.getByLabel("Email").fill(PERSON.email);
  await page.getByLabel("Password", { exact: true }).fill(PERSON.password);
  await button("Create the first account").click();
  await heading("Hello, Ada");
  assert.equal(new URL(page.url()).pathname, "/dashboard");
  await page.getByRole("link", { name: "Accounts" }).waitFor();
});

test("an operator gives credits, and they are on the account at once", async () => {
  await go("Accounts");
  await heading("Accounts");
  await button(`Change ${PERSON.email}`).click();
  await dialog().getByLabel("Plan").selectOption("business");
  await dialog().getByLabel("Add credits").fill("250");
  await button("Save", dialog()).click();
  await toast(`${PERSON.email} was changed.`);
  await page.getByRole("cell", { name: "250" }).waitFor();
  await page
    .locator("aside")
    .getByRole("link", { name: /Credits.*250/ })
    .waitFor();
  await assertSound(page, "accounts");
});

test("the guide leads from a key to a film that finishes before one's eyes", async () => {
  await go("Overview");
  await button("Create a key").click();
  key = await page.getByLabel("Your API key").textContent();
  assert.match(key, /^rnd_/);
  await page.getByText(`Bearer ${key}`).waitFor();
  await assertSound(page, "overview with the guide");
  const answer = await fetch(`${service.url}/api/v1/renders`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ inputProps: FILM, createProject: true, projectName: "First film" }),
  });
  assert.equal(answer.status, 200);
  const guide = page.getByRole("region", { name: "Your first film" });
  await guide.getByRole("link", { name: /First film.*Completed/ }).waitFor({ timeout: 60_000 });
});

test("a render shows its film, its request, and can be had again", async () => {
  await page
    .getByRole("region", { name: "Recent renders" })
    .getByRole("link", { name: /First film/ })
    .click();
  await heading("First film");
  await page.waitForFunction(() => document.querySelector("main video")?.readyState >= 1);
  assert.deepEqual(
    await page.locator("main video").evaluate((film) => [film.videoWidth, film.videoHeight]),
    [320, 180],
  );
  await page.getByRole("link", { name: "Download" }).waitFor();
  await page.getByRole("region", { name: "Request" }).getByText("Hello").waitFor();
  await assertSound(page, "render");
  await button("Render again").click();
  await page.waitForURL((url) => url.pathname.startsWith("/dashboard/renders/job_"));
  await page.getByText("Completed").first().waitFor({ timeout: 60_000 });
});

test("a render that fails says why, and one that runs can be cancelled", async () => {
  const send = (body) => page.request.post("/api/v1/renders", { data: body, headers: { origin: service.url } });
  const broken = structuredClone(FILM);
  broken.overlays.push({
    id: 2,
    type: "image",
    row: 1,
    from: 0,
    durationInFrames: 60,
    left: 0,
    top: 0,
    width: 10,
    height: 10,
    src: `${service.url}/files/nothing.png`,
  });
  const failed = await (await send({ inputProps: broken })).json();
  await page.goto(`/dashboard/renders/${failed.data.jobId}`);
  await page.getByText("This render failed").waitFor({ timeout: 60_000 });
  await page
    .getByText(/nothing\.png/)
    .first()
    .waitFor();
  await page.getByText("Nothing was charged.").waitFor();
  await assertSound(page, "failed render");
  const long = await (
    await send({
      inputProps: {
        ...FILM,
        width: 1920,
        height: 1080,
        durationInFrames: 9000,
        overlays: [{ ...FILM.overlays[0], durationInFrames: 9000, styles: { animation: { during: "pulse" } } }],
      },
    })
  ).json();
  await page.goto(`/dashboard/renders/${long.data.jobId}`);
  await button("Cancel").click();
  await toast("The render was cancelled. Its credits are back.");
  await page.getByText("This render failed").waitFor();
});

test("renders are listed, filtered, and kept in the address", async () => {
  await go("Renders");
  await page.getByText("4 renders").waitFor();
  await page.getByLabel("Status").selectOption("FAILED");
  await page.getByText("2 renders").waitFor();
  await page.reload();
  await page.getByText("2 renders").waitFor();
  await assertSound(page, "renders");
});

test("a template is found, filled in, looked at and rendered", async () => {
  await go("Templates");
  await page.getByLabel("Search templates").fill("quote");
  await page.getByRole("link", { name: /Quote Card/ }).waitFor();
  await assertSound(page, "templates");
  await page.getByRole("link", { name: /Quote Card/ }).click();
  await heading("Quote Card");
  await page.getByRole("img", { name: /^Frame/ }).waitFor({ timeout: 60_000 });
  await page.getByLabel("Quote", { exact: true }).fill("Tested by a browser.");
  await page.getByText('"quote": "Tested by a browser."').waitFor();
  await page.getByText(/credit.* for 8 s of film/).waitFor();
  await assertSound(page, "template");
  await page.getByText("More options").click();
  await page.getByLabel("Quality").selectOption("draft");
  await page.getByLabel("Name of the project").fill("My quote");
  await button("Render the film").click();
  await heading("My quote");
  await page.getByText("Completed").first().waitFor({ timeout: 300_000 });
});

test("a file of one's own takes the place of a picture", async () => {
  await page.goto("/dashboard/templates/tpl_birthday_wish");
  const chooser = page.waitForEvent("filechooser");
  await button("Upload a file for Picture").click();
  const picture = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  await (await chooser).setFiles({ name: "dot.png", mimeType: "image/png", buffer: picture });
  await page.waitForFunction(() =>
    [...document.querySelectorAll("input[type=url]")].some(({ value }) => /\/files\/.*\.png$/.test(value)),
  );
});

test("a project is listed, opened by its edit address, and rendered with other words", async () => {
  await go("Projects");
  await page.getByRole("link", { name: /My quote/ }).waitFor();
  await assertSound(page, "projects");
  await page.getByRole("link", { name: /First film/ }).click();
  await heading("First film");
  await page.getByLabel("Headline").fill("Again");
  await page.getByRole("img", { name: /^Frame/ }).waitFor({ timeout: 60_000 });
  await assertSound(page, "project");
  const id = new URL(page.url()).pathname.split("/").at(-1);
  await page.goto(`/edit/${id}`);
  await heading("First film");
  const preview = await page.request.post("/api/v1/previews", {
    data: { inputProps: FILM },
    headers: { origin: service.url },
  });
  await page.goto((await preview.json()).data.editUrl);
  await heading("Copy of a preview");
  await page.getByLabel("Headline").fill("A copy");
  await page.getByText('"content": "A copy"').waitFor();
});

test("the playground points at what is wrong, and shows what is right", async () => {
  await go("Playground");
  const editor = page.getByRole("textbox", { name: /Request as JSON/ });
  await page.getByRole("img", { name: /^Frame/ }).waitFor({ timeout: 60_000 });
  await assertSound(page, "playground");
  const write = async (text) => {
    await editor.click();
    await page.keyboard.press("Control+a");
    await page.evaluate((written) => navigator.clipboard.writeText(written), text);
    await page.keyboard.press("Control+v");
  };
  await write(
    JSON.stringify(
      { inputProps: { durationInFrames: 30, overlays: [{ id: 1, type: "text", content: "Hi" }] } },
      null,
      2,
    ),
  );
  const problems = page.getByRole("alert", { name: "Problems" });
  await problems.getByText("inputProps.overlays[0].from", { exact: true }).click();
  assert.match(await page.evaluate(() => getSelection().toString()), /^\{/);
  await assertSound(page, "playground with problems");
  await write("{");
  await page.getByText("The request is not JSON yet.").waitFor();
  await button("Examples").click();
  await page.getByRole("menuitem", { name: "Template" }).click();
  await page.getByText(/for 8 s of film/).waitFor();
  await page.getByRole("radio", { name: "Python" }).click();
  await page.getByText("import requests").waitFor();
  await button("Copy").last().click();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /"templateId": "tpl_quote_card"/);
});

test("keys are made, shown once and revoked", async () => {
  await go("API keys");
  await button("Create a key").first().click();
  await dialog().getByLabel("Name").fill("Server");
  await button("Create", dialog()).click();
  const made = await dialog().getByLabel("API key").textContent();
  const ask = () => fetch(`${service.url}/api/v1/account`, { headers: { authorization: `Bearer ${made}` } });
  assert.equal((await ask()).status, 200);
  await page.keyboard.press("Escape");
  await assertSound(page, "new key");
  await button("I have copied it").click();
  assert.equal(await page.getByText(made).count(), 0);
  await page
    .getByRole("row", { name: /Server/ })
    .getByRole("button", { name: "Revoke" })
    .click();
  await button("Revoke the key").click();
  await toast("The key was revoked.");
  assert.equal((await ask()).status, 401);
  await assertSound(page, "keys");
});

test("a webhook is tested, its delivery read and sent again, its secret rotated, and it is deleted", async () => {
  await go("Webhooks");
  await assertSound(page, "webhooks, none");
  await button("Add a webhook").first().click();
  await dialog().getByLabel("Address").fill(receiver.url);
  await button("Add", dialog()).click();
  assert.match(await dialog().getByLabel("Signing secret").textContent(), /^whsec_/);
  await button("I have copied it").click();
  await page.getByRole("link", { name: new RegExp(receiver.url) }).click();
  await button("Send a test").click();
  await page.getByRole("menuitem", { name: "render.completed" }).click();
  await page.getByText(/Answered 200/).waitFor({ timeout: 30_000 });
  assert.equal(receiver.bodies[0].event, "render.completed");
  await page.getByText(/Answered 200/).click();
  await page.getByText("Thank you.").waitFor();
  await assertSound(page, "webhook");
  await button("Send again").click();
  await toast("The event is sent again.");
  await page.waitForFunction(() => document.querySelectorAll("summary").length >= 2);
  await button("Rotate secret").click();
  await button("Rotate", page.getByRole("alertdialog")).click();
  assert.match(await dialog().getByLabel("Signing secret").textContent(), /^whsec_/);
  await button("I have copied it").click();
  await button("Delete").click();
  await button("Delete the webhook").click();
  await toast("The webhook was deleted.");
  await page.getByText("No webhooks yet").waitFor();
});

test("a webhook that failed for days is shown switched off, and can be switched on again", async () => {
  const add = await page.request.post("/api/v1/webhooks", {
    data: { url: receiver.url },
    headers: { origin: service.url },
  });
  const { id } = (await add.json()).data;
  receiver.status = 410;
  const failures = async () => {
    const answer = await page.request.get(`/api/v1/webhooks/${id}/deliveries?limit=100`);
    return (await answer.json()).data.deliveries.filter(({ status }) => status === "FAILED").length;
  };
  for (let sent = 0; sent < 19; sent++)
    await page.request.post(`/api/v1/webhooks/${id}/test`, { headers: { origin: service.url } });
  while ((await failures()) < 19) await page.waitForTimeout(250);
  await page.goto(`/dashboard/webhooks/${id}`);
  await page.getByText("Active", { exact: true }).waitFor();
  service.rewrite("UPDATE webhook SET failing_since = failing_since - 6 * 86400000 WHERE id = ?", id);
  await button("Send a test").click();
  await page.getByRole("menuitem", { name: "render.failed" }).click();
  await page.getByText("Switched off", { exact: true }).waitFor();
  await page.getByText("Deliveries to this address failed for days").waitFor();
  await page
    .getByText(/Answered 410/)
    .first()
    .waitFor();
  await assertSound(page, "webhook, switched off");
  await go("Webhooks");
  await page.getByRole("link", { name: new RegExp(`${receiver.url}.*Switched off`) }).waitFor();
  await assertSound(page, "webhooks, one switched off");
  await page.getByRole("link", { name: new RegExp(receiver.url) }).click();
  receiver.status = 200;
  await button("Switch on").click();
  await toast("The webhook is active again.");
  await page.getByText("Active", { exact: true }).waitFor();
  assert.equal(await button("Switch on").count(), 0);
  const before = receiver.bodies.length;
  const { data } = await (
    await page.request.post("/api/v1/renders", { data: { inputProps: FILM }, headers: { origin: service.url } })
  ).json();
  while (receiver.bodies.length === before) await page.waitForTimeout(100);
  await button("Refresh").click();
  await page.getByText(/Answered 200/).waitFor();
  assert.deepEqual(
    receiver.bodies.slice(before).map(({ event, data: { jobId } }) => [event, jobId]),
    [["render.completed", data.jobId]],
  );
  await button("Delete").click();
  await button("Delete the webhook").click();
  await page.getByText("No webhooks yet").waitFor();
});

test("usage tells what was made, and where credits came from", async () => {
  await go("Usage");
  await page.getByRole("radio", { name: /Renders/ }).waitFor();
  await page.getByText("As a table").click();
  await page.getByRole("region", { name: "Use by day" }).last().getByRole("row").nth(1).waitFor();
  await page.getByRole("region", { name: "Transactions" }).getByText("+250").first().waitFor();
  await assertSound(page, "usage");
});

test("nothing is connected yet, and the page says where assistants connect", async () => {
  await go("Connected apps");
  await page.getByText("No connected apps").waitFor();
  await page.getByText(`${service.url}/api/mcp`).waitFor();
  await assertSound(page, "apps");
});

test("an app is allowed, works, and works no longer once its access is taken back", async () => {
  const app = await startApp(service.url, "Film Bot");
  try {
    const asking = await openPage(browser, service.url);
    await asking.goto(app.asks());
    await asking.getByLabel("Email").fill(PERSON.email);
    await asking.getByLabel("Password", { exact: true }).fill(PERSON.password);
    await asking.getByRole("button", { name: "Sign in" }).click();
    await asking.getByRole("heading", { name: "Film Bot unverified asks to use your account" }).waitFor();
    await asking.getByText(PERSON.email).waitFor();
    assert.equal(await asking.getByRole("listitem").count(), 9);
    await assertSound(asking, "consent");
    await asking.getByRole("button", { name: "Allow" }).click();
    await asking.getByText("Back in the app.").waitFor();
    assertQuiet(asking);
    await asking.context().close();
    const tokens = await app.exchange();
    const ask = () =>
      fetch(`${service.url}/api/v1/account`, { headers: { authorization: `Bearer ${tokens.access_token}` } });
    const answer = await ask();
    assert.deepEqual([answer.status, (await answer.json()).data.email], [200, PERSON.email]);

    await page.reload();
    const row = page
      .getByRole("region", { name: "Connected apps" })
      .getByRole("listitem")
      .filter({ hasText: "Film Bot" });
    await row.getByText("127.0.0.1").waitFor();
    await row.getByText("renders:write").waitFor();
    await assertSound(page, "apps, one connected");
    await button("Revoke", row).click();
    await page.getByRole("alertdialog", { name: "Revoke Film Bot?" }).waitFor();
    await assertSound(page, "taking access back");
    await button("Keep").click();
    assert.equal((await ask()).status, 200);
    await button("Revoke", row).click();
    await button("Revoke access").click();
    await toast("Film Bot no longer has access.");
    await page.getByText("No connected apps").waitFor();
    const refused = await ask();
    assert.deepEqual([refused.status, (await refused.json()).details.reason], [401, "UNAUTHORIZED"]);
    assert.equal((await app.refresh(tokens.refresh_token)).error, "invalid_grant");
  } finally {
    app.stop();
  }
});

test("an invite brings a second person in, who sees nothing of the operator's", async () => {
  await go("Invites");
  await button("Invite someone").first().click();
  await button("Make the link", dialog()).click();
  const link = await dialog().getByLabel("Invitation link").textContent();
  await button("I have copied it").click();
  await assertSound(page, "invites");
  const other = await openPage(browser, service.url);
  await other.goto(link);
  await other.getByLabel("Name").fill("Grace Hopper");
  await other.getByLabel("Email").fill("grace@example.com");
  await other.getByLabel("Password", { exact: true }).fill("another long password");
  await other.getByRole("button", { name: "Create account" }).click();
  await other.getByRole("heading", { name: "Hello, Grace" }).waitFor();
  assert.equal(await other.getByRole("link", { name: "Accounts" }).count(), 0);
  await other.goto("/dashboard/operator/accounts");
  await other.getByText("This could not be loaded").waitFor();
  assertQuiet(other);
  await other.context().close();
});

test("the queue and the workers are on view", async () => {
  await go("Queue and workers");
  await page.getByText("Nothing is being rendered").waitFor();
  await page.getByRole("region", { name: "Workers" }).getByRole("row").nth(1).waitFor();
  await assertSound(page, "queue");
});

test("name, theme and sessions are changed in the settings", async () => {
  const other = await openPage(browser, service.url);
  await other.goto("/dashboard/usage?x=1");
  await other.waitForURL(/\/sign-in\?next=%2Fdashboard%2Fusage%3Fx%3D1$/);
  await assertSound(other, "sign-in");
  await other.getByLabel("Email").fill(PERSON.email);
  await other.getByLabel("Password", { exact: true }).fill("wrong wrong wrong");
  await other.getByRole("button", { name: "Sign in" }).click();
  await other.getByRole("alert").waitFor();
  await other.getByLabel("Password", { exact: true }).fill(PERSON.password);
  await other.getByRole("button", { name: "Sign in" }).click();
  await other.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
  await go("Settings");
  await page.getByLabel("Name").fill("Ada King");
  await button("Save").click();
  await toast("Your name was saved.");
  await page.getByRole("radio", { name: "Dark" }).click();
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), "dark");
  await page.reload();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await page.getByRole("radio", { name: "System" }).click();
  await assertSound(page, "settings");
  await button("End").first().click();
  await button("End the session").click();
  await toast("The session has ended.");
  await other.reload();
  await other.getByRole("heading", { name: "Sign in" }).waitFor();
  await other.goto("/sign-in?next=//evil.example/x");
  await other.getByLabel("Email").fill(PERSON.email);
  await other.getByLabel("Password", { exact: true }).fill(PERSON.password);
  await other.getByRole("button", { name: "Sign in" }).click();
  await other.getByRole("heading", { name: "Hello, Ada" }).waitFor();
  assert.equal(new URL(other.url()).origin, service.url);
  assertQuiet(other);
  await other.context().close();
});

test("everything can be reached with the keyboard, and the menu of a phone opens and closes", async () => {
  await page.goto("/dashboard");
  await heading("Hello, Ada");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the content");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "content");
  await page.setViewportSize({ width: 360, height: 740 });
  await button("Open the menu").click();
  await dialog().getByRole("link", { name: "Renders" }).waitFor();
  await page.keyboard.press("Escape");
  await dialog().waitFor({ state: "detached" });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test("pictures for the documentation", { skip: !process.env.RONDO_PICTURES }, async () => {
  await takePictures(page);
});

test("a lost address and a forgotten password have pages too, and signing out ends it", async () => {
  await page.goto("/dashboard/nowhere");
  await page.getByText("There is nothing here").waitFor();
  await assertSound(page, "not found");
  await page.goto("/dashboard");
  await button(new RegExp(PERSON.email)).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await heading("Sign in");
  await page.getByRole("link", { name: "Forgot it?" }).click();
  await heading("Forgot your password?");
  await page.getByText("Ask its operator").waitFor();
  await assertSound(page, "forgot");
  await page.goto("/reset");
  await heading("The link is incomplete");
  assertQuiet(page);
});
