// Templates of one's own: published from the editor, listed, changed and unpublished in the dashboard.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible, assertNoConsoleErrors, createOperator, openPage, startBrowser } from "./browser.mjs";
import { addText, createFilm, editorOf, openFilm, waitForStatus } from "./editor.mjs";
import { startService } from "./service.mjs";

let service;
let browser;
let page;

before(async () => {
  [service, browser] = await Promise.all([startService(), startBrowser()]);
  page = await openPage(browser, service.url);
  page.setDefaultTimeout(60_000);
  await createOperator(page);
});

after(async () => {
  await browser?.close();
  await service?.stop();
});

const button = (name, on = page) => on.getByRole("button", { name, exact: true });
const dialog = () => page.getByRole("dialog");
const variable = (id, name) => ({ ...addText(id, name), name, isDynamic: true });

/** The templates of the account, as the service lists them. */
const ownTemplates = () =>
  page.evaluate(async () =>
    (await (await fetch("/api/v1/templates")).json()).data.templates
      .filter(({ own }) => own)
      .map(({ id, name, description, category, creditsPerMinute, visibility, variables }) => ({
        ...{ id, name, description, category, creditsPerMinute, visibility },
        variables: variables.map((each) => each.name),
      })),
  );

let projectId;

test("a film is published as a template through the dialog", async () => {
  projectId = await createFilm(page, [variable(1, "headline"), addText(2, "Fixed")], { backgroundColor: "#203040" });
  await openFilm(page, projectId);
  await button("Publish template").click();
  await dialog().getByLabel("Name").fill("Weekly news");
  await dialog().getByLabel("Description").fill("A headline for each week.");
  await dialog().getByLabel("Category").selectOption("EDUCATIONAL");
  await dialog().getByLabel("Credits per minute").fill("3");
  await dialog().getByRole("radio", { name: "Public" }).click();
  await dialog().getByText("1 variable can be filled in.").waitFor();
  await assertAccessible(page, "publish");
  await button("Publish template", dialog()).click();
  await page.getByRole("dialog", { name: "Weekly news is published" }).waitFor();
  const [{ id, ...template }] = await ownTemplates();
  assert.deepEqual(template, {
    name: "Weekly news",
    description: "A headline for each week.",
    category: "EDUCATIONAL",
    creditsPerMinute: 3,
    visibility: "public",
    variables: ["headline"],
  });
  assert.equal(
    await page.getByRole("link", { name: "Open template" }).getAttribute("href"),
    `/dashboard/templates/${id}`,
  );
  await button("Done").click();
});

test("changes are published as a new version, and lost variables are told before", async () => {
  await editorOf(page, (editor) =>
    editor.apply([
      { op: "set", id: 1, path: "name", value: "title" },
      { op: "set", id: 2, path: "isDynamic", value: true },
      { op: "set", id: 2, path: "name", value: "subtitle" },
    ]),
  );
  await button("Publish template").click();
  await dialog().getByLabel("Publish as").selectOption({ label: "New version of Weekly news" });
  assert.equal(await dialog().getByLabel("Name").inputValue(), "Weekly news");
  await dialog()
    .getByText(/does not have the variable headline any more/)
    .waitFor();
  await dialog().getByRole("radio", { name: "Private" }).click();
  await button("Publish version", dialog()).click();
  await page.getByRole("dialog", { name: "Weekly news is published" }).waitFor();
  const own = await ownTemplates();
  assert.equal(own.length, 1);
  assert.deepEqual([own[0].visibility, own[0].variables.toSorted()], ["private", ["subtitle", "title"]]);
  await button("Done").click();
  await waitForStatus(page, "Saved");
});

test("the dashboard lists one's own templates with pictures, and changes their details", async () => {
  await page.goto("/dashboard/templates");
  const section = page.getByRole("region", { name: "Your templates" });
  const card = section.getByRole("link", { name: /Weekly news/ });
  await card.getByText("Private").waitFor();
  await page.waitForFunction(
    () => document.querySelector("section[aria-labelledby=own-templates] a img")?.naturalWidth,
  );
  await assertAccessible(page, "own templates");
  await button("Options of Weekly news", section).click();
  await page.getByRole("menuitem", { name: "Edit details" }).click();
  await dialog().getByLabel("Name").fill("Monthly news");
  await dialog().getByLabel("Credits per minute").fill("5");
  await button("Save", dialog()).click();
  await section.getByRole("link", { name: /Monthly news/ }).waitFor();
  const [{ name, creditsPerMinute, category }] = await ownTemplates();
  assert.deepEqual([name, creditsPerMinute, category], ["Monthly news", 5, "EDUCATIONAL"]);
});

test("a template gets the film of another project", async () => {
  await createFilm(page, [variable(1, "title"), variable(2, "subtitle"), variable(3, "author")]);
  await page.goto("/dashboard/templates");
  await button("Options of Monthly news").click();
  await page.getByRole("menuitem", { name: "New version" }).click();
  const choices = dialog().getByRole("radio");
  await choices.nth(1).waitFor();
  await assertAccessible(page, "new version");
  await choices.first().check({ force: true });
  await button("Publish version", dialog()).click();
  await dialog().waitFor({ state: "detached" });
  assert.deepEqual((await ownTemplates())[0].variables.toSorted(), ["author", "subtitle", "title"]);
});

test("a template is unpublished from its page, and what was made of it stays", async () => {
  await page.goto("/dashboard/templates");
  await page.getByRole("link", { name: /Monthly news/ }).click();
  await page.getByRole("heading", { level: 1, name: "Monthly news" }).waitFor();
  await button("Options of Monthly news").click();
  await page.getByRole("menuitem", { name: "Unpublish" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Unpublish" }).click();
  await page.waitForURL(/\/dashboard\/templates$/);
  assert.deepEqual(await ownTemplates(), []);
  await page.getByRole("heading", { name: "Your templates" }).waitFor({ state: "detached" });
  const status = await page.evaluate(async (id) => (await fetch(`/api/v1/projects/${id}`)).status, projectId);
  assert.equal(status, 200);
});

test("where only operators publish, others are told", async () => {
  const other = await openPage(browser, service.url);
  other.setDefaultTimeout(60_000);
  await other.goto("/sign-up");
  await other.getByLabel("Name").fill("Grace Hopper");
  await other.getByLabel("Email").fill("grace@example.com");
  await other.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await other.getByRole("button", { name: "Create account" }).click();
  await other.getByRole("heading", { level: 1, name: "Hello, Grace" }).waitFor();
  await openFilm(other, await createFilm(other, [addText(1, "Hello")]));
  await button("Publish template", other).click();
  const form = other.getByRole("dialog");
  await form.getByText("It has no variables", { exact: false }).waitFor();
  await form.getByRole("radio", { name: "Public" }).click();
  await button("Publish template", form).click();
  await form.getByText(/Only operators publish templates for all accounts/).waitFor();
  await form.getByRole("radio", { name: "Private" }).click();
  await button("Publish template", form).click();
  await other.getByRole("dialog", { name: "Test film is published" }).waitFor();
  assertNoConsoleErrors(other);
  await other.context().close();
});

test("projects that were never rendered have pictures", async () => {
  await page.goto("/dashboard/projects");
  await page.waitForFunction(() => document.querySelectorAll("main li img").length >= 2);
  const [width] = await page.locator("main li img").evaluateAll((list) => list.map((image) => image.naturalWidth));
  assert.ok(width > 300, `${width} pixels wide`);
  assertNoConsoleErrors(page);
});
