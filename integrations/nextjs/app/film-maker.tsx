"use client";
/** A form with a quote. The player shows the film at once; the button renders it. */
import { type FormEvent, useEffect, useState } from "react";
import type { Film } from "../lib/films";

async function post(path: string, quote: string) {
  const response = await fetch(path, { method: "POST", body: JSON.stringify({ quote }) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

export function FilmMaker({ service }: { service: string }) {
  const [quote, setQuote] = useState("Less is more.");
  const [preview, setPreview] = useState("");
  const [jobId, setJobId] = useState("");
  const [film, setFilm] = useState<Film | null>(null);
  const [error, setError] = useState("");

  useEffect(() => {
    const timer = setTimeout(() => {
      post("/api/previews", quote).then(
        ({ previewUrl }) => {
          setPreview(previewUrl);
          setError("");
        },
        (failed) => setError(failed.message),
      );
    }, 400);
    return () => clearTimeout(timer);
  }, [quote]);

  useEffect(() => {
    if (!jobId) return;
    const timer = setInterval(async () => {
      const now: Film = await (await fetch(`/api/films/${jobId}`)).json();
      setFilm(now);
      if (now.status === "COMPLETED" || now.status === "FAILED") clearInterval(timer);
    }, 1000);
    return () => clearInterval(timer);
  }, [jobId]);

  async function render(event: FormEvent) {
    event.preventDefault();
    setFilm(null);
    await post("/api/films", quote).then(
      (started) => setJobId(started.jobId),
      (failed) => setError(failed.message),
    );
  }

  return (
    <form onSubmit={render}>
      <script type="module" async src={`${service}/player/rondo-player.js`} />
      <label>
        Quote <input value={quote} maxLength={200} onChange={(event) => setQuote(event.target.value)} />
      </label>
      <button type="submit">Render</button>
      {error && <p role="alert">{error}</p>}
      {preview && !film?.url && <rondo-player src={preview} controls />}
      {film && !film.url && <p role="status">{film.error ?? `${film.progress} %`}</p>}
      {film?.url && (
        <>
          {/* biome-ignore lint/a11y/useMediaCaption: the words of the film are in its picture */}
          <video src={film.url} controls width="100%" />
          <p>
            <a href={film.url}>Download</a>
          </p>
        </>
      )}
    </form>
  );
}
