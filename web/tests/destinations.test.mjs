// The page of destinations, the choice of one for a render, and films in HLS.
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { after, before, test } from "node:test";
import { assertAccessible, assertNoConsoleErrors, createOperator, openPage, startBrowser } from "./browser.mjs";
import { addText, createFilm, openFilm, post } from "./editor.mjs";
import { startBucket, startService } from "./service.mjs";

const SECRET = "wJalrXUtnFEMI-never-shown";
const SMALL = { width: 320, height: 180, durationInFrames: 30 };

let service, bucket, browser, page, project;
before(async () => {
  [service, bucket, browser] = await Promise.all([
    startService("--sign-up-credits", "200"),
    startBucket(),
    startBrowser(),
  ]);
  page = await openPage(browser, service.url);
  await createOperator(page);
  project = await createFilm(page, [addText(1, "Hello")], SMALL);
});
after(async () => {
  await browser?.close();
  bucket?.stop();
  await service?.stop();
});

const heading = (name) => page.getByRole("heading", { level: 1, name }).waitFor();
const button = (name, scope = page) => scope.getByRole("button", { name, exact: typeof name === "string" });
const dialog = () => page.getByRole("dialog");
const input = (name) => dialog().getByLabel(name, { exact: true });
const toast = (text) => page.getByText(text).first().waitFor();
const row = (name) =>
  page.getByRole("region", { name: "Destinations" }).getByRole("listitem").filter({ hasText: name });
/** The error beside a field. */
const errorOf = async (name) => {
  const ids = await input(name).getAttribute("aria-describedby");
  const error = ids?.split(" ").find((id) => id.endsWith("-error"));
  return error ? page.locator(`[id="${error}"]`).textContent() : null;
};
const focused = () => page.evaluate(() => document.activeElement.labels?.[0]?.textContent);

const openDestinations = async () => {
  await page.goto("/dashboard/destinations");
  await heading("Destinations");
};

const openForm = async () => {
  await openDestinations();
  await button("Add destination").first().click();
};

/** The form of the small project, with its options open. */
const openProject = async () => {
  await page.goto(`/dashboard/projects/${project}`);
  await page.getByText("More options").click();
  await page.getByText(/credits? for/).waitFor();
};

const addFilms = () =>
  post(page, "/api/v1/destinations", {
    name: "films",
    url: "s3://my-films/rondo",
    endpoint: bucket.url,
    credentials: { accessKeyId: "AKIA", secretAccessKey: SECRET },
  });

test("without destinations the page says what they are for, and renders offer none", async () => {
  await page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "Destinations" }).click();
  await heading("Destinations");
  await page.getByText("No destinations").waitFor();
  await assertAccessible(page, "destinations, none");
  await openProject();
  await page.getByLabel("Format").waitFor();
  assert.equal(await page.getByLabel("Destination", { exact: true }).count(), 0);
});

test("a destination is added, its name copied, and deleted after a confirmation", async () => {
  await openForm();
  await input("Name").fill("films");
  await input("Bucket and prefix").fill("my-films/rondo/");
  await input("Region").fill("eu-central-1");
  await input("Endpoint").fill(bucket.url);
  await input("Access key ID").fill("AKIA");
  await input("Secret access key").fill(SECRET);
  assert.equal(await input("Secret access key").getAttribute("type"), "password");
  await button("Show secret access key").click();
  assert.equal(await input("Secret access key").getAttribute("type"), "text");
  await assertAccessible(page, "new destination");
  await button("Add", dialog()).click();
  await toast("Destination added: films");
  await row("films").getByText(`s3://my-films/rondo · eu-central-1 · ${bucket.url}`).waitFor();
  assert.ok(!(await page.content()).includes(SECRET));
  await assertAccessible(page, "destinations");
  await button("Copy films").click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "films");

  await button("Delete films").click();
  await page.getByRole("alertdialog", { name: "Delete films?" }).waitFor();
  await assertAccessible(page, "deleting a destination");
  await button("Cancel").click();
  await row("films").waitFor();
  await button("Delete films").click();
  await button("Delete destination").click();
  await toast("Destination deleted.");
  await page.getByText("No destinations").waitFor();
});

test("each cloud asks for its own credentials, and a pasted URL chooses the cloud", async () => {
  await openForm();
  await input("Name").fill("google");
  await input("Bucket and prefix").fill("gs://my-films/2026");
  assert.deepEqual(
    [await input("Storage").inputValue(), await input("Bucket and prefix").inputValue()],
    ["gs", "my-films/2026"],
  );
  assert.equal((await input("Region").count()) + (await input("Access key ID").count()), 0);
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const file = {
    type: "service_account",
    client_email: "films@example.iam.gserviceaccount.com",
    private_key_id: "1",
    private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
  };
  const chooser = page.waitForEvent("filechooser");
  await button("Choose key file").click();
  const buffer = Buffer.from(JSON.stringify(file, null, 2));
  await (await chooser).setFiles({ name: "key.json", mimeType: "application/json", buffer });
  await page.waitForFunction(() => document.querySelector("textarea")?.value.includes("service_account"));
  await assertAccessible(page, "new destination, Google");
  await button("Add", dialog()).click();
  await row("google").getByText("gs://my-films/2026", { exact: true }).waitFor();

  for (const [name, kind, label, value] of [
    ["azure-key", "accountKey", "Account key", "c2VjcmV0"],
    ["azure-token", "sasToken", "SAS token", "?sv=2026&sig=secret"],
  ]) {
    await openForm();
    await input("Name").fill(name);
    await input("Storage").selectOption("az");
    await input("Container and prefix").fill("films");
    await input("Storage account").fill("myfilms");
    await input("Credentials").selectOption(kind);
    await input(label).fill(value);
    if (kind === "sasToken") await assertAccessible(page, "new destination, Azure");
    await button("Add", dialog()).click();
    await row(name).getByText("az://films", { exact: true }).waitFor();
  }
  for (const name of ["google", "azure-key", "azure-token"]) {
    await button(`Delete ${name}`).click();
    await button("Delete destination").click();
    await row(name).waitFor({ state: "detached" });
  }
});

test("what the service refuses is said beside its field, which gets the focus", async () => {
  await addFilms();
  await openForm();
  await input("Name").fill("films");
  await input("Bucket and prefix").fill("My Films");
  await input("Access key ID").fill("AKIA");
  await input("Secret access key").fill(SECRET);
  await button("Add", dialog()).click();
  await page.waitForFunction(() => document.querySelector("[role=dialog] [aria-invalid=true]"));
  assert.match(
    await errorOf("Bucket and prefix"),
    /^Bucket and prefix must have a bucket of 3 to 63 lower-case letters/,
  );
  assert.equal(await focused(), "Bucket and prefix");
  assert.equal(await errorOf("Name"), null);
  assert.equal(await dialog().getByRole("alert").count(), 0);
  await assertAccessible(page, "destination refused");

  await input("Bucket and prefix").fill("my-films");
  await button("Add", dialog()).click();
  await page.getByText(/has a destination named films already/).waitFor();
  assert.match(await errorOf("Name"), /has a destination named films already/);
  assert.equal(await focused(), "Name");

  await input("Name").fill("azure");
  await input("Storage").selectOption("az");
  await input("Storage account").fill("my.films");
  await input("Account key").fill("c2VjcmV0");
  await button("Add", dialog()).click();
  await page.getByText(/3 to 24 lower-case letters/).waitFor();
  assert.match(await errorOf("Storage account"), /3 to 24 lower-case letters and digits/);
  assert.equal(await focused(), "Storage account");
});

test("a film is copied to the chosen destination, and its page says where it is", async () => {
  await openProject();
  await page.getByLabel("Destination", { exact: true }).selectOption("films");
  await page.getByText('"destination": "films"').waitFor();
  await assertAccessible(page, "render options with a destination");
  await button("Render video").click();
  await page.waitForURL((url) => url.pathname.startsWith("/dashboard/renders/job_"));
  const copy = page.getByRole("region", { name: "Destination" });
  await copy.getByText("Copied", { exact: true }).waitFor({ timeout: 90_000 });
  const job = new URL(page.url()).pathname.split("/").at(-1);
  await copy.getByText(`s3://my-films/rondo/${job}.mp4`).waitFor();
  await assertAccessible(page, "render, copied");
  assert.equal(bucket.files.get(`/my-films/rondo/${job}.mp4`)?.subarray(4, 8).toString(), "ftyp");
});

test("a copy that the bucket refuses shows the reason, and the film can be downloaded", async () => {
  bucket.status = 403;
  await button("Render again").click();
  const copy = page.getByRole("region", { name: "Destination" });
  await copy.getByText(/^The film (is not copied yet|was not copied): /).waitFor({ timeout: 90_000 });
  await page.getByRole("link", { name: "Download" }).waitFor();
  await assertAccessible(page, "render, copy refused");
  bucket.status = 200;
});

test("an HLS film is copied with its segments, and its page has a URL to stream instead of a download", async () => {
  await openProject();
  assert.equal(await page.getByLabel("Destination", { exact: true }).inputValue(), "films");
  await page.getByLabel("Format").selectOption({ label: "HLS for streaming" });
  await page.getByText('"format": "hls"').waitFor();
  await page.getByText('"destination": "films"').waitFor();
  await button("Render video").click();
  await page.waitForURL((url) => url.pathname.startsWith("/dashboard/renders/job_"));
  await button("Copy URL").click({ timeout: 90_000 });
  const address = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(await (await fetch(address)).text(), /^#EXTM3U[\s\S]*#EXT-X-ENDLIST/);
  assert.equal(await page.getByRole("link", { name: "Download" }).count(), 0);
  await page.getByRole("region", { name: "Destination" }).getByText("Copied", { exact: true }).waitFor();
  const job = new URL(page.url()).pathname.split("/").at(-1);
  for (const ending of [".m3u8", "-init.mp4", "-s1.m4s"])
    assert.ok(bucket.files.has(`/my-films/rondo/${job}${ending}`), `${ending}: ${[...bucket.files.keys()]}`);
  await assertAccessible(page, "render, HLS");
});

test("the editor offers the same destinations and formats", async () => {
  await openFilm(page, project);
  await button("Render").click();
  await dialog()
    .getByText(/credits? for/)
    .waitFor();
  await input("Destination").selectOption("films");
  await input("Format").selectOption({ label: "HLS for streaming" });
  await input("Format").selectOption("mp4");
  await button("Render video", dialog()).click();
  await page.getByRole("dialog", { name: "Your film is ready" }).waitFor({ timeout: 90_000 });
  const job = (await dialog().getByRole("link", { name: "Details" }).getAttribute("href")).split("/").at(-1);
  for (let tries = 0; !bucket.files.has(`/my-films/rondo/${job}.mp4`); tries++) {
    assert.ok(tries < 300, "waited 30 s for the copy of the film");
    await page.waitForTimeout(100);
  }
});

test("options of before that name a deleted destination are kept without it", async () => {
  await openProject();
  await page.getByLabel("Format").selectOption("mp4");
  await page.getByText('"destination": "films"').waitFor();
  await page.evaluate(() => fetch("/api/v1/destinations/films", { method: "DELETE" }));
  await openProject();
  assert.equal(await page.getByLabel("Destination", { exact: true }).count(), 0);
  assert.equal(await page.getByText('"destination": "films"').count(), 0);
  await page.waitForFunction(() =>
    [...document.querySelectorAll("button")].some(
      ({ textContent, disabled }) => /^Render video/.test(textContent) && !disabled,
    ),
  );
});

test("a film that is being rendered links the stream of its finished part", async () => {
  const { jobId } = await post(page, "/api/v1/renders", {
    inputProps: {
      width: 1920,
      height: 1080,
      fps: 30,
      durationInFrames: 9000,
      overlays: [
        {
          ...addText(1, "Long").overlay,
          durationInFrames: 9000,
          styles: { color: "#fff", animation: { during: "pulse" } },
        },
      ],
    },
  });
  await page.goto(`/dashboard/renders/${jobId}`);
  const link = page.getByRole("link", { name: "open the stream" });
  await link.waitFor({ timeout: 90_000 });
  const text = await (await fetch(await link.getAttribute("href"))).text();
  assert.match(text, /^#EXTM3U/);
  assert.ok(!text.includes("#EXT-X-ENDLIST"), "the film is not finished");
  await assertAccessible(page, "render, running");
  await button("Cancel").click();
  await page.getByText("Render failed").waitFor();
  assertNoConsoleErrors(page);
});
