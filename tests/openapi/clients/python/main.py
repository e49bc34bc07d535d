"""A client made by openapi-python-client."""

import os

from api.client import AuthenticatedClient
from api.api.previews import create_preview
from api.api.renders import get_render
from api.api.templates import list_templates
from api.models import Composition, RenderBody, TextOverlay

client = AuthenticatedClient(base_url=f"{os.environ['RONDO_URL']}/api/v1", token=os.environ["RONDO_API_KEY"])

templates = list_templates.sync(client=client, limit=2)
assert len(templates.data.templates) == 2, templates

place = {"id": 1, "from_": 0, "duration_in_frames": 30, "row": 0, "left": 0, "top": 0, "width": 1920, "height": 1080}
title = TextOverlay(type_="text", content="Hello", **place)
body = RenderBody(input_props=Composition(duration_in_frames=30, overlays=[title]))
preview = create_preview.sync(client=client, body=body)
assert preview.data.resolved.mode == "direct", preview

unknown = get_render.sync(client=client, job_id="job_none")
assert unknown.details.reason == "NOT_FOUND", unknown
