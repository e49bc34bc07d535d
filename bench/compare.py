"""Compares the speed of two commits. Run by `bench/compare`, which builds both."""

import argparse
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from instructions import FRAMES, instructions
from measure import BENCH, COLD_FRAME, OUT, Failed, measure

# Seconds a service may take to start.
PATIENCE = 60


def in_turns(programs, repeat, run):
    """Runs both programs alternately, so that other load on the machine affects both. Returns the results of each."""
    runs = ([], [])
    for turn in range(repeat):
        for which in ((0, 1), (1, 0))[turn % 2]:
            runs[which].append(run(programs[which]))
    return runs


def print_milliseconds(name, runs):
    wall = [statistics.median(run["wall_s"] for run in side) * 1000 for side in runs]
    cpu = [statistics.median(run["cpu_s"] for run in side) * 1000 for side in runs]
    print(f"{name:10}{wall[0]:10.0f}{wall[1]:10.0f}{wall[1] / wall[0]:8.3f}{cpu[0]:10.0f}{cpu[1]:10.0f}"
          f"{cpu[1] / cpu[0]:8.3f}", flush=True)


def compare_stills(programs, films, repeat):
    print(f"{'still':10}{'A wall ms':>10}{'B wall ms':>10}{'B / A':>8}{'A CPU ms':>10}{'B CPU ms':>10}{'B / A':>8}")
    for name in films:
        def still(program, film=BENCH / "films" / f"{name}.json"):
            return measure([program, "frame", film, "--frame", COLD_FRAME, "-o", OUT / "still.png"])[0]

        print_milliseconds(name, in_turns(programs, repeat, still))


def start(program):
    """Time and CPU time from the start of the service until it answers."""
    with tempfile.TemporaryDirectory() as data:
        began = time.perf_counter()
        service = subprocess.Popen([program, "serve", "--listen", "127.0.0.1:18923", "--data", data, "--gallery", "off"],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while time.perf_counter() - began < PATIENCE and service.poll() is None:
                try:
                    with urllib.request.urlopen("http://127.0.0.1:18923/healthz"):
                        wall = time.perf_counter() - began
                    ticks = sum(map(int, Path(f"/proc/{service.pid}/stat").read_text().rpartition(")")[2].split()[11:13]))
                    return {"wall_s": wall, "cpu_s": ticks / os.sysconf("SC_CLK_TCK")}
                except (urllib.error.URLError, ConnectionError):
                    time.sleep(0.002)
            raise Failed(f"`{program} serve` did not start.")
        finally:
            service.terminate()
            service.wait()


def compare_start(programs, repeat):
    print(f"{'start':10}{'A wall ms':>10}{'B wall ms':>10}{'B / A':>8}{'A CPU ms':>10}{'B CPU ms':>10}{'B / A':>8}")
    print_milliseconds("service", in_turns(programs, repeat, start))


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
    parser.add_argument("films", nargs="*", metavar="film", help=f"{', '.join(known)}; default: all")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="renders of each film by each commit")
    parser.add_argument("--instructions", action="store_true", help="count those of painting instead of seconds")
    parser.add_argument("--stills", action="store_true", help="measure single frames in new processes instead of films")
    parser.add_argument("--start", action="store_true", help="measure the start of the service instead of films")
    parser.add_argument("--programs", nargs=2, type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.films) - set(known))
    if unknown:
        parser.error(f"there is no film {', '.join(unknown)}; there are {', '.join(known)}")
    OUT.mkdir(exist_ok=True)
    if arguments.instructions:
        compare_instructions(arguments.programs, arguments.films or known)
        return
    if arguments.stills:
        compare_stills(arguments.programs, arguments.films or known, arguments.repeat)
        return
    if arguments.start:
        compare_start(arguments.programs, arguments.repeat)
        return
    print(f"{'film':10}{'A wall s':>10}{'B wall s':>10}{'B / A':>8}{'A CPU s':>10}{'B CPU s':>10}{'B / A':>8}"
          f"{'A RSS MB':>10}{'B RSS MB':>10}  film")
    logs = []
    for name in arguments.films or known:
        films = {}

        def render(program, film=BENCH / "films" / f"{name}.json", films=films):
            out = OUT / "compare.mp4"
            usage = measure([program, "render", film, "-o", out])[0]
            films[program] = out.read_bytes()
            out.unlink()
            return usage

        runs = in_turns(arguments.programs, arguments.repeat, render)
        films = [films[program] for program in arguments.programs]
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
