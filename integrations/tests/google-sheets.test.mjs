// The Apps Script for Google Sheets: run with a sheet in memory, against a service.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { startService } from "../../packages/typescript/tests/service.mjs";
import { loadScript } from "./sheet.mjs";

const code = join(import.meta.dirname, "../google-sheets/Code.gs");
const SMALL = '{"format": "gif", "scale": 0.1, "range": [0, 3]}';

let service;
before(async () => {
  service = await startService();
});
after(() => service?.stop());

/** The script with a sheet of these cells, with its settings made. */
function open(cells, templateId = "tpl_quote_card") {
  const script = loadScript(code, cells);
  script.answers.push(`${service.url}/`, service.apiKey, templateId, SMALL);
  assert.equal(script.calls.askSettings(), true);
  return script;
}

const renders = async () => {
  const headers = { authorization: `Bearer ${service.apiKey}` };
  const response = await fetch(`${service.url}/api/v1/renders?limit=100`, { headers });
  return (await response.json()).data.renders;
};

/** Calls `updateRows` until its trigger is gone, as Google does every minute. */
async function untilDone({ calls, triggers, sheet }) {
  for (const deadline = Date.now() + 60_000; triggers.length; await pause(300)) {
    assert.ok(Date.now() < deadline, `waited a minute for the films: ${JSON.stringify(sheet.cells)}`);
    calls.updateRows();
  }
}

test("the menu calls functions that exist", () => {
  const { calls, menu } = open([["quote"]]);
  calls.onOpen();
  assert.equal(menu.length, 3);
  for (const [, name] of menu) assert.equal(typeof calls[name], "function", name);
});

test("every new row becomes a film, and its row gets the status and the link", async () => {
  const script = open([
    ["quote", "Notes"],
    ["Start small.", "a column that is not a variable"],
    ["", ""],
    ["Keep going.", ""],
    ["Was made before.", "", "Done", "https://example.com/old.mp4"],
  ]);
  script.calls.renderRows();
  assert.deepEqual(script.sheet.cells[0], ["quote", "Notes", "Status", "Film", "Render"]);
  assert.equal(script.triggers.length, 1);
  assert.match(script.toasts.at(-1), /^2 films for \d+ credits are under way\.$/);
  // Rows may be sorted while films are made.
  const [first, ...others] = script.sheet.cells;
  script.sheet.cells.splice(0, Infinity, first, ...others.reverse());
  await untilDone(script);
  const rows = Object.fromEntries(script.sheet.cells.slice(1).map(([quote, , ...own]) => [quote, own]));
  assert.deepEqual(rows["Was made before."].slice(0, 2), ["Done", "https://example.com/old.mp4"]);
  assert.deepEqual(rows[""].filter(Boolean), []);
  const made = await renders();
  for (const quote of ["Start small.", "Keep going."]) {
    const [status, film, render] = rows[quote];
    assert.equal(status, "Done");
    assert.equal(film, made.find(({ jobId }) => jobId === render).outputUrl);
    const bytes = Buffer.from(await (await fetch(film)).arrayBuffer());
    assert.equal(bytes.subarray(0, 4).toString(), "GIF8");
    const headers = { authorization: `Bearer ${service.apiKey}` };
    const { data } = await (await fetch(`${service.url}/api/v1/renders/${render}`, { headers })).json();
    assert.ok(JSON.stringify(data.inputProps).includes(quote), "the film has the text of its row");
  }
  script.calls.renderRows();
  assert.match(script.toasts.at(-1), /^No row is new/);
  assert.equal((await renders()).length, made.length);
});

test("rows that are sent again after a broken connection start no second batch", async () => {
  const before = (await renders()).length;
  const script = open([["quote"], ["Only once."]]);
  script.state.afterFetch = (url) => {
    if (url.endsWith("/batch")) throw new Error("Address unavailable");
  };
  assert.throws(() => script.calls.renderRows(), /Address unavailable/);
  assert.equal(script.sheet.cells[1][1] ?? "", "");
  script.state.afterFetch = () => {};
  script.calls.renderRows();
  await untilDone(script);
  assert.equal(script.sheet.cells[1][1], "Done");
  assert.equal((await renders()).length, before + 1);
  // A row whose status was cleared is another film.
  script.sheet.cells[1][1] = "";
  script.calls.renderRows();
  assert.equal((await renders()).length, before + 2);
  await untilDone(script);
});

test("a row that cannot be rendered says why, and no row is sent", async () => {
  const before = (await renders()).length;
  const script = open([["quote"], ["Good."], ["x".repeat(200_001)]]);
  assert.throws(() => script.calls.renderRows());
  assert.equal(script.sheet.cells[1][1], "");
  assert.match(script.sheet.cells[2][1], /^Error: .*quote/);
  assert.equal((await renders()).length, before);
});

test("missing settings, a wrong key and a sheet without variables are told", () => {
  const bare = loadScript(code, [["quote"], ["Hello"]]);
  assert.equal(bare.calls.askSettings(), false, "cancelled");
  assert.throws(() => bare.calls.renderRows(), /Settings/);
  const wrong = open([["quote"], ["Hello"]]);
  wrong.user.set("apiKey", "rnd_wrong");
  assert.throws(() => wrong.calls.renderRows(), /key/i);
  assert.throws(
    () => open([["title"], ["Hello"]]).calls.renderRows(),
    /names no variable of tpl_quote_card\. It has these: .*quote/,
  );
});
