// A Worker that does on request what the other runtimes do when they start.
import { Rondo } from "@rondo/sdk";
import { files, scenario, withoutFiles } from "./scenario.mjs";

const ROUTES = {
  "/scenario": scenario,
  "/files": () => files("/tmp/"),
  "/without-files": ({ url, apiKey }) => withoutFiles(new Rondo({ baseUrl: url, apiKey })),
};

export default {
  async fetch(request) {
    return Response.json(await ROUTES[new URL(request.url).pathname](await request.json()));
  },
};
