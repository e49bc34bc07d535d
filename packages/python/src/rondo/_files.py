"""Paths of the films that the client saves."""

from __future__ import annotations

import os
from typing import Union

Path = Union[str, "os.PathLike[str]"]


def part_of(path: Path) -> str:
    """Where a film is written until it is complete."""
    return f"{os.fspath(path)}.part"


def check_writable(path: Path) -> None:
    """Fails if no file can be written at the path: before a render costs credits."""
    part = part_of(path)
    try:
        with open(part, "xb"):
            pass
    except FileExistsError:
        # Another download writes to it.
        return
    os.remove(part)
