import { FilmMaker } from "./film-maker";

/** The address of the service is read for each request, not when the app is built. */
export const dynamic = "force-dynamic";

export default function Page() {
  return (
    <main>
      <h1>Make a quote film</h1>
      <FilmMaker service={process.env.RONDO_URL ?? "http://127.0.0.1:8080"} />
    </main>
  );
}
