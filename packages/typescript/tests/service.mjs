// A service for the tests of the clients: the program on a free port, with an empty data folder.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../..");
export const program = process.env.RONDO_PROGRAM ?? join(root, "target/debug/rondo");

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** Starts a service with accounts that have credits. `apiKeys` are theirs, `apiKey` is the first. `env` holds further settings. */
export async function startService({ accounts = 1, env = {} } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "rondo-sdk-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const apiKeys = Array.from({ length: accounts }, (_, number) => {
    const email = `ada${number || ""}@example.com`;
    const person = ["--email", email, "--name", "Ada", "--credits", "40", "--plan", "business"];
    const create = ["account", "create", "--data", folder, ...person];
    const said = execFileSync(program, create, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    return /rnd_\w+/.exec(said)?.[0];
  });
  const flags = ["--data", folder, "--listen", `127.0.0.1:${port}`, "--allow-private-network", "--gallery", "off"];
  const child = spawn(program, ["serve", ...flags], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (output += part));
  const ended = new Promise((done) => child.on("exit", done));
  for (let tries = 0; ; tries++) {
    const isReady = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) }).then(
      (response) => response.ok,
      () => false,
    );
    if (isReady) break;
    if (tries > 300 || child.exitCode !== null) {
      child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
      throw new Error(`The service failed to start: ${output}`);
    }
    await new Promise((done) => setTimeout(done, 100));
  }
  return {
    url,
    apiKey: apiKeys[0],
    apiKeys,
    async stop() {
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
