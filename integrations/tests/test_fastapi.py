"""The FastAPI example, run by uvicorn, with deliveries of a real service."""

import json
import os
import pathlib
import socket
import subprocess
import sys
import time
import unittest

import httpx

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packages/python/tests"))

from test_client import Service, rondo  # noqa: E402


class FastApiTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service()
        cls.client = rondo.Rondo(api_key=cls.service.api_key, base_url=cls.service.url)
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            port = listener.getsockname()[1]
        cls.webhook = cls.client.webhooks.create(f"http://127.0.0.1:{port}/webhook")
        env = {
            **os.environ, "PYTHONPATH": str(ROOT / "packages/python/src"), "RONDO_URL": cls.service.url,
            "RONDO_API_KEY": cls.service.api_key, "RONDO_WEBHOOK_SECRET": cls.webhook["secret"],
        }
        command = [sys.executable, "-m", "uvicorn", "app:app", "--port", str(port), "--log-level", "warning"]
        cls.process = subprocess.Popen(command, cwd=ROOT / "integrations/fastapi", env=env)
        cls.app = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30)
        for _ in range(200):
            try:
                cls.app.get("/openapi.json")
                return
            except httpx.TransportError:
                time.sleep(0.1)
        raise RuntimeError("The example failed to start.")

    @classmethod
    def tearDownClass(cls):
        cls.app.close()
        cls.process.terminate()
        cls.process.wait(30)
        cls.service.stop()

    def delivery(self, job_id):
        """The delivery of a render, once it was answered."""
        for _ in range(600):
            for delivery in self.client.webhooks.deliveries(self.webhook["id"]):
                if delivery.get("jobId") == job_id and delivery["attempts"]:
                    return delivery
            time.sleep(0.1)
        self.fail(f"waited a minute for the delivery of {job_id}")

    def test_a_film_is_started_and_its_delivery_completes_it(self):
        started = self.app.post("/films", json={"name": "Ada"})
        self.assertEqual(started.status_code, 202, started.text)
        job_id = started.json()["jobId"]
        self.assertEqual(self.delivery(job_id)["attempts"][0]["statusCode"], 200)
        film = self.app.get(f"/films/{job_id}").json()
        self.assertEqual(film["status"], "COMPLETED")
        self.assertEqual(httpx.get(film["url"]).content[4:8], b"ftyp")
        self.assertIn("Hello, Ada", json.dumps(self.client.renders.get(job_id)["inputProps"]))

    def test_a_delivery_with_a_wrong_signature_is_refused(self):
        body = {"event": "render.completed", "deliveryId": "del_1", "data": {"jobId": "job_1", "status": "COMPLETED"}}
        headers = {"webhook-id": "del_1", "webhook-timestamp": str(int(time.time())), "webhook-signature": "v1,d3Jvbmc="}
        self.assertEqual(self.app.post("/webhook", json=body, headers=headers).status_code, 401)
        self.assertEqual(self.app.post("/webhook", json=body).status_code, 401)

    def test_unknown_films_and_wrong_names_are_refused(self):
        self.assertEqual(self.app.get("/films/job_1").status_code, 404)
        self.assertEqual(self.app.post("/films", json={"name": ""}).status_code, 422)


if __name__ == "__main__":
    unittest.main()
