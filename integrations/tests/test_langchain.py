"""LangChain's agent with the tools of a real service, and the configuration for MCP clients. The model is a script."""

import asyncio
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest
import urllib.request

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "integrations/langchain"
sys.path.insert(0, str(ROOT / "packages/python/tests"))

from test_client import Service  # noqa: E402

spec = importlib.util.spec_from_file_location("films", FOLDER / "films.py")
films = importlib.util.module_from_spec(spec)
spec.loader.exec_module(films)

SMALL = {"format": "mp4", "scale": 0.1, "range": [0, 9]}


def answer_of(message):
    """The JSON of a tool's answer."""
    parts = [message.content] if isinstance(message.content, str) else [part.get("text", "") for part in message.content]
    return next(json.loads(part) for part in parts if part.startswith("{"))


class ScriptedModel(BaseChatModel):
    """Calls the tools in the order that the guide recommends, with what the answers before tell."""

    offered: list = []

    @property
    def _llm_type(self):
        return "scripted"

    def bind_tools(self, tools, **_):
        self.offered.extend(tool.name for tool in tools)
        return self

    def _generate(self, messages, stop=None, run_manager=None, **_):
        answers = [message for message in messages if isinstance(message, ToolMessage)]
        film = {"templateId": "tpl_quote_card", "replacements": {"quote": "Less is more."}}
        calls = [
            lambda: ("get_guide", {}),
            lambda: ("list_templates", {}),
            lambda: ("get_variables", {"templateId": "tpl_quote_card"}),
            lambda: ("preview_frames", {**film, "frames": [30]}),
            lambda: ("render", {**film, "output": SMALL}),
            lambda: ("get_render", {"jobId": answer_of(answers[4])["jobId"], "waitSeconds": 60}),
        ]
        if len(answers) == len(calls):
            made = AIMessage(answer_of(answers[5])["outputUrl"])
        else:
            name, args = calls[len(answers)]()
            made = AIMessage("", tool_calls=[{"name": name, "args": args, "id": str(len(answers))}])
        return ChatResult(generations=[ChatGeneration(message=made)])


class LangChainTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service()
        os.environ.update(RONDO_URL=cls.service.url, RONDO_API_KEY=cls.service.api_key)

    @classmethod
    def tearDownClass(cls):
        cls.service.stop()

    def test_the_agent_makes_a_film_with_the_tools(self):
        model = ScriptedModel()
        messages = asyncio.run(films.make_film(model, "A quote card that says: Less is more."))
        self.assertEqual(sorted(set(model.offered)), sorted(films.TOOLS))
        failed = [message.content for message in messages if isinstance(message, ToolMessage) and message.status == "error"]
        self.assertEqual(failed, [])
        seen = next(message for message in messages if isinstance(message, ToolMessage) and message.name == "preview_frames")
        self.assertIn("image", [part["type"] for part in seen.content], "the agent sees the frames")
        with urllib.request.urlopen(messages[-1].text) as film:
            self.assertEqual(film.read(8)[4:], b"ftyp")

    def test_the_example_of_the_guide_gets_the_tools(self):
        guide = (ROOT / "docs/integrations.md").read_text()
        code = re.search(r"^```python\n(.*?)^```", guide, re.M | re.S)[1]
        code = code.replace("http://127.0.0.1:8080", self.service.url).replace("rnd_…", self.service.api_key)
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertLessEqual(set(films.TOOLS), set(ran.stdout.split()))

    def test_the_configuration_for_mcp_clients_connects(self):
        text = (FOLDER / "mcp.json").read_text().replace("http://127.0.0.1:8080", self.service.url)
        server = json.loads(text.replace("rnd_…", self.service.api_key))["mcpServers"]["rondo"]
        self.assertEqual(server["type"], "http")

        async def names():
            async with streamablehttp_client(server["url"], server["headers"]) as (read, write, _):
                async with ClientSession(read, write) as session:
                    await session.initialize()
                    checked = await session.call_tool("list_templates", {})
                    self.assertFalse(checked.isError)
                    return [tool.name for tool in (await session.list_tools()).tools]

        self.assertLessEqual(set(films.TOOLS), set(asyncio.run(names())))

    def test_the_tools_that_cost_credits_are_those_of_the_readme(self):
        readme = (FOLDER / "README.md").read_text()
        guide = (ROOT / "docs/agents.md").read_text()
        for name in re.findall(r"`(\w+)`", re.search(r"Only (.*?) cost", readme)[1]):
            self.assertIn(f"`{name}`", re.search(r"use the same prices as the HTTP API: (.*?) cost", guide, re.S)[1])


if __name__ == "__main__":
    unittest.main()
