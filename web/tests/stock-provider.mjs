// A server that answers as Pexels does. Small pictures have addresses of Pexels, which the browser must be given by `servePictures`.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

const templates = join(import.meta.dirname, "../../templates");
const PHOTOS = [
  ["dream-home-tour/media/photo-1.jpg", "Ada Brandt"],
  ["city-guide/media/photo-1.jpg", "Kofi Mensah"],
  ["open-house/media/photo-2.jpg", "Mia Lindqvist"],
  ["city-guide/media/photo-3.jpg", "Jonas Weber"],
  ["match-day/media/stadium.jpg", "Sofia Ricci"],
  ["lookbook-wall/media/item-2.jpg", "Tomás Ortega y Villanueva"],
];
const CLIP = "app-promo-16x9/media/screen.mp4";

export async function startProvider() {
  const provider = { asked: [], url: "", isBusy: false, stop: () => server.close() };
  const photo = (index) => {
    const [, author] = PHOTOS[index % PHOTOS.length];
    return {
      id: index + 1,
      width: 4000,
      height: 3000,
      url: `https://www.pexels.com/photo/${index + 1}/`,
      alt: `Photo ${index + 1}`,
      photographer: author,
      photographer_url: "https://www.pexels.com/@someone",
      src: {
        medium: `https://images.pexels.com/photos/${index % PHOTOS.length}.jpg`,
        original: `${provider.url}/photos/${index % PHOTOS.length}.jpg`,
      },
    };
  };
  const clip = () => ({
    id: 7,
    width: 1920,
    height: 1080,
    duration: 65,
    url: "https://www.pexels.com/video/7/",
    image: "https://images.pexels.com/photos/1.jpg",
    user: { id: 1, name: "Noor Haddad", url: "https://www.pexels.com/@noor" },
    video_files: [{ id: 1, file_type: "video/mp4", width: 1920, height: 1080, link: `${provider.url}/clip.mp4` }],
  });
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, provider.url);
    provider.asked.push(request.url);
    const send = (value) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
    const page = Number(searchParams.get("page") ?? 1);
    if (pathname.startsWith("/photos/")) response.end(pictureOf(pathname));
    else if (pathname === "/clip.mp4") response.end(readFileSync(join(templates, CLIP)));
    else if (request.headers.authorization !== "test-key") response.writeHead(401).end();
    else if (provider.isBusy) response.writeHead(429, { "retry-after": "60" }).end();
    else if (pathname === "/pexels/v1/search" && searchParams.get("query") === "nothing")
      send({ total_results: 0, photos: [] });
    else if (pathname === "/pexels/v1/search")
      send({
        total_results: 30,
        photos: Array.from({ length: page === 1 ? 24 : 6 }, (_, at) => photo((page - 1) * 24 + at)),
      });
    else if (pathname === "/pexels/videos/search") send({ total_results: 1, videos: [clip()] });
    else if (pathname.startsWith("/pexels/v1/photos/")) send(photo(Number(pathname.split("/").at(-1)) - 1));
    else if (pathname === "/pexels/videos/videos/7") send(clip());
    else response.writeHead(404).end();
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  provider.url = `http://127.0.0.1:${server.address().port}`;
  return provider;
}

const pictureOf = (path) => readFileSync(join(templates, PHOTOS[Number(/(\d+)\.jpg$/.exec(path)?.[1] ?? 0)][0]));

/** Gives the browser the pictures that are at Pexels. */
export const servePictures = (page) =>
  page.route("https://images.pexels.com/**", (route) =>
    route.fulfill({ body: pictureOf(new URL(route.request().url()).pathname), contentType: "image/jpeg" }),
  );
