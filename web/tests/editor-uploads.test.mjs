// Uploads over a connection that breaks: they go on where they stopped, also after a reload.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createOperator, openPage, startBrowser } from "./browser.mjs";
import { createFilm, openFilm } from "./editor.mjs";
import { startService } from "./service.mjs";

const SIZE = 20_000_000;
/** A sound that no part of is like another. */
const SOUND = Buffer.alloc(SIZE);
for (let at = 44; at + 4 <= SIZE; at += 4) SOUND.writeUInt32LE(at, at);
SOUND.write("RIFF", 0);
SOUND.writeUInt32LE(SIZE - 8, 4);
SOUND.write("WAVEfmt ", 8);
for (const [at, value] of [
  [16, 16],
  [24, 8000],
  [28, 16_000],
  [40, SIZE - 44],
])
  SOUND.writeUInt32LE(value, at);
for (const [at, value] of [
  [20, 1],
  [22, 1],
  [32, 2],
  [34, 16],
])
  SOUND.writeUInt16LE(value, at);
SOUND.write("data", 36);

/** A connection between browser and service that can be cut. */
async function startWire() {
  const sockets = new Set();
  const never = Number.POSITIVE_INFINITY;
  const wire = {
    url: "",
    target: 0,
    passed: 0,
    cutAt: never,
    staysDown: false,
    isDown: false,
    stop: () => server.close(),
  };
  wire.cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((inner) => {
    if (wire.isDown) return inner.destroy();
    const outer = connect(wire.target, "127.0.0.1");
    for (const socket of [inner, outer]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        inner.destroy();
        outer.destroy();
      });
    }
    inner.on("data", (part) => {
      wire.passed += part.length;
      if (wire.passed > wire.cutAt) {
        wire.cutAt = never;
        // Browsers repeat a request on a new connection by themselves, so there is none for a moment.
        wire.isDown = true;
        if (!wire.staysDown) setTimeout(() => (wire.isDown = false), 500);
        wire.cut();
      } else if (!outer.write(part)) {
        inner.pause();
        outer.once("drain", () => inner.resume());
      }
    });
    outer.pipe(inner);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  wire.url = `http://127.0.0.1:${server.address().port}`;
  return wire;
}

let wire, service, browser, page, folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "rondo-sound-"));
  writeFileSync(join(folder, "long.wav"), SOUND);
  writeFileSync(join(folder, "later.wav"), SOUND);
  wire = await startWire();
  [service, browser] = await Promise.all([startService("--public-url", wire.url), startBrowser()]);
  wire.target = Number(new URL(service.serviceUrl).port);
  page = await openPage(browser, process.env.RONDO_VITE ? service.url : wire.url);
  await createOperator(page);
});
after(async () => {
  await browser?.close();
  await service?.stop();
  wire?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const region = () => page.getByRole("region", { name: "Library" });
const send = (name) => page.getByLabel("Files to upload").setInputFiles(join(folder, name));

/** The places of the parts that are sent from now on. */
function watchParts() {
  const parts = [];
  page.on("request", (request) => {
    const range = request.headers()["content-range"];
    if (range) parts.push(range);
  });
  return parts;
}

async function assertArrived(name) {
  await region()
    .getByRole("button", { name: `Add ${name}` })
    .waitFor({ timeout: 60_000 });
  const { data } = await (await page.request.get(`/api/v1/uploads?search=${name}`)).json();
  assert.equal(data.total, 1);
  const file = await page.request.get(data.uploads[0].fileUrl);
  const hash = (bytes) => createHash("sha256").update(bytes).digest("hex");
  assert.equal(hash(await file.body()), hash(SOUND), "the file is what was sent");
}

const first = (range) => Number(/^bytes (\d+)-/.exec(range)?.[1] ?? -1);

test("an upload whose connection is cut goes on where it stopped", async () => {
  await openFilm(page, await createFilm(page, []));
  const parts = watchParts();
  wire.cutAt = wire.passed + 12_000_000;
  await send("long.wav");
  await assertArrived("long.wav");
  const asked = parts.indexOf(`bytes */${SIZE}`);
  assert.ok(asked > 0, `after the cut it is asked what is there: ${parts}`);
  assert.ok(first(parts[asked + 1]) > 8 * 1024 * 1024, `also the half part counts: ${parts}`);
  assert.equal(parts.filter((range) => first(range) === 0).length, 1, `nothing is sent twice: ${parts}`);
});

test("after a reload, the same file goes on when it is chosen again", async () => {
  wire.cutAt = wire.passed + 12_000_000;
  wire.staysDown = true;
  await send("later.wav");
  await region().getByText("The connection was lost").waitFor();
  // By then the pauses between tries are longer than a reload takes.
  await page.waitForTimeout(4000);
  wire.isDown = false;
  await page.reload();
  await region().waitFor();
  const parts = watchParts();
  await send("later.wav");
  await assertArrived("later.wav");
  assert.equal(parts[0], `bytes */${SIZE}`, String(parts));
  assert.ok(
    parts.slice(1).every((range) => first(range) > 0),
    `not from the start: ${parts}`,
  );
});
