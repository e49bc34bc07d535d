"""The workflow of an agent that uses only tools: the guide, a composition of ten seconds based on its recipes, the contact
sheet, fixing a text that the warnings report as clipped, the render, the download."""

import asyncio
import base64
import copy
import json
import re
import subprocess
import sys
import time
import urllib.request

import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

URL, KEY, FOLDER = sys.argv[1:4]


async def main():
    headers = {"Authorization": f"Bearer {KEY}"}
    async with httpx2.AsyncClient(headers=headers, timeout=150) as http:
        async with Client(streamable_http_client(f"{URL}/api/mcp", http_client=http)) as client:
            await make(client)


async def make(client):
    async def call(name, arguments):
        result = await client.call_tool(name, arguments)
        assert not result.is_error, result
        return result

    guide = (await call("get_guide", {})).content[1].text
    recipes = [json.loads(text) for text in re.findall(r"```json composition\n(.*?)```", guide, re.S)]
    film = compose(next(recipe for recipe in recipes if recipe["height"] == 1920 and recipe["durationInFrames"] == 180))

    checked = (await call("check_composition", {"inputProps": film})).structured_content
    assert checked["valid"], checked
    clipped = [warning for warning in checked["warnings"] if warning["code"] == "TEXT_MAY_CLIP"]
    assert len(clipped) == 1, checked["warnings"]

    index = int(re.match(r"overlays\[(\d+)\]", clipped[0]["detail"]["path"]).group(1))
    film["overlays"][index]["height"] = 320
    checked = (await call("check_composition", {"inputProps": film})).structured_content
    assert checked["valid"] and not checked["warnings"], checked
    print(f"   fixed   {clipped[0]['message']}")

    started = time.monotonic()
    seen = await call("preview_frames", {"inputProps": film})
    took = time.monotonic() - started
    sheet = next(content for content in seen.content if content.type == "image")
    picture = base64.b64decode(sheet.data)
    with open(f"{FOLDER}/sheet.jpg", "wb") as file:
        file.write(picture)
    shown = seen.structured_content["pictures"][0]
    assert len(shown["frames"]) == 12 and shown["width"] * shown["height"] <= 1_200_000, shown
    print(f"   seen    {shown['width']} × {shown['height']} pixels, {len(picture) // 1000} KB, in {took:.2f} s")

    job = (await call("render", {"inputProps": film, "draft": True, "idempotencyKey": "agent-film"})).structured_content
    render = (await call("get_render", {"jobId": job["jobId"], "waitSeconds": 120})).structured_content
    while render["status"] in ("PENDING", "PROCESSING"):
        render = (await call("get_render", {"jobId": job["jobId"], "waitSeconds": 120})).structured_content
    assert render["status"] == "COMPLETED", render
    path = f"{FOLDER}/film.mp4"
    urllib.request.urlretrieve(render["outputUrl"], path)
    probed = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v:0", "-count_frames", "-of", "csv=p=0",
         "-show_entries", "stream=codec_name,width,height,nb_read_frames", path], check=True, capture_output=True, text=True)
    assert probed.stdout.strip() == "h264,1080,1920,300", probed.stdout
    print(f"   passed  {probed.stdout.strip()} in {render['duration'] / 1000:.1f} s for {render['creditsUsed']} credit")


def compose(recipe):
    """Extends the scenes recipe to ten seconds: adds a scene, and a closing line that is too long for its box."""
    film = copy.deepcopy(recipe)
    film["overlays"][0]["content"] = "Three habits\nthat stick"
    last = film["overlays"][-3:]
    scene = copy.deepcopy(last)
    for overlay in last:
        overlay["durationInFrames"] = 190 - overlay["from"]
    for number, overlay in enumerate(scene):
        overlay["id"] = 100 + number
        overlay["row"] -= 2
        overlay["from"] += 60
        overlay["durationInFrames"] = 300 - overlay["from"]
    background, digit, sentence = scene
    background["styles"]["fill"] = "#0d9f6e"
    digit["content"], sentence["content"] = "3", "Tell one friend"
    film["overlays"] += scene
    film["overlays"].append({
        "id": 200, "type": "text", "row": 1, "from": 230, "durationInFrames": 70, "left": 90, "top": 1280, "width": 900, "height": 120,
        "content": "A habit shared is a habit kept, and the best day to begin with one is always an ordinary day",
        "styles": {"fontFamily": "Inter", "fontWeight": "600", "fontSize": "64px", "fontSizeFixed": True, "color": "#ffffff",
                   "textAlign": "left", "padding": "0px", "animation": {"enter": "fade"}}})
    film["durationInFrames"] = 300
    return film


asyncio.run(main())
