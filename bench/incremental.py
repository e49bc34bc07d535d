"""Measures a second render after one text of a template was changed. Run by `bench/incremental`, which builds first."""

import json
import shutil
import sys

from measure import BENCH, OUT, RONDO, Failed, measure

SCENES, SCENE_SECONDS, FPS = 12, 5, 30
CHANGED_SCENE = 6
TARGET = 0.20

TITLES = ["A quiet start", "The first idea", "Paper and ink", "Morning light", "Twelve drafts", "A second look",
          "What we kept", "What we cut", "Nearly there", "The last stroke", "Finished", "Thank you"]


def overlay(number, kind, scene, box, row, **more):
    left, top, width, height = box
    return {"id": number, "type": kind, "from": scene * SCENE_SECONDS * FPS, "durationInFrames": SCENE_SECONDS * FPS,
            "left": left, "top": top, "width": width, "height": height, "row": row, **more}


def template(titles):
    """Twelve scenes of five seconds: a photo that zooms slowly, a title that slides in, a small line, and music."""
    overlays = []
    for scene, title in enumerate(titles):
        overlays += [
            overlay(scene * 3, "image", scene, (0, 0, 1920, 1080), 3, src=f"media/photo{scene % 4 + 1}.jpg",
                    styles={"objectFit": "cover", "animation": {"during": "ken-burns-in"}}),
            overlay(scene * 3 + 1, "text", scene, (160, 720, 1600, 160), 1, content=title,
                    styles={"fontFamily": "Inter", "fontSize": "110px", "fontWeight": "800", "color": "#ffffff",
                            "textShadow": "0 4px 20px rgba(0,0,0,0.6)",
                            "animation": {"enter": "slide-up", "exit": "fade"}}),
            overlay(scene * 3 + 2, "text", scene, (160, 880, 1600, 60), 2, content=f"{scene + 1} of {SCENES}",
                    styles={"fontFamily": "Inter", "fontSize": "40px", "color": "#e2e8f0"}),
        ]
    music = overlay(99, "sound", 0, (0, 0, 10, 10), 9, src="media/music.mp3", styles={"volume": 0.6})
    frames = SCENES * SCENE_SECONDS * FPS
    return {"width": 1920, "height": 1080, "fps": FPS, "durationInFrames": frames, "backgroundColor": "#000000",
            "overlays": overlays + [{**music, "durationInFrames": frames}]}


def render(composition, name, cache):
    # Next to the films, because media paths are relative to the composition.
    source = BENCH / "films" / f".{name}.json"
    source.write_text(json.dumps(composition))
    film = OUT / f"{name}.mp4"
    kept = ["--chunk-cache", cache] if cache else []
    try:
        usage, said = measure([RONDO, "render", source, "-o", film, "--json", *kept])
    finally:
        source.unlink()
    return {**usage, "chunks": json.loads(said.splitlines()[-1])["chunks"]}, film.read_bytes()


def main():
    OUT.mkdir(exist_ok=True)
    cache = OUT / "chunks"
    shutil.rmtree(cache, ignore_errors=True)
    changed = [*TITLES]
    changed[CHANGED_SCENE] = "What stayed with us"
    first, _ = render(template(TITLES), "template", cache)
    second, film = render(template(changed), "template-changed", cache)
    again, _ = render(template(changed), "template-again", cache)
    _, fresh = render(template(changed), "template-fresh", None)
    shutil.rmtree(cache)
    print(f"{'':28}{'wall s':>8}{'CPU s':>8}{'RSS MB':>8}{'chunks rendered':>17}")
    for name, run in [("first render", first), ("one text of 5 s changed", second), ("nothing changed", again)]:
        chunks = f"{run['chunks']['rendered']} of {run['chunks']['total']}"
        memory = run["peak_rss_bytes"] / 1e6
        print(f"{name:28}{run['wall_s']:8.2f}{run['cpu_s']:8.2f}{memory:8.0f}{chunks:>17}")
    ratio = second["wall_s"] / first["wall_s"]
    same = film == fresh
    print(f"changed / first: {ratio:.3f} (target {TARGET}); the film {'equals' if same else 'DIFFERS FROM'} a fresh render")
    sys.exit(0 if same and ratio <= TARGET else 1)


if __name__ == "__main__":
    try:
        main()
    except Failed as failure:
        sys.exit(str(failure))
