/** Server-sent events. */

import { bytesOf } from "./time.js";

export interface ServerEvent {
  event: string;
  data: string;
}

/** The events of a response, until it ends. Fails when nothing arrives for so many milliseconds. */
export async function* eventsOf(response: Response, silence: number): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of bytesOf(response, silence)) {
    text += decoder.decode(bytes, { stream: true });
    for (;;) {
      const end = /\r?\n\r?\n/.exec(text);
      if (!end) break;
      const event = readEvent(text.slice(0, end.index));
      text = text.slice(end.index + end[0].length);
      if (event.data) yield event;
    }
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
