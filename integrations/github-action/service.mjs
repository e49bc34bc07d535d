/** Requests to the service. Those that fail temporarily are retried, with an idempotency key, so that nothing is charged twice. */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

const ATTEMPTS = 4;
/** Seconds. After a longer `Retry-After`, the step fails at once. */
const LONGEST_PAUSE = 60;
const mayPass = (status) => status === 429 || status >= 500;

export class Service {
  constructor(url, key) {
    this.url = `${url.replace(/\/+$/, "")}/api/v1`;
    this.key = key;
  }

  /** Sends a request and returns the `data` of the answer. */
  async call(method, path, body) {
    const headers = { authorization: `Bearer ${this.key}` };
    if (method === "POST") headers["idempotency-key"] = randomUUID();
    if (body !== undefined) headers["content-type"] = "application/json";
    for (let attempt = 1; ; attempt++) {
      const sent = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) };
      const response = await fetch(this.url + path, sent).catch((error) => error);
      const wanted = response instanceof Error ? 0 : Number(response.headers.get("retry-after"));
      const isLast = attempt === ATTEMPTS || wanted > LONGEST_PAUSE;
      if (response instanceof Error) {
        if (isLast) throw new Error(`${this.url} cannot be reached: ${response.cause?.message ?? response.message}`);
      } else if (!mayPass(response.status) || isLast) {
        return answerOf(response);
      }
      await pause(wanted > 0 ? wanted * 1000 : 500 * 2 ** attempt);
    }
  }

  /** Uploads a file and returns its address for compositions. */
  async upload(bytes, contentType, name) {
    const { uploadUrl, fileUrl } = await this.call("POST", "/uploads", { contentType, name, size: bytes.length });
    const response = await fetch(uploadUrl, { method: "PUT", headers: { "content-type": contentType }, body: bytes });
    if (!response.ok) throw new Error(`${name} cannot be uploaded: ${response.status}.`);
    return fileUrl;
  }
}

async function answerOf(response) {
  const answer = await response.json().catch(() => ({}));
  if (response.ok && answer.success) return answer.data;
  const said = answer.error ?? response.statusText;
  const more = (answer.details?.issues ?? [])
    .map(({ message }) => message)
    .filter((message) => !said.includes(message));
  throw new Error([`${response.status}: ${said}`, ...more].join("\n"));
}
