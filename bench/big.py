"""Generates and measures large films. Run by `bench/big`, which builds first."""

import argparse
import json
import sys

from measure import BENCH, OUT, RONDO, Failed, measure, profiled

FPS = 30
WORDS = ("light paper garden river stone window morning letter harbour colour engine signal meadow copper "
         "winter orchard lantern thread valley canvas").split()


def overlay(number, kind, start, length, box, row, **more):
    left, top, width, height = box
    return {"id": number, "type": kind, "from": start, "durationInFrames": length, "left": left, "top": top,
            "width": width, "height": height, "row": row, **more}


def composition(width, height, seconds, overlays):
    return {"width": width, "height": height, "fps": FPS, "durationInFrames": int(seconds * FPS),
            "backgroundColor": "#0f172a", "overlays": overlays}


def title(size, **more):
    return {"fontFamily": "Inter", "fontSize": f"{size}px", "fontWeight": "800", "color": "#ffffff",
            "textShadow": "0 4px 20px rgba(0,0,0,0.6)", "animation": {"enter": "slide-up", "exit": "fade"}, **more}


def scenes(width, height, seconds, scene_seconds):
    """Consecutive photos with a slow zoom and a title each, with music."""
    overlays, length = [], int(scene_seconds * FPS)
    for scene, start in enumerate(range(0, int(seconds * FPS), length)):
        word = WORDS[scene % len(WORDS)]
        overlays += [
            overlay(len(overlays), "image", start, length, (0, 0, width, height), 3,
                    src=f"media/photo{scene % 4 + 1}.jpg",
                    styles={"objectFit": "cover", "animation": {"during": "ken-burns-in"}}),
            overlay(len(overlays) + 1, "text", start, length, (width // 12, height * 2 // 3, width * 5 // 6, height // 6),
                    1, content=f"{word.capitalize()} {scene + 1}", styles=title(height // 10)),
        ]
    frames = int(seconds * FPS)
    for number, start in enumerate(range(0, frames, 40 * FPS)):
        overlays.append(overlay(10_000 + number, "sound", start, min(40 * FPS, frames - start), (0, 0, 10, 10), 9,
                                src="media/music.mp3", styles={"volume": 0.5}))
    return overlays


def long_film(seconds):
    """Half an hour of slides. The scenes are long enough to stay below 500 overlays."""
    return composition(1920, 1080, seconds, scenes(1920, 1080, seconds, max(5, seconds / 200)))


def wide_film(seconds):
    """4K: slides, and a 1080p video in a corner."""
    overlays = scenes(3840, 2160, seconds, 5)
    overlays.append(overlay(20_000, "video", 0, min(int(seconds * FPS), 12 * FPS), (2720, 120, 1000, 562), 0,
                            src="media/clip_1080p.mp4", styles={"borderRadius": "40px", "volume": 0}))
    return composition(3840, 2160, seconds, overlays)


def crowded_film(seconds):
    """500 overlays: a wall of small animated cards, about 200 at a time."""
    overlays, frames = [], int(seconds * FPS)
    for number in range(500):
        column, line = number % 25, number // 25
        start = (number * 37) % max(1, frames * 3 // 5)
        box = (16 + column * 76, 14 + line * 53, 70, 47)
        styles = {"animation": {"enter": "pop", "exit": "fade", "during": "float" if number % 3 else "pulse"}}
        if number % 2:
            overlays.append(overlay(number, "shape", start, max(1, frames * 2 // 5), box, number % 10,
                                    content=["circle", "star", "rounded-rectangle", "hexagon"][number // 2 % 4],
                                    styles={**styles, "fill": f"hsl({number * 37 % 360}, 70%, 60%)"}))
        else:
            overlays.append(overlay(number, "text", start, max(1, frames * 2 // 5), box, number % 10,
                                    content=WORDS[number // 2 % len(WORDS)],
                                    styles={**styles, "color": "#f8fafc", "backgroundColor": "rgba(30,41,59,0.9)",
                                            "borderRadius": "8px", "textAlign": "center"}))
    return composition(1920, 1080, seconds, overlays)


def phone_film(seconds):
    """9:16 with captions over a video, and a sticker."""
    frames = int(seconds * FPS)
    words, at = [], 0
    while at + 400 <= seconds * 1000:
        words.append({"word": WORDS[len(words) % len(WORDS)], "startMs": at, "endMs": at + 380, "confidence": 1})
        at += 400
    captions = [{"text": " ".join(word["word"] for word in group), "startMs": group[0]["startMs"],
                 "endMs": group[-1]["endMs"], "timestampMs": None, "confidence": None, "words": group}
                for group in (words[i:i + 5] for i in range(0, len(words), 5))]
    overlays = [overlay(number, "video", start, min(12 * FPS, frames - start), (0, 0, 1080, 1920), 5,
                        src="media/clip_1080p.mp4", styles={"objectFit": "cover"})
                for number, start in enumerate(range(0, frames, 12 * FPS))]
    overlays.append(overlay(900, "caption", 0, frames, (90, 1250, 900, 320), 1, captions=captions,
                            styles={"fontFamily": "Inter", "fontSize": "72px", "fontWeight": 800, "color": "#ffffff",
                                    "textAlign": "center",
                                    "highlightStyle": {"backgroundColor": "#7c3aed", "borderRadius": "16px"}}))
    overlays.append(overlay(901, "text", 0, frames, (90, 160, 900, 200), 0, content="Nine by sixteen",
                            styles=title(110, textAlign="center")))
    return composition(1080, 1920, seconds, overlays)


FILMS = {"long": (long_film, 1800), "4k": (wide_film, 20), "overlays": (crowded_film, 20), "phone": (phone_film, 30)}


def main():
    parser = argparse.ArgumentParser(prog="bench/big", description="Renders films that are large in one way or another.")
    parser.add_argument("films", nargs="*", metavar="film", help=f"{', '.join(FILMS)}; default: all")
    parser.add_argument("--seconds", type=float, metavar="S", help="override the length of each film")
    parser.add_argument("--write", action="store_true", help="only write the compositions to bench/films/.big-*.json")
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.films) - set(FILMS))
    if unknown:
        parser.error(f"there is no film {', '.join(unknown)}; there are {', '.join(FILMS)}")
    OUT.mkdir(exist_ok=True)
    print(f"{'film':10}{'frames':>8}{'wall s':>9}{'fps':>7}{'CPU s':>9}{'RSS MB':>8}{'size MB':>9}  CPU ms per frame by stage")
    for name in arguments.films or FILMS:
        make, own = FILMS[name]
        film = make(arguments.seconds or own)
        # Next to the films, because media paths are relative to the composition.
        source = BENCH / "films" / f".big-{name}.json"
        source.write_text(json.dumps(film))
        if arguments.write:
            print(source)
            continue
        out = OUT / f"big-{name}.mp4"
        try:
            usage, _ = measure([RONDO, "render", source, "-o", out])
            stages = profiled(source, OUT / f"big-{name}-profile.mp4", film["durationInFrames"], most=600)
        finally:
            source.unlink()
        frames = film["durationInFrames"]
        timings = ", ".join(f"{stage} {ms:.2f}" for stage, ms in stages["cpu_ms_per_frame"].items())
        print(f"{name:10}{frames:8}{usage['wall_s']:9.2f}{frames / usage['wall_s']:7.1f}{usage['cpu_s']:9.2f}"
              f"{usage['peak_rss_bytes'] / 1e6:8.0f}{out.stat().st_size / 1e6:9.2f}  {timings}", flush=True)
        out.unlink()


if __name__ == "__main__":
    try:
        main()
    except Failed as failure:
        sys.exit(str(failure))
