// A server that keeps the deliveries it receives, or hands them to a program under test.
import { createServer } from "node:http";

/** Starts the server. `handle` takes a delivery `{headers, body}` and returns the status to answer. */
export async function startReceiver(handle = () => 200) {
  const deliveries = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request.setEncoding("utf8")) body += part;
    const delivery = { headers: request.headers, body, event: JSON.parse(body) };
    const status = await handle(delivery);
    deliveries.push({ ...delivery, status });
    response.writeHead(status).end();
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}/hook`,
    deliveries,
    /** Waits for the first delivery of this kind. */
    async received(wanted, isIt = () => true) {
      for (const deadline = Date.now() + 60_000; ; await new Promise((done) => setTimeout(done, 50))) {
        const found = deliveries.find(({ event }) => event.event === wanted && isIt(event.data));
        if (found) return found;
        if (Date.now() > deadline) throw new Error(`waited a minute for a delivery of ${wanted}`);
      }
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
