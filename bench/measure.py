"""Measures the release build of rondo on the benchmark films. Run by `bench/run`, which builds it first."""

import argparse
import datetime
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BENCH = Path(__file__).resolve().parent
ROOT = BENCH.parent
RONDO = ROOT / "target/release/rondo"
OUT = BENCH / "out"

# The libx264 settings of `--quality standard`.
PRESET, CRF, PARAMETERS, THREADS = "superfast", "20", "mbtree=1:rc-lookahead=7", "2"

COLD_FRAME = 60
# The first still of a process loads fonts and media; the others are warm.
WARM_FRAMES = [60, 75, 105, 135, 165, 195, 225, 255]


class Failed(Exception):
    """A measured command failed."""


def measure(command, **environment):
    """Runs a command and returns its wall seconds, CPU seconds, peak memory in bytes and standard output."""
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        start = time.perf_counter()
        arguments = [str(part) for part in command]
        child = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr,
                                 env={**os.environ, **environment})
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        stdout.seek(0)
        stderr.seek(0)
        if child.returncode != 0:
            said = stderr.read().decode(errors="replace").strip()
            raise Failed(f"`{' '.join(arguments)}` exited with {child.returncode}: {said}")
        return {
            "wall_s": round(wall, 3),
            "cpu_s": round(usage.ru_utime + usage.ru_stime, 3),
            "peak_rss_bytes": usage.ru_maxrss * 1024,
        }, stdout.read().decode(errors="replace")


def render(film, out):
    began = time.time()
    usage, said = measure([RONDO, "render", film, "-o", out, "--quality", "standard", "--json"])
    done = json.loads(said.splitlines()[-1])
    return {**usage, "size_bytes": out.stat().st_size, "first_encoded_ms": round(done["firstEncodedAt"] - began * 1000)}


def profiled(film, out, frames, most=None):
    """Profiles the time and memory of a render in two additional renders, so that profiling does not affect other figures."""
    frames = min(frames, most or frames)
    command = [RONDO, "render", film, "-o", out, "--json", "--frames", frames]
    usage, said = measure([*command, "--timings"])
    stages = json.loads(said.splitlines()[-1])["stages"]
    per_stage = {stage: ms for stage, ms in stages.items() if stage != "other"}
    # Encoders have their own threads: their time is the remainder.
    per_stage["encode"] = max(0.0, usage["cpu_s"] * 1000 - sum(per_stage.values()))
    count, size = allocations(command)
    out.unlink(missing_ok=True)
    return {
        "cpu_ms_per_frame": {stage: round(ms / frames, 3) for stage, ms in per_stage.items()},
        "allocations": count,
        "allocated_bytes": size,
        "allocations_per_frame": round(count / frames, 1),
    }


def allocations(command):
    """Number and size of the allocations of a command, including encoders and decoders."""
    counter, counts = OUT / "allocations.so", OUT / "allocations.txt"
    if not counter.exists() or counter.stat().st_mtime < (BENCH / "allocations.c").stat().st_mtime:
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", counter, BENCH / "allocations.c", "-ldl"], check=True)
    measure(command, LD_PRELOAD=str(counter), ALLOCATIONS_FILE=str(counts))
    count, size = counts.read_text().split()
    counts.unlink()
    return int(count), int(size)


def encode_only(composition, frames, out):
    usage, _ = measure([
        "ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y",
        "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", f"{composition['width']}x{composition['height']}",
        "-r", composition["fps"], "-i", frames,
        "-c:v", "libx264", "-preset", PRESET, "-crf", CRF, "-x264-params", PARAMETERS, "-profile:v", "high", "-threads", THREADS,
        "-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
        "-movflags", "+faststart", out,
    ])
    return {**usage, "size_bytes": out.stat().st_size}


def cold_still_ms(film, out):
    usage, _ = measure([RONDO, "frame", film, "--frame", COLD_FRAME, "-o", out])
    return round(usage["wall_s"] * 1000, 1)


def warm_still_ms(film, folder):
    frames = ",".join(map(str, WARM_FRAMES))
    _, said = measure([RONDO, "frame", film, "--frames", frames, "-o", folder, "--json"])
    stills = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    return round(statistics.median(still["milliseconds"] for still in stills[1:]), 1)


def measure_film(name, repeat):
    film = BENCH / "films" / f"{name}.json"
    composition = json.loads(film.read_text())
    frames = OUT / f"{name}.yuv"
    renders, encodes, cold, warm = [], [], [], []
    try:
        measure([RONDO, "render", film, "-o", frames, "--raw"])
        for turn in range(repeat):
            # Runs both directly after each other, in alternating order, because the speed of the machine varies.
            for which in ("render", "encode")[:: 1 if turn % 2 == 0 else -1]:
                if which == "render":
                    renders.append(render(film, OUT / f"{name}.mp4"))
                else:
                    encodes.append(encode_only(composition, frames, OUT / f"{name}-encode-only.mp4"))
            cold.append(cold_still_ms(film, OUT / f"{name}.png"))
            warm.append(warm_still_ms(film, OUT / f"{name}-stills"))
    finally:
        frames.unlink(missing_ok=True)
    profile = profiled(film, OUT / f"{name}-profile.mp4", composition["durationInFrames"])
    best = min(renders, key=lambda run: run["wall_s"])
    floor = min(encodes, key=lambda run: run["wall_s"])
    return {
        "film": name,
        "frames": composition["durationInFrames"],
        "render": best,
        "encode_only": floor,
        "wall_ratio": ratio(renders, encodes, "wall_s"),
        "cpu_ratio": ratio(renders, encodes, "cpu_s"),
        "first_encoded_ms": round(statistics.median(run["first_encoded_ms"] for run in renders)),
        "profile": profile,
        "still_cold_ms": min(cold),
        "still_warm_ms": min(warm),
        "runs": {"render": renders, "encode_only": encodes, "still_cold_ms": cold, "still_warm_ms": warm},
    }


def ratio(renders, encodes, what):
    """The median over pairs that ran one after the other."""
    return round(statistics.median(r[what] / e[what] for r, e in zip(renders, encodes)), 3)


def said_by(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


def circumstances(repeat):
    model = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())
    return {
        "date": datetime.date.today().isoformat(),
        "commit": said_by("git", "rev-parse", "--short=12", "HEAD"),
        "uncommitted_changes": bool(said_by("git", "status", "--porcelain", "--untracked-files=no")),
        "cores": os.cpu_count(),
        "cpu": model.group(1) if model else "unknown",
        "ffmpeg": said_by("ffmpeg", "-version").split("\n")[0].split(" Copyright")[0],
        "preset": PRESET,
        "crf": int(CRF),
        "parameters": PARAMETERS,
        "best_of": repeat,
    }


COLUMNS = ["film", "wall s", "CPU s", "peak RSS MB", "size MB", "encode-only wall s", "encode-only CPU s", "wall ratio", "CPU ratio",
           "still cold ms", "still warm ms"]


def row(result):
    render, encode = result["render"], result["encode_only"]
    return [
        result["film"], f"{render['wall_s']:.2f}", f"{render['cpu_s']:.2f}", f"{render['peak_rss_bytes'] / 1e6:.0f}",
        f"{render['size_bytes'] / 1e6:.2f}", f"{encode['wall_s']:.2f}", f"{encode['cpu_s']:.2f}",
        f"{result['wall_ratio']:.2f}", f"{result['cpu_ratio']:.2f}", f"{result['still_cold_ms']:.0f}", f"{result['still_warm_ms']:.0f}",
    ]


STAGES = ["scene", "raster", "composite", "convert", "decode", "sound", "encode"]
PROFILE = ["film", *(f"{stage} ms" for stage in STAGES), "first encoded ms", "allocations per frame", "allocated MB per frame"]


def profile_row(result):
    profile = result["profile"]
    stages = profile["cpu_ms_per_frame"]
    return [
        result["film"], *(f"{stages.get(stage, 0):.2f}" for stage in STAGES), str(result["first_encoded_ms"]),
        f"{profile['allocations_per_frame']:.0f}", f"{profile['allocated_bytes'] / 1e6 / result['frames']:.2f}",
    ]


def markdown_table(columns, rows):
    lines = [columns, ["---"] + ["---:"] * (len(columns) - 1)] + rows
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def aligned_table(columns, rows):
    lines = [columns] + rows
    widths = [max(len(line[column]) for line in lines) for column in range(len(columns))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(line, widths)) for line in lines)


# From this heading on the results are not written by `--report`.
PARTS = "\n## Parts measured with and without\n"


def report(run):
    about = run["circumstances"]
    changed = " with uncommitted changes" if about["uncommitted_changes"] else ""
    return f"""# Results

Measured on {about['date']} at commit `{about['commit']}`{changed}: {about['cores']} cores ({about['cpu']}), \
{about['ffmpeg']}, libx264 {about['preset']} crf {about['crf']} {about['parameters']}, best of {about['best_of']}. \
Written by `bench/run --report`.

{markdown_table(COLUMNS, [row(result) for result in run['films']])}

*Encode only* is the same frames as raw yuv420p through the ffmpeg program with the same settings and threads, in the
same run. The wall ratio is a full render (video and audio) against it: the median of {about['best_of']} pairs that ran one after the
other; seconds are the best of each. Geometric means: wall {means(run)['wall']:.3f}, CPU {means(run)['cpu']:.3f}.

## Profile

CPU milliseconds per frame by stage, from a render with `--timings`; *encode* is the rest of the process. *First encoded* is
the median time, in the renders above, from the start of the process to the first encoded picture.

{markdown_table(PROFILE, [profile_row(result) for result in run['films']])}
"""


def means(run):
    """Geometric means of the ratios to encode-only."""
    return {
        which: math.exp(statistics.mean(math.log(result[f"{which}_ratio"]) for result in run["films"]))
        for which in ("wall", "cpu")
    }


def main():
    known = sorted(path.stem for path in (BENCH / "films").glob("*.json"))
    parser = argparse.ArgumentParser(prog="bench/run", description="Renders the benchmark films and measures them.")
    parser.add_argument("films", nargs="*", metavar="film", help=f"{', '.join(known)}; default: all")
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="measure N times and report the fastest")
    parser.add_argument("--report", action="store_true", help="also write the figures to bench/RESULTS.md")
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.films) - set(known))
    if unknown:
        parser.error(f"there is no film {', '.join(unknown)}; there are {', '.join(known)}")
    if arguments.repeat < 1:
        parser.error("--repeat takes 1 or more")

    OUT.mkdir(exist_ok=True)
    run = {"circumstances": circumstances(arguments.repeat), "films": []}
    failed = False
    for name in arguments.films or known:
        print(f"Measuring {name}.", file=sys.stderr, flush=True)
        try:
            run["films"].append(measure_film(name, arguments.repeat))
        except Failed as failure:
            failed = True
            print(f"Failed to measure {name}: {failure}", file=sys.stderr)
    (OUT / "results.json").write_text(json.dumps(run, indent=1) + "\n")
    if run["films"]:
        print(aligned_table(COLUMNS, [row(result) for result in run["films"]]))
        print(f"Geometric means of the ratios: wall {means(run)['wall']:.3f}, CPU {means(run)['cpu']:.3f}.\n")
        print(aligned_table(PROFILE, [profile_row(result) for result in run["films"]]))
    if arguments.report and not failed:
        results = BENCH / "RESULTS.md"
        _, heading, parts = results.read_text().partition(PARTS)
        results.write_text(report(run) + heading + parts)
    sys.exit(failed)


if __name__ == "__main__":
    main()
