"""Counts the instructions of painting. Started by `bench/instructions`, which builds first, and by `bench/compare`."""

import argparse
import re
import subprocess
import sys

from measure import BENCH, OUT, RONDO, Failed, measure

# Painting begins here and is counted from some frames later on, so that what happens once does not count. No picture of any
# film comes on show in these frames or soon after, so that none is decoded meanwhile.
FIRST, ONCE = 90, 3
FRAMES = 20


def counted(rondo, film, last, out):
    """Instructions of painting from the first frame to the last one, and of all that comes before."""
    frames = OUT / "instructions.yuv"
    measure(["valgrind", "--tool=callgrind", "--quiet", f"--callgrind-out-file={out}", rondo, "render", film, "--raw",
             "-o", frames, "--range", f"{FIRST}-{last}"])
    frames.unlink()
    return int(re.search(r"^totals: (\d+)", out.read_text(), re.M)[1])


def instructions(rondo, name, frames):
    """Instructions a frame of a film takes, and the file with all of the counts."""
    OUT.mkdir(exist_ok=True)
    film, out = BENCH / "films" / f"{name}.json", OUT / "instructions.out"
    before = counted(rondo, film, FIRST + ONCE - 1, out)
    return (counted(rondo, film, FIRST + ONCE + frames - 1, out) - before) / frames, out


def main():
    known = sorted(path.stem for path in (BENCH / "films").glob("*.json"))
    parser = argparse.ArgumentParser(prog="bench/instructions", description="Counts the instructions of painting.")
    parser.add_argument("films", nargs="*", metavar="film", help=f"{', '.join(known)}; all of them if none is named")
    parser.add_argument("--frames", type=int, default=FRAMES, metavar="N", help="how many are counted")
    parser.add_argument("--functions", action="store_true", help="tell the functions that take most")
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.films) - set(known))
    if unknown:
        parser.error(f"there is no film {', '.join(unknown)}; there are {', '.join(known)}")
    print(f"{'film':10}{'million instructions a frame':>30}")
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
