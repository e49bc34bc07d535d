// Workers of Cloudflare, on this computer: workerd with the modules of the installed package.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../..");

/** The Worker of the guide, as JavaScript. */
function guide() {
  const compiler = createRequire(join(root, "web/package.json"))("typescript");
  const [, code] = /^```ts worker\n(.*?)^```/ms.exec(readFileSync(join(root, "docs/sdks.md"), "utf8"));
  return compiler.transpileModule(code, { compilerOptions: { module: "esnext", target: "es2022" } }).outputText;
}

/** The Workers: their own modules, in the folder, and their flags. */
const WORKERS = {
  plain: { own: ["worker.mjs", "scenario.mjs"], flags: [] },
  node: { own: ["worker.mjs", "scenario.mjs"], flags: ["nodejs_compat"] },
  guide: { own: ["guide.mjs"], flags: [] },
};

/** The settings of workerd, for the package installed in a folder. Each Worker has these variables. */
function settings(folder, variables) {
  const dist = "node_modules/@rondo/sdk/dist";
  const files = readdirSync(join(folder, dist)).filter((name) => name.endsWith(".js"));
  // What `@rondo/sdk` imports as `./client.js` is `@rondo/client.js`.
  const nameOf = (file) => (file === "index.js" ? "@rondo/sdk" : `@rondo/${file}`);
  const text = JSON.stringify;
  const bindings = Object.entries(variables).map(([name, value]) => `(name = ${text(name)}, text = ${text(value)})`);
  const services = Object.entries(WORKERS).map(([name, { own, flags }]) => {
    const modules = [...own.map((file) => [file, file]), ...files.map((file) => [nameOf(file), join(dist, file)])].map(
      ([module, path]) => `(name = ${text(module)}, esModule = embed ${text(path)})`,
    );
    return `(name = "${name}", worker = (modules = [${modules}], bindings = [${bindings}],
      compatibilityDate = "2026-01-01", compatibilityFlags = [${flags.map(text)}]))`;
  });
  const sockets = Object.keys(WORKERS).map(
    (name) => `(name = "${name}", address = "127.0.0.1:0", http = (), service = "${name}")`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [${services}, (name = "internet", network = (allow = ["private"]))],
  sockets = [${sockets}],
);
`;
}

/** Starts the Workers with the program, in the folder where the package is installed. `ask` sends a request to one of them. */
export async function startWorkers(program, folder, variables) {
  writeFileSync(join(folder, "guide.mjs"), guide());
  writeFileSync(join(folder, "workers.capnp"), settings(folder, variables));
  // The ports are told on the file descriptor 3.
  const child = spawn(program, ["serve", "--control-fd=3", "workers.capnp"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (said += part));
  const ended = new Promise((done) => child.on("exit", done));
  const ports = new Map();
  const deadline = setTimeout(() => child.kill(), 30_000);
  await Promise.race([
    ended.then(() => Promise.reject(new Error(`workerd ended, or did not listen within 30 seconds: ${said}`))),
    new Promise((done) => {
      let text = "";
      child.stdio[3].on("data", (part) => {
        const lines = (text + part).split("\n");
        text = lines.pop();
        for (const { event, socket, port } of lines.map((line) => JSON.parse(line)))
          if (event === "listen") ports.set(socket, port);
        if (ports.size === Object.keys(WORKERS).length) done();
      });
    }),
  ]);
  clearTimeout(deadline);
  return {
    async ask(name, path, body) {
      const request = { method: "POST", body: JSON.stringify(body), signal: AbortSignal.timeout(120_000) };
      const response = await fetch(`http://127.0.0.1:${ports.get(name)}${path}`, request);
      if (!response.ok) throw new Error(`The Worker failed: ${await response.text()} ${said}`);
      return response;
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
}
