// A service for the tests: the program on a free port, with an empty data folder.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { within } from "./deadline.mjs";

const root = join(import.meta.dirname, "../..");
const program = process.env.RONDO_PROGRAM ?? join(root, "target/debug/rondo");

/** A free port. */
async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** With RONDO_VITE, the dashboard comes from its source: tests need no build of it. */
async function serveSource(url) {
  process.env.RONDO_URL = url;
  const { createServer } = await import("vite");
  const vite = await createServer({
    root: join(root, "web"),
    logLevel: "error",
    server: { host: "127.0.0.1", port: await freePort(), hmr: false },
  });
  await vite.listen();
  return vite;
}

/** Starts the service with additional flags. */
export async function startService(...flags) {
  const folder = mkdtempSync(join(tmpdir(), "rondo-web-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // The preview videos of the templates, if they were built before.
  const films = process.env.RONDO_TEMPLATE_FILMS;
  if (films && existsSync(films)) cpSync(films, join(folder, "templates"), { recursive: true });
  const child = spawn(
    program,
    [
      "serve",
      "--data",
      folder,
      "--listen",
      `127.0.0.1:${port}`,
      "--allow-private-network",
      "--gallery",
      "off",
      "--sign-up",
      "open",
      ...flags,
    ],
    {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (output += part));
  const ended = new Promise((done) => child.on("exit", done));
  for (let tries = 0; ; tries++) {
    const ready = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) }).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) break;
    if (tries > 300 || child.exitCode !== null) throw new Error(`The service failed to start: ${output}`);
    await new Promise((done) => setTimeout(done, 100));
  }
  const vite = process.env.RONDO_VITE ? await serveSource(url) : null;
  return {
    /** Where the program itself listens. */
    serviceUrl: url,
    url: vite ? vite.resolvedUrls.local[0].replace(/\/$/, "") : url,
    output: () => output,
    /** Runs an SQL statement on the database, for states that only time brings about. */
    rewrite(statement, ...values) {
      const change =
        "import sqlite3, sys; db = sqlite3.connect(sys.argv[1], 10); db.execute(sys.argv[2], sys.argv[3:]); db.commit()";
      execFileSync("python3", ["-c", change, join(folder, "rondo.db"), statement, ...values.map(String)]);
    },
    async stop() {
      await vite?.close();
      child.kill("SIGTERM");
      try {
        await within(60, () => `the service to exit after SIGTERM: ${output}`, ended);
      } finally {
        child.kill("SIGKILL");
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A webhook receiver. Stores the bodies and responds with `status`. */
export async function startReceiver() {
  const bodies = [];
  const receiver = { bodies, status: 200, url: "", stop: () => server.close() };
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (part) => (text += part));
    request.on("end", () => {
      bodies.push(JSON.parse(text));
      response.writeHead(receiver.status).end(receiver.status === 200 ? "Thank you." : "Gone.");
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  receiver.url = `http://127.0.0.1:${server.address().port}/hook`;
  return receiver;
}

/** A bucket that speaks as much of the protocol of S3 as copies need. Stores what was put, and responds with `status`. */
export async function startBucket() {
  const files = new Map();
  const bucket = { files, status: 200, url: "", stop: () => server.close() };
  const server = createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      if (bucket.status === 200) files.set(request.url, Buffer.concat(parts));
      response.writeHead(bucket.status, { etag: '"1"' }).end();
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  bucket.url = `http://127.0.0.1:${server.address().port}`;
  return bucket;
}
