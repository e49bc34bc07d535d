"""Counts the instructions of painting. Run by `bench/instructions`, which builds first, and by `bench/compare`."""

import argparse
import re
import subprocess
import sys

from measure import BENCH, OUT, RONDO, Failed, measure

# Painting starts at FIRST and is counted ONCE frames later, which excludes one-time work. No image appears in any film during
# these frames or shortly after, so none is decoded.
FIRST, ONCE = 90, 3
FRAMES = 20


def counted(rondo, film, last, out):
    """Instructions to paint from the first to the last frame, including everything before."""
    frames = OUT / "instructions.yuv"
    measure(["valgrind", "--tool=callgrind", "--quiet", f"--callgrind-out-file={out}", rondo, "render", film, "--raw",
             "-o", frames, "--range", f"{FIRST}-{last}"])
    frames.unlink()
    return int(re.search(r"^totals: (\d+)", out.read_text(), re.M)[1])


def instructions(rondo, name, frames):
    """Instructions per frame of a film, and the file with all counts."""
    OUT.mkdir(exist_ok=True)
    film, out = BENCH / "films" / f"{name}.json", OUT / "instructions.out"
    before = counted(rondo, film, FIRST + ONCE - 1, out)
    return (counted(rondo, film, FIRST + ONCE + frames - 1, out) - before) / frames, out


def main():
    known = sorted(path.stem for path in (BENCH / "films").glob("*.json"))
    parser = argparse.ArgumentParser(prog="bench/instructions", description="Counts the instructions of painting.")
    parser.add_argument("films", nargs="*", metavar="film", help=f"{', '.join(known)}; default: all")
    parser.add_argument("--frames", type=int, default=FRAMES, metavar="N", help="number of frames to count")
    parser.add_argument("--functions", action="store_true", help="list the most expensive functions")
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.films) - set(known))
    if unknown:
        parser.error(f"there is no film {', '.join(unknown)}; there are {', '.join(known)}")
    print(f"{'film':10}{'million instructions per frame':>30}")
    for name in arguments.films or known:
        each, out = instructions(RONDO, name, arguments.frames)
        print(f"{name:10}{each / 1e6:30.2f}", flush=True)
        if arguments.functions:
            said = subprocess.run(["callgrind_annotate", out], capture_output=True, text=True).stdout
            lines = [line for line in said.splitlines() if re.match(r"\s*[\d,]+ \(", line)]
            print("\n".join(line[:160] for line in lines[1:11]))


if __name__ == "__main__":
    try:
        main()
    except Failed as failure:
        sys.exit(str(failure))
