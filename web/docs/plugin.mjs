/** The documentation in Vite: served from its sources in development, written into the build. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildSite, EXAMPLE_URL, fileFor, holdsAddresses, typeOf } from "./site.mjs";

/** Writes the files into a folder. `replace` puts the address of a service into texts. */
export function writeSite(files, folder, replace = (text) => text) {
  rmSync(join(folder, "docs"), { recursive: true, force: true });
  for (const [address, content] of files) {
    const path = join(folder, address);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, holdsAddresses(address) ? replace(String(content)) : content);
  }
}

/** Milliseconds for which a site is served before it is made again. A page asks for many files at once. */
const FRESH = 2000;

export function documentation() {
  let made = { files: new Map(), at: 0 };
  const current = () => {
    if (Date.now() - made.at > FRESH) made = { files: buildSite(), at: Date.now() };
    return made.files;
  };
  return {
    name: "documentation",
    closeBundle: () => writeSite(buildSite(), join(import.meta.dirname, "../dist")),
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const path = decodeURIComponent((request.url ?? "").split("?")[0]);
        if (!/^\/(docs(\/|$)|llms)/.test(path)) return next();
        const files = current();
        const address = fileFor(files, path);
        if (!address) return next();
        const content = files.get(address);
        response.setHeader("content-type", typeOf(address));
        const origin = `http://${request.headers.host}`;
        response.end(holdsAddresses(address) ? String(content).replaceAll(EXAMPLE_URL, origin) : content);
      });
    },
  };
}
