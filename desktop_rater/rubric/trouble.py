"""What is wrong with a rubric."""

from __future__ import annotations

from desktop_rater.model.trouble import RaterError


class RubricError(RaterError):
    """A rubric is refused. The title names the file, the line where the table begins, and the table's id."""
