// Builds dist: `rondo-player.js`, its parts under hashed names beside it, and the types.
// Usage: node build.mjs [player.wasm]. Without a wasm file the one in dist stays.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "esbuild";

const root = import.meta.dirname;
const dist = join(root, "dist");
const wasm = process.argv[2];
mkdirSync(dist, { recursive: true });

const old = readdirSync(dist).filter((name) => name.startsWith("player-") && name.endsWith(".wasm"));
if (!wasm && old.length !== 1) throw new Error("Name the wasm file: node build.mjs player.wasm");
const bytes = withoutNames(readFileSync(wasm ?? join(dist, old[0])));
const wasmName = `player-${hash(bytes)}.wasm`;
for (const name of readdirSync(dist)) if (name !== ".gitignore") rmSync(join(dist, name), { recursive: true });
writeFileSync(join(dist, wasmName), bytes);

/** The dictionaries, which the engine is given where a text needs one. */
const dictionaries = join(root, "../../assets/dictionaries");
const dictionaryNames = Object.fromEntries(
  ["burmese", "khmer", "lao", "thai"].map((language) => {
    const bytes = readFileSync(join(dictionaries, `${language}.bin`));
    const name = `${language}-${hash(bytes)}.bin`;
    writeFileSync(join(dist, name), bytes);
    return [`${language.toUpperCase()}_WORDS`, JSON.stringify(`./${name}`)];
  }),
);

/** A part of a file's name that changes with its content. */
function hash(bytes) {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 8);
}

/** A module without its custom sections: names of functions and of tools, which no browser needs. */
function withoutNames(module) {
  const parts = [module.subarray(0, 8)];
  for (let at = 8; at < module.length; ) {
    const start = at;
    const id = module[at++];
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = module[at++];
      length += (byte & 127) * 2 ** shift;
      if (byte < 128) break;
    }
    at += length;
    if (id !== 0) parts.push(module.subarray(start, at));
  }
  return Buffer.concat(parts);
}

const shared = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022"],
  outdir: "dist",
  legalComments: "none",
  metafile: true,
};

/** The workers first: the element names them. */
const workers = await build({
  ...shared,
  entryPoints: ["src/paint-worker.ts", "src/media-worker.ts", "src/image-worker.ts"],
  entryNames: "[name]-[hash]",
});
const named = (start) => {
  const path = Object.keys(workers.metafile.outputs).find((output) => basename(output).startsWith(start));
  return JSON.stringify(`./${basename(path)}`);
};
await build({
  ...shared,
  entryPoints: { "rondo-player": "src/index.ts" },
  define: {
    PAINT_WORKER: named("paint-worker"),
    MEDIA_WORKER: named("media-worker"),
    IMAGE_WORKER: named("image-worker"),
    PLAYER_WASM: JSON.stringify(`./${wasmName}`),
    ...dictionaryNames,
  },
});
await build({
  ...shared,
  entryPoints: { react: "src/react.tsx" },
  external: ["react"],
  plugins: [
    {
      name: "element-apart",
      setup: ({ onResolve }) =>
        onResolve({ filter: /^\.\/index$/ }, () => ({ path: "./rondo-player.js", external: true })),
    },
  ],
});
execFileSync(
  process.execPath,
  [join(root, "node_modules/typescript/bin/tsc"), "-p", join(root, "tsconfig.types.json")],
  {
    stdio: "inherit",
  },
);
// mediabunny's licence asks for its notice where its code is passed on, as do those of the dictionaries.
copyFileSync(join(root, "node_modules/mediabunny/LICENSE"), join(dist, "mediabunny.LICENSE.txt"));
copyFileSync(join(dictionaries, "LICENSES.txt"), join(dist, "dictionaries.LICENSES.txt"));

// Compressed copies that the service sends as they are. PLAYER_QUICK=1 compresses less, for development.
const quality = process.env.PLAYER_QUICK ? 1 : 11;
for (const name of readdirSync(dist)) {
  if (!/\.(js|wasm|bin)$/.test(name)) continue;
  const content = readFileSync(join(dist, name));
  const options = {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: 22,
    },
  };
  writeFileSync(join(dist, `${name}.br`), brotliCompressSync(content, options));
  writeFileSync(join(dist, `${name}.gz`), gzipSync(content, { level: 9 }));
}

// npm would leave the folder out, which is not part of the repository, and has no use for compressed copies.
writeFileSync(join(dist, ".npmignore"), "*.br\n*.gz\n");
