// What the client does in every runtime, with what all of them have: no modules of Node, no files. Answers with what happened, as JSON.
import {
  AuthenticationError,
  ConnectionError,
  Film,
  InvalidRequestError,
  NotFoundError,
  RenderFailedError,
  Rondo,
  verifyWebhook,
  WaitTimeoutError,
  WebhookError,
} from "@rondo/sdk";

const CLASSES = {
  AuthenticationError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  RenderFailedError,
  WaitTimeoutError,
  WebhookError,
};

/** What became of a call: its result, or its error as a program sees it. */
async function outcome(call) {
  try {
    return { result: await call() };
  } catch (error) {
    const kinds = Object.keys(CLASSES).filter((name) => error instanceof CLASSES[name]);
    const { name, message, status, reason, issues } = error;
    return { name, kinds, message, status, reason, path: issues?.[0]?.path };
  }
}

const text = (bytes) => String.fromCharCode(...bytes);

/** A small film with a title, and with a picture if there is one. */
export function filmOf(title, picture) {
  const film = new Film({ width: 320, height: 180, backgroundColor: "#102030" });
  if (picture) film.image(picture, { width: 64, height: 64, durationInFrames: 12 });
  return film.text(title, { durationInFrames: 12 }).toJSON();
}

/** Renders a film, following it to its end, and reads its file. */
async function render(rondo, picture) {
  const { jobId } = await rondo.renders.create({ inputProps: filmOf("Hello", picture) });
  const seen = [];
  const job = await rondo.renders.wait(jobId, {
    onProgress: (now) => seen.push([now.status, now.progressPercentage]),
    timeout: 120_000,
  });
  const bytes = new Uint8Array(await (await rondo.renders.download(job)).arrayBuffer());
  return { status: job.status, size: job.outputSize, length: bytes.length, type: text(bytes.subarray(4, 8)), seen };
}

/** Sound of so many bytes. */
function noise(length) {
  const bytes = new Uint8Array(length).map((_, at) => (at * 7) % 251);
  const view = new DataView(bytes.buffer);
  for (const [at, word] of [
    [0, "RIFF"],
    [8, "WAVEfmt "],
    [36, "data"],
  ])
    bytes.set(new TextEncoder().encode(word), at);
  for (const [at, value] of [
    [4, length - 8],
    [16, 16],
    [24, 48_000],
    [28, 96_000],
    [40, length - 44],
  ])
    view.setUint32(at, value, true);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ])
    view.setUint16(at, value, true);
  return bytes;
}

/** Uploads a picture as a File, and sound as a Blob in parts; looks at what arrived. */
async function upload(rondo) {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="red"/></svg>';
  const picture = await rondo.uploads.put(new File([svg], "square.svg", { type: "image/svg+xml" }));
  const sound = noise(700_000);
  const steps = [];
  const kept = await rondo.uploads.put(new Blob([sound], { type: "audio/wav" }), {
    name: "noise.wav",
    onProgress: (sent, total) => steps.push([sent, total]),
  });
  const arrived = new Uint8Array(await (await fetch(kept.fileUrl)).arrayBuffer());
  const bytes = await rondo.uploads.put(sound.subarray(0, 1000), { contentType: "audio/wav" });
  const short = new Uint8Array(await (await fetch(bytes.fileUrl)).arrayBuffer());
  return {
    picture: picture.fileUrl,
    type: (await rondo.uploads.list({ search: "square" })).uploads[0].contentType,
    steps,
    isEqual: arrived.length === sound.length && arrived.every((byte, at) => byte === sound[at]),
    shortLength: short.length,
  };
}

/** Checks a delivery of the service by each of its signatures, and what must be refused. */
async function verify({ body, headers, secret }) {
  const only = (prefix) => Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith(prefix)));
  const relaxed = { acceptBodySignature: true };
  const old = { ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) - 400) };
  const event = (...args) => outcome(async () => (await verifyWebhook(...args)).event);
  return {
    standard: await event(body, only("webhook-"), secret),
    bytes: await event(new TextEncoder().encode(body), new Headers(headers), secret),
    plain: await event(body, only("x-rondo-"), secret, relaxed),
    plainNotAllowed: await event(body, only("x-rondo-"), secret),
    changed: await event(`${body} `, headers, secret),
    changedPlain: await event(`${body} `, only("x-rondo-"), secret, relaxed),
    old: await event(body, old, secret),
    otherSecret: await event(body, headers, `whsec_${btoa("another secret")}`),
  };
}

/** Errors of the API, of the network, of a render, and of waiting too long. */
async function errors(rondo, { apiKey, url, long }) {
  const { jobId } = await rondo.renders.create({ inputProps: long });
  const impatient = await outcome(() => rondo.renders.wait(jobId, { timeout: 20 }));
  await rondo.renders.cancel(jobId);
  return {
    stranger: await outcome(() => new Rondo({ apiKey: "rnd_wrong", baseUrl: url }).account.get()),
    invalid: await outcome(() => rondo.renders.create({ inputProps: { ...filmOf("Wrong"), fps: 1000 } })),
    missing: await outcome(() => rondo.renders.get("job_none")),
    unreachable: await outcome(() => new Rondo({ apiKey, baseUrl: "http://127.0.0.1:9", retries: 0 }).account.get()),
    impatient,
    cancelled: await outcome(() => rondo.renders.wait(jobId)),
  };
}

/** Everything. `given` holds the address, the key, a delivery and a film that takes long. */
export async function scenario(given) {
  const rondo = new Rondo({ apiKey: given.apiKey, baseUrl: given.url });
  const uploaded = await upload(rondo);
  let templates = 0;
  for await (const _ of rondo.templates.list({ limit: 25 })) templates++;
  return {
    runtime: globalThis.navigator?.userAgent ?? "Node.js",
    upload: uploaded,
    render: await render(rondo, uploaded.picture),
    templates: [templates, (await rondo.templates.list({ limit: 1 })).total],
    webhook: await verify(given.delivery),
    errors: await errors(rondo, given),
  };
}

/** Films and uploads by their paths. The client reads its address and its key from the environment. */
export async function files(folder = "") {
  const rondo = new Rondo();
  const output = `${folder}film.mp4`;
  const job = await rondo.render({ inputProps: filmOf("Saved") }, { output });
  const steps = [];
  const { fileUrl } = await rondo.uploads.put(output, { onProgress: (sent, total) => steps.push([sent, total]) });
  const copy = await fetch(fileUrl);
  await rondo.renders.download(job.outputs[0], `${folder}again.mp4`);
  const again = await rondo.uploads.put(`${folder}again.mp4`);
  const nowhere = { output: `${folder}no-such-folder/film.mp4` };
  return {
    size: job.outputSize,
    steps,
    copy: [copy.headers.get("content-type"), text(new Uint8Array(await copy.arrayBuffer()).subarray(4, 8))],
    againSize: (await (await fetch(again.fileUrl)).arrayBuffer()).byteLength,
    missing: await outcome(() => rondo.uploads.put(`${folder}none.png`)),
    nowhere: await outcome(() => rondo.render({ inputProps: filmOf("Nowhere") }, nowhere)),
  };
}

/** What becomes of paths where there are no files. */
export async function withoutFiles(rondo) {
  const before = (await rondo.renders.list()).total;
  const saved = await outcome(() => rondo.render({ inputProps: filmOf("Saved") }, { output: "film.mp4" }));
  return {
    saved,
    started: (await rondo.renders.list()).total - before,
    uploaded: await outcome(() => rondo.uploads.put("film.mp4")),
    downloaded: await outcome(() => rondo.renders.download({ url: "http://127.0.0.1:9" }, "film.mp4")),
  };
}
