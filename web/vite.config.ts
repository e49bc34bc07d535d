import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { documentation } from "./docs/plugin.mjs";

/** Writes a gzip copy of each script and style sheet. The service sends it to browsers that accept gzip. */
function gzipCopies(): Plugin {
  const visit = (folder: string) => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) visit(path);
      else if (/\.(js|css|svg)$/.test(name)) writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
    }
  };
  return { name: "gzip-copies", apply: "build", closeBundle: () => visit(join(import.meta.dirname, "dist")) };
}

/**
 * The schemas of the format, out of the API's description: `import schemas from "virtual:format"`. The editor draws its fields from
 * them; the rest of the description stays out of its chunk.
 */
function formatSchemas(): Plugin {
  const name = "virtual:format";
  return {
    name: "format-schemas",
    resolveId: (id) => (id === name ? `\0${name}` : null),
    load(id) {
      if (id !== `\0${name}`) return null;
      const file = join(import.meta.dirname, "openapi/api.json");
      this.addWatchFile(file);
      // Defaults are x-default there, for the sake of generated types.
      const text = readFileSync(file, "utf8").replaceAll('"x-default":', '"default":');
      const { schemas } = JSON.parse(text).components as { schemas: Record<string, object> };
      const wanted = new Map<string, object | undefined>();
      const collect = (schema: string) => {
        if (wanted.has(schema)) return;
        wanted.set(schema, schemas[schema]);
        for (const [, next] of JSON.stringify(schemas[schema]).matchAll(/#\/components\/schemas\/(\w+)/g))
          collect(next as string);
      };
      collect("Composition");
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(wanted)))})`;
    },
  };
}

/** In development, everything but the dashboard comes from a running service (RONDO_URL). */
const service = process.env["RONDO_URL"] ?? "http://127.0.0.1:8080";
const served = ["/api", "/preview", "/files", "/templates", "/uploads", "/pages", "/oauth", "/player"];

export default defineConfig({
  plugins: [react(), tailwindcss(), formatSchemas(), documentation(), gzipCopies()],
  resolve: { alias: { "@": join(import.meta.dirname, "src") } },
  build: {
    // dist is part of the repository: Cargo watches it.
    emptyOutDir: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
  server: { proxy: Object.fromEntries(served.map((path) => [path, { target: service, changeOrigin: true }])) },
});
