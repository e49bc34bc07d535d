/** The tabs of this browser tell each other at once which film changed; the service tells other browsers. */

interface Change {
  id: string;
  /** The state that the film has now; null if it was deleted. */
  etag: string | null;
}

const NAME = "rondo-editor";

/** Tells the other tabs. */
export function tellTabs(change: Change) {
  const channel = new BroadcastChannel(NAME);
  channel.postMessage(change);
  channel.close();
}

/** Calls a function when another tab changed a film, until the returned function is called. */
export function hearTabs(listener: (change: Change) => void): () => void {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = ({ data }: MessageEvent<Change>) => listener(data);
  return () => channel.close();
}
