"""One task with all that its raters and the lead say of it."""

from __future__ import annotations

import msgspec

from desktop_rater.audit.filed import Filed
from desktop_rater.audit.signed import Signing
from desktop_rater.audit.verdicts import Final, Own, Verdict
from desktop_rater.model.manifests import HistoryLine
from desktop_rater.model.rating import Rating
from desktop_rater.model.task import Task
from desktop_rater.rubric import Outcome, Rubric


class Earlier(msgspec.Struct, frozen=True, kw_only=True):
    """A rating whose place another one of the same rater took. `task` as it was rated then."""

    filed: Filed
    rating: Rating


class OfRater(msgspec.Struct, frozen=True, kw_only=True):
    """What one rater says of the task: the rating that counts. `task` has its targets where this rater had them.

    `earlier`: the ones before it, the latest first; `forked`: another rating of this rater stands beside it.
    `signing`: how the results are signed that it came in; `None` where nobody looked.
    """

    rater: str
    filed: Filed
    rating: Rating
    outcome: Outcome
    task: Task
    history: tuple[HistoryLine, ...] = ()
    earlier: tuple[Earlier, ...] = ()
    model: bool = False
    forked: bool = False
    signing: Signing | None = None


class AuditedTask(msgspec.Struct, frozen=True, kw_only=True):
    """`task` has the targets that any rater had, placed. `raters` by name.

    `verdicts`: (where, rater) → verdict, `finals`: (where, question) → decision; none of those taken back.
    """

    bundle: str
    id: str
    rubric: Rubric
    task: Task
    raters: tuple[OfRater, ...]
    guidelines: str = ""
    language: str = ""
    verdicts: dict[tuple[str, str], Verdict] = {}
    own: Own | None = None
    finals: dict[tuple[str, str], Final] = {}
    gold: tuple[Rating, ...] = ()

    def of(self, rater: str) -> OfRater | None:
        """What a rater says of it, if anything that counts."""
        return next((one for one in self.raters if one.rater == rater), None)
