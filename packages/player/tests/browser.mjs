// Chromium, and a server of files for it.
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"];
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".mp4": "video/mp4",
  ".webm": "video/webm",
  ".mkv": "video/x-matroska",
  ".mp3": "audio/mpeg",
  ".png": "image/png",
  ".jpg": "image/jpeg",
};

export const startBrowser = (args = []) =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: [...FLAGS, ...args] });

/**
 * Serves folders by the first part of the path, and pages given as text, with ranges and CORS.
 * `headers(path)` adds to the answer; a path it answers with null is refused. `holds` are promises by path: its answer waits
 * for them.
 */
export async function serve({ folders = {}, pages = {}, headers = () => ({}) }) {
  const requests = [];
  const holds = {};
  let sent = 0;
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
    requests.push(path);
    await holds[path];
    const extra = headers(path);
    if (extra === null) return response.writeHead(404).end();
    const common = { "Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin", ...extra };
    if (pages[path] !== undefined) {
      response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? TYPES[".html"], ...common });
      return response.end(pages[path]);
    }
    const prefix = Object.keys(folders).find((start) => path.startsWith(start));
    const file = prefix && join(folders[prefix], normalize(`/${path.slice(prefix.length)}`));
    if (!file || !existsSync(file) || !statSync(file).isFile()) return response.writeHead(404, common).end();
    const size = statSync(file).size;
    const type = { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream", "Accept-Ranges": "bytes" };
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
    if (!range) {
      response.writeHead(200, { ...type, "Content-Length": size, ...common });
      return createReadStream(file).pipe(response);
    }
    const [start, end] = [Number(range[1]), range[2] ? Math.min(Number(range[2]), size - 1) : size - 1];
    response.writeHead(206, {
      ...type,
      "Content-Length": end - start + 1,
      "Content-Range": `bytes ${start}-${end}/${size}`,
      ...common,
    });
    createReadStream(file, { start, end })
      .on("data", ({ length }) => {
        sent += length;
      })
      .pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  return {
    url,
    requests,
    pages,
    holds,
    /** Bytes of files that were sent. */
    sent: () => sent,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
