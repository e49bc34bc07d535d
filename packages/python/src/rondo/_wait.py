"""Waiting for renders and batches: what is left of the time, and what has changed. The same for both clients."""

from __future__ import annotations

import math
import time
from typing import Any, Callable, Optional

from . import types
from .errors import RenderFailedError, WaitTimeoutError

Progress = Callable[[types.RenderJob], None]
BatchProgress = Callable[[types.BatchInfo], None]


class _Watch:
    """Something that is waited for."""

    def __init__(self, name: str, timeout: Optional[float], job_id: Optional[str] = None) -> None:
        self._name = name
        self._job_id = job_id
        self._deadline = math.inf if timeout is None else time.monotonic() + timeout
        self._last: Any = None

    def left(self) -> float:
        """Seconds until the deadline. Raises after it."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise WaitTimeoutError(f"The {self._name} did not end in time.", self._job_id)
        return left

    def has_changed(self, now: Any) -> bool:
        before, self._last = self._last, now
        return bool(now != before)


class RenderWatch(_Watch):
    """A render that is waited for."""

    def __init__(self, job_id: str, on_progress: Optional[Progress], timeout: Optional[float]) -> None:
        super().__init__(f"render {job_id}", timeout, job_id)
        self.job_id = job_id
        #: Whether events may arrive.
        self.has_events = True
        self._on_progress = on_progress

    def may_outlast(self, limit: float) -> bool:
        """Whether a read of so many seconds may end after the deadline, by more than a second and a tenth of what is left."""
        left = self.left()
        return limit > left + max(1.0, left / 10)

    def look(self, job: types.RenderJob) -> Optional[types.RenderJob]:
        """Reports a change. The job, if it is complete."""
        if self.has_changed((job["status"], job["progressPercentage"])) and self._on_progress:
            self._on_progress(job)
        if job["status"] == "FAILED":
            raise RenderFailedError(self.job_id, job.get("errorMessage") or "The render failed.")
        return job if job["status"] == "COMPLETED" else None


class BatchWatch(_Watch):
    """A batch that is waited for."""

    def __init__(self, batch_id: str, on_progress: Optional[BatchProgress], timeout: Optional[float]) -> None:
        super().__init__(f"batch {batch_id}", timeout)
        self._on_progress = on_progress

    def look(self, page: types.BatchPage) -> Optional[types.BatchInfo]:
        """Reports a change. The batch, if all of its renders have ended."""
        of_page = ("renders", "nextCursor", "hasMore")
        batch: Any = {name: value for name, value in page.items() if name not in of_page}
        if self.has_changed((batch["status"], batch["progressPercentage"], batch["counts"])) and self._on_progress:
            self._on_progress(batch)
        return batch if batch["status"] == "COMPLETED" else None
