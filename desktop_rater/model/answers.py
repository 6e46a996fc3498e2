"""Values given to questions: by a rater, or suggested by a bundle."""

from __future__ import annotations

from typing import Any

from desktop_rater.model.kept import Kept


class Answers(Kept, frozen=True, kw_only=True):
    """Question id → value, for the task, for each response and for each target."""

    task: dict[str, Any] = {}
    responses: dict[str, dict[str, Any]] = {}
    targets: dict[str, dict[str, Any]] = {}
