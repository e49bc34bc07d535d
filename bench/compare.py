"""Compares the speed of two commits. Started by `bench/compare`, which builds both."""

import argparse
import math
import statistics
import sys
from pathlib import Path

from instructions import FRAMES, instructions
from measure import BENCH, OUT, Failed, measure


def compare_instructions(programs, films):
    print(f"{'film':10}{'A million a frame':>20}{'B million a frame':>20}{'B / A':>8}")
    for name in films:
        a, b = (instructions(program, name, FRAMES)[0] / 1e6 for program in programs)
        print(f"{name:10}{a:20.2f}{b:20.2f}{b / a:8.3f}", flush=True)


def main():
    known = sorted(path.stem for path in (BENCH / "films").glob("*.json"))
    parser = argparse.ArgumentParser(prog="bench/compare", description="Compares the speed of two commits.")
    parser.add_argument("a", metavar="A", help="a commit")
    parser.add_argument("b", metavar="B", help="another")
    parser.add_argument("films", nargs="*", metavar="film", help=f"{', '.join(known)}; all of them if none is named")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="renders of each film by each commit")
    parser.add_argument("--instructions", action="store_true", help="count those of painting instead of seconds")
    parser.add_argument("--programs", nargs=2, type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.films) - set(known))
    if unknown:
        parser.error(f"there is no film {', '.join(unknown)}; there are {', '.join(known)}")
    OUT.mkdir(exist_ok=True)
    if arguments.instructions:
        compare_instructions(arguments.programs, arguments.films or known)
        return
    print(f"{'film':10}{'A wall s':>10}{'B wall s':>10}{'B / A':>8}{'A CPU s':>10}{'B CPU s':>10}{'B / A':>8}"
          f"{'A RSS MB':>10}{'B RSS MB':>10}  film")
    logs = []
    for name in arguments.films or known:
        runs, films = ([], []), [None, None]
        # In turns, so that whatever else happens on the machine happens to both.
        for turn in range(arguments.repeat):
            for which in ((0, 1), (1, 0))[turn % 2]:
                out = OUT / f"compare-{'ab'[which]}.mp4"
                command = [arguments.programs[which], "render", BENCH / "films" / f"{name}.json", "-o", out]
                runs[which].append(measure(command)[0])
                films[which] = out.read_bytes()
                out.unlink()
        wall = [statistics.median(run["wall_s"] for run in side) for side in runs]
        cpu = [statistics.median(run["cpu_s"] for run in side) for side in runs]
        memory = [max(run["peak_rss_bytes"] for run in side) / 1e6 for side in runs]
        logs.append((math.log(wall[1] / wall[0]), math.log(cpu[1] / cpu[0])))
        same = "same bytes" if films[0] == films[1] else f"{(len(films[1]) / len(films[0]) - 1) * 100:+.1f} % bytes"
        print(f"{name:10}{wall[0]:10.2f}{wall[1]:10.2f}{wall[1] / wall[0]:8.3f}{cpu[0]:10.2f}{cpu[1]:10.2f}"
              f"{cpu[1] / cpu[0]:8.3f}{memory[0]:10.0f}{memory[1]:10.0f}  {same}", flush=True)
    wall, cpu = (math.exp(statistics.mean(log[i] for log in logs)) for i in (0, 1))
    print(f"Geometric mean of B / A: wall {wall:.3f}, CPU {cpu:.3f} (medians of {arguments.repeat}).")


if __name__ == "__main__":
    try:
        main()
    except Failed as failure:
        sys.exit(str(failure))
