"""A rater's laptop and a lead's, and what goes between the two."""

import itertools
import json
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

from desktop_rater.audit.rework import Rework
from desktop_rater.format.change import Progress
from desktop_rater.format.rating import Rating
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.operations.audit.import_results import import_results
from desktop_rater.operations.audit.load_audit import load_audit
from desktop_rater.operations.audit.review import Lead, RatingAtPlace, VerdictReason, accept_ratings, send_back_rating
from desktop_rater.operations.audit.rework import ReturnedWork, return_work
from desktop_rater.operations.rating.export import ExportedResults, export_results
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.store import received
from desktop_rater.store.store import Store

from .bundles import NOON, RATER, rating, take_in, write_lines

WRONG = {"factual": "yes", "common_knowledge": "wrong", "accuracy": "inaccurate", "severity": "minor"}
LEAD = Lead("lena", lambda: NOON + timedelta(hours=1))
COMMENT = "Would a village captain be in an index at all?"


class TwoLaptops:
    """A rater's laptop, and the lead's."""

    def __init__(self, folder: Path, rater: Store, lead: Store) -> None:
        self.folder = folder
        self.rater = rater
        self.lead = lead
        self._files = itertools.count(1)

    def file(self, suffix: str) -> Path:
        return self.folder / f"{next(self._files)}{suffix}"

    def rate(self, bundle: str, *plain: dict[str, Any], later: int = 0) -> None:
        lines = write_lines(self.file(".jsonl"), plain)
        rate_from_file(self.rater, bundle, lines, RATER, progress=Progress(), now=lambda: NOON + timedelta(hours=later))

    def export(self, bundle: str, *, partial: bool = False) -> ExportedResults:
        done = export_results(self.rater, bundle, RATER, self.file(".zip"), progress=Progress(), partial=partial)
        assert done.written, done
        assert not check_results(done.out, progress=Progress()).broken
        return done

    def receive(self, *results: ExportedResults) -> None:
        opened = import_results(self.lead, [one.out for one in results], lead="lena", now=NOON, progress=Progress())
        assert not opened.refused, opened.refused

    def say_back(self, task: str, where: str, comment: str = COMMENT, reason: str = "search-too-thin") -> None:
        counting = load_audit(self.lead, "b").ratings[task, RATER]
        about = RatingAtPlace(task, where, RATER, counting.sha256)
        send_back_rating(self.lead, "b", about, VerdictReason(reason, comment), LEAD)

    def accept(self, task: str, where: str) -> None:
        counting = load_audit(self.lead, "b").ratings[task, RATER]
        accept_ratings(self.lead, "b", [RatingAtPlace(task, where, RATER, counting.sha256)], VerdictReason(), LEAD)

    def back(self, rater: str = RATER) -> ReturnedWork:
        return return_work(self.lead, "b", rater, self.file(".zip"), progress=Progress(), now=LEAD.now)

    def counting(self, task: str) -> Rating:
        filed = load_audit(self.lead, "b").ratings[task, RATER]
        return received.received_rating(self.lead, filed.results, task)


def all_rated(place: TwoLaptops) -> ExportedResults:
    first = rating("t-2", {"factual": "no"}, {"factual": "no"}, time={"active_seconds": 60, "targets": {"s1": 40}})
    place.rate("b", rating("t-1"), first, rating("t-3"))
    return place.export("b")


def manifest(path: Path) -> dict[str, Any]:
    with zipfile.ZipFile(path) as opened:
        return json.loads(opened.read("manifest.json"))


def sent(place: TwoLaptops) -> ReturnedWork:
    """Two targets sent back, and the bundle of them on the rater's laptop."""
    place.receive(all_rated(place))
    place.say_back("t-2", "targets/s2")
    place.say_back("t-1", "targets/s1", "No page says it.", "evidence-does-not-say-it")
    done = place.back()
    take_in(place.rater, done.out)
    return done


def sent_rework(place: TwoLaptops) -> Rework:
    rework = sent(place).rework
    assert rework is not None
    return rework
