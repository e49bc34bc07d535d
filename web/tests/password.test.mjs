// Password reset: request, email, new password.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible, assertNoConsoleErrors, openPage, startBrowser } from "./browser.mjs";
import { startMailServer } from "./mail.mjs";
import { startService } from "./service.mjs";

const PERSON = { name: "Zoë Ångström", email: "zoe@example.com", password: "correct horse battery" };
const NEW_PASSWORD = "staple correct horse";

let mail, service, browser, page;
before(async () => {
  mail = await startMailServer();
  [service, browser] = await Promise.all([
    startService("--role", "api", "--smtp-url", mail.url, "--mail-from", "Rondo <video@example.com>"),
    startBrowser(),
  ]);
  page = await openPage(browser, service.url);
});
after(async () => {
  await browser?.close();
  await service?.stop();
  mail?.stop();
});

const heading = (name, where = page) => where.getByRole("heading", { level: 1, name }).waitFor();
const button = (name, where = page) => where.getByRole("button", { name, exact: true });

async function signIn(where, password) {
  await where.goto("/sign-in");
  await where.getByLabel("Email").fill(PERSON.email);
  await where.getByLabel("Password", { exact: true }).fill(password);
  await button("Sign in", where).click();
}

/** Requests a reset link and returns the text of the confirmation page. */
async function requestReset(email) {
  await page.goto("/sign-in");
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await heading("Reset your password");
  await page.getByLabel("Email").fill(email);
  await button("Send reset link").click();
  await heading("Check your email");
  return (await page.locator("main").textContent()).replace(email, "…");
}

const linkIn = (text) => text.match(/^http\S+$/m)?.[0];

let link, signedIn;

test("a reset link arrives by email, readable and complete", async () => {
  signedIn = await openPage(browser, service.url);
  await signedIn.goto("/sign-up");
  await signedIn.getByLabel("Name").fill(PERSON.name);
  await signedIn.getByLabel("Email").fill(PERSON.email);
  await signedIn.getByLabel("Password", { exact: true }).fill(PERSON.password);
  await button("Create operator account", signedIn).click();
  await heading("Hello, Zoë", signedIn);

  const confirmation = await requestReset(PERSON.email);
  await assertAccessible(page, "check your email");
  const { headers, text, raw } = await mail.next();
  assert.equal(headers.from, "Rondo <video@example.com>");
  assert.equal(headers.to, PERSON.email);
  assert.equal(headers.subject, "Choose a new password for Rondo");
  assert.match(headers["message-id"], /^<\w+@example\.com>$/);
  assert.match(headers["content-type"], /^text\/plain; charset=utf-8$/i);
  assert.ok(!Number.isNaN(Date.parse(headers.date)), `Date: ${headers.date}`);
  assert.ok(
    raw.split("\r\n").every((line) => line.length <= 78),
    raw,
  );
  assert.match(text, /^Hello Zoë Ångström,\n/);
  link = linkIn(text);
  assert.match(link, new RegExp(`^${service.url}/reset\\?token=[\\w-]{20,}$`));

  assert.equal(await requestReset("nobody@example.com"), confirmation, "the page does not reveal who has an account");
});

test("the reset link sets a new password and ends other sessions", async () => {
  await page.goto(link);
  await heading("Set a new password");
  await assertAccessible(page, "set a new password");
  await page.getByLabel("New password", { exact: true }).fill("short");
  await button("Reset password").click();
  await heading("Set a new password");
  await page.getByLabel("New password", { exact: true }).fill(NEW_PASSWORD);
  await button("Reset password").click();
  await heading("Hello, Zoë");
  // The event stream ends with the session, so an open page signs out by itself.
  await heading("Sign in", signedIn);
  await signIn(signedIn, PERSON.password);
  await signedIn.getByRole("alert").getByText("The email or the password is wrong.").waitFor();
  await signIn(signedIn, NEW_PASSWORD);
  await heading("Hello, Zoë", signedIn);
});

test("a reset link works once, and a used one offers a new link", async () => {
  const late = await openPage(browser, service.url);
  await late.goto(link);
  await late.getByLabel("New password", { exact: true }).fill("one more password");
  await button("Reset password", late).click();
  await late.getByRole("alert").getByText("The link is unknown, was used or has expired.").waitFor();
  await assertAccessible(late, "used reset link");
  await late.getByRole("link", { name: "Request a new link" }).click();
  await heading("Reset your password", late);
  await signIn(late, NEW_PASSWORD);
  await heading("Hello, Zoë", late);
  assert.equal(mail.kept(), 0, "no other mail was sent");
  for (const seen of [late, signedIn, page]) assertNoConsoleErrors(seen);
});
