"""Compares the quality of libx264 settings with a browser pipeline: a JPEG of quality 80 for each frame, then libx264 medium
crf 18. Run by `bench/quality`, which builds rondo first."""

import argparse
import json
import math
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path

from PIL import Image

from measure import BENCH, OUT, RONDO, measure

# (preset, crf, further parameters)
CANDIDATES = [
    ("medium", 18, ""),
    ("faster", 20, ""),
    ("veryfast", 18, ""), ("veryfast", 20, ""), ("veryfast", 22, ""), ("veryfast", 24, ""),
    ("veryfast", 20, "bframes=0"),
    ("superfast", 20, ""), ("superfast", 22, ""), ("superfast", 23, ""), ("superfast", 24, ""),
    *(("superfast", crf, f"mbtree=1:rc-lookahead={pictures}") for pictures, crf in [(10, 20), (10, 21), (7, 20), (6, 19), (4, 19)]),
    ("ultrafast", 18, ""), ("ultrafast", 20, ""),
]
COLOURS = ["-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]


def raw(film, frames):
    return ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", f"{film['width']}x{film['height']}", "-r", film["fps"],
            "-i", frames]


def ffmpeg(*arguments):
    return measure(["ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y", *arguments])[0]


def through_jpeg(film, frames, out):
    """The same frames as screenshots of a browser: encoded as JPEG."""
    width, height = film["width"], film["height"]
    to_rgb = ["ffmpeg", "-loglevel", "error", *map(str, raw(film, frames)), "-vf",
              "scale=in_color_matrix=bt709:in_range=tv", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    from_rgb = ["ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}",
                "-i", "-", "-vf", "scale=out_color_matrix=bt709:out_range=tv", "-f", "rawvideo", "-pix_fmt", "yuv420p",
                str(out)]
    source = subprocess.Popen(to_rgb, stdout=subprocess.PIPE)
    sink = subprocess.Popen(from_rgb, stdin=subprocess.PIPE)
    while len(picture := source.stdout.read(width * height * 3)) == width * height * 3:
        shot = BytesIO()
        Image.frombytes("RGB", (width, height), picture).save(shot, "JPEG", quality=80)
        sink.stdin.write(Image.open(shot).convert("RGB").tobytes())
    sink.stdin.close()
    if source.wait() or sink.wait():
        sys.exit("Failed to encode the frames as JPEG.")


def ssim(film, frames, encoded):
    """Structural similarity to the frames that were encoded, over all planes."""
    said = subprocess.run(
        ["ffmpeg", "-hide_banner", "-nostdin", "-i", encoded, *map(str, raw(film, frames)), "-lavfi", "ssim", "-f",
         "null", "-"], capture_output=True, text=True, check=True).stderr
    return float(re.search(r"SSIM .*All:([\d.]+)", said).group(1))


def encode(film, frames, out, preset, crf, extra):
    parameters = ["-x264-params", extra] if extra else []
    usage = ffmpeg(*raw(film, frames), "-c:v", "libx264", "-preset", preset, "-crf", crf, "-profile:v", "high",
                   "-threads", 2, *parameters, *COLOURS, out)
    return {"cpu_s": usage["cpu_s"], "bytes": out.stat().st_size}


def compare(name, seconds):
    path = BENCH / "films" / f"{name}.json"
    film = json.loads(path.read_text())
    length = min(film["durationInFrames"], seconds * film["fps"])
    frames, shots, out = OUT / f"{name}.yuv", OUT / f"{name}-jpeg.yuv", OUT / f"{name}-quality.mp4"
    rows = []
    try:
        measure([RONDO, "render", path, "-o", frames, "--raw", "--frames", length])
        through_jpeg(film, frames, shots)
        found = encode(film, shots, out, "medium", 18, "")
        rows.append(("a browser's: JPEG 80, medium 18", ssim(film, frames, out), found))
        for preset, crf, extra in CANDIDATES:
            found = encode(film, frames, out, preset, crf, extra)
            rows.append((f"{preset} {crf} {extra}".strip(), ssim(film, frames, out), found))
    finally:
        for file in (frames, shots, out):
            file.unlink(missing_ok=True)
    return length / film["fps"], rows


def main():
    known = sorted(path.stem for path in (BENCH / "films").glob("*.json"))
    parser = argparse.ArgumentParser(prog="bench/quality", description=__doc__)
    parser.add_argument("films", nargs="*", default=known, metavar="film", help=", ".join(known))
    parser.add_argument("--seconds", type=int, default=5, help="seconds of each film to encode; default: 5")
    arguments = parser.parse_args()
    OUT.mkdir(exist_ok=True)
    for name in arguments.films:
        seconds, rows = compare(name, arguments.seconds)
        wanted = rows[0][1]
        print(f"\n{name}\n| setting | SSIM | SSIM dB | Mbit/s | CPU s per s | reaches the browser's |\n|---|---:|---:|---:|---:|---|")
        for label, similarity, found in rows:
            decibels = -10 * math.log10(max(1 - similarity, 1e-9))
            print(f"| {label} | {similarity:.5f} | {decibels:.2f} | {found['bytes'] * 8 / seconds / 1e6:.2f} | "
                  f"{found['cpu_s'] / seconds:.2f} | {'yes' if similarity >= wanted else 'no'} |", flush=True)


if __name__ == "__main__":
    main()
