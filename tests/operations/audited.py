"""A lead's desk with the results of raters who rated in the program itself."""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from desktop_rater.audit.items import ReviewItem
from desktop_rater.audit.results import Audit
from desktop_rater.audit.reviews import Reviews
from desktop_rater.format.change import Progress
from desktop_rater.operations.audit.import_results import import_results
from desktop_rater.operations.audit.load_audit import load_audit
from desktop_rater.operations.audit.review import Lead, RatingAtPlace, load_items, load_quotes, load_reviews
from desktop_rater.operations.rating.export import export_results
from desktop_rater.store.store import Store

from .bundles import NOON, make, rating, save_ratings, take_in, writer

ANSWERS: dict[str, dict[str, Any]] = {
    "accurate": {"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"},
    "inaccurate": {"factual": "yes", "common_knowledge": "wrong", "accuracy": "inaccurate", "severity": "minor"},
    "critical": {"factual": "yes", "common_knowledge": "wrong", "accuracy": "inaccurate", "severity": "critical"},
    "unsupported": {
        "factual": "yes",
        "common_knowledge": "no",
        "expected_to_be_found": "no",
        "accuracy": "unsupported",
        "comment": "Searched the league and the local paper.",
    },
    "not factual": {"factual": "no"},
}
ANA = Lead("Ana", lambda: NOON + timedelta(days=1))


def said(name: str, *labels: str, **more: Any) -> dict[str, Any]:
    """A rating that gives s1, s2, … these labels."""
    return rating(name, *(ANSWERS[label] for label in labels), **more)


class Raters:
    """Raters of one bundle, each with a store of their own."""

    def __init__(self, folder: Path, tasks: Iterable[dict[str, Any]], **more: Any) -> None:
        self.folder = folder
        self.bundle = make(folder / "b.zip", tasks, **more)
        self._zips = 0

    def rates(self, rater: str, ratings: Iterable[dict[str, Any]]) -> Path:
        """A rater rates, also again, and exports what is finished."""
        self._zips += 1
        with writer(self.folder / f"of-{rater}") as store:
            take_in(store, self.bundle)
            save_ratings(store, "b", self.folder / f"{rater}-{self._zips}.jsonl", ratings, rater)
            out = self.folder / f"{rater}-{self._zips}.zip"
            done = export_results(store, "b", rater, out, progress=Progress(), partial=True)
            assert done.written, done
        return out

    def all_rate(self, ratings: Mapping[str, Iterable[dict[str, Any]]]) -> list[Path]:
        """The results of several raters."""
        return [self.rates(rater, some) for rater, some in ratings.items()]


class Desk:
    """The lead's store, with results. It has to be closed."""

    def __init__(self, folder: Path, results: Iterable[Path] = ()) -> None:
        self.folder = folder
        self.store: Store = writer(folder / "lead")
        self.opens(*results)

    def opens(self, *paths: Path) -> None:
        """The lead opens results, or a copy of the bundle."""
        done = import_results(self.store, paths, lead="Ana", now=NOON, progress=Progress())
        assert not done.refused, done.refused

    @property
    def audit(self) -> Audit:
        return load_audit(self.store, "b")

    @property
    def reviews(self) -> Reviews:
        return load_reviews(self.store, self.audit)

    @property
    def items(self) -> tuple[ReviewItem, ...]:
        audit = self.audit
        return load_items(self.store, audit, load_quotes(self.store, audit, Progress()))

    def item(self, task: str, where: str = "targets/s1") -> ReviewItem:
        """What the list says of one place."""
        return next(one for one in self.items if (one.task, one.where) == (task, where))

    def about(self, task: str, rater: str, where: str = "targets/s1") -> RatingAtPlace:
        """That rater's rating, as it counts now."""
        return RatingAtPlace(task, where, rater, self.audit.ratings[task, rater].sha256)
