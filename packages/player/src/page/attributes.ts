/** Properties of a player that are attributes. */

/** Servers have no elements; importing this there does no harm. */
const Base: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as unknown as typeof HTMLElement);

export class Attributes extends Base {
  get src(): string | null {
    return this.getAttribute("src");
  }

  set src(src: string | null) {
    this.reflect("src", src);
  }

  get poster(): string | null {
    return this.getAttribute("poster");
  }

  set poster(poster: string | null) {
    this.reflect("poster", poster);
  }

  get server(): string | null {
    return this.getAttribute("server");
  }

  set server(server: string | null) {
    this.reflect("server", server);
  }

  get autoplay(): boolean {
    return this.hasAttribute("autoplay");
  }

  set autoplay(autoplay: boolean) {
    this.toggleAttribute("autoplay", autoplay);
  }

  get loop(): boolean {
    return this.hasAttribute("loop");
  }

  set loop(loop: boolean) {
    this.toggleAttribute("loop", loop);
  }

  get controls(): boolean {
    return this.hasAttribute("controls");
  }

  set controls(controls: boolean) {
    this.toggleAttribute("controls", controls);
  }

  private reflect(name: string, value: string | null) {
    if (value === null) this.removeAttribute(name);
    else this.setAttribute(name, value);
  }
}
