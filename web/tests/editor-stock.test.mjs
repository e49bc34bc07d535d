// Stock photos and videos in the editor.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertNoConsoleErrors, assertPartAccessible, createOperator, openPage, startBrowser } from "./browser.mjs";
import { createFilm, editorOf, openFilm, waitForStatus } from "./editor.mjs";
import { startService } from "./service.mjs";
import { servePictures, startProvider } from "./stock-provider.mjs";

let provider, service, browser, page;
before(async () => {
  provider = await startProvider();
  process.env.RONDO_STOCK_URL = provider.url;
  [service, browser] = await Promise.all([startService("--pexels-key", "test-key"), startBrowser()]);
  page = await openPage(browser, service.url);
  await servePictures(page);
  await createOperator(page);
});
after(async () => {
  await browser?.close();
  await service?.stop();
  provider?.stop();
});

const region = () => page.getByRole("region", { name: "Library" });
const button = (name) => region().getByRole("button", { name });
const overlays = () => editorOf(page, (editor) => editor.document().overlays);
async function search(words) {
  await region().getByRole("searchbox", { name: "Search Pexels" }).fill(words);
  await page.keyboard.press("Enter");
}

test("a photo of a stock provider is found, credited and added as one step", async () => {
  await openFilm(page, await createFilm(page, []));
  await region().getByRole("tab", { name: "Stock" }).click();
  await button("Nature").click();
  await button("Add Photo 24. Photo by Tomás Ortega y Villanueva on Pexels").waitFor();
  assert.deepEqual(provider.asked, ["/pexels/v1/search?query=nature&page=1&per_page=24"]);
  assert.equal(await region().getByRole("link", { name: "Page of Kofi Mensah" }).count(), 4);
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[aria-label="Library"] img')].slice(0, 6).every((image) => image.naturalWidth > 0),
  );
  await assertPartAccessible(page, '[aria-label="Library"]', "stock");
  await button("Show more").click();
  await button(/^Add Photo 30/).waitFor();
  assert.equal(await button("Show more").count(), 0);

  await button("Add Photo 2. Photo by Kofi Mensah on Pexels").click();
  await page.waitForFunction(() => window.rondo.editor.document().overlays.length === 1);
  const [photo] = await overlays();
  assert.deepEqual([photo.type, photo.from, photo.name], ["image", 0, "Photo by Kofi Mensah on Pexels"]);
  assert.match(photo.src, /\/files\/upl_\w+\.jpg$/, "a copy in the account");
  assert.deepEqual(await editorOf(page, (editor) => editor.state.steps), ["Open", "Add image"]);
  await waitForStatus(page, "Saved");
  await region().getByRole("tab", { name: "Media" }).click();
  await button("Add Photo by Kofi Mensah on Pexels").waitFor();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  assert.deepEqual(await overlays(), []);
});

test("a video is added with its length", async () => {
  await openFilm(page, await createFilm(page, []));
  await region().getByRole("tab", { name: "Stock" }).click();
  await region().getByRole("radio", { name: "Videos" }).click();
  await search("screens");
  await button("Add Video by Noor Haddad on Pexels").click();
  await page.waitForFunction(() => window.rondo.editor.document().overlays.length === 1);
  const [clip] = await overlays();
  assert.equal(clip.type, "video");
  assert.match(clip.src, /\/files\/upl_\w+\.mp4$/);
  assert.equal(clip.durationInFrames, Math.round(clip.mediaSrcDuration * 30));
});

test("no finds and a provider that takes no more requests are said", async () => {
  await region().getByRole("radio", { name: "Photos" }).click();
  await search("nothing");
  await region().getByText("Nothing was found for “nothing”.").waitFor();
  provider.isBusy = true;
  await search("mountains");
  await region().getByRole("alert").getByText("Pexels cannot be searched: it takes no more requests").waitFor();
  provider.isBusy = false;
  assertNoConsoleErrors(page);
});

test("without a key there is no tab", async () => {
  const bare = await startService();
  try {
    const other = await openPage(browser, bare.url);
    await createOperator(other);
    await openFilm(other, await createFilm(other, []));
    const tabs = other.getByRole("region", { name: "Library" }).getByRole("tab");
    await tabs.getByText("Elements").waitFor();
    await other.waitForLoadState("networkidle").catch(() => undefined);
    assert.deepEqual(await tabs.allTextContents(), ["Media", "Text", "Elements", "Captions", "Templates", "Variables"]);
    await other.close();
  } finally {
    await bare.stop();
  }
});
