"""Scores of the raters' justifications, as last saved with a bundle's reviews. The plug-in `scoring` computes them."""

from collections.abc import Mapping

import msgspec

from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.results import Audit, ReceivedRating
from desktop_rater.format.strict_json import canonical_json, sha256
from desktop_rater.stats.bootstrap import few_clusters
from desktop_rater.store import reviews
from desktop_rater.store.store import Store

MAIN_RULE = "AV"  # the score that reports show
OUTDATED_REASON = "scored before newer results arrived"
SCORES_SUBJECT = ("scores",)


class ScoredRater(msgspec.Struct, frozen=True, kw_only=True):
    """Means over a rater's scored texts, of `tasks` tasks.

    `intervals`: 95 %, by a bootstrap over the tasks; `why` there are none.
    """

    rater: str
    model: bool
    written: int
    scored: int
    scores: dict[str, float] = {}
    intervals: dict[str, tuple[float, float]] = {}
    tasks: int = 0
    why: str = ""

    def figure(self, method: str) -> ReportFigure:
        low, high = self.intervals.get(method, (None, None))
        few = few_clusters(self.tasks)  # a stored reason has lost its template
        why = few if self.why == few else self.why
        return ReportFigure(value=self.scores.get(method), low=low, high=high, n=self.scored, tasks=self.tasks, why=why)


class StoredScores(msgspec.Struct, frozen=True, kw_only=True):
    """Body of the review ("scores",). `ratings`: hash of the ratings that counted then; `rule`: the score shown."""

    ratings: str
    oracle: str
    model: str
    seed: int
    raters: tuple[ScoredRater, ...]
    rule: str = MAIN_RULE


def load_scores(store: Store, audit: Audit) -> dict[str, ReportFigure]:
    """Return rater → mean score, as last saved. Raises `StoreDamaged`."""
    stored = stored_scores(store, audit.bundle)
    if stored is None:
        return {}
    if stored.ratings != ratings_sha256(audit.ratings):
        return {rater_scores.rater: ReportFigure(why=OUTDATED_REASON) for rater_scores in stored.raters}
    return {
        rater_scores.rater: rater_scores.figure(stored.rule) for rater_scores in stored.raters if rater_scores.scored
    }


def stored_scores(store: Store, bundle: str) -> StoredScores | None:
    """Return the scores that were last saved. Raises `StoreDamaged`."""
    last = reviews.newest_review(store, bundle, SCORES_SUBJECT)
    return None if last is None else last.read(StoredScores)


def ratings_sha256(ratings: Mapping[tuple[str, str], ReceivedRating]) -> str:
    """Return the hash of the ratings that count, by (task, rater)."""
    return sha256(canonical_json(sorted([*key, filed.sha256] for key, filed in ratings.items())))
