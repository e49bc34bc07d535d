// Settings of Hey API: Node needs the endings of imported files.
export default {
  input: process.env.DOCUMENT,
  output: { path: "hey/api", module: { extension: ".js" } },
  plugins: ["@hey-api/client-fetch", "@hey-api/sdk", "@hey-api/typescript"],
};
