// The parts of the editor's library that need no browser, bundled for Node.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";

const source = join(import.meta.dirname, "../src");
const MODULES = ["captions", "subtitles", "values", "place", "items", "insert-film"];

export async function loadLibrary() {
  const folder = mkdtempSync(join(tmpdir(), "rondo-library-"));
  const entry = join(folder, "library.ts");
  const lines = MODULES.map(
    (name) => `export * as ${name.replaceAll("-", "_")} from "${source}/editor/library/${name}";`,
  );
  writeFileSync(entry, [...lines, `export { Editor } from "${source}/editor/model/editor";`].join("\n"));
  try {
    await build({
      configFile: false,
      root: join(import.meta.dirname, ".."),
      logLevel: "error",
      resolve: { alias: { "@": source } },
      build: { outDir: folder, emptyOutDir: false, minify: false, lib: { entry, formats: ["es"], fileName: "built" } },
    });
    return await import(pathToFileURL(join(folder, "built.js")).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
