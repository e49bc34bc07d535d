"""The official Python client with both lifecycles: tools, resources and prompts."""

import asyncio
import base64
import sys

import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

URL, KEY = sys.argv[1:3]
HEART = {
    "width": 320, "height": 180, "fps": 10, "durationInFrames": 20, "backgroundColor": "#102030",
    "overlays": [{"id": 1, "type": "shape", "content": "heart", "row": 0, "from": 0, "durationInFrames": 20, "left": 110, "top": 40,
                  "width": 100, "height": 100, "styles": {"fill": "#ff3366"}}],
}


async def run(mode):
    headers = {"Authorization": f"Bearer {KEY}"}
    async with httpx2.AsyncClient(headers=headers, timeout=90) as http:
        async with Client(streamable_http_client(f"{URL}/api/mcp", http_client=http), mode=mode) as client:
            tools = (await client.list_tools()).tools

            async def call(name, arguments=None, **more):
                result = await client.call_tool(name, arguments or {}, **more)
                assert not result.is_error, result
                return result

            templates = (await call("list_templates", {"limit": 1})).structured_content["templates"]
            await call("get_template", {"templateId": templates[0]["templateId"]})
            assert (await call("check_composition", {"inputProps": HEART})).structured_content["valid"]
            seen = await call("preview_frames", {"inputProps": HEART})
            image = next(content for content in seen.content if content.type == "image")
            assert base64.b64decode(image.data).startswith(b"\xff\xd8\xff")
            job = (await call("render", {"inputProps": HEART})).structured_content
            updates = []

            async def progress(done, total, message):
                updates.append(done)

            render = await call("get_render", {"jobId": job["jobId"], "waitSeconds": 60}, progress_callback=progress)
            assert render.structured_content["status"] == "COMPLETED", render
            assert updates, "no progress was reported"
            for name in ("list_projects", "list_renders", "account", "usage", "get_guide"):
                await call(name)
            refused = await client.call_tool("render", {"inputProps": {"overlays": []}})
            assert refused.is_error and "durationInFrames" in refused.content[0].text
            resources = (await client.list_resources()).resources
            for resource in resources:
                assert (await client.read_resource(resource.uri)).contents
            prompts = (await client.list_prompts()).prompts
            for prompt in prompts:
                given = {argument.name: "bees" for argument in prompt.arguments}
                assert (await client.get_prompt(prompt.name, given)).messages
            print(f"   passed  {mode}: {len(tools)} tools, {len(resources)} resources, {len(prompts)} prompts")


for mode in ("legacy", "2026-07-28"):
    asyncio.run(run(mode))
