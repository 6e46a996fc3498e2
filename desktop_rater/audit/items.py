"""What the review room lists: one item for each judged place, with what each rater says there and what was said of it.

Pure structs; `audit.listing` makes them and `audit.filters` chooses among them.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from desktop_rater.audit.disagreement import Group, Label
from desktop_rater.audit.verdicts import Final, Verdict

Flag = Literal[
    "warning",
    "acknowledged",
    "too-fast",
    "no-evidence",
    "evidence-dead",
    "returned",
    "gold-missed",
    "forked",
    "outdated",
]
# Each is a filter of the list, in the order of its menu. The words stand where they are shown.
FLAGS: tuple[Flag, ...] = (
    "warning",
    "acknowledged",
    "too-fast",
    "no-evidence",
    "evidence-dead",
    "returned",
    "gold-missed",
    "forked",
    "outdated",
)


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One rater at one place. `rating` is the SHA-256 of the rating that counts; `label` is `None` without one.

    `skipped`: the rater skipped the whole task. `verdict` is the newest one; `outdated`: it judges an earlier rating.
    `seconds` are active ones: of the target, else of the task.
    """

    rater: str
    rating: str
    label: Label | None = None
    skipped: bool = False
    model: bool = False
    seconds: float | None = None
    flags: frozenset[Flag] = frozenset()
    verdict: Verdict | None = None
    outdated: bool = False

    @property
    def reviewed(self) -> bool:
        """Whether the lead has judged this very rating."""
        return self.verdict is not None and not self.outdated


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One judged place. `quote` is what is rated: the target's text, else the beginning of the response or prompt.

    `entries`: people by name, then models. `distance`: how far their labels are apart, 0 to 1. `gold`: the labels of
    its gold answers. `final`: the label that stands, by the lead or the majority; `tied`: there is none until the lead
    decides. `decided`: the lead did.
    """

    task: str
    where: str
    quote: str
    entries: tuple[Entry, ...]
    group: Group
    distance: float = 0
    gold: tuple[Label, ...] = ()
    finals: dict[str, Final] = {}
    final: Label | None = None
    tied: bool = False
    decided: bool = False
    sampled: bool = True

    @property
    def reviewed(self) -> Literal["all", "part", "none"]:
        """How much of it the lead has judged: a decision on the label, or a verdict on each rating, is all."""
        judged = [one.reviewed for one in self.entries if not one.model]
        if self.decided or (judged and all(judged)):
            return "all"
        return "part" if any(judged) else "none"

    def entry(self, rater: str) -> Entry | None:
        """What that rater says here, if anything."""
        return next((one for one in self.entries if one.rater == rater), None)
