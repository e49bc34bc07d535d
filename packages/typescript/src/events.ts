/** Server-sent events. */

export interface ServerEvent {
  event: string;
  data: string;
}

/** The events of a response, until it ends. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      for (;;) {
        const end = /\r?\n\r?\n/.exec(text);
        if (!end) break;
        const event = readEvent(text.slice(0, end.index));
        text = text.slice(end.index + end[0].length);
        if (event.data) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function readEvent(text: string): ServerEvent {
  const event: ServerEvent = { event: "message", data: "" };
  for (const line of text.split(/\r?\n/)) {
    const value = line.slice(line.indexOf(":") + 1).replace(/^ /, "");
    if (line.startsWith("event:")) event.event = value;
    if (line.startsWith("data:")) event.data += (event.data ? "\n" : "") + value;
  }
  return event;
}
