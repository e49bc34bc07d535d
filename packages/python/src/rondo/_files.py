"""Films that the client saves."""

from __future__ import annotations

import errno
import os
import uuid
from typing import BinaryIO, Optional, Union

import httpx

Path = Union[str, "os.PathLike[str]"]


def part_of(path: Path) -> str:
    """Where a film is written until it is complete. Each download has a place of its own."""
    return f"{os.fspath(path)}.{uuid.uuid4().hex}.part"


def check_writable(path: Path) -> None:
    """Fails if no file can be written at the path: before a render costs credits."""
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    part = part_of(path)
    with open(part, "xb"):
        pass
    os.remove(part)


class Download:
    """A file that arrives, possibly in several answers."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._most = 0
        self._size: Optional[int] = None
        #: The strong `ETag`, with which the rest can be asked for. None if the size is not known.
        self._tag: Optional[str] = None

    def headers(self) -> dict[str, str]:
        """Those of the next request. The length of an encoded body would not be that of the file."""
        rest = {"range": f"bytes={self._file.tell()}-", "if-range": self._tag} if self._tag else {}
        return {"accept-encoding": "identity", **rest}

    def begin(self, response: httpx.Response) -> bool:
        """Whether the body is the rest of the file, or the whole file: then it is written from its start."""
        headers, is_part = response.headers, response.status_code == 206
        if is_part and self._is_rest(headers):
            return True
        self._file.seek(0)
        self._file.truncate()
        self._size = self._tag = None
        if not is_part and "content-length" in headers and "content-encoding" not in headers:
            self._size = int(headers["content-length"])
            tag = headers.get("etag", "")
            self._tag = tag if tag.startswith('"') else None
        return not is_part

    def _is_rest(self, headers: httpx.Headers) -> bool:
        if self._tag is None or self._size is None:
            return False
        place = f"bytes {self._file.tell()}-{self._size - 1}/{self._size}"
        return headers.get("content-range") == place and headers.get("etag", self._tag) == self._tag

    def write(self, piece: bytes) -> None:
        self._file.write(piece)

    def is_whole(self, has_ended: bool) -> bool:
        """`has_ended`: the last answer was complete."""
        at = self._file.tell()
        return at > 0 and (has_ended if self._size is None else at == self._size)

    def has_grown(self) -> bool:
        """Whether there is more of the file than ever before."""
        before, self._most = self._most, max(self._most, self._file.tell())
        return self._most > before
