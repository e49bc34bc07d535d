// The model of the editor, bundled for Node.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";

const source = join(import.meta.dirname, "../src");
const MODULES = ["film", "edits", "history", "editor", "merge", "clipboard", "groups", "rows"];

export async function loadModel() {
  const folder = mkdtempSync(join(tmpdir(), "rondo-model-"));
  const entry = join(folder, "model.ts");
  writeFileSync(entry, MODULES.map((name) => `export * from "${source}/editor/model/${name}";`).join("\n"));
  try {
    await build({
      configFile: false,
      root: join(import.meta.dirname, ".."),
      logLevel: "error",
      resolve: { alias: { "@": source } },
      build: { outDir: folder, emptyOutDir: false, minify: false, lib: { entry, formats: ["es"], fileName: "built" } },
      ssr: { noExternal: true },
    });
    return await import(pathToFileURL(join(folder, "built.js")).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Numbers that look random and are the same in every run. */
export function randomFrom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
  return { next, below: (limit) => Math.floor(next() * limit), of: (list) => list[Math.floor(next() * list.length)] };
}

/** A film with many overlays of the usual size. */
export function largeFilm(count) {
  const overlays = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    type: "text",
    from: index * 20,
    durationInFrames: 90,
    row: index % 8,
    left: (index * 37) % 1600,
    top: (index * 53) % 900,
    width: 640,
    height: 160,
    rotation: 0,
    isDragging: false,
    content: `Overlay ${index} with a sentence that people would write`,
    styles: {
      fontSize: "64px",
      fontFamily: "Inter",
      fontWeight: "700",
      color: "#ffffff",
      textAlign: "center",
      opacity: 1,
      zIndex: index,
      animation: { enter: "fadeIn", exit: "fadeOut", enterDuration: 20 },
    },
  }));
  return { width: 1920, height: 1080, fps: 30, durationInFrames: count * 20 + 90, backgroundColor: "#000", overlays };
}
