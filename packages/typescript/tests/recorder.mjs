// A server that answers every request of the API, and keeps what was asked for.
import { createServer } from "node:http";

/** Lists that answers hold: the clients take one of them. */
const LISTS = [
  "deliveries",
  "destinations",
  "fonts",
  "projects",
  "providers",
  "renders",
  "templates",
  "transactions",
  "uploads",
  "variables",
  "versions",
  "voices",
  "webhooks",
];

/** Starts the server. `requests` holds the requests after each `GET /next/NAME`, by that name. */
export async function startRecorder() {
  const requests = new Map();
  let name = "";
  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const { pathname, searchParams } = new URL(request.url, "http://127.0.0.1");
      if (pathname.startsWith("/next/")) {
        name = pathname.slice("/next/".length);
        requests.set(name, []);
        return response.end();
      }
      const isJson = /json/.test(request.headers["content-type"] ?? "");
      const body = isJson && chunks.length ? JSON.parse(Buffer.concat(chunks)) : {};
      requests
        .get(name)
        ?.push({ method: request.method, path: pathname, query: Object.fromEntries(searchParams), body });
      if (pathname.endsWith("/events")) {
        response.setHeader("content-type", "text/event-stream");
        return response.end('data: {"jobId":"job_123","status":"COMPLETED","progressPercentage":100}\n\n');
      }
      const data = {
        ...Object.fromEntries(LISTS.map((list) => [list, []])),
        id: "upl_123",
        uploadUrl: `${url}/api/v1/uploads/upl_123`,
      };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ success: true, data }));
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${server.address().port}`;
  return {
    url,
    requests,
    clear: () => requests.clear(),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
