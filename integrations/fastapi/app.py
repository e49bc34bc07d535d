"""A web service that makes greeting films with Rondo: starts them, takes the webhook, and tells what has become of them."""

import os
from typing import Any, AsyncIterator, Dict, Set

from fastapi import Depends, FastAPI, HTTPException, Request
from pydantic import BaseModel, Field

from rondo import AsyncRondo, Film, WebhookError, verify_webhook

app = FastAPI(title="Greeting films")

# In memory: use your database instead, so that the films survive a restart and all processes have them.
films: Dict[str, Dict[str, Any]] = {}
# Deliveries that were taken: each may arrive more than once.
deliveries: Set[str] = set()


class Greeting(BaseModel):
    name: str = Field(min_length=1, max_length=40)


async def service() -> AsyncIterator[AsyncRondo]:
    """The client. It reads RONDO_URL and RONDO_API_KEY."""
    async with AsyncRondo() as client:
        yield client


def film_of(name: str) -> Film:
    film = Film(width=720, height=720, durationInFrames=60, backgroundColor="#0f172a")
    film.shape("circle", left=110, top=110, width=500, height=500, styles={"fill": "#f97316", "animation": {"enter": "zoom-in"}})
    film.text(
        f"Hello, {name}",
        left=60,
        top=260,
        width=600,
        height=200,
        styles={"fontFamily": "Inter", "fontWeight": "800", "fontSize": "90px", "color": "#ffffff", "textAlign": "center"},
    )
    return film


@app.post("/films", status_code=202)
async def start_film(greeting: Greeting, client: AsyncRondo = Depends(service)) -> Dict[str, str]:
    """Starts a film, and returns the id to ask for it with."""
    created = await client.renders.create(composition=film_of(greeting.name))
    films[created["jobId"]] = {"status": "PROCESSING"}
    return {"jobId": created["jobId"]}


@app.get("/films/{job_id}")
async def get_film(job_id: str, client: AsyncRondo = Depends(service)) -> Dict[str, Any]:
    """What has become of a film. Asks the service until the webhook has said that the film is done."""
    if job_id not in films:
        raise HTTPException(404, "There is no such film.")
    if films[job_id]["status"] not in ("COMPLETED", "FAILED"):
        films[job_id] = told(await client.renders.get(job_id))
    return films[job_id]


@app.post("/webhook")
async def receive(request: Request) -> Dict[str, bool]:
    """Takes deliveries of the service, if they are signed with the secret of the webhook."""
    try:
        event = verify_webhook(await request.body(), request.headers, os.environ["RONDO_WEBHOOK_SECRET"])
    except WebhookError as error:
        raise HTTPException(401, str(error)) from error
    data = event["data"]
    if event["deliveryId"] not in deliveries and data.get("jobId") in films:
        films[data["jobId"]] = told(data)
    deliveries.add(event["deliveryId"])
    return {"ok": True}


def told(job: Any) -> Dict[str, Any]:
    """What callers learn of a job, or of the event of one."""
    named = {"status": job["status"], "url": job.get("outputUrl"), "error": job.get("errorMessage")}
    return {name: value for name, value in named.items() if value is not None}
