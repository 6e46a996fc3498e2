"""Decide which ratings of a dataset count, by the same code as an audit: the tables derived from all results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from sys import intern
from typing import Any

import msgspec

from desktop_rater.audit.quarantine import AuditEvidence, CountedResults, LeadDecisions, count_results
from desktop_rater.audit.results import (
    LeadCopy,
    ReceivedRating,
    ReceivedResults,
    ResultsDecision,
    ResultsRubric,
    results_signatures,
    separate_models,
)
from desktop_rater.audit.status import natural_key
from desktop_rater.bundle.results_out.tables import Row
from desktop_rater.model.signature import Signature
from desktop_rater.model.strict_json import prepared_type
from desktop_rater.plugins.dataset.judge import copy_of_row, trust_of_rows
from desktop_rater.plugins.dataset.parts import bucket_of
from desktop_rater.work.audit.text_scores import ratings_sha256

_NAMED = ResultsDecision(kind="admitted", reason="the file was given by its name")
RATING_COLUMNS = ("results", "bundle", "task", "rater", "text", "sha256", "revision")


class EvidenceRows(msgspec.Struct, frozen=True, kw_only=True):
    """Rows of all results of one bundle, and of what the lead knows. `has_scores`: justifications were scored."""

    results: tuple[Row, ...]
    ratings: tuple[ReceivedRating, ...]
    copies: tuple[LeadCopy, ...]
    trust: tuple[Row, ...]
    has_scores: bool


def received_rating_of(row: Mapping[str, Any]) -> ReceivedRating:
    """Return the rating in a row with the columns `RATING_COLUMNS`, without its figures."""
    return ReceivedRating(
        results=intern(row["results"]),
        task=intern(row["task"]),
        rater=intern(row["rater"]),
        text=intern(row["text"]),
        sha256=row["sha256"],
        revision=row["revision"],
        summary=b"",
    )


def copies_of_rows(rows: Iterable[Mapping[str, Any]]) -> dict[str, tuple[LeadCopy, ...]]:
    """Return bundle → the lead's copies, the highest revision last."""
    copies: dict[str, list[LeadCopy]] = {}
    for row in sorted(rows, key=lambda row: row["revision"]):
        copies.setdefault(row["bundle"], []).append(copy_of_row(row))
    return {bundle: tuple(several) for bundle, several in copies.items()}


def derived_rows(bundle: str, evidence: EvidenceRows) -> Iterator[tuple[str, Row]]:
    """Yield table and row of the tables that are derived from all results of a bundle."""
    received = [_received_of(row) for row in evidence.results]
    signatures = {
        row["results"]: Signature(state=row["signature"], key=row["signature_key"] or "") for row in evidence.results
    }
    results, ratings = separate_models(received, evidence.ratings)
    trust = trust_of_rows(evidence.trust)
    named = {entry.sha256: _NAMED for entry in results if entry.model and entry.sha256 in trust.named}
    decisions = LeadDecisions(results={**named, **trust.decisions.results}, raters=trust.decisions.raters)
    counted = count_results(
        AuditEvidence(
            received=results,
            ratings=ratings,
            rubrics={row["results"]: ResultsRubric(row["rubric"], row["rubric_toml"]) for row in evidence.results},
            copies=evidence.copies,
            signings=results_signatures(results, signatures, trust.keys.valid),
            keys=trust.keys,
            decisions=decisions,
            assigned=trust.assigned,
        )
    )
    models = {entry.rater for entry in results if entry.model}
    effective = counted.effective
    counting = {(rating.results, rating.task) for rating in effective.counting.values()}
    earlier = {(rating.results, rating.task) for rating in effective.earlier}
    stale = {(rating.results, rating.task) for rating in counted.stale}
    for rating in ratings:
        key = rating.results, rating.task
        standing = "counts" if key in counting else "earlier" if key in earlier else "stale" if key in stale else "out"
        yield (
            "counted",
            {
                "results": rating.results,
                "bundle": bundle,
                "task": rating.task,
                "bucket": bucket_of(rating.task),
                "rater": rating.rater,
                "model": rating.rater in models,
                "standing": standing,
                "sha256": rating.sha256,
            },
        )
    yield from _rater_rows(bundle, counted, models)
    copy = evidence.copies[-1] if evidence.copies else None
    names = [name for name, _ in copy.tasks] if copy is not None else sorted(effective.texts, key=natural_key)
    for position, name in enumerate(names):
        text = effective.texts.get(name)
        row = {"bundle": bundle, "task": name, "bucket": bucket_of(name), "position": position, "text": text}
        yield "audited_tasks", row
    scored = ratings_sha256(effective.counting) if evidence.has_scores else None
    yield "audits", {**_audit_row(bundle, counted, copy), "scored": scored}


def _received_of(row: Row) -> ReceivedResults:
    fields = {name: row[name] for name in ReceivedResults.__struct_fields__ if name in row}
    return msgspec.convert({**fields, "sha256": row["results"]}, prepared_type(ReceivedResults))


def _rater_rows(bundle: str, counted: CountedResults, models: set[str]) -> Iterator[tuple[str, Row]]:
    results = Counter(entry.rater for entry in counted.results)
    ratings = Counter(rater for _, rater in counted.effective.counting)
    forked = {fork.rater for fork in counted.effective.forks}
    for rater in sorted(results):
        row = {"results": results[rater], "ratings": ratings[rater], "forked": rater in forked}
        yield "raters", {"bundle": bundle, "rater": rater, "model": rater in models, **row}


def _audit_row(bundle: str, counted: CountedResults, copy: LeadCopy | None) -> Row:
    languages = (entry.language for entry in counted.results)
    return {
        "bundle": bundle,
        "title": copy.title if copy is not None and copy.title else bundle,
        "rubric": counted.rubric.ref,
        "rubric_toml": counted.rubric.toml,
        "language": copy.language if copy is not None else max(languages, default=""),
        "known": copy is not None,
        "stale": len(counted.stale),
        "forks": msgspec.to_builtins(counted.effective.forks),
        "held": msgspec.to_builtins(counted.held),
        "cautions": msgspec.to_builtins(counted.cautions),
        "raters_from": counted.raters_from,
    }
