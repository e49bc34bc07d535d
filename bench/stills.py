"""Measures single frames. Run by `bench/stills`, which builds first."""

import argparse
import json
import sys

from measure import BENCH, COLD_FRAME, OUT, ROOT, RONDO, Failed, measure

STILLS = ROOT / "target/release/examples/stills"
TARGETS = {"cold": 400, "first": 120, "another": 25}


def main():
    known = sorted(path.stem for path in (BENCH / "films").glob("*.json"))
    parser = argparse.ArgumentParser(prog="bench/stills", description="Measures single frames.")
    parser.add_argument("films", nargs="*", metavar="film", help=f"{', '.join(known)}; default: all")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="measure N times and report the fastest")
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.films) - set(known))
    if unknown:
        parser.error(f"there is no film {', '.join(unknown)}; there are {', '.join(known)}")
    OUT.mkdir(exist_ok=True)
    print(f"{'film':10}{'cold ms':>10}{'first ms':>10}{'another ms':>12}{'next ms':>10}")
    for name in arguments.films or known:
        film = BENCH / "films" / f"{name}.json"
        cold, first, another, following = [], [], [], []
        for _ in range(arguments.repeat):
            usage, _ = measure([RONDO, "frame", film, "--frame", COLD_FRAME, "-o", OUT / "still.png"])
            cold.append(usage["wall_s"] * 1000)
            other = BENCH / "films" / ("effects.json" if name == "slides" else "slides.json")
            _, said = measure([STILLS, other, film])
            report = json.loads(said)
            first.append(report["firstMs"])
            another.append(report["anotherMs"])
            following.append(report["nextMs"])
        times = f"{min(cold):10.0f}{min(first):10.1f}{min(another):12.1f}{min(following):10.1f}"
        print(f"{name:10}{times}", flush=True)
    print("Targets: " + ", ".join(f"{what} {ms} ms" for what, ms in TARGETS.items()) + ".")


if __name__ == "__main__":
    try:
        main()
    except Failed as failure:
        sys.exit(str(failure))
