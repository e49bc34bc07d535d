// The editor's film, edits, history and merges, without a browser.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { largeFilm, loadModel, randomFrom } from "./editor-model.mjs";

const root = join(import.meta.dirname, "../..");
let model;

before(async () => {
  model = await loadModel();
});

/** Some edit that the film allows. */
function randomEdit(film, random) {
  const overlay = random.of(film.overlays);
  const pick = overlay ? random.below(10) : 0;
  if (pick === 0)
    return {
      op: "add",
      overlay: { type: "text", from: random.below(300), durationInFrames: 1 + random.below(90), row: random.below(5) },
      ...(random.below(2) ? { index: random.below(film.overlays.length + 1) } : {}),
    };
  const { id } = overlay;
  if (pick === 1 && film.overlays.length > 3) return { op: "remove", id };
  if (pick === 2) return { op: "move", id, index: random.below(film.overlays.length) };
  if (pick === 3)
    return { op: "set", path: random.of(["width", "backgroundColor", "colors[0].value"]), value: random.below(99) };
  const path = random.of([
    "left",
    "from",
    "styles.color",
    "styles.animation.enter",
    "words[1].text",
    "made up.é",
    "locked",
  ]);
  const value = random.of([random.below(1000), "text", null, { a: [1, { b: 2 }] }, undefined]);
  return { op: "set", id, path, ...(value === undefined ? {} : { value }) };
}

test("10,000 random edits: undoing all gives the original bytes, redoing all the final bytes", () => {
  const random = randomFrom(1);
  const editor = new model.Editor(largeFilm(20));
  const digest = () => createHash("sha1").update(JSON.stringify(editor.document())).digest("base64");
  const films = [digest()];
  for (let count = 0; count < 10_000; count++) {
    editor.apply(randomEdit(editor.document(), random), { name: `Edit ${count}` });
    films.push(digest());
  }
  assert.equal(editor.state.step, 10_000);
  for (let step = 10_000; step > 0; step--) {
    assert.equal(digest(), films[step]);
    editor.undo();
  }
  assert.equal(digest(), films[0]);
  for (let step = 0; step < 10_000; step++) editor.redo();
  assert.equal(digest(), films.at(-1));
  assert.deepEqual(editor.state.steps.slice(0, 3), ["Open", "Edit 0", "Edit 1"]);
});

test("1,000 steps of a film with 500 overlays take at most 30 MB", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const editor = new model.Editor(largeFilm(500));
  const random = randomFrom(7);
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let count = 0; count < 1000; count++) {
    const { id } = random.of(editor.document().overlays);
    const edits = [
      { op: "set", id, path: "left", value: random.below(1900) },
      { op: "set", id, path: "styles.color", value: `#${random.below(999999)}` },
    ];
    editor.apply(edits, { name: "Move" });
  }
  collect();
  const used = (process.memoryUsage().heapUsed - before) / 1e6;
  assert.equal(editor.state.step, 1000);
  console.log(`1,000 steps: ${used.toFixed(1)} MB`);
  assert.ok(used <= 30, `${used.toFixed(1)} MB`);
});

test("a gesture is one step, an edit that fails changes nothing", () => {
  const editor = new model.Editor(largeFilm(3));
  const seen = [];
  editor.on("change", ({ name, by }) => seen.push(`${by} ${name}`));
  for (let left = 0; left < 50; left++)
    editor.apply({ op: "set", id: 1, path: "left", value: left }, { name: "Move", gesture: "drag 1" });
  editor.endGesture();
  editor.apply({ op: "set", id: 1, path: "left", value: 99 }, { name: "Move", gesture: "drag 1" });
  assert.deepEqual(editor.state.steps, ["Open", "Move", "Move"]);
  const film = editor.document();
  assert.throws(() =>
    editor.apply([
      { op: "remove", id: 1 },
      { op: "remove", id: 77 },
    ]),
  );
  assert.equal(editor.document(), film);
  editor.undo();
  editor.undo();
  assert.equal(editor.document().overlays[0].left, 0);
  assert.equal(seen.at(-1), "undo Move");
  assert.equal(seen.length, 53);
});

/** Every composition in the folders of a place. */
function* compositions(place) {
  for (const entry of readdirSync(join(root, place), { recursive: true }))
    if (entry.endsWith("composition.json")) yield join(root, place, entry);
}

test("every template and fidelity case is saved as it was opened", () => {
  const paths = [...compositions("templates"), ...compositions("fidelity/cases")];
  assert.ok(paths.length > 400, `${paths.length} compositions`);
  for (const path of paths) {
    const stored = JSON.parse(readFileSync(path, "utf8"));
    const editor = new model.Editor(stored);
    assert.equal(JSON.stringify(editor.composition()), JSON.stringify(stored), path);
    const [first] = editor.document().overlays;
    if (!first) continue;
    const before = JSON.stringify(editor.document());
    editor.apply({ op: "set", id: first.id, path: "left", value: -12345 });
    editor.undo();
    assert.equal(JSON.stringify(editor.document()), before, path);
    assert.deepEqual(editor.composition(), stored, path);
  }
});

test("sizes that a film leaves out are filled in for the editor and not saved", () => {
  const stored = { durationInFrames: 60, overlays: [], fps: 25 };
  const editor = new model.Editor(stored);
  assert.deepEqual([editor.document().width, editor.document().height, editor.document().fps], [1920, 1080, 25]);
  assert.deepEqual(editor.composition(), stored);
  editor.apply({ op: "set", path: "width", value: 1080 });
  assert.deepEqual(editor.composition(), { ...stored, width: 1080 });
});

const overlay = (id, fields = {}) => ({ id, type: "text", from: 0, durationInFrames: 30, row: id, ...fields });
const film = (...overlays) => ({ width: 1920, height: 1080, fps: 30, durationInFrames: 90, overlays });

test("changes on one side are taken, changes on both are ours and reported", () => {
  const base = film(overlay(1), overlay(2), overlay(3), overlay(4));
  const ours = { ...film(overlay(1, { left: 5 }), overlay(2), overlay(4, { top: 1 })), title: "mine" };
  const theirs = { ...film(overlay(1), overlay(2, { left: 9 }), overlay(3), overlay(4, { top: 2 })), width: 1080 };
  const merged = model.mergeFilms(base, ours, theirs);
  assert.deepEqual(merged.film, {
    ...film(overlay(1, { left: 5 }), overlay(2, { left: 9 }), overlay(4, { top: 1 })),
    title: "mine",
    width: 1080,
  });
  assert.deepEqual(merged.conflicts, [
    { key: "overlay 4", id: 4, ours: overlay(4, { top: 1 }), theirs: overlay(4, { top: 2 }) },
  ]);
  const resolved = model.resolveConflicts(merged.film, merged.conflicts, new Set(["overlay 4"]));
  assert.deepEqual(resolved.overlays.at(-1), overlay(4, { top: 2 }));
});

test("a deletion against a change, and a field that both changed, are asked", () => {
  const base = film(overlay(1), overlay(2));
  const ours = { ...film(overlay(2, { left: 1 })), fps: 25 };
  const theirs = { ...film(overlay(1, { left: 2 })), fps: 60 };
  const { film: merged, conflicts } = model.mergeFilms(base, ours, theirs);
  assert.deepEqual(merged, ours);
  assert.deepEqual(conflicts.map(({ key, ours, theirs }) => [key, ours?.id ?? ours, theirs?.id ?? theirs]).toSorted(), [
    ["field fps", 25, 60],
    ["overlay 1", undefined, 1],
    ["overlay 2", 2, undefined],
  ]);
  const keys = new Set(conflicts.map(({ key }) => key));
  assert.deepEqual(model.resolveConflicts(merged, conflicts, keys), theirs);
});

test("overlays that both sides add are both kept, with different ids", () => {
  const base = film(overlay(1));
  const ours = film(overlay(1), overlay(2, { content: "mine" }));
  const theirs = film(overlay(2, { content: "theirs" }), overlay(1));
  const { film: merged, conflicts } = model.mergeFilms(base, ours, theirs);
  assert.deepEqual(conflicts, []);
  assert.deepEqual(
    merged.overlays.map(({ id, content }) => [id, content]),
    [
      [2, "theirs"],
      [1, undefined],
      [3, "mine"],
    ],
  );
});

test("whatever two sides do, a merge loses nothing that only one of them changed", () => {
  for (let seed = 0; seed < 300; seed++) {
    const random = randomFrom(seed);
    const base = model.openFilm(largeFilm(6));
    const [ours, theirs] = [base, base].map((start) => {
      let next = start;
      for (let count = random.below(6); count > 0; count--) next = model.applyEdits(next, [randomEdit(next, random)]);
      return next;
    });
    const { film: merged, conflicts } = model.mergeFilms(base, ours, theirs);
    const inConflict = new Set(conflicts.map(({ id }) => id));
    const find = (film, id) => film.overlays.find((each) => each.id === id);
    assert.equal(new Set(merged.overlays.map(({ id }) => id)).size, merged.overlays.length, `ids of seed ${seed}`);
    for (const { id } of [...base.overlays, ...ours.overlays, ...theirs.overlays]) {
      const [was, mine, other, now] = [base, ours, theirs, merged].map((each) => find(each, id));
      if (inConflict.has(id)) assert.deepEqual(now, mine);
      else if (model.sameJson(mine, was) || (!was && other)) assert.deepEqual(now, other, `theirs of seed ${seed}`);
      else if (model.sameJson(other, was)) assert.deepEqual(now, mine, `ours of seed ${seed}`);
    }
  }
});

test("groups: their members are found, and copies are groups of their own", () => {
  const { applyEdits, groupEdits, groupOf, groupedIds, isOneGroup, placeEdits, ungroupEdits, withGroups } = model;
  const overlay = (id, more) => ({ id, type: "text", from: 0, durationInFrames: 30, row: id, ...more });
  const film = { ...largeFilm(0), overlays: [overlay(1), overlay(2, { meta: { note: "mine" } }), overlay(3)] };
  const grouped = applyEdits(film, groupEdits(film.overlays.slice(0, 2)));
  assert.ok(isOneGroup(grouped.overlays.slice(0, 2)) && !isOneGroup(grouped.overlays));
  assert.deepEqual(withGroups(grouped, [1]), [2, 1]);
  assert.deepEqual(withGroups(grouped, [3]), [3]);
  assert.deepEqual([...groupedIds(grouped)], [1, 2]);
  const copied = applyEdits(grouped, placeEdits(grouped, grouped.overlays.slice(0, 2)).edits);
  const names = copied.overlays.map(groupOf);
  assert.ok(names[3] && names[3] === names[4] && names[3] !== names[0], String(names));
  const alone = applyEdits(grouped, placeEdits(grouped, [grouped.overlays[1]]).edits).overlays.at(-1);
  assert.deepEqual(alone.meta, { note: "mine" });
  assert.deepEqual(applyEdits(grouped, ungroupEdits(grouped.overlays)), film);
  // What another editor keeps there stays.
  const odd = overlay(4, { meta: "a text" });
  assert.deepEqual(groupEdits([odd]), []);
  assert.equal(groupOf(odd), undefined);
});

test("overlays are copied between films of other sizes and rates", () => {
  const source = film(overlay(7, { from: 40, left: 960, top: 540, width: 192, height: 108, content: "copied" }));
  const text = model.writeOverlays(source, source.overlays);
  const target = { ...film(overlay(1, { row: 7, from: 0, durationInFrames: 500 })), width: 960, height: 540, fps: 60 };
  const { edits, ids } = model.pasteEdits(target, model.readOverlays(text), 100);
  assert.deepEqual(ids, [2]);
  const [pasted] = model.applyEdits(target, edits).overlays.slice(-1);
  assert.deepEqual(
    [pasted.from, pasted.durationInFrames, pasted.row, pasted.left, pasted.width, pasted.content],
    [100, 60, 6, 480, 96, "copied"],
  );
  for (const hostile of [
    "",
    "{",
    "[]",
    '{"kind":"rondo/overlays"}',
    '{"kind":"rondo/overlays","fps":0,"width":1,"height":1,"overlays":[{}]}',
  ])
    assert.equal(model.readOverlays(hostile), null);
});
