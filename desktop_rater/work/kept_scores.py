"""The scores of justifications, kept beside a bundle's reviews so that a report has them without asking anybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.audit.report import Figure
from desktop_rater.model.canonical import canonical, sha256
from desktop_rater.model.change import NOTHING, Change
from desktop_rater.store import reviews
from desktop_rater.work.score_justifications import RaterScored

if TYPE_CHECKING:
    from datetime import datetime

    from desktop_rater.audit.filed import Audit
    from desktop_rater.store.store import Store
    from desktop_rater.work.score_justifications import Scores

WAY = "AV"  # of the ways to a score the one that a report shows
OUTDATED = "scored before newer results came in"
_SUBJECT = ("scores",)


class KeptScores(msgspec.Struct, frozen=True, kw_only=True):
    """The body of the review ("scores",). `ratings`: the hash of the ratings that counted then."""

    ratings: str
    oracle: str
    model: str
    seed: int
    raters: tuple[RaterScored, ...]


def keep_scores(store: Store, audit: Audit, scores: Scores, model: str, lead: str, *, now: datetime) -> Change:
    """Keep the means of a run over all raters; the same ones again change nothing. Raises `StoreError`."""
    kept = KeptScores(
        ratings=_ratings(audit), oracle=scores.oracle, model=model, seed=scores.seed, raters=scores.raters
    )
    last = reviews.newest(store, audit.bundle, _SUBJECT)
    if last is not None and last.body == canonical(msgspec.to_builtins(kept)):
        return NOTHING
    reviews.append(store, audit.bundle, _SUBJECT, lead, kept, now=now)
    return Change(audits=frozenset({audit.bundle}))


def kept_scores(store: Store, audit: Audit) -> dict[str, Figure]:
    """Rater → mean score, as it was kept last. Raises `StoreDamaged`."""
    last = reviews.newest(store, audit.bundle, _SUBJECT)
    if last is None:
        return {}
    kept = last.read(KeptScores)
    if kept.ratings != _ratings(audit):
        return {one.rater: Figure(why=OUTDATED) for one in kept.raters}
    return {one.rater: one.figure(WAY) for one in kept.raters if one.scored}


def _ratings(audit: Audit) -> str:
    return sha256(canonical(sorted([*key, filed.sha256] for key, filed in audit.ratings.items())))
