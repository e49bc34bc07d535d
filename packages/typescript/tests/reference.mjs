// The examples of the API reference, compiled, and what must exist before they run.
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FILM } from "../../../web/docs/api/examples.mjs";
import { requestOf, snippets } from "../../../web/docs/api/snippets.mjs";
import { LONG } from "./films.mjs";

const root = join(import.meta.dirname, "../../..");
export const ADDRESS = "http://127.0.0.1:8080";
const document = JSON.parse(readFileSync(join(root, "web/openapi/api.json"), "utf8"));

/** The operation, its code by language, and the request that the code sends. */
export const reference = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, operation]) => operation.operationId)
    .map(([method, operation]) => {
      const code = snippets(method, path, operation).map(([, block]) => [block.language, block.code]);
      return { id: operation.operationId, code: Object.fromEntries(code), request: requestOf(method, path, operation) };
    }),
);

/** A Python that has httpx. */
export const python = () =>
  spawnSync("python3", ["-c", "import httpx"]).status === 0 ? "python3" : "/usr/bin/python3";

/** Compiles TypeScript in a folder two below the tests, by name. Fails if it does not type-check. */
export function compile(folder, codes) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // Examples may read files: the types of Node are a package of the dashboard.
  const compilerOptions = { noEmit: false, types: ["node"], typeRoots: [join(root, "web/node_modules/@types")] };
  const settings = { extends: "../../../tsconfig.json", compilerOptions, include: ["*.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  for (const [name, code] of Object.entries(codes))
    writeFileSync(join(folder, `${name}.ts`), code.replaceAll('"@rondo/sdk"', '"../../../dist/index.js"'));
  const compiler = join(root, "web/node_modules/.bin/tsc");
  execFileSync(compiler, ["-p", folder], { stdio: ["ignore", "inherit", "inherit"] });
}

/** Compiles the examples of the reference. Each module exports its answer. */
export function compileReference(folder) {
  const whole = ({ id, code: { ts } }) => [id, `${ts}\nexport {${ts.includes("const answer") ? " answer " : ""}};\n`];
  compile(folder, Object.fromEntries(reference.map(whole)));
  copyFileSync(join(root, "examples/media/photo.jpg"), join(folder, "photo.jpg"));
}

/** Makes what the ids and addresses in an example stand for, in the account of a client. `hooks` is the address of a server, `photo` a path. */
export function things(rondo, { hooks, photo }) {
  const cached = {};
  const once = (name, make) => (cached[name] ??= make());
  const project = async () => (await rondo.projects.create({ name: "Made", composition: FILM })).id;
  const long = async () => (await rondo.renders.create({ inputProps: LONG })).jobId;
  const webhook = async () => (await rondo.webhooks.create({ url: hooks })).id;
  const make = {
    // Finished, with a file.
    job_123: async () => {
      const film = { ...FILM, durationInFrames: 6, overlays: [{ ...FILM.overlays[0], durationInFrames: 6 }] };
      return (await rondo.render({ inputProps: film, width: 160, height: 90 })).jobId;
    },
    bat_123: async () => {
      const film = await project();
      return (await rondo.batches.create({ projectId: film, sets: [{}, {}], output: { format: "jpg" } })).batchId;
    },
    prj_123: project,
    ver_123: async ({ prj_123 }) => (await rondo.projects.createVersion(prj_123, "First")).id,
    tpl_123: async () => (await rondo.templates.publish({ projectId: await project(), name: "Made" })).id,
    upl_123: async () => (await rondo.uploads.put(photo)).id,
    // An account has few.
    whk_123: () => once("webhook", webhook),
    del_123: async ({ whk_123 }) => (await rondo.webhooks.test(whk_123, "render.completed")).deliveryId,
    "https://example.com/hooks/rondo": () => hooks,
    "https://example.com/interview.mp3": async () => (await rondo.ai.voiceover({ text: "Welcome to Rondo." })).audioUrl,
    $UPLOAD_URL: async () => (await rondo.uploads.create({ contentType: "image/jpeg", name: "photo.jpg" })).uploadUrl,
  };
  /** Where an example needs another one. */
  const instead = { cancelRender: { job_123: long }, deleteWebhook: { whk_123: webhook } };
  return async (id, code) => {
    const made = {};
    for (const [name, maker] of Object.entries({ ...make, ...instead[id] }))
      if (code.includes(name)) made[name] = await maker(made);
    return made;
  };
}
