#!/usr/bin/env python3
"""Measures what the sandbox costs: preview frames and renders through the service, in turns.

    python3 bench/isolation.py [--binary target/release/rondo] [--other PATH] [--turns 5] [--frames 15]

Starts a service with `--sandbox off`, one with `--sandbox required` and, with `--other`, one with another binary. Each turn
draws frames of benchmark films and renders them; their media come from a loopback server. Prints the median time of a frame and of a render, and the
differences from the first service: of frames between the medians, of renders the median over the turns.
"""

import argparse
import functools
import http.server
import json
import pathlib
import socket
import statistics
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
FILMS = ["text", "slides", "effects"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=str(HERE.parent / "target/release/rondo"))
    parser.add_argument("--other")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--frames", type=int, default=15)
    args = parser.parse_args()
    services = [Service("off", args.binary, ["--sandbox", "off"]), Service("required", args.binary, ["--sandbox", "required"])]
    if args.other:
        services.insert(0, Service("other binary", args.other, []))
    try:
        for turn in range(args.turns):
            # What a service leaves to do when its render is done burdens the next one, so each comes first in turn.
            order = services[turn % len(services):] + services[:turn % len(services)]
            for film in FILMS:
                for service in order:
                    service.draw(film, args.frames)
                    service.render(film, turn)
    finally:
        for service in services:
            service.stop()
    print("| film | service | frame ms | render s |\n|---|---|---:|---:|")
    for film in FILMS:
        first = services[0]
        for service in services:
            frame, render = service.median("frame", film), service.median("render", film)
            note = "" if service is first else (
                f" ({(frame - first.median('frame', film)) * 1000:+.1f})", f" ({(service.ratio(first, film) - 1) * 100:+.1f} %)")
            print(f"| {film} | {service.name} | {frame * 1000:.1f}{note and note[0]} | {render:.3f}{note and note[1]} |")


class Service:
    def __init__(self, name, binary, flags):
        self.name = name
        self.times = {}
        self.folder = tempfile.TemporaryDirectory(prefix="rondo-bench-")
        data = ["--data", self.folder.name]
        made = subprocess.run([binary, "account", "create", *data, "--email", "bench@example.com", "--name", "Bench",
                               "--plan", "business", "--credits", "100000"], check=True, capture_output=True, text=True)
        self.key = json.loads(made.stdout)["apiKey"]
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.url = f"http://127.0.0.1:{probe.getsockname()[1]}"
        listen = ["--listen", self.url.removeprefix("http://")]
        self.process = subprocess.Popen([binary, "serve", *data, *listen, *flags, "--allow-private-network", "--gallery", "off", "--log-level", "error"])
        deadline = time.time() + 30
        while True:
            try:
                urllib.request.urlopen(self.url + "/readyz", timeout=2).close()
                return
            except OSError:
                if time.time() > deadline:
                    raise
                time.sleep(0.05)

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()

    def median(self, what, film):
        return statistics.median(self.times[what, film])

    def ratio(self, first, film):
        """The median over the turns of this service's render time by the first one's in the same turn."""
        return statistics.median(own / other for own, other in zip(self.times["render", film], first.times["render", film]))

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + "/api/v1" + path, data=data, method=method, headers={
            "Authorization": f"Bearer {self.key}", "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)["data"]

    def draw(self, film, frames):
        preview = self.call("POST", "/previews", {"inputProps": composition(film)})["previewId"]
        for number in range(frames):
            started = time.perf_counter()
            urllib.request.urlopen(f"{self.url}/preview/{preview}.png?frame={number * 7 + 20}", timeout=60).read()
            self.times.setdefault(("frame", film), []).append(time.perf_counter() - started)

    def render(self, film, turn):
        body = composition(film)
        # Another background in each turn: the chunk cache must not answer.
        body["backgroundColor"] = f"#0000{turn:02x}"
        started = time.perf_counter()
        job = self.call("POST", "/renders", {"inputProps": body})["jobId"]
        while (state := self.call("GET", f"/renders/{job}"))["status"] not in ("COMPLETED", "FAILED"):
            time.sleep(0.7)
        assert state["status"] == "COMPLETED", state["errorMessage"]
        # The service's own time, without the polling.
        self.times.setdefault(("render", film), []).append(state["duration"] / 1000 if state.get("duration") else time.perf_counter() - started)


def composition(film):
    text = (HERE / "films" / f"{film}.json").read_text()
    return json.loads(text.replace('"media/', f'"{MEDIA}/media/'))


def media_server():
    """Serves the folder of the films."""
    if not (HERE / "films/media/music.mp3").exists():
        subprocess.run([HERE / "make-media"], check=True)
    handler = functools.partial(Quiet, directory=str(HERE / "films"))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


if __name__ == "__main__":
    MEDIA = media_server()
    main()
