"""Renders films with different numbers of workers, and with one and two processes. Run by `bench/chunks`, which builds first."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time

from measure import BENCH, OUT, RONDO, Failed, measure


def by_processes(film, count):
    """Runs several processes that share a new chunk cache. Returns the seconds until all have finished, and their results."""
    cache = OUT / "chunk-cache"
    shutil.rmtree(cache, ignore_errors=True)
    outs = [OUT / f"process-{number}.mp4" for number in range(count)]
    start = time.perf_counter()
    children = [subprocess.Popen([RONDO, "render", film, "-o", out, "--json", "--chunk-cache", cache],
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
                for out in outs]
    said = [child.communicate()[0] for child in children]
    wall = time.perf_counter() - start
    if any(child.returncode for child in children):
        raise Failed(f"{count} processes failed to render {film}")
    chunks = [json.loads(output.splitlines()[-1])["chunks"]["rendered"] for output in said]
    films = {out.read_bytes() for out in outs}
    shutil.rmtree(cache)
    for out in outs:
        out.unlink()
    return wall, chunks, films


def main():
    known = sorted(path.stem for path in (BENCH / "films").glob("*.json"))
    parser = argparse.ArgumentParser(prog="bench/chunks", description="Renders films with one to several workers, and by one and by two processes.")
    parser.add_argument("films", nargs="*", metavar="film", help=f"{', '.join(known)}; default: slides")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), metavar="N", help="maximum number of workers")
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="measure N times and report the fastest")
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.films) - set(known))
    if unknown:
        parser.error(f"there is no film {', '.join(unknown)}; there are {', '.join(known)}")
    if arguments.workers < 1 or arguments.repeat < 1:
        parser.error("--workers and --repeat take 1 or more")

    OUT.mkdir(exist_ok=True)
    same = True
    print(f"{'film':10}{'workers':>8}{'chunks':>8}{'wall s':>8}{'CPU s':>8}{'RSS MB':>8}{'speed-up':>10}")
    for name in arguments.films or ["slides"]:
        films, alone = set(), None
        for workers in range(1, arguments.workers + 1):
            out = OUT / f"{name}-{workers}.mp4"
            command = [RONDO, "render", BENCH / "films" / f"{name}.json", "-o", out, "--json", "--workers", workers]
            runs = [measure(command) for _ in range(arguments.repeat)]
            usage, said = min(runs, key=lambda run: run[0]["wall_s"])
            chunks = json.loads(said.splitlines()[-1])["chunks"]["total"]
            films.add(out.read_bytes())
            alone = alone or usage["wall_s"]
            print(f"{name:10}{workers:8}{chunks:8}{usage['wall_s']:8.2f}{usage['cpu_s']:8.2f}"
                  f"{usage['peak_rss_bytes'] / 1e6:8.0f}{alone / usage['wall_s']:10.2f}", flush=True)
        for processes in (1, 2):
            runs = [by_processes(BENCH / "films" / f"{name}.json", processes) for _ in range(arguments.repeat)]
            wall, chunks, made = min(runs, key=lambda run: run[0])
            films |= made
            alone = wall if processes == 1 else alone
            print(f"{name:10}{processes} processes with one chunk cache rendered {' + '.join(map(str, chunks))} chunks: "
                  f"{wall:.2f} s, {alone / wall:.2f} times as fast as one", flush=True)
        same = same and len(films) == 1
    print("The bytes of every film are identical for all numbers of workers and processes." if same else "FILMS DIFFER.")
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    try:
        main()
    except Failed as failure:
        sys.exit(str(failure))
