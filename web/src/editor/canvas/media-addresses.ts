/**
 * Where this page reads media. The engine reads files with `fetch`, and pages of the service may read nothing from other sites:
 * files of those come through a preview that shows them.
 */

import { api } from "@/api/http";
import type { Film, Overlay } from "@/editor/model/film";
import { view } from "./view";

/** Milliseconds in which sources are gathered before they are asked for. */
const GATHERING = 100;

interface OpenPreview {
  composition: { overlays: { src?: string }[] };
  media: Record<string, { proxy?: string }>;
}

const isSource = (overlay: Overlay): overlay is Overlay & { src: string } =>
  ["image", "video", "sound"].includes(overlay.type) && typeof overlay["src"] === "string" && overlay["src"] !== "";

/** Whether a source is a file of another site. */
function isForeign(src: string): boolean {
  if (!URL.canParse(src, document.baseURI)) return false;
  const { protocol, origin } = new URL(src, document.baseURI);
  return /^https?:$/.test(protocol) && origin !== location.origin;
}

/** Where a source is read, as far as it is known. */
export const addressOf = (src: string) => view.getState().addresses.get(src) ?? src;

export class MediaAddresses {
  private asked = new Set<string>();
  private waiting: (Overlay & { src: string })[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** The film with sources that can be read here. Overlays whose address is not known yet are left out of it. */
  reachable(film: Film): Film {
    const { addresses } = view.getState();
    const isReachable = (overlay: Overlay) => !isSource(overlay) || !isForeign(overlay.src);
    if (film.overlays.every(isReachable)) return film;
    const overlays = film.overlays.flatMap((overlay) => {
      if (isReachable(overlay) || !isSource(overlay)) return [overlay];
      const address = addresses.get(overlay.src);
      if (address === undefined) this.ask(overlay);
      return address === undefined ? [] : [{ ...overlay, src: address }];
    });
    return { ...film, overlays };
  }

  private ask(overlay: Overlay & { src: string }) {
    if (this.asked.has(overlay.src)) return;
    this.asked.add(overlay.src);
    this.waiting.push(overlay);
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.find(this.waiting.splice(0));
    }, GATHERING);
  }

  private async find(overlays: (Overlay & { src: string })[]) {
    const found = await proxiesOf(overlays).catch(() => new Map<string, string>());
    const { addresses } = view.getState();
    // Without an answer the source is tried as it is: the player says what is wrong with it.
    const told = overlays.map(({ src }) => [src, found.get(src) ?? src] as const);
    view.setState({ addresses: new Map([...addresses, ...told]) });
  }

  close() {
    clearTimeout(this.timer);
  }
}

/** Makes a preview of nothing but the media, and reads where the service passes them on. */
async function proxiesOf(overlays: readonly (Overlay & { src: string })[]): Promise<Map<string, string>> {
  const film = {
    ...{ width: 64, height: 64, fps: 30, durationInFrames: 30 },
    overlays: overlays.map(({ type, src }, index) => ({
      ...{ id: index + 1, type, src, row: index, from: 0, durationInFrames: 30 },
      ...{ left: 0, top: 0, width: 64, height: 64, styles: {} },
    })),
  };
  const { previewId } = await api("post", "/previews", { body: { inputProps: film } as never });
  const response = await fetch(`/preview/${previewId}`, { headers: { Accept: "application/json" } });
  const { composition, media } = (await response.json()) as OpenPreview;
  const proxies = new Map<string, string>();
  composition.overlays.forEach(({ src = "" }, index) => {
    const asked = overlays[index]?.src;
    // A source with a password or a query is told as the service's own address.
    const proxy = media[src]?.proxy ?? (src === asked ? undefined : src);
    if (asked && proxy) proxies.set(asked, `${location.origin}${proxy.slice(proxy.lastIndexOf("/preview/"))}`);
  });
  return proxies;
}
