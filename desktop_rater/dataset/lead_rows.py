"""Rows of what a lead knows: bundles with their gold, keys, decisions, verdicts and scores, from a store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec

from desktop_rater.audit.quarantine import KnownKeys, LeadDecisions
from desktop_rater.audit.results import LeadCopy, ResultsDecision, TaskGold
from desktop_rater.audit.reviews import values_of
from desktop_rater.audit.verdicts import LeadDecision, Verdict
from desktop_rater.bundle.results_out.tables import Row
from desktop_rater.dataset.judge import task_row, value_columns
from desktop_rater.dataset.schema import BY_NAME, bucket_of
from desktop_rater.model.errors import RaterError
from desktop_rater.model.rating import Rating
from desktop_rater.model.strict_json import canonical_json, from_plain, prepared_type, to_plain
from desktop_rater.store import inbox, rater_keys, received, reviews
from desktop_rater.store.store import Store
from desktop_rater.work.audit.import_results import found_bundle_error
from desktop_rater.work.audit.load_audit import (
    gold_of_copies,
    lead_copies,
    lead_decisions,
    put_away_copies,
    signed_assignments,
)
from desktop_rater.work.rubrics import rubrics
from desktop_rater.work.scoring.cache import stored_scores


class LeadTables:
    """Rows of a dataset about what the lead knows. `before`: those that it holds."""

    def __init__(self, before: Mapping[str, Iterable[Row]]) -> None:
        self._rows = {name: {_key(name, row): row for row in rows} for name, rows in before.items()}
        self.tasks: list[Row] = []

    def add_bundle(self, store: Store, bundle: str, *, named: bool) -> None:
        """Add the copies and gold of a bundle. Raises `RaterError` if they contradict what is known.

        Unless it was `named`, only a known copy is accepted, and no gold.
        """
        copies = lead_copies(store, bundle)
        for copy in copies:
            row = {"bundle": bundle, "copy": msgspec.json.encode(copy).decode()}
            row |= {name: getattr(copy, name) for name in ("revision", "title", "language", "rubric", "rubric_toml")}
            held = self._rows["bundles"].get((bundle, copy.revision))
            if held is not None and copy_of_row(held).identity != copy.identity:
                why = f"The dataset holds a different bundle {bundle!r} with revision {copy.revision}."
                raise RaterError("The bundle is refused.", why, "Give one of the two a higher revision.")
            if held is None and not named:
                raise found_bundle_error("A bundle", bundle, copy.revision)
            self._add("bundles", row)
            self.tasks += (task_row(bundle, text, received.task_text(store, text)) for _, text in copy.tasks)
        for row in _gold_rows(store, bundle, copies) if named else ():
            if self._rows["gold"].get(_key("gold", row), row)["values"] != row["values"]:
                why = f"The dataset has a different gold answer for task {row['task']!r} of {bundle!r}."
                raise RaterError("The bundle is refused.", why, "Build the correct bundle with a higher revision.")
            self._add("gold", row)

    def add_keys(self, keys: KnownKeys, bundle: str = "") -> None:
        """Add the keys of raters, of those who rated a bundle or of all."""
        pairs = [("key", rater, key) for rater, valid in keys.valid.items() for key in sorted(valid)]
        for kind, name, value in (*pairs, *(("ever", rater, "") for rater in sorted(keys.ever))):
            self._add("trust", {"bundle": bundle, "kind": kind, "name": name, "value": value})

    def known_keys(self) -> KnownKeys:
        """Return the keys of raters that are known so far."""
        return trust_of_rows(self._rows["trust"].values()).keys

    def add_named(self, zips: Iterable[str]) -> None:
        """Add the SHA-256 of zips that were given by name, without which results of a model wait."""
        for sha256 in zips:
            self._add("trust", {"bundle": "", "kind": "named", "name": sha256, "value": ""})

    def replace_reviews(self, store: Store, bundle: str) -> None:
        """Take the lead's keys, decisions, verdicts and scores on a bundle as they are now in a store."""
        away = put_away_copies(store, bundle)
        for name in ("bundles", "gold"):
            rows = self._rows[name].items()
            self._rows[name] = {key: row for key, row in rows if row["bundle"] != bundle or row["revision"] not in away}
        for name in ("verdicts", "decisions", "trust", "scores"):
            self._rows[name] = {key: row for key, row in self._rows[name].items() if row["bundle"] != bundle}
        for review in reviews.latest_reviews(store, bundle, "verdict"):
            verdict = review.read(Verdict)
            if verdict.kind != "none":
                self._add("verdicts", _at_place(bundle, verdict))
        for review in reviews.latest_reviews(store, bundle, "final"):
            decision = review.read(LeadDecision)
            if decision.value is not None:
                self._add("decisions", {**_at_place(bundle, decision), **value_columns(decision.value)})
        self.add_keys(rater_keys.known_keys(store, inbox.projects_of_results(store, bundle)), bundle)
        for rater, assigned in signed_assignments(store):
            self._add("trust", {"bundle": bundle, "kind": "assigned", "name": rater, "value": assigned})
        decided = lead_decisions(store, bundle)
        for kind, decisions in (("results", decided.results), ("rater", decided.raters)):
            for name, word in decisions.items():
                value = msgspec.json.encode(word).decode()
                self._add("trust", {"bundle": bundle, "kind": kind, "name": name, "value": value})
        scores = stored_scores(store, bundle)
        if scores is not None:
            for rater in scores.raters:
                figure = msgspec.structs.asdict(rater.figure(scores.rule))
                self._add("scores", {**figure, "bundle": bundle, "rater": rater.rater, "scored": scores.ratings})

    def _add(self, name: str, row: Row) -> None:
        self._rows[name][_key(name, row)] = row

    def rows(self) -> dict[str, list[Row]]:
        """Return table → rows; of gold, those of the highest revision of each task."""
        newest: dict[tuple[str, str], int] = {}
        for bundle, task, revision, _ in self._rows["gold"]:
            newest[bundle, task] = max(revision, newest.get((bundle, task), 0))
        rows = {name: list(keyed.values()) for name, keyed in self._rows.items()}
        gold = [row for row in rows["gold"] if row["revision"] == newest[row["bundle"], row["task"]]]
        return {**rows, "gold": gold}


def gold_of_rows(rows: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, TaskGold]]:
    """Yield task and gold, from rows of `gold`."""
    for (task, revision), several in groupby(rows, key=itemgetter("task", "revision")):
        ratings = tuple(from_plain(msgspec.json.decode(row["rating"]), Rating) for row in several)
        yield task, TaskGold(revision=revision, ratings=ratings)


def _key(name: str, row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row[part] for part in BY_NAME[name].key)


def _gold_rows(store: Store, bundle: str, copies: Sequence[LeadCopy]) -> Iterator[Row]:
    if not copies:
        return
    rubric = rubrics.bundle_rubric_of(copies[-1].rubric, copies[-1].rubric_toml, bundle)
    for task, gold in gold_of_copies(store, bundle):
        for number, rating in enumerate(gold.ratings):
            yield {
                "bundle": bundle,
                "task": task,
                "bucket": bucket_of(task),
                "revision": gold.revision,
                "number": number,
                "partial": rating.status == "incomplete",
                "values": canonical_json(values_of(rubric, rating)).decode(),
                "rating": canonical_json(to_plain(rating)).decode(),
            }


def _at_place(bundle: str, review: Verdict | LeadDecision) -> Row:
    plain: dict[str, Any] = msgspec.structs.asdict(review)
    return {**plain, "bundle": bundle, "bucket": bucket_of(review.task), "place": review.where}


def copy_of_row(row: Mapping[str, Any]) -> LeadCopy:
    """Return the lead's copy in a row of `bundles`."""
    return msgspec.json.decode(row["copy"], type=prepared_type(LeadCopy))


class Trust(NamedTuple):
    """The lead's keys, decisions and assignments (rater, bundle); `named`: SHA-256 of zips that were given by name."""

    keys: KnownKeys
    decisions: LeadDecisions
    assigned: frozenset[tuple[str, str]]
    named: frozenset[str]


def trust_of_rows(rows: Iterable[Mapping[str, Any]]) -> Trust:
    """Return what the rows of `trust` hold."""
    by_kind: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in rows:
        by_kind[row["kind"]].append((row["name"], row["value"]))
    valid: dict[str, frozenset[str]] = {}
    for rater, key in by_kind["key"]:
        valid[rater] = valid.get(rater, frozenset()) | {key}
    results, raters = (
        {name: msgspec.json.decode(value, type=prepared_type(ResultsDecision)) for name, value in by_kind[kind]}
        for kind in ("results", "rater")
    )
    keys = KnownKeys(valid=valid, ever=frozenset(name for name, _ in by_kind["ever"]))
    return Trust(
        keys=keys,
        decisions=LeadDecisions(results=results, raters=raters),
        assigned=frozenset(by_kind["assigned"]),
        named=frozenset(name for name, _ in by_kind["named"]),
    )
