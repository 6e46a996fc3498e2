"""Reviews by a QA lead: verdicts, their reasons, and decisions. Each is a revision of its subject."""

from typing import Any, Literal

import msgspec

from desktop_rater.format.rating import Rating

VerdictKind = Literal["accepted", "corrected", "returned", "none"]


# Reason for correcting or returning a rating → the key that selects it on the review screen. The texts are in the
# window, since they depend on its language.
REASONS = {
    "search-too-thin": "4",
    "label-does-not-follow": "5",
    "evidence-does-not-say-it": "6",
    "claim-missed": "7",
    "other": "8",
    "guideline-gap": "9",
    "ambiguous-text": "0",
    "edge-case": "P",
}


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """Verdict on one rater's rating at one place.

    `rating` is the SHA-256 of the judged rating. `where` is `task`, or like `responses/a` or `targets/s1`. `none`: the
    verdict was taken back.
    """

    task: str
    where: str
    rater: str
    rating: str
    kind: VerdictKind
    reason: str = ""
    comment: str = ""
    lead: str = ""
    changed: str = ""


class LeadRating(msgspec.Struct, frozen=True, kw_only=True):
    """The lead's own rating of a task, `blind` or as a correction; `rating` None takes it back."""

    task: str
    rating: Rating | None
    blind: bool = False
    lead: str = ""
    changed: str = ""


class LeadDecision(msgspec.Struct, frozen=True, kw_only=True):
    """The lead's decision on one question at one place, where raters tie or are wrong; `value` None takes it back.

    `by`: the method whose value was taken over for many places at once, unseen; empty for a decision of the lead's own.
    """

    task: str
    where: str
    question: str
    value: Any
    comment: str = ""
    by: str = ""
    lead: str = ""
    changed: str = ""
