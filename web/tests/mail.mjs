// An SMTP server that stores received mail, and a mail parser.
import { createServer } from "node:net";
import { within } from "./deadline.mjs";

export async function startMailServer() {
  const mails = [];
  const waiting = [];
  const server = createServer((socket) => {
    let unread = "",
      inMail = false;
    const say = (line) => socket.write(`${line}\r\n`);
    say("220 mail.test ready");
    socket.on("error", () => undefined);
    socket.setEncoding("latin1").on("data", (part) => {
      unread += part;
      for (;;) {
        const end = inMail ? "\r\n.\r\n" : "\r\n";
        const at = unread.indexOf(end);
        if (at < 0) return;
        const text = unread.slice(0, at);
        unread = unread.slice(at + end.length);
        if (inMail) {
          inMail = false;
          const mail = readMail(text.replace(/^\.\./gm, "."));
          (waiting.shift() ?? ((late) => mails.push(late)))(mail);
          say("250 kept");
        } else {
          const verb = text.slice(0, 4).toUpperCase();
          inMail = verb === "DATA";
          say({ DATA: "354 go on", QUIT: "221 bye" }[verb] ?? "250 fine");
        }
      }
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `smtp://127.0.0.1:${server.address().port}`,
    /** The next unread mail. Waits until one arrives. */
    next: () =>
      mails.length
        ? Promise.resolve(mails.shift())
        : within(60, () => "a mail", new Promise((done) => waiting.push(done))),
    kept: () => mails.length,
    stop: () => server.close(),
  };
}

/** Headers by lower-case name, and the decoded text. */
function readMail(raw) {
  const [head, body] = raw.split(/\r\n\r\n([\s\S]*)/);
  const headers = Object.fromEntries(
    head
      .replace(/\r\n[ \t]+/g, " ")
      .split("\r\n")
      .map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
  );
  return { raw, headers, text: decode(body, headers["content-transfer-encoding"]).replaceAll("\r\n", "\n") };
}

function decode(body, encoding) {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  if (encoding !== "quoted-printable") return Buffer.from(body, "latin1").toString("utf8");
  const bytes = body
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
