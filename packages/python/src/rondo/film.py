"""Building compositions in code."""

from __future__ import annotations

from typing import Any, Optional, cast

from ._overlays import Overlays
from ._request import given
from .types import ColorVariable, Composition, FontVariable


class Film(Overlays):
    """A composition in the making.

    Overlays are added from back to front, each in front of the ones before. An overlay fills the canvas and lasts until the end of the
    film unless its fields say otherwise. Fields have their names in the format: `Film().text("Hi", left=100, durationInFrames=60)`; use
    `start` for `from`, which is a word of Python.
    """

    def __init__(
        self,
        *,
        width: int = 1920,
        height: int = 1080,
        fps: int = 30,
        durationInFrames: Optional[int] = None,  # noqa: N803
        backgroundColor: Optional[str] = None,  # noqa: N803
        posterFrame: Optional[int] = None,  # noqa: N803
        colors: Optional[list[ColorVariable]] = None,
        fonts: Optional[list[FontVariable]] = None,
        **fields: Any,
    ) -> None:
        """Without `durationInFrames`, the film ends with the last overlay that has a length."""
        given_fields = given(backgroundColor=backgroundColor, posterFrame=posterFrame, colors=colors, fonts=fonts, **fields)
        self._canvas: dict[str, Any] = {"width": width, "height": height, "fps": fps, **given_fields}
        self._length = durationInFrames
        self._overlays: list[dict[str, Any]] = []

    def frames(self, seconds: float) -> int:
        """Frames of a number of seconds."""
        return round(seconds * self._canvas["fps"])

    def add(self, type: str, *, start: Optional[float] = None, **fields: Any) -> Film:  # noqa: A002
        """Adds an overlay of any type. Fields that are None are left out."""
        overlay = {"type": type, **given(**{**fields, "from": start})}
        self._overlays.append(overlay)
        return self

    def to_dict(self) -> Composition:
        """The composition, for `composition=`."""
        ends = [overlay.get("from", 0) + overlay.get("durationInFrames", 0) for overlay in self._overlays]
        length = self._length or max(ends, default=0) or self.frames(5)
        overlays = []
        for index, overlay in enumerate(self._overlays):
            start = overlay.get("from", 0)
            placed = {
                "id": index + 1,
                "row": len(self._overlays) - 1 - index,
                "from": start,
                "durationInFrames": max(length - start, 1),
                "left": 0,
                "top": 0,
                "width": self._canvas["width"],
                "height": self._canvas["height"],
            }
            overlays.append({**placed, **overlay})
        return cast(Composition, {**self._canvas, "durationInFrames": length, "overlays": overlays})
