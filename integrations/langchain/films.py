"""An agent that makes films: the tools of Rondo for LangChain. The model is yours.

    python films.py "A quote card that says: Less is more."

Needs RONDO_URL and RONDO_API_KEY, and a model that LangChain can reach: RONDO_AGENT_MODEL, such as "anthropic:claude-opus-4-5", with the package
and the key of its provider.
"""

import asyncio
import os
import sys

from langchain.agents import create_agent
from langchain_mcp_adapters.client import MultiServerMCPClient

# What the agent needs to make a film. Without the list, it gets every tool of the service.
TOOLS = [
    "get_guide",
    "list_templates",
    "get_variables",
    "list_registry",
    "check_composition",
    "preview_frames",
    "render",
    "get_render",
]

PROMPT = (
    "You make films with the tools of Rondo. Call get_guide first. Prefer a template of list_templates, and fill in every variable. Look at the "
    "film with preview_frames before you render it. Then call render and get_render until it is complete, and answer with its outputUrl."
)


def client():
    return MultiServerMCPClient(
        {
            "rondo": {
                "transport": "streamable_http",
                "url": f"{os.environ.get('RONDO_URL', 'http://127.0.0.1:8080')}/api/mcp",
                "headers": {"Authorization": f"Bearer {os.environ['RONDO_API_KEY']}"},
            }
        }
    )


async def film_tools():
    tools = {tool.name: tool for tool in await client().get_tools()}
    return [tools[name] for name in TOOLS]


async def make_film(model, wish):
    """Lets the agent work, and returns its answer."""
    agent = create_agent(model, await film_tools(), system_prompt=PROMPT)
    state = await agent.ainvoke({"messages": [{"role": "user", "content": wish}]})
    return state["messages"]


if __name__ == "__main__":
    messages = asyncio.run(make_film(os.environ["RONDO_AGENT_MODEL"], " ".join(sys.argv[1:])))
    print(messages[-1].text)
