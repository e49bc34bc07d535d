// Runs in Node, Deno and Bun: takes what is given as its argument, prints what happened.
import { files, scenario } from "./scenario.mjs";

const done = await scenario(JSON.parse(process.argv[2]));
console.log(JSON.stringify({ ...done, files: await files() }));
