"""Projects and templates. Made from `_async_projects.py` by packages/python/generate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Optional, Union
from urllib.parse import quote

from . import types
from ._sync_transport import Pages, Transport
from ._request import Request, composition_of, given, named

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Templates:
    """Templates: films with variables, made from projects."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, **query: Unpack[types.ListTemplatesArguments]) -> Pages[types.TemplateItem]:
        """Templates. Arguments as in the API: `fields`, `limit`."""
        return Pages(self._transport, Request("GET", "/templates", query=named("listTemplates", query)), "templates")

    def publish(
        self,
        project_id: str,
        name: str,
        *,
        description: Optional[str] = None,
        category: Optional[types.TemplateCategory] = None,
        credits_per_minute: Optional[int] = None,
        visibility: Optional[types.TemplateVisibility] = None,
        idempotency_key: Optional[str] = None,
    ) -> types.TemplateItem:
        """Makes a template of a project."""
        body = _template(project_id, name, description, category, credits_per_minute, visibility)
        return self._transport.data(Request("POST", "/templates", body, idempotency_key=idempotency_key))

    def update(
        self,
        template_id: str,
        *,
        project_id: Optional[str] = None,
        name: Optional[str] = None,
        description: Optional[str] = None,
        category: Optional[types.TemplateCategory] = None,
        credits_per_minute: Optional[int] = None,
        visibility: Optional[types.TemplateVisibility] = None,
    ) -> types.TemplateItem:
        """Changes a template: with a `project_id`, it gets the film that the project has now."""
        body = _template(project_id, name, description, category, credits_per_minute, visibility)
        return self._transport.data(Request("PUT", f"/templates/{quote(template_id, safe='')}", body))

    def unpublish(self, template_id: str) -> None:
        """Takes a template back. Projects and renders made from it stay."""
        self._transport.data(Request("DELETE", f"/templates/{quote(template_id, safe='')}"))

    def variables(self, template_id: str) -> List[types.Variable]:
        path = f"/templates/{quote(template_id, safe='')}/variables"
        return (self._transport.data(Request("GET", path)))["variables"]


class Projects:
    """Projects: saved films, their edits and their versions.

    Changes take the `etag` of the project as `if_match`. If the project has another one by now, nothing is changed and `ConflictError`
    is raised.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, **query: Unpack[types.ListProjectsArguments]) -> Pages[types.ProjectItem]:
        """Projects, the last changed first. Filters as in the API: `dynamic`, `search`, `limit`."""
        return Pages(self._transport, Request("GET", "/projects", query=named("listProjects", query)), "projects")

    def create(
        self, name: str, composition: Any, *, description: Optional[str] = None, idempotency_key: Optional[str] = None
    ) -> types.ProjectDetails:
        body = given(name=name, description=description, composition=composition_of(composition))
        return self._transport.data(Request("POST", "/projects", body, idempotency_key=idempotency_key))

    def get(self, project_id: str, *, fields: Union[str, List[str], None] = None) -> types.ProjectDetails:
        """The project with its composition and its `etag`, or some of its fields."""
        return self._transport.data(Request("GET", _at(project_id), query={"fields": fields}))

    def update(
        self,
        project_id: str,
        *,
        name: Optional[str] = None,
        description: Optional[str] = None,
        composition: Any = None,
        change: Optional[str] = None,
        if_match: Optional[str] = None,
    ) -> types.ProjectDetails:
        """Replaces what is given. `change` names the change in the list of versions."""
        body = given(name=name, description=description, composition=composition_of(composition), change=change)
        return self._transport.data(Request("PUT", _at(project_id), body, headers=_match(if_match)))

    def delete(self, project_id: str) -> None:
        self._transport.data(Request("DELETE", _at(project_id)))

    def duplicate(
        self, project_id: str, name: Optional[str] = None, *, idempotency_key: Optional[str] = None
    ) -> types.ProjectDetails:
        """A copy, under another name."""
        request = Request("POST", _at(project_id, "/duplicate"), given(name=name), idempotency_key=idempotency_key)
        return self._transport.data(request)

    def apply_edits(
        self,
        project_id: str,
        edits: List[types.Edit],
        *,
        name: Optional[str] = None,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> types.ProjectDetails:
        """Applies small changes: all of them, or none. `name` keeps the result as a version."""
        body, headers = given(edits=edits, name=name), _match(if_match)
        request = Request("POST", _at(project_id, "/edits"), body, headers=headers, idempotency_key=idempotency_key)
        return self._transport.data(request)

    def versions(self, project_id: str, *, limit: Optional[int] = None) -> Pages[types.VersionItem]:
        """Earlier states, newest first."""
        request = Request("GET", _at(project_id, "/versions"), query={"limit": limit})
        return Pages(self._transport, request, "versions")

    def create_version(
        self, project_id: str, name: str, *, idempotency_key: Optional[str] = None
    ) -> types.VersionItem:
        """Keeps the project as it is under a name."""
        request = Request("POST", _at(project_id, "/versions"), {"name": name}, idempotency_key=idempotency_key)
        return self._transport.data(request)

    def get_version(self, project_id: str, version_id: str) -> types.VersionDetails:
        return self._transport.data(Request("GET", _at(project_id, f"/versions/{quote(version_id, safe='')}")))

    def restore_version(
        self,
        project_id: str,
        version_id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> types.ProjectDetails:
        """Makes the project what it was. What it is now is kept as a version."""
        path = _at(project_id, f"/versions/{quote(version_id, safe='')}/restore")
        return self._transport.data(Request("POST", path, headers=_match(if_match), idempotency_key=idempotency_key))

    def variables(self, project_id: str) -> List[types.Variable]:
        return (self._transport.data(Request("GET", _at(project_id, "/variables"))))["variables"]


def _at(project_id: str, rest: str = "") -> str:
    return f"/projects/{quote(project_id, safe='')}{rest}"


def _match(etag: Optional[str]) -> dict[str, str]:
    return {} if etag is None else {"if-match": f'"{etag}"'}


def _template(
    project_id: Optional[str],
    name: Optional[str],
    description: Optional[str],
    category: Optional[str],
    credits_per_minute: Optional[int],
    visibility: Optional[str],
) -> dict[str, Any]:
    return given(
        projectId=project_id,
        name=name,
        description=description,
        category=category,
        creditsPerMinute=credits_per_minute,
        visibility=visibility,
    )
