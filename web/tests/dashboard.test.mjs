// End-to-end tests of the dashboard, against a service started for them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { startApp } from "./app.mjs";
import { assertAccessible, assertNoConsoleErrors, filmShown, openPage, startBrowser } from "./browser.mjs";
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

test("the first account becomes the operator", async () => {
  await page.goto("/");
  await heading("Set up Rondo");
  await assertAccessible(page, "sign-up");
  await page.getByLabel("Name").fill(PERSON.name);
  await page.getByLabel("Email").fill(PERSON.email);
  await page.getByLabel("Password", { exact: true }).fill(PERSON.password);
  await button("Create operator account").click();
  await heading("Hello, Ada");
  assert.equal(new URL(page.url()).pathname, "/dashboard");
  await page.getByRole("link", { name: "Accounts" }).waitFor();
});

test("an operator adds credits, and the balance updates", async () => {
  await go("Accounts");
  await heading("Accounts");
  await button(`Edit ${PERSON.email}`).click();
  await dialog().getByLabel("Plan").selectOption("business");
  await dialog().getByLabel("Add credits").fill("250");
  await button("Save", dialog()).click();
  await toast(`Account updated: ${PERSON.email}`);
  await page.getByRole("cell", { name: "250" }).waitFor();
  await page
    .locator("aside")
    .getByRole("link", { name: /Credits.*250/ })
    .waitFor();
  await assertAccessible(page, "accounts");
});

test("the getting-started guide shows the first render live", async () => {
  await go("Overview");
  await button("Create API key").click();
  key = await page.getByLabel("Your API key").textContent();
  assert.match(key, /^rnd_/);
  await page.getByText(`Bearer ${key}`).waitFor();
  await assertAccessible(page, "overview with the guide");
  const response = await fetch(`${service.url}/api/v1/renders`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ inputProps: FILM, createProject: true, projectName: "First film" }),
  });
  assert.equal(response.status, 200);
  const guide = page.getByRole("region", { name: "Getting started" });
  await guide.getByRole("link", { name: /First film.*Completed/ }).waitFor({ timeout: 60_000 });
});

test("a render shows its video and request, and can be rendered again", async () => {
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
  await assertAccessible(page, "render");
  await button("Render again").click();
  await page.waitForURL((url) => url.pathname.startsWith("/dashboard/renders/job_"));
  await page.getByText("Completed").first().waitFor({ timeout: 60_000 });
});

test("a failed render shows the error, and a running one can be cancelled", async () => {
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
  await page.getByText("Render failed").waitFor({ timeout: 60_000 });
  await page
    .getByText(/nothing\.png/)
    .first()
    .waitFor();
  await page.getByText("You were not charged.").waitFor();
  await assertAccessible(page, "failed render");
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
  await toast("Render cancelled. Credits refunded.");
  await page.getByText("Render failed").waitFor();
});

test("renders are listed and filtered, and the filter is part of the URL", async () => {
  await go("Renders");
  await page.getByText("4 renders").waitFor();
  await page.getByLabel("Status").selectOption("FAILED");
  await page.getByText("2 renders").waitFor();
  await page.reload();
  await page.getByText("2 renders").waitFor();
  await assertAccessible(page, "renders");
});

test("a template is found, customized, previewed and rendered", async () => {
  await go("Templates");
  await page.getByLabel("Search templates").fill("quote");
  await page.getByRole("link", { name: /Quote Card/ }).waitFor();
  await assertAccessible(page, "templates");
  await page.getByRole("link", { name: /Quote Card/ }).click();
  await heading("Quote Card");
  await filmShown(page);
  await page.getByLabel("Quote", { exact: true }).fill("Tested by a browser.");
  await page.getByText('"quote": "Tested by a browser."').waitFor();
  await page.getByText(/credit.* for [\d.]+ s of video/).waitFor();
  await assertAccessible(page, "template");
  await page.getByText("More options").click();
  await page.getByLabel("Quality").selectOption("draft");
  await page.getByLabel("Project name").fill("My quote");
  await button("Render video").click();
  await heading("My quote");
  await page.getByText("Completed").first().waitFor({ timeout: 300_000 });
});

test("an uploaded file replaces an image", async () => {
  await page.goto("/dashboard/templates/tpl_birthday_wish");
  const chooser = page.waitForEvent("filechooser");
  await button("Upload file for Picture").click();
  const picture = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  await (await chooser).setFiles({ name: "dot.png", mimeType: "image/png", buffer: picture });
  await page.waitForFunction(() =>
    [...document.querySelectorAll("input[type=url]")].some(({ value }) => /\/files\/.*\.png$/.test(value)),
  );
});

test("a project is listed, opened by its editUrl and previewed with other values", async () => {
  await go("Projects");
  await page.getByRole("link", { name: /^My quote/ }).waitFor();
  await assertAccessible(page, "projects");
  await page.getByRole("link", { name: /^First film/ }).click();
  await heading("First film");
  await page.getByLabel("Headline").fill("Again");
  await filmShown(page);
  await assertAccessible(page, "project");
  const id = new URL(page.url()).pathname.split("/").at(-1);
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByRole("region", { name: "Canvas" }).waitFor();
  assert.equal(new URL(page.url()).pathname, `/edit/${id}`);
  assert.equal(await page.getByLabel("Name of the film").inputValue(), "First film");
  const preview = await page.request.post("/api/v1/previews", {
    data: { inputProps: FILM },
    headers: { origin: service.url },
  });
  await page.goto((await preview.json()).data.editUrl);
  await page.getByRole("button", { name: "Save as project" }).waitFor();
  assert.ok(await page.evaluate(() => window.rondo.editor.document().overlays.length > 0));
  await page.goto("/dashboard");
});

test("the playground marks validation errors and previews valid requests", async () => {
  await go("Playground");
  const editor = page.getByRole("textbox", { name: /Request body/ });
  await filmShown(page);
  await assertAccessible(page, "playground");
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
  const problems = page.getByRole("alert", { name: "Errors" });
  await problems.getByText("inputProps.overlays[0].from", { exact: true }).click();
  assert.match(await page.evaluate(() => getSelection().toString()), /^\{/);
  await assertAccessible(page, "playground with errors");
  await write("{");
  await page.getByText("Invalid JSON").waitFor();
  await button("Examples").click();
  await page.getByRole("menuitem", { name: "Template" }).click();
  await page.getByText(/for [\d.]+ s of video/).waitFor();
  await page.getByRole("radio", { name: "Python" }).click();
  await page.getByText("from rondo import Rondo").waitFor();
  await button("Copy").last().click();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /template_id="tpl_quote_card"/);
});

test("API keys are created, shown once and revoked", async () => {
  await go("API keys");
  await button("Create API key").first().click();
  await dialog().getByLabel("Name").fill("Server");
  await dialog().getByLabel("Access").selectOption("read");
  await dialog().getByLabel("Expires").selectOption("30");
  await button("Create", dialog()).click();
  const apiKey = await dialog().getByLabel("API key").textContent();
  const ask = () => fetch(`${service.url}/api/v1/account`, { headers: { authorization: `Bearer ${apiKey}` } });
  assert.equal((await ask()).status, 200);
  await page.keyboard.press("Escape");
  await assertAccessible(page, "new key");
  await button("Done").click();
  const created = page.getByRole("row", { name: /Server/ });
  await created.getByText("Read only").waitFor();
  await created.getByText(/^Expires /).waitFor();
  assert.equal(await page.getByText(apiKey).count(), 0);
  await page
    .getByRole("row", { name: /Server/ })
    .getByRole("button", { name: "Revoke" })
    .click();
  await button("Revoke key").click();
  await toast("API key revoked.");
  assert.equal((await ask()).status, 401);
  await assertAccessible(page, "keys");
});

test("a webhook is tested, its delivery resent, its secret rotated, and it is deleted", async () => {
  await go("Webhooks");
  await assertAccessible(page, "webhooks, none");
  await button("Add webhook").first().click();
  await dialog().getByLabel("Endpoint URL").fill(receiver.url);
  await button("Add", dialog()).click();
  assert.match(await dialog().getByLabel("Signing secret").textContent(), /^whsec_/);
  await button("Done").click();
  await page.getByRole("link", { name: new RegExp(receiver.url) }).click();
  await button("Send test event").click();
  await page.getByRole("menuitem", { name: "render.completed" }).click();
  await page.getByText(/HTTP 200/).waitFor({ timeout: 30_000 });
  assert.equal(receiver.bodies[0].event, "render.completed");
  await page.getByText(/HTTP 200/).click();
  await page.getByText("Thank you.").waitFor();
  await assertAccessible(page, "webhook");
  await button("Resend").click();
  await toast("Event resent.");
  await page.waitForFunction(() => document.querySelectorAll("summary").length >= 2);
  await button("Edit").click();
  await dialog().getByLabel("Endpoint URL").fill(`${receiver.url}?changed`);
  await dialog().getByLabel("render.completed").uncheck();
  await dialog().getByLabel("Active").uncheck();
  await assertAccessible(page, "webhook, edited");
  await button("Save", dialog()).click();
  await toast("Webhook saved.");
  await page.getByText(`${receiver.url}?changed`).waitFor();
  await page.getByText("This webhook is disabled. It receives no events until you enable it.").waitFor();
  await button("Enable").click();
  await page.getByText("Active", { exact: true }).waitFor();
  await button("Rotate secret").click();
  await button("Rotate", page.getByRole("alertdialog")).click();
  assert.match(await dialog().getByLabel("Signing secret").textContent(), /^whsec_/);
  await button("Done").click();
  await button("Delete").click();
  await button("Delete webhook").click();
  await toast("Webhook deleted.");
  await page.getByText("No webhooks").waitFor();
});

test("a webhook that failed for days is shown disabled, and can be enabled", async () => {
  const add = await page.request.post("/api/v1/webhooks", {
    data: { url: receiver.url },
    headers: { origin: service.url },
  });
  const { id } = (await add.json()).data;
  receiver.status = 410;
  const failures = async () => {
    const response = await page.request.get(`/api/v1/webhooks/${id}/deliveries?limit=100`);
    return (await response.json()).data.deliveries.filter(({ status }) => status === "FAILED").length;
  };
  for (let sent = 0; sent < 19; sent++)
    await page.request.post(`/api/v1/webhooks/${id}/test`, { headers: { origin: service.url } });
  while ((await failures()) < 19) await page.waitForTimeout(250);
  await page.goto(`/dashboard/webhooks/${id}`);
  await page.getByText("Active", { exact: true }).waitFor();
  service.rewrite("UPDATE webhook SET failing_since = failing_since - 6 * 86400000 WHERE id = ?", id);
  await button("Send test event").click();
  await page.getByRole("menuitem", { name: "render.failed" }).click();
  await page.getByText("Disabled", { exact: true }).waitFor();
  await page.getByText("This webhook was disabled because deliveries failed for several days.").waitFor();
  await page
    .getByText(/HTTP 410/)
    .first()
    .waitFor();
  await assertAccessible(page, "webhook, disabled");
  await go("Webhooks");
  await page.getByRole("link", { name: new RegExp(`${receiver.url}.*Disabled`) }).waitFor();
  await assertAccessible(page, "webhooks, one disabled");
  await page.getByRole("link", { name: new RegExp(receiver.url) }).click();
  receiver.status = 200;
  await button("Enable").click();
  await toast("Webhook enabled.");
  await page.getByText("Active", { exact: true }).waitFor();
  assert.equal(await button("Enable").count(), 0);
  const before = receiver.bodies.length;
  const { data } = await (
    await page.request.post("/api/v1/renders", { data: { inputProps: FILM }, headers: { origin: service.url } })
  ).json();
  while (receiver.bodies.length === before) await page.waitForTimeout(100);
  await button("Refresh").click();
  await page.getByText(/HTTP 200/).waitFor();
  assert.deepEqual(
    receiver.bodies.slice(before).map(({ event, data: { jobId } }) => [event, jobId]),
    [["render.completed", data.jobId]],
  );
  await button("Delete").click();
  await button("Delete webhook").click();
  await page.getByText("No webhooks").waitFor();
});

test("usage shows renders per day and the statement", async () => {
  await go("Usage");
  await page.getByRole("radio", { name: /Renders/ }).waitFor();
  await page.getByText("View as table").click();
  await page.getByRole("region", { name: "Daily usage" }).last().getByRole("row").nth(1).waitFor();
  const entries = page.getByRole("region", { name: "Statement" });
  await entries.first().getByText("+250").waitFor();
  await entries.first().getByRole("link", { name: "Render: First film" }).first().waitFor();
  const download = page.waitForEvent("download");
  await button("CSV", entries.first()).click();
  const lines = readFileSync(await (await download).path(), "utf8").split("\r\n");
  assert.equal(lines[0], "date,type,name,id,credits");
  assert.match(lines.at(-1), /,credit,,txn?_[^,]+,250$/);
  await assertAccessible(page, "usage");
});

test("without connected apps the page shows the MCP server URL", async () => {
  await go("Connected apps");
  await page.getByText("No connected apps").waitFor();
  await page.getByText(`${service.url}/api/mcp`).waitFor();
  await assertAccessible(page, "apps");
});

test("an authorized app has access until it is revoked", async () => {
  const app = await startApp(service.url, "Film Bot");
  try {
    const asking = await openPage(browser, service.url);
    await asking.goto(app.authorizationUrl());
    await asking.getByLabel("Email").fill(PERSON.email);
    await asking.getByLabel("Password", { exact: true }).fill(PERSON.password);
    await asking.getByRole("button", { name: "Sign in" }).click();
    await asking.getByRole("heading", { name: "Film Bot unverified asks to use your account" }).waitFor();
    await asking.getByText(PERSON.email).waitFor();
    assert.equal(await asking.getByRole("listitem").count(), 11);
    await assertAccessible(asking, "consent");
    await asking.getByRole("button", { name: "Allow" }).click();
    await asking.getByText("Back in the app.").waitFor();
    assertNoConsoleErrors(asking);
    await asking.context().close();
    const tokens = await app.exchange();
    const ask = () =>
      fetch(`${service.url}/api/v1/account`, { headers: { authorization: `Bearer ${tokens.access_token}` } });
    const response = await ask();
    assert.deepEqual([response.status, (await response.json()).data.email], [200, PERSON.email]);

    await page.reload();
    const row = page
      .getByRole("region", { name: "Connected apps" })
      .getByRole("listitem")
      .filter({ hasText: "Film Bot" });
    await row.getByText("127.0.0.1").waitFor();
    await row.getByText("renders:write").waitFor();
    await assertAccessible(page, "apps, one connected");
    await button("Revoke", row).click();
    await page.getByRole("alertdialog", { name: "Revoke access for Film Bot?" }).waitFor();
    await assertAccessible(page, "revoking access");
    await button("Cancel").click();
    assert.equal((await ask()).status, 200);
    await button("Revoke", row).click();
    await button("Revoke access").click();
    await toast("Access revoked for Film Bot.");
    await page.getByText("No connected apps").waitFor();
    const refused = await ask();
    assert.deepEqual([refused.status, (await refused.json()).details.reason], [401, "UNAUTHORIZED"]);
    assert.equal((await app.refresh(tokens.refresh_token)).error, "invalid_grant");
  } finally {
    app.stop();
  }
});

test("an invited account has no access to the operator pages", async () => {
  await go("Invites");
  await button("Create invite").first().click();
  await button("Create link", dialog()).click();
  const link = await dialog().getByLabel("Invite link").textContent();
  await button("Done").click();
  await assertAccessible(page, "invites");
  const other = await openPage(browser, service.url);
  await other.goto(link);
  await other.getByLabel("Name").fill("Grace Hopper");
  await other.getByLabel("Email").fill("grace@example.com");
  await other.getByLabel("Password", { exact: true }).fill("another long password");
  await other.getByRole("button", { name: "Create account" }).click();
  await other.getByRole("heading", { name: "Hello, Grace" }).waitFor();
  assert.equal(await other.getByRole("link", { name: "Accounts" }).count(), 0);
  await other.goto("/dashboard/operator/accounts");
  await other.getByText("Failed to load").waitFor();
  assertNoConsoleErrors(other);
  await other.context().close();
});

test("the audit log shows the events of the account, and to operators those of all", async () => {
  await go("Audit log");
  await page.getByText("API key revoked").first().waitFor();
  await assertAccessible(page, "audit log");
  await go("All audit logs");
  await page.getByText("grace@example.com").first().waitFor();
  await assertAccessible(page, "audit log of all accounts");
});

test("the queue page shows renders and workers", async () => {
  await go("Queue and workers");
  await page.getByText("No active renders").waitFor();
  await page.getByRole("region", { name: "Workers" }).getByRole("row").nth(1).waitFor();
  await assertAccessible(page, "queue");
});

test("the settings change name, theme and sessions", async () => {
  const other = await openPage(browser, service.url);
  await other.goto("/dashboard/usage?x=1");
  await other.waitForURL(/\/sign-in\?next=%2Fdashboard%2Fusage%3Fx%3D1$/);
  await assertAccessible(other, "sign-in");
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
  await toast("Profile saved.");
  await page.getByRole("radio", { name: "Dark" }).click();
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), "dark");
  await page.reload();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await page.getByRole("radio", { name: "System" }).click();
  await assertAccessible(page, "settings");
  await button("Revoke").first().click();
  await button("Revoke session").click();
  await toast("Session revoked.");
  // The event stream ends with the session, so an open page signs out by itself.
  await other.getByRole("heading", { name: "Sign in" }).waitFor();
  await other.goto("/sign-in?next=//evil.example/x");
  await other.getByLabel("Email").fill(PERSON.email);
  await other.getByLabel("Password", { exact: true }).fill(PERSON.password);
  await other.getByRole("button", { name: "Sign in" }).click();
  await other.getByRole("heading", { name: "Hello, Ada" }).waitFor();
  assert.equal(new URL(other.url()).origin, service.url);
  assertNoConsoleErrors(other);
  await other.context().close();
});

test("keyboard navigation works, and the mobile menu opens and closes", async () => {
  await page.goto("/dashboard");
  await heading("Hello, Ada");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to content");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "content");
  await page.setViewportSize({ width: 360, height: 740 });
  await button("Open menu").click();
  await dialog().getByRole("link", { name: "Renders" }).waitFor();
  await page.keyboard.press("Escape");
  await dialog().waitFor({ state: "detached" });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test("screenshots for the documentation", { skip: !process.env.RONDO_PICTURES }, async () => {
  await takePictures(page);
});

test("unknown paths, password reset and sign-out have pages", async () => {
  await page.goto("/dashboard/nowhere");
  await page.getByText("Page not found").waitFor();
  await assertAccessible(page, "not found");
  await page.goto("/dashboard");
  await button(new RegExp(PERSON.email)).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await heading("Sign in");
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await heading("Reset your password");
  await page.getByText("Ask the operator").waitFor();
  await assertAccessible(page, "forgot");
  await page.goto("/reset");
  await heading("Invalid reset link");
  assertNoConsoleErrors(page);
});
