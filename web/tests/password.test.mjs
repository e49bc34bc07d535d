// A forgotten password, from the question in the browser through the mail to the new one.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertQuiet, assertSound, openPage, startBrowser } from "./browser.mjs";
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

/** Asks for a link as a person does, and says what the page answers. */
async function forget(email) {
  await page.goto("/sign-in");
  await page.getByRole("link", { name: "Forgot it?" }).click();
  await heading("Forgot your password?");
  await page.getByLabel("Email").fill(email);
  await button("Send the link").click();
  await heading("Look into your mail");
  return (await page.locator("main").innerText()).replace(email, "…");
}

const linkIn = (text) => text.match(/^http\S+$/m)?.[0];

let link, signedIn;

test("a link to a new password comes by mail, readable and whole", async () => {
  signedIn = await openPage(browser, service.url);
  await signedIn.goto("/sign-up");
  await signedIn.getByLabel("Name").fill(PERSON.name);
  await signedIn.getByLabel("Email").fill(PERSON.email);
  await signedIn.getByLabel("Password", { exact: true }).fill(PERSON.password);
  await button("Create the first account", signedIn).click();
  await heading("Hello, Zoë", signedIn);

  const answer = await forget(PERSON.email);
  await assertSound(page, "look into your mail");
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

  assert.equal(await forget("nobody@example.com"), answer, "the page does not tell who has an account");
});

test("the link sets a new password, and what the old one opened is closed", async () => {
  await page.goto(link);
  await heading("Choose a new password");
  await assertSound(page, "choose a new password");
  await page.getByLabel("New password", { exact: true }).fill("short");
  await button("Save and sign in").click();
  await heading("Choose a new password");
  await page.getByLabel("New password", { exact: true }).fill(NEW_PASSWORD);
  await button("Save and sign in").click();
  await heading("Hello, Zoë");
  await signedIn.reload();
  await heading("Sign in", signedIn);
  await signIn(signedIn, PERSON.password);
  await signedIn.getByRole("alert").getByText("The email or the password is wrong.").waitFor();
  await signIn(signedIn, NEW_PASSWORD);
  await heading("Hello, Zoë", signedIn);
});

test("a link works once, and leads to another one", async () => {
  const late = await openPage(browser, service.url);
  await late.goto(link);
  await late.getByLabel("New password", { exact: true }).fill("one more password");
  await button("Save and sign in", late).click();
  await late.getByRole("alert").getByText("The link is unknown, was used or has expired.").waitFor();
  await assertSound(late, "a used link");
  await late.getByRole("link", { name: "Ask for a new link" }).click();
  await heading("Forgot your password?", late);
  await signIn(late, NEW_PASSWORD);
  await heading("Hello, Zoë", late);
  assert.equal(mail.kept(), 0, "nobody else was written to");
  for (const seen of [late, signedIn, page]) assertQuiet(seen);
});
