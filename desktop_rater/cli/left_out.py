"""What a command says of the tasks and targets that were left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.cli.answer import DONE, LOOK, say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_rater.work.incoming import LeftOut


def plain(left_out: Iterable[LeftOut]) -> list[dict[str, str | None]]:
    """As the JSON of a result."""
    return [{"task": one.task, "target": one.target, "why": one.why} for one in left_out]


def told(left_out: tuple[LeftOut, ...]) -> int:
    """Name each; the exit status."""
    for one in left_out:
        say(f"Left out: {one.why}")
    return LOOK if left_out else DONE
