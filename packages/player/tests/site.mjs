// The service's part of the player's contract, as files: the player, fonts, films and their media.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { serve } from "./browser.mjs";

const root = join(import.meta.dirname, "../../..");
const dist = join(import.meta.dirname, "../dist");
const fonts = join(root, "assets/fonts/web");
export const benchFilms = join(root, "bench/films");

/** A policy of our own pages. */
export const OWN_POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data:";

/** The policy that pages of other origins need; `service` is the address of the player. */
export const embeddingPolicy = (service) =>
  `default-src 'none'; script-src ${service} 'wasm-unsafe-eval'; worker-src blob: ${service}; connect-src ${service} 'self'; style-src 'none'; img-src 'self' data:`;

const page = (service, body) =>
  `<!doctype html><html lang="en"><head><title>Player</title><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">` +
  `<script type="module" src="${service}/player/rondo-player.js"></script></head><body>${body}</body></html>`;

/** A service with the player. `folders` are served beside it; `headers` as for `serve`. */
export async function startService(
  folders = {},
  body = "<rondo-player controls></rondo-player>",
  headers = () => ({}),
) {
  return serve({
    folders: { "/player/fonts/": fonts, "/player/": dist, "/films/": benchFilms, ...folders },
    pages: {
      "/player/fonts/index": readFileSync(join(fonts, "index.tsv"), "utf8"),
      "/": page("", body),
      "/four": page("", "<rondo-player></rondo-player>".repeat(4)),
      "/empty": page("", ""),
    },
    headers: (path) =>
      ["/", "/four", "/empty"].includes(path) ? { "Content-Security-Policy": OWN_POLICY } : headers(path),
  });
}

/** A page of another origin that embeds the player of a service. */
export async function startOtherSite(service, body = "<rondo-player controls></rondo-player>") {
  return serve({
    pages: { "/": page(service, body) },
    headers: () => ({ "Content-Security-Policy": embeddingPolicy(service) }),
  });
}

/** A film of one text and a rectangle, which takes little to paint. */
export const textFilm = (text = "Hello", frames = 60) => ({
  width: 320,
  height: 180,
  fps: 30,
  durationInFrames: frames,
  backgroundColor: "#102030",
  overlays: [
    {
      id: 1,
      type: "text",
      from: 0,
      durationInFrames: frames,
      row: 1,
      left: 20,
      top: 50,
      width: 280,
      height: 80,
      content: text,
      styles: { fontSize: "40px", color: "#ffffff", fontFamily: "Inter", animation: { enter: "fade" } },
    },
  ],
});

/** Paragraphs without spaces between words. */
export const paragraphs = {
  burmese: "လူတိုင်းသည်တူညီလွတ်လပ်သောဂုဏ်သိက္ခာဖြင့်လည်းကောင်း၊တူညီလွတ်လပ်သောအခွင့်အရေးများဖြင့်လည်းကောင်း၊မွေးဖွားလာသူများဖြစ်သည်။",
  khmer: "មនុស្សទាំងអស់កើតមកមានសេរីភាពនិងសមភាពក្នុងផ្នែកសេចក្ដីថ្លៃថ្នូរនិងសិទ្ធិ។មនុស្សមានវិចារណញ្ញាណនិងសតិសម្បជញ្ញៈជាប់ពីកំណើត",
  lao: "ມະນຸດທຸກຄົນເກີດມາມີກຽດສັກສີສິດທິເສລີພາບແລະຄວາມສະເໝີພາບເທົ່າທຽມກັນທຸກໆຄົນມີເຫດຜົນແລະຄວາມຄິດຄວາມເຫັນສ່ວນຕົວ",
  thai: "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิต่างมีเหตุผลและมโนธรรมและควรปฏิบัติต่อกันด้วยเจตนารมณ์แห่งภราดรภาพ",
};

/** A film of paragraphs in columns. */
export const paragraphFilm = (texts) => ({
  width: 360 * texts.length,
  height: 360,
  fps: 30,
  durationInFrames: 30,
  backgroundColor: "#102030",
  overlays: texts.map((content, index) => ({
    id: index + 1,
    type: "text",
    from: 0,
    durationInFrames: 30,
    row: index + 1,
    left: 20 + 360 * index,
    top: 20,
    width: 320,
    height: 320,
    content,
    styles: { fontSize: "24px", lineHeight: "1.6", color: "#ffffff", fontFamily: "Inter" },
  })),
});

/** A film that shows one clip. */
export const clipFilm = (src, width, height, frames = 60) => ({
  width,
  height,
  fps: 30,
  durationInFrames: frames,
  backgroundColor: "#000000",
  overlays: [
    {
      id: 1,
      type: "video",
      from: 0,
      durationInFrames: frames,
      row: 1,
      left: 0,
      top: 0,
      width,
      height,
      src,
      videoStartTime: 0,
      styles: { objectFit: "fill" },
    },
  ],
});

const GRID = ["sixty.mp4", "b-frames.mkv", "open-gop.mp4", "vp9.webm"];

/** A film of four different clips of clips.mjs in two rows; with two sounds besides where `sounds` is set. */
export const gridFilm = (folder, sounds = false, frames = 80) => {
  const film = clipFilm("", 320, 180, frames);
  const [overlay] = film.overlays;
  film.overlays = GRID.map((name, index) => ({
    ...overlay,
    id: index + 1,
    row: index + 1,
    left: (index % 2) * 160,
    top: index < 2 ? 0 : 90,
    width: 160,
    height: 90,
    src: `${folder}${name}`,
  }));
  for (const [index, name] of (sounds ? ["tones.wav", "tones.mp3"] : []).entries())
    film.overlays.push({
      ...{ id: 10 + index, type: "sound", from: 0, durationInFrames: frames, row: 10 + index },
      ...{
        left: 0,
        top: 0,
        width: 10,
        height: 10,
        src: `${folder}${name}`,
        startFromSound: 0,
        styles: { volume: 0.1 },
      },
    });
  return film;
};

/** A film that shows a clip at two times beside each other. */
export const twiceFilm = (src, frames = 80) => {
  const film = clipFilm(src, 160, 180, frames);
  const [overlay] = film.overlays;
  film.width = 320;
  film.overlays.push({ ...overlay, id: 2, row: 2, left: 160, videoStartTime: 2.5 });
  return film;
};
