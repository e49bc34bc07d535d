"""OAuth with the official Python client: discovery, registration or a metadata document, PKCE, a call, a refreshed token."""

import asyncio
import html
import re
import sys
import time
import urllib.parse

import httpx2
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

URL, COOKIE, DOCUMENT = sys.argv[1:4]
CALLBACK = "http://127.0.0.1:9/callback"


class Storage:
    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


class User:
    """A signed-in user who grants access."""

    async def allow(self, address):
        async with httpx2.AsyncClient(headers={"Cookie": COOKIE}) as browser:
            page = (await browser.get(address)).text
            fields = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', page)
            form = {name: html.unescape(value) for name, value in fields} | {"decision": "allow"}
            answer = await browser.post(f"{URL}/oauth/authorize", data=form, headers={"Origin": URL})
            assert answer.status_code == 303, answer.text
            self.back = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(answer.headers["Location"]).query))

    async def result(self):
        return AuthorizationCodeResult(code=self.back["code"], state=self.back.get("state"), iss=self.back.get("iss"))


async def run(document):
    user, storage = User(), Storage()
    metadata = OAuthClientMetadata(
        client_name="Tests", redirect_uris=[CALLBACK], grant_types=["authorization_code", "refresh_token"],
        response_types=["code"], token_endpoint_auth_method="none")
    provider = OAuthClientProvider(
        f"{URL}/api/mcp", metadata, storage, user.allow, user.result, client_metadata_url=document)
    async with httpx2.AsyncClient(auth=provider, timeout=60) as http:
        async with Client(streamable_http_client(f"{URL}/api/mcp", http_client=http)) as client:
            async def email():
                return (await client.call_tool("account", {})).structured_content["email"]

            assert await email() == "agent@example.com"
            if document:
                assert storage.client.client_id == document, storage.client
            before = storage.tokens.refresh_token
            provider.context.token_expiry_time = time.time() - 1
            assert await email() == "agent@example.com"
            assert storage.tokens.refresh_token != before
    print(f"   passed  {'with a metadata document' if document else 'registered'}")


for document in (None, DOCUMENT):
    asyncio.run(run(document))
