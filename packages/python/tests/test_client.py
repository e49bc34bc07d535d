"""The client against a real service, synchronous and asynchronous."""

import asyncio
import base64
import hashlib
import hmac
import io
import json
import os
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import tracemalloc
import unittest
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE.parent / "src"))

import httpx  # noqa: E402

import rondo  # noqa: E402

PROGRAM = os.environ.get("RONDO_PROGRAM", str(ROOT / "target/debug/rondo"))


class Service:
    """The program on a free port, with an empty data folder and one account."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="rondo-sdk-")
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            port = listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        data = ["--data", self.folder.name]
        account = ["account", "create", *data, "--email", "ada@example.com", "--name", "Ada", "--credits", "100", "--plan", "business"]
        said = subprocess.run([PROGRAM, *account], cwd=ROOT, capture_output=True, text=True, check=True)
        self.api_key = re.search(r"rnd_\w+", said.stdout)[0]
        flags = ["--listen", f"127.0.0.1:{port}", "--allow-private-network", "--gallery", "off"]
        self.process = subprocess.Popen([PROGRAM, "serve", *data, *flags], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(300):
            try:
                urllib.request.urlopen(f"{self.url}/readyz", timeout=5)
                return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("The service failed to start.")

    def stop(self):
        self.process.terminate()
        self.process.wait(60)
        self.folder.cleanup()


class Scripted:
    """A server that answers with the responses given, one after another."""

    def __init__(self, *responses):
        self.requests = requests = []
        self.responses = responses = list(responses)

        class Handler(BaseHTTPRequestHandler):
            def answer(self):
                self.rfile.read(int(self.headers.get("content-length", 0)))
                requests.append(dict(self.headers))
                status, body, headers = responses[min(len(requests), len(responses)) - 1]
                self.send_response(status)
                for name, value in {"content-type": "application/json", **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(json.dumps(body).encode())

            do_GET = do_POST = answer

            def log_message(self, *_):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.client = rondo.Rondo(api_key="rnd_x", base_url=f"http://127.0.0.1:{self.server.server_port}", retries=2)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class Unreliable(httpx.HTTPTransport):
    """Attempts to send files fail as the words given say, one after another. `ranges` tells what was sent."""

    def __init__(self, *failures):
        super().__init__()
        self.failures = list(failures)
        self.ranges = []

    def handle_request(self, request):
        if request.method != "PUT":
            return super().handle_request(request)
        self.ranges.append(request.headers.get("content-range"))
        failure = self.failures.pop(0) if self.failures else None
        if failure == "busy":
            return httpx.Response(503, json={"success": False, "error": "Later."})
        if failure == "cut":
            request.stream = Cut(request)
        response = super().handle_request(request)
        if failure == "lost":
            response.read()
            raise httpx.ReadError("The answer was lost.")
        return response


class Cut(httpx.SyncByteStream):
    """The first half of a body. Then the connection breaks off."""

    def __init__(self, request):
        self.stream = request.stream
        self.left = int(request.headers["content-length"]) // 2

    def __iter__(self):
        for piece in self.stream:
            yield piece[: self.left]
            self.left -= len(piece)
            if self.left <= 0:
                raise httpx.WriteError("The connection broke off.")


#: Bytes of a film that arrive before its download is cut.
CUT = 700


class Interrupted:
    """A proxy that downloads are redirected to, where they fare so, one after another.

    `cut`, `silent` (cut at once), `untagged` (cut, and without an `ETag`), `unranged` (the `Range` is ignored), `misplaced` (other bytes
    than asked for), or a status. `asked` holds the headers of the requests.
    """

    def __init__(self, *fates):
        self.asked = asked = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path.startswith("/moved/"):
                    return self.answer(307, {"location": self.path[len("/moved/"):].replace("127.0.0.1", "localhost", 1)})
                asked.append(self.headers)
                fate = fates[len(asked) - 1] if len(asked) <= len(fates) else None
                if isinstance(fate, int):
                    return self.answer(fate, {})
                wanted = {name: self.headers[name] for name in ("range", "if-range") if name in self.headers}
                wanted = {"unranged": {}, "misplaced": {"range": "bytes=1-"}}.get(fate, wanted)
                with urllib.request.urlopen(urllib.request.Request(self.path[1:], headers=wanted)) as film:
                    headers = {name: value for name, value in film.headers.items() if (name, fate) != ("etag", "untagged")}
                    self.answer(film.status, headers)
                    self.wfile.write(film.read({"cut": CUT, "untagged": CUT, "silent": 0}.get(fate)))

            def answer(self, status, headers):
                self.send_response_only(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def job(self, job):
        """The job with an address of the proxy."""
        proxy = f"http://127.0.0.1:{self.server.server_port}"
        return {**job, "outputUrl": f"{proxy}/moved/{proxy}/{job['outputUrl']}"}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class Events:
    """A service with a render that is complete when it is looked at for the second time. Its events fare as the words given say.

    `refused` (502), `torn` (502 whose text breaks off), `silent` (a connection without events), `kept` (not even an answer), `cut` (in the
    middle of an event), `ended` (before the render), `garbled` (no JSON), `foreign` (no job), `listed` (no object), `slow` (followed by
    comments only), and after the last word they are as they should be. So do looks: `kept`, or `busy` (503 that asks for a minute).
    `asked` holds the paths of the requests, `looks` their queries.
    """

    def __init__(self, *fates, look=None):
        self.asked = asked = []
        self.looks = looks = []
        self.stopped = stopped = threading.Event()
        job = {"jobId": "job_1", "status": "PROCESSING", "progressPercentage": 10}
        done = {"jobId": "job_1", "status": "COMPLETED", "progressPercentage": 100}
        strange = {"garbled": "<html>", "foreign": '{"queue": 3}', "listed": "[3]"}

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                address = urllib.parse.urlsplit(self.path)
                asked.append(address.path.removeprefix("/api/v1/renders/job_1"))
                if not asked[-1].endswith("/events"):
                    looks.append(urllib.parse.parse_qs(address.query))
                    if look == "kept":
                        stopped.wait(30)
                        return
                    if look == "busy":
                        return self.answer(503, "{}", {"retry-after": "60"})
                    data = done if len(looks) > 1 else {**job, "progressPercentage": 20}
                    return self.answer(200, json.dumps({"success": True, "data": data}))
                at = asked.count("/events") - 1
                fate = fates[at] if at < len(fates) else None
                if fate == "refused":
                    return self.answer(502, "<h1>Bad gateway</h1>")
                if fate == "torn":
                    self.close_connection = True
                    return self.answer(502, "<h1>Bad", {"content-length": "20"})
                if fate == "kept":
                    stopped.wait(30)
                    return
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.send_header("transfer-encoding", "chunked")
                # Said, so that no client sends its next request on it.
                self.send_header("connection", "close")
                self.end_headers()
                if fate == "silent":
                    stopped.wait(30)
                    return
                self.send(f"event: progress\ndata: {strange.get(fate) or json.dumps(job if fate else done)}\n\n")
                while fate == "slow" and not stopped.wait(1.8):
                    self.send(":\n\n")
                if fate in strange:
                    stopped.wait(30)
                self.wfile.write({"cut": b"40\r\ndata: {"}.get(fate, b"0\r\n\r\n"))

            def send(self, text):
                try:
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(text), text.encode()))
                except OSError:
                    stopped.wait(30)

            def answer(self, status, text, headers={}):
                self.send_response(status)
                for name, value in {"content-type": "application/json", "content-length": str(len(text)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.options = {"api_key": "rnd_x", "base_url": f"http://127.0.0.1:{self.server.server_port}", "retries": 0}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stopped.set()
        self.server.shutdown()
        self.server.server_close()


# Every frame is another, so that it takes long.
LONG = {
    "width": 1920, "height": 1080, "durationInFrames": 3000,
    "overlays": [{
        "id": 1, "type": "effect", "content": "confetti", "from": 0, "durationInFrames": 3000, "row": 0,
        "left": 0, "top": 0, "width": 1920, "height": 1080, "styles": {"particleCount": 300},
    }],
}


def film(text, **fields):
    """The smallest film with a text."""
    made = rondo.Film(width=320, height=180, durationInFrames=12, backgroundColor="#102030", **fields)
    return made.text(text, left=20, top=40, width=280, height=100)


def wav(size=600_000):
    """Sound of so many bytes, no two parts of which are equal."""
    header = struct.pack("<4sI8sIHHIIHH4sI", b"RIFF", 36 + size, b"WAVEfmt ", 16, 1, 1, 48000, 96000, 2, 16, b"data", size)
    return header + os.urandom(size)


class ClientTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service()
        cls.client = rondo.Rondo(api_key=cls.service.api_key, base_url=cls.service.url)
        cls.folder = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.service.stop()
        cls.folder.cleanup()

    def unreliable(self, *failures):
        """A client whose attempts to send files fail so, and what tells how they were sent."""
        transport = Unreliable(*failures)
        client = rondo.Rondo(api_key=self.service.api_key, base_url=self.service.url, http_client=httpx.Client(transport=transport))
        return client, transport

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def parts(self):
        """Files that are not complete."""
        return [name for name in os.listdir(self.folder.name) if name.endswith(".part")]

    def test_one_call_renders_a_composition_into_a_file(self):
        seen = []
        output = self.path("film.mp4")
        job = self.client.render(composition=film("Hello"), output=output, on_progress=lambda job: seen.append(job["status"]))
        content = pathlib.Path(output).read_bytes()
        self.assertEqual(content[4:8], b"ftyp")
        self.assertEqual(len(content), job["outputSize"])
        self.assertEqual(seen[-1], "COMPLETED")
        self.assertEqual(self.parts(), [])

    def downloads(self, retries):
        """What saves the film of a job: the synchronous client, then the asynchronous one."""
        options = {"api_key": self.service.api_key, "base_url": self.service.url, "retries": retries}

        def download(job, path):
            with rondo.Rondo(**options) as client:
                client.renders.download(job, path)

        async def download_async(job, path):
            async with rondo.AsyncRondo(**options) as client:
                await client.renders.download(job, path)

        return [download, lambda job, path: asyncio.run(download_async(job, path))]

    def test_a_download_that_is_cut_goes_on_where_it_stopped(self):
        job = self.client.render(composition=film("Cut"))
        path = self.path("cut.mp4")
        with urllib.request.urlopen(job["outputUrl"]) as response:
            whole, tag = response.read(), response.headers["etag"]
        for download in self.downloads(retries=1):
            with self.subTest(), Interrupted("cut", "cut") as proxy:
                download(proxy.job(job), path)
                asked = [(headers["range"], headers["if-range"], headers["authorization"]) for headers in proxy.asked]
                self.assertEqual(asked, [(None, None, None), (f"bytes={CUT}-", tag, None), (f"bytes={2 * CUT}-", tag, None)])
                self.assertEqual(pathlib.Path(path).read_bytes(), whole)
                self.assertEqual(self.parts(), [])
                os.remove(path)

    def test_a_download_starts_again_where_the_rest_cannot_be_had(self):
        job = self.client.render(composition=film("Again"))
        path = self.path("again.mp4")
        whole = urllib.request.urlopen(job["outputUrl"]).read()
        rest = f"bytes={CUT}-"
        for fates, ranges in [
            (["cut", "unranged"], [None, rest]),
            (["untagged"], [None, None]),
            (["cut", "misplaced"], [None, rest, None]),
        ]:
            for download in self.downloads(retries=3):
                with self.subTest(fates=fates), Interrupted(*fates) as proxy:
                    download(proxy.job(job), path)
                    self.assertEqual([headers["range"] for headers in proxy.asked], ranges)
                    self.assertEqual(pathlib.Path(path).read_bytes(), whole)
                    os.remove(path)

    def test_a_download_that_cannot_go_on_fails_and_leaves_no_file(self):
        job = self.client.render(composition=film("Never"))
        path = self.path("never.mp4")
        for fates, kind, pattern in [
            (["cut", "silent"], rondo.ConnectionError, "broke off"),
            (["untagged"] * 2, rondo.ConnectionError, "broke off"),
            (["cut", 404], rondo.NotFoundError, "404"),
            (["cut", 410], rondo.NotFoundError, "410"),
            (["cut", 416], rondo.ApiError, "416"),
        ]:
            for download in self.downloads(retries=1):
                with self.subTest(fates=fates), Interrupted(*fates) as proxy:
                    with self.assertRaisesRegex(kind, pattern) as caught:
                        download(proxy.job(job), path)
                    self.assertEqual(caught.exception.job_id, job["jobId"])
                    self.assertEqual(len(proxy.asked), len(fates))
                    self.assertFalse(os.path.exists(path))
                    self.assertEqual(self.parts(), [])

    def test_every_file_of_a_render_is_downloaded(self):
        job = self.client.render(composition=film("Both"), options={"format": "mp4", "also": [{"format": "png"}]})
        self.assertEqual([output["format"] for output in job["outputs"]], ["mp4", "png"])
        path = self.path("second.png")
        for download in self.downloads(retries=0):
            download(job["outputs"][1], path)
            content = pathlib.Path(path).read_bytes()
            self.assertEqual((content[:4], len(content)), (b"\x89PNG", job["outputs"][1]["size"]))
            os.remove(path)
        self.assertEqual(self.parts(), [])

    def test_an_error_after_the_render_was_created_names_it(self):
        before = {job["jobId"] for job in self.client.renders.list()}
        with self.assertRaises(rondo.WaitTimeoutError) as caught:
            self.client.render(composition=LONG, timeout=0.01)
        late = caught.exception.job_id
        self.client.renders.cancel(late)
        folder = self.path("gone")
        os.mkdir(folder)
        with self.assertRaises(FileNotFoundError) as caught:
            self.client.render(
                composition=film("Gone"), output=os.path.join(folder, "film.mp4"), on_progress=lambda _: shutil.rmtree(folder, ignore_errors=True)
            )
        lost = caught.exception.job_id
        self.assertEqual({job["jobId"] for job in self.client.renders.list()} - before, {late, lost})

    def test_no_render_starts_for_a_path_that_cannot_be_written(self):
        before = self.client.renders.list().first_page()["total"]
        with self.assertRaises(FileNotFoundError):
            self.client.render(composition=film("Nowhere"), output=self.path("none/film.mp4"))
        with self.assertRaises(IsADirectoryError):
            self.client.render(composition=film("Nowhere"), output=self.folder.name)
        self.assertEqual(self.client.renders.list().first_page()["total"], before)

    def test_a_template_renders_with_replacements(self):
        template = next(iter(self.client.templates.list()))
        variables = self.client.templates.variables(template["id"])
        name = next(variable["name"] for variable in variables if variable["overlayType"] == "text")
        preview = self.client.previews.create(template_id=template["id"], replacements={name: "Made by a test"})
        resolved = next(it for it in preview["resolved"]["variables"] if it["name"] == name)
        self.assertEqual((resolved["value"], resolved["source"]), ("Made by a test", "replacement"))
        output = self.path("poster.jpg")
        self.client.render(template_id=template["id"], replacements={name: "Made by a test"}, options={"format": "jpg", "scale": 0.25}, output=output)
        self.assertEqual(pathlib.Path(output).read_bytes()[:2], b"\xff\xd8")

    def test_the_asynchronous_client_renders_two_films_at_once(self):
        async def both():
            async with rondo.AsyncRondo(api_key=self.service.api_key, base_url=self.service.url) as client:
                paths = [self.path("one.mp4"), self.path("two.mp4")]
                jobs = await asyncio.gather(*(client.render(composition=film(path), output=path) for path in paths))
                listed = [job["jobId"] async for job in client.renders.list(limit=1)]
                return jobs, listed, paths

        jobs, listed, paths = asyncio.run(both())
        self.assertTrue(set(listed) >= {job["jobId"] for job in jobs})
        for path in paths:
            self.assertEqual(pathlib.Path(path).read_bytes()[4:8], b"ftyp")

    def test_lists_are_iterated_page_by_page(self):
        page = self.client.templates.list(limit=2).first_page()
        self.assertEqual(len(page["templates"]), 2)
        ids = {template["id"] for template in self.client.templates.list(limit=7)}
        self.assertEqual(len(ids), page["total"])
        self.assertEqual(len(self.client.templates.list(limit=50).all()), page["total"])

    def test_a_file_is_uploaded_with_progress_and_deleted(self):
        path = self.path("tone.wav")
        pathlib.Path(path).write_bytes(wav())
        steps = []
        upload = self.client.uploads.put(path, on_progress=lambda sent, total: steps.append((sent, total)))
        self.assertEqual(steps[-1], (600_044, 600_044))
        self.assertGreater(len(steps), 1)
        [listed] = self.client.uploads.list(search="tone").all()
        self.assertEqual((listed["id"], listed["name"]), (upload["id"], "tone.wav"))
        self.assertEqual(urllib.request.urlopen(upload["fileUrl"]).headers["content-type"], "audio/wav")
        self.client.uploads.delete(upload["id"])
        self.assertEqual(self.client.uploads.list(search="tone").all(), [])
        svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'
        self.assertIn("fileUrl", self.client.uploads.put(svg, name="square.svg"))

    def test_a_file_is_sent_again_after_attempts_that_fail(self):
        client, transport = self.unreliable("busy", "busy")
        path = self.path("whole.wav")
        sound = wav()
        pathlib.Path(path).write_bytes(sound)
        steps = []
        upload = client.uploads.put(path, on_progress=lambda sent, total: steps.append((sent, total)), idempotency_key="small")
        part, question = f"bytes 0-{len(sound) - 1}/{len(sound)}", f"bytes */{len(sound)}"
        self.assertEqual(transport.ranges, [part, question, question, part])
        self.assertEqual(steps[-1], (len(sound), len(sound)))
        self.assertEqual(self.client.uploads.put(path, idempotency_key="small")["id"], upload["id"])
        self.assertEqual(urllib.request.urlopen(upload["fileUrl"]).read(), sound)

    def test_a_large_file_goes_on_after_the_bytes_that_arrived_and_is_never_whole_in_memory(self):
        client, transport = self.unreliable("lost", "none", "cut", "busy", "none", "none", "none", "lost")
        path = self.path("large.wav")
        sound = wav(34 * 1024 * 1024)
        pathlib.Path(path).write_bytes(sound)
        tracemalloc.start()
        upload = client.uploads.put(path)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        self.assertLess(most, 4_000_000)
        part = 8 * 1024 * 1024
        starts = [int(found[1]) for found in (re.match(r"bytes (\d+)-", sent) for sent in transport.ranges) if found]
        self.assertEqual(starts, [0, part, *range(part + part // 2, len(sound), part)])
        with urllib.request.urlopen(upload["fileUrl"]) as response:
            self.assertEqual(hashlib.sha256(response.read()).digest(), hashlib.sha256(sound).digest())

    def test_an_upload_that_never_arrives_fails(self):
        client, transport = self.unreliable(*["busy", "none"] * 8)
        with self.assertRaises(rondo.ConnectionError):
            client.uploads.put(wav(1000), name="never.wav")
        self.assertEqual(len(transport.ranges), 8)

    def test_the_asynchronous_client_sends_large_files_and_open_ones(self):
        sound = wav(34 * 1024 * 1024)

        async def put():
            async with rondo.AsyncRondo(api_key=self.service.api_key, base_url=self.service.url) as client:
                with io.BytesIO(b"before" + sound) as file:
                    file.seek(len(b"before"))
                    return await client.uploads.put(file, name="open.wav")

        upload = asyncio.run(put())
        self.assertEqual(urllib.request.urlopen(upload["fileUrl"]).read(), sound)

    def test_renders_are_found_by_template_and_metadata_and_looked_at_while_they_last(self):
        def start(order):
            metadata = {"order_id": order, "paid": True}
            return self.client.renders.create(template_id="tpl_quote_card", output={"format": "jpg"}, metadata=metadata)["jobId"]

        job_id, _ = start(4711), start(4712)
        found = self.client.renders.list(template_id="tpl_quote_card", metadata={"order_id": 4711, "paid": True}).all()
        self.assertEqual([(job["jobId"], job["metadata"]["order_id"]) for job in found], [(job_id, 4711)])
        self.assertEqual(self.client.renders.list(template_id="tpl_none").all(), [])
        self.assertEqual(self.client.renders.list(metadata={"order_id": "none"}).all(), [])
        job = self.client.renders.get(job_id, wait=60, fields=["jobId", "status"])
        self.assertEqual(job, {"jobId": job_id, "status": "COMPLETED"})

    def test_a_request_that_waits_may_take_longer_than_others(self):
        job_id = self.client.renders.create(composition=LONG)["jobId"]
        impatient = rondo.Rondo(api_key=self.service.api_key, base_url=self.service.url, timeout=2, retries=0)
        self.assertEqual(impatient.renders.get(job_id, wait=3)["jobId"], job_id)
        self.client.renders.cancel(job_id)

    def test_a_list_starts_at_the_cursor_that_is_given(self):
        page = self.client.templates.list(limit=2).first_page()
        ids = [template["id"] for template in self.client.templates.list(limit=50)]
        rest = self.client.templates.list(limit=50, cursor=page["nextCursor"]).all()
        self.assertEqual([template["id"] for template in rest], ids[2:])

    def test_the_same_key_creates_one_batch(self):
        sets = [{"replacements": {"quote": "Once."}}]
        batches = [
            self.client.batches.create(sets, template_id="tpl_quote_card", output={"format": "jpg"}, idempotency_key="batch-1")
            for _ in range(2)
        ]
        self.assertEqual(batches[0]["batchId"], batches[1]["batchId"])

    def test_a_batch_is_waited_for_and_its_renders_are_read_page_by_page(self):
        quotes = ["One.", "Two.", "Three."]
        sets = [{"replacements": {"quote": quote}, "metadata": {"quote": quote}} for quote in quotes]
        options = {"template_id": "tpl_quote_card", "output": {"format": "jpg", "scale": 0.25}}
        created = self.client.batches.create(sets, **options)
        with self.assertRaisesRegex(rondo.WaitTimeoutError, created["batchId"]):
            self.client.batches.wait(created["batchId"], timeout=0)
        seen = []
        batch = self.client.batches.wait(created["batchId"], seen.append, timeout=300)
        self.assertEqual((batch["status"], batch["total"], batch["counts"]["completed"]), ("COMPLETED", 3, 3))
        self.assertEqual(seen[-1], batch)
        self.assertNotIn("renders", batch)
        states = [(it["progressPercentage"], it["counts"]) for it in seen]
        self.assertTrue(all(one != other for one, other in zip(states, states[1:])), states)
        renders = self.client.batches.renders(created["batchId"], limit=2, fields=["jobId", "metadata", "outputUrl"])
        self.assertEqual(len(renders.first_page()["renders"]), 2)
        self.assertEqual([(it["jobId"], it["metadata"]["quote"]) for it in renders], list(zip(created["jobIds"], quotes)))

    def test_a_batch_is_made_of_a_table(self):
        async def create(table, **options):
            async with rondo.AsyncRondo(api_key=self.service.api_key, base_url=self.service.url) as client:
                created = await client.batches.create(csv=table, template_id="tpl_quote_card", **options)
                batch = await client.batches.wait(created["batchId"])
                return batch, [it async for it in client.batches.renders(created["batchId"], limit=1, fields="metadata,status")]

        table = 'quote,metadata.day\n"Grüße, Ada",monday\n,tuesday\n'
        batch, renders = asyncio.run(create(table))
        self.assertEqual(batch["counts"]["completed"], 2)
        self.assertEqual([it["metadata"]["day"] for it in renders], ["monday", "tuesday"])
        twice = [self.client.batches.create(csv=table.encode(), template_id="tpl_quote_card", idempotency_key="table") for _ in range(2)]
        self.assertEqual(twice[0], twice[1])
        self.assertEqual(self.client.batches.cancel(twice[0]["batchId"])["total"], 2)
        with self.assertRaisesRegex(rondo.InvalidRequestError, "Column 2"):
            self.client.batches.create(csv="quote,quote\nOne,Two", template_id="tpl_quote_card")
        for wrong in [{}, {"sets": [{}], "csv": table}, {"csv": table, "width": 100}]:
            with self.subTest(wrong), self.assertRaisesRegex(TypeError, "csv"):
                self.client.batches.create(template_id="tpl_quote_card", **wrong)

    def test_a_batch_whose_renders_fail_ends(self):
        project = self.client.projects.create("Long", LONG)
        created = self.client.batches.create([{}, {}], project_id=project["id"])
        self.client.batches.cancel(created["batchId"])
        batch = self.client.batches.wait(created["batchId"], timeout=60)
        self.assertEqual((batch["status"], batch["counts"]["failed"]), ("COMPLETED", 2))
        self.client.projects.delete(project["id"])

    def test_a_cancelled_render_fails_and_costs_nothing(self):
        created = self.client.renders.create(composition=LONG)
        self.assertEqual(self.client.renders.cancel(created["jobId"])["status"], "FAILED")
        with self.assertRaises(rondo.RenderFailedError) as caught:
            self.client.renders.wait(created["jobId"])
        self.assertEqual(caught.exception.job_id, created["jobId"])
        self.assertEqual(self.client.renders.get(created["jobId"])["creditsUsed"], 0)

    def test_waiting_ends_after_the_time_that_was_given(self):
        created = self.client.renders.create(composition=LONG)
        start = time.monotonic()
        with self.assertRaises(rondo.WaitTimeoutError):
            self.client.renders.wait(created["jobId"], timeout=0.01)
        self.assertLess(time.monotonic() - start, 20)
        self.client.renders.cancel(created["jobId"])

    def test_a_project_is_changed_edited_restored_published_and_deleted(self):
        projects, templates = self.client.projects, self.client.templates
        made = projects.create("Made", film("One"))
        self.assertEqual(projects.get(made["id"])["etag"], made["etag"])
        self.assertEqual(projects.get(made["id"], fields="name"), {"name": "Made"})
        kept = projects.create_version(made["id"], "First")["id"]
        edit = {"op": "set", "id": 1, "path": "content", "value": "Two"}
        edited = projects.apply_edits(made["id"], [edit], if_match=made["etag"], name="Second")
        self.assertEqual(edited["composition"]["overlays"][0]["content"], "Two")
        with self.assertRaises(rondo.ConflictError) as caught:
            projects.update(made["id"], name="Stale", if_match=made["etag"])
        self.assertEqual((caught.exception.reason, caught.exception.details["etag"]), ("PROJECT_CHANGED", edited["etag"]))
        self.assertEqual(projects.update(made["id"], name="Now", if_match=edited["etag"])["name"], "Now")
        self.assertEqual(projects.get_version(made["id"], kept)["composition"]["overlays"][0]["content"], "One")
        self.assertEqual(projects.restore_version(made["id"], kept)["composition"]["overlays"][0]["content"], "One")
        self.assertIn("Second", [version["name"] for version in projects.versions(made["id"])])
        copy = projects.duplicate(made["id"], "Copy")
        self.assertEqual(copy["name"], "Copy")
        template = templates.publish(made["id"], "Mine")
        self.assertEqual((template["own"], template["visibility"]), (True, "private"))
        self.assertEqual(templates.update(template["id"], name="Ours")["name"], "Ours")
        templates.unpublish(template["id"])
        for project in [made, copy]:
            projects.delete(project["id"])
        with self.assertRaises(rondo.NotFoundError):
            projects.get(made["id"])

    def test_errors_have_a_class_a_reason_and_the_path_of_the_field(self):
        with self.assertRaises(rondo.InvalidRequestError) as caught:
            self.client.renders.create(composition={**film("Wrong").to_dict(), "fps": 1000})
        error = caught.exception
        self.assertEqual((error.status, error.reason, error.issues[0]["path"]), (422, "VALUE_OUT_OF_RANGE", "inputProps.fps"))
        self.assertTrue(error.request_id)
        with self.assertRaises(rondo.AuthenticationError):
            rondo.Rondo(api_key="rnd_wrong", base_url=self.service.url).account.get()
        with self.assertRaises(rondo.ConnectionError):
            rondo.Rondo(api_key="rnd_x", base_url="http://127.0.0.1:9", retries=0).account.get()
        with self.assertRaises(rondo.InsufficientCreditsError) as caught:
            self.client.render(composition={**film("Dear").to_dict(), "width": 3840, "height": 2160, "durationInFrames": 100_000})
        self.assertGreater(caught.exception.credits_needed, caught.exception.credits_available)
        with self.assertRaises(rondo.NotFoundError):
            self.client.renders.get("job_none")

    def test_a_request_that_failed_for_a_moment_is_repeated_with_the_same_idempotency_key(self):
        failure = {"success": False, "error": "Try later.", "details": {"reason": "STOPPING"}}
        with Scripted((503, failure, {}), (200, {"success": True, "data": {"jobId": "job_1"}}, {})) as service:
            self.assertEqual(service.client.renders.create(template_id="x")["jobId"], "job_1")
            keys = [request["idempotency-key"] for request in service.requests]
            self.assertEqual(len(keys), 2)
            self.assertEqual(keys[0], keys[1])

    def test_a_request_is_repeated_while_an_earlier_attempt_is_being_answered(self):
        running = {"success": False, "error": "Wait.", "details": {"reason": "IDEMPOTENCY_IN_PROGRESS"}}
        done = (200, {"success": True, "data": {"jobId": "job_1"}}, {})
        with Scripted((409, running, {"retry-after": "1"}), done) as service:
            self.assertEqual(service.client.renders.create(template_id="x")["jobId"], "job_1")
            self.assertEqual(len(service.requests), 2)
        with Scripted((409, {**running, "details": {"reason": "PROJECT_CHANGED"}}, {}), done) as service:
            with self.assertRaises(rondo.ConflictError):
                service.client.renders.create(template_id="x")

    def test_a_request_that_is_refused_is_not_repeated(self):
        refusal = {"success": False, "error": "No.", "details": {"reason": "INVALID_REQUEST"}}
        with Scripted((400, refusal, {})) as service:
            with self.assertRaises(rondo.InvalidRequestError):
                service.client.account.get()
            self.assertEqual(len(service.requests), 1)
        limited = {"success": False, "error": "Slow down.", "details": {"reason": "RATE_LIMITED"}}
        with Scripted((429, limited, {"retry-after": "1"})) as service:
            with self.assertRaises(rondo.RateLimitError) as caught:
                service.client.account.get()
            self.assertEqual((caught.exception.retry_after, len(service.requests)), (1.0, 3))

    def test_an_answer_that_is_not_one_of_the_service_is_an_error_of_the_connection(self):
        for answer in ["Welcome", [], {"success": True}]:
            with self.subTest(answer), Scripted((200, answer, {})) as service:
                with self.assertRaisesRegex(rondo.ConnectionError, "cannot be read"):
                    service.client.account.get()

    def test_a_long_pause_is_left_to_the_caller(self):
        limited = {"success": False, "error": "Slow down.", "details": {"reason": "RATE_LIMITED"}}
        for status, kind in [(429, rondo.RateLimitError), (503, rondo.ServerError)]:
            with self.subTest(status), Scripted((status, limited, {"retry-after": "3600"})) as service:
                start = time.monotonic()
                with self.assertRaises(kind) as caught:
                    service.client.account.get()
                self.assertEqual((caught.exception.retry_after, len(service.requests)), (3600.0, 1))
                self.assertLess(time.monotonic() - start, 5)

    def test_a_download_that_fails_names_the_render(self):
        answer = lambda **data: (200, {"success": True, "data": data}, {})  # noqa: E731
        done = {"jobId": "job_1", "status": "COMPLETED", "progressPercentage": 100}
        with Scripted(answer(jobId="job_1"), (502, {}, {})) as service, tempfile.TemporaryDirectory() as folder:
            url = f"http://127.0.0.1:{service.server.server_port}/gone.mp4"
            service.responses += [answer(**done, outputUrl=url), (410, {"error": "The file was deleted."}, {})]
            with self.assertRaises(rondo.NotFoundError) as caught:
                service.client.render(template_id="x", output=os.path.join(folder, "film.mp4"))
            self.assertEqual((caught.exception.status, caught.exception.job_id), (410, "job_1"))
            self.assertEqual(os.listdir(folder), [])

    def test_webhooks_the_brand_kit_the_registry_and_the_account(self):
        webhook = self.client.webhooks.create(f"{self.service.url}/nowhere", events=["render.failed"])
        self.assertNotEqual(self.client.webhooks.rotate(webhook["id"])["secret"], webhook["secret"])
        self.client.webhooks.delete(webhook["id"])
        self.assertEqual(self.client.webhooks.list(), [])
        brand = self.client.brand.set(colors=[{"name": "Accent", "value": "#7c3aed"}])
        self.assertEqual(brand["colors"][0]["value"], "#7c3aed")
        self.assertIn("Inter", [entry["name"] for entry in self.client.registry("fonts", search="Inter")["entries"]])
        account = self.client.account.get()
        self.assertGreater(account["credits"], 0)
        self.assertEqual(self.client.account.verify()["userId"], account["userId"])
        self.assertIsInstance(self.client.ai.voices(), list)

    def test_every_example_of_the_guides_runs(self):
        text = "".join((ROOT / f"docs/{name}.md").read_text() for name in ["sdks", "first-film", "brand-kit"])
        examples = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
        self.assertGreaterEqual(len(examples), 9)
        # The example of the README names a key and an address.
        readme = re.search(r"^```python\n(.*?)^```", (HERE.parent / "README.md").read_text(), re.M | re.S)[1]
        readme = readme.replace("rnd_…", self.service.api_key).replace("http://127.0.0.1:8080", self.service.url)
        examples.append(readme.replace("film.mp4", "readme.mp4"))
        # The examples of batches go on from one another.
        batches = (ROOT / "docs/batches.md").read_text()
        [table] = re.findall(r"^printf '(.*)' > quotes\.csv$", batches, re.M)
        pathlib.Path(self.path("quotes.csv")).write_text(table.replace("\\n", "\n"))
        parts = re.findall(r"^```python\n(.*?)^```", batches, re.M | re.S)
        self.assertEqual(len(parts), 4)
        examples.append("".join(parts))
        environment = {**os.environ, "RONDO_URL": self.service.url, "RONDO_API_KEY": self.service.api_key, "PYTHONPATH": str(HERE.parent / "src")}
        for code in examples:
            with self.subTest(code=code.splitlines()[-1]):
                subprocess.run([sys.executable, "-c", code], cwd=self.folder.name, env=environment, check=True, stdout=subprocess.DEVNULL)
        for made in ["film.mp4", "hello.mp4", "quote.mp4", "card.jpg", "Ada.jpg", "Grace.jpg", "readme.mp4"]:
            self.assertTrue(os.path.exists(self.path(made)), made)


class OfflineTest(unittest.TestCase):
    def waits(self, silence=60.0, timeout=30, of="renders"):
        """What waits for the render of `Events`: the synchronous client, then the asynchronous one."""

        def wait(options, on_progress):
            with rondo.Rondo(**options) as client:
                client._transport.settings.silence = silence
                return getattr(client, of).wait("job_1", on_progress, timeout=timeout)

        async def wait_async(options, on_progress):
            async with rondo.AsyncRondo(**options) as client:
                client._transport.settings.silence = silence
                return await getattr(client, of).wait("job_1", on_progress, timeout=timeout)

        return [wait, lambda options, on_progress: asyncio.run(wait_async(options, on_progress))]

    def test_a_render_is_looked_at_where_its_events_do_not_arrive(self):
        for fate, first, asked in [
            ("refused", [], ["/events", "", "/events", ""]),
            ("torn", [], ["/events", "", "/events", ""]),
            ("garbled", [], ["/events", "", "/events", ""]),
            ("foreign", [], ["/events", "", "/events", ""]),
            ("listed", [], ["/events", "", "/events", ""]),
            ("cut", [10], ["/events", "", "/events", ""]),
            ("ended", [10], ["/events", "", "/events", ""]),
            # Those that bring nothing are not waited for again.
            ("silent", [], ["/events", "", ""]),
            ("kept", [], ["/events", "", ""]),
        ]:
            for wait in self.waits(silence=0.5):
                with self.subTest(fate), Events(fate, fate) as service:
                    seen = []
                    job = wait(service.options, lambda job: seen.append(job["progressPercentage"]))
                    self.assertEqual(job["status"], "COMPLETED")
                    self.assertEqual(service.asked, asked)
                    # After the second failure, `cut` and `ended` tell of 10 % again.
                    self.assertEqual(seen, [*first, 20, *first, 100])

    def test_events_are_followed_again_after_they_broke_off(self):
        for wait in self.waits():
            with self.subTest(), Events("cut") as service:
                self.assertEqual(wait(service.options, None)["status"], "COMPLETED")
                self.assertEqual(service.asked, ["/events", "", "/events"])

    def test_a_wait_ends_with_its_time(self):
        for fate, look, of in [
            ("refused", "kept", "renders"),
            ("refused", "busy", "renders"),
            ("kept", None, "renders"),
            ("slow", None, "renders"),
            (None, "kept", "batches"),
            (None, "busy", "batches"),
        ]:
            for wait in self.waits(timeout=2, of=of):
                with self.subTest(fate=fate, look=look, of=of), Events(fate, fate, look=look) as service:
                    start = time.monotonic()
                    with self.assertRaisesRegex(rondo.WaitTimeoutError, "job_1 did not end in time"):
                        wait({**service.options, "retries": 3}, None)
                    took = time.monotonic() - start
                    self.assertGreaterEqual(took, 2)
                    self.assertLess(took, 10)

    def test_an_error_of_the_caller_ends_the_wait(self):
        def fail(_):
            raise KeyError("A mistake of the caller.")

        for wait in self.waits():
            with self.subTest(), Events("ended") as service:
                with self.assertRaisesRegex(KeyError, "A mistake of the caller"):
                    wait(service.options, fail)
                self.assertEqual(service.asked, ["/events"])

    def test_a_download_whose_refusal_breaks_off_is_an_error_of_the_connection(self):
        def download(options, *arguments):
            with rondo.Rondo(**options) as client:
                client.renders.download(*arguments)

        async def download_async(options, *arguments):
            async with rondo.AsyncRondo(**options) as client:
                await client.renders.download(*arguments)

        for save in [download, lambda *arguments: asyncio.run(download_async(*arguments))]:
            with self.subTest(), Events("torn", "torn") as service, tempfile.TemporaryDirectory() as folder:
                job = {"jobId": "job_1", "outputUrl": f"{service.options['base_url']}/events"}
                with self.assertRaises(rondo.ConnectionError) as caught:
                    save({**service.options, "retries": 1}, job, os.path.join(folder, "film.mp4"))
                self.assertEqual(caught.exception.job_id, "job_1")
                self.assertEqual(service.asked, ["/events", "/events"])
                self.assertEqual(os.listdir(folder), [])

    def test_a_look_leaves_out_the_composition(self):
        for wait in self.waits():
            with self.subTest(), Events("refused", "refused") as service:
                wait(service.options, None)
                for query in service.looks:
                    [fields] = query["fields"]
                    self.assertNotIn("inputProps", fields)
                    document = json.loads((ROOT / "web/openapi/api.json").read_text())
                    every = document["components"]["schemas"]["RenderJob"]["properties"]
                    self.assertEqual({*fields.split(","), "inputProps"}, set(every))

    def test_the_package_needs_no_typing_extensions(self):
        code = "import sys; sys.modules['typing_extensions'] = None; import rondo; rondo.Rondo(api_key='rnd_x').renders.list()"
        subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(HERE.parent / "src")}, check=True)

    def test_a_file_for_a_bucket_is_sent_whole_and_again_after_an_attempt_that_fails(self):
        sent = []

        def answer(request):
            if request.method != "PUT":
                data = {"id": "upl_1", "uploadUrl": "https://bucket.test/upl_1.wav?X=1"}
                return httpx.Response(200, json={"success": True, "data": data})
            sent.append((str(request.url), request.headers.get("content-range"), request.headers["content-length"], request.read()))
            if len(sent) == 1:
                raise httpx.ReadError("The connection broke off.")
            return httpx.Response(200)

        client = httpx.Client(transport=httpx.MockTransport(answer))
        rondo.Rondo(api_key="rnd_x", base_url="https://rondo.test", http_client=client).uploads.put(b"sound", name="a.wav")
        self.assertEqual(sent, [("https://bucket.test/upl_1.wav?X=1", None, "5", b"sound")] * 2)

    def test_a_delivery_is_verified_by_its_signature_and_by_that_of_the_body_only_where_it_is_asked_for(self):
        secret = "whsec_" + base64.b64encode(b"a secret of some length").decode()
        body = json.dumps({"event": "render.completed", "deliveryId": "del_1", "data": {"jobId": "job_1"}})
        now = int(time.time())
        signed = hmac.new(b"a secret of some length", f"del_1.{now}.{body}".encode(), hashlib.sha256).digest()
        standard = {"Webhook-Id": "del_1", "Webhook-Timestamp": str(now), "Webhook-Signature": "v1,AAAA v1," + base64.b64encode(signed).decode()}
        self.assertEqual(rondo.verify_webhook(body, standard, secret)["data"]["jobId"], "job_1")
        plain = {"X-Rondo-Timestamp": str(now), "X-Rondo-Signature": hmac.new(secret.encode(), body.encode(), hashlib.sha256).hexdigest()}
        for headers in [plain, standard]:
            event = rondo.verify_webhook(body.encode(), headers, secret, accept_body_signature=True)
            self.assertEqual(event["event"], "render.completed")
        # The last two: an old delivery without its Standard Webhooks headers, and with a new timestamp.
        for wrong, headers in [
            (body + " ", standard),
            (body, {**standard, "Webhook-Timestamp": str(now - 400)}),
            *((body, {**standard, "Webhook-Timestamp": odd}) for odd in ["", "soon", "²", "-1", "nan", "9" * 400, "9" * 5000]),
            *((body, {**standard, "Webhook-Id": odd}) for odd in ["", "ü"]),
            *((body, {**standard, "Webhook-Signature": odd}) for odd in ["v1,ü", "v1", ",", "v1,AA"]),
            *((body, {name: value for name, value in standard.items() if name != missing}) for missing in standard),
            (body, {}),
            (body, plain),
            (body, {**plain, "Webhook-Timestamp": str(now)}),
        ]:
            with self.assertRaises(rondo.WebhookError):
                rondo.verify_webhook(wrong, headers, secret)
        for wrong, headers in [
            (body + " ", plain),
            (body, {**plain, "X-Rondo-Timestamp": str(now - 400)}),
            (body, {**plain, **standard, "Webhook-Signature": "v1,AAAA"}),
            (body, {}),
        ]:
            with self.assertRaises(rondo.WebhookError):
                rondo.verify_webhook(wrong, headers, secret, accept_body_signature=True)

    def test_a_film_places_its_overlays(self):
        made = rondo.Film(width=320, height=180)
        made.shape("rectangle", left=10, width=100).text("Built", start=15, durationInFrames=made.frames(1))
        composition = made.to_dict()
        shape, text = composition["overlays"]
        self.assertEqual((composition["durationInFrames"], shape["row"], shape["durationInFrames"]), (45, 1, 45))
        self.assertEqual((text["row"], text["from"], text["id"], text["width"]), (0, 15, 2, 320))

    def test_the_generated_files_are_up_to_date(self):
        subprocess.run([sys.executable, HERE.parent / "generate", "--check"], check=True)

    def test_a_missing_key_is_said(self):
        os.environ.pop("RONDO_API_KEY", None)
        with self.assertRaisesRegex(rondo.RondoError, "RONDO_API_KEY"):
            rondo.Rondo()


if __name__ == "__main__":
    unittest.main()
