"""Decide which received results may count: those that match the lead's copies of the bundle and the raters' keys."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from desktop_rater.audit.effective_ratings import EffectiveRatings
from desktop_rater.audit.results import (
    Caution,
    CautionKind,
    HeldResults,
    LeadCopy,
    QuarantineReason,
    ReceivedRating,
    ReceivedResults,
    ResultsDecision,
    ResultsRubric,
    ResultsSignature,
)
from desktop_rater.text.names import look_alike_key


class LeadDecisions(msgspec.Struct, frozen=True, kw_only=True):
    """Decisions of the lead: by the SHA-256 of results, and by rater for raters without a known key."""

    results: Mapping[str, ResultsDecision] = {}
    raters: Mapping[str, ResultsDecision] = {}


class KnownKeys(msgspec.Struct, frozen=True, kw_only=True):
    """Public keys by rater: those that are valid now. `ever`: raters who have had one, even if it was called back."""

    valid: Mapping[str, frozenset[str]] = {}
    ever: frozenset[str] = frozenset()


def held_results(
    received: Sequence[ReceivedResults],
    ratings: Iterable[ReceivedRating],
    *,
    copies: Sequence[LeadCopy],
    own_rubrics: Mapping[str, ResultsRubric],
    signings: Mapping[str, ResultsSignature],
    keys: KnownKeys,
    decisions: LeadDecisions,
) -> dict[str, HeldResults]:
    """Return the results that do not simply count, by SHA-256; independent of time and order.

    `copies`: all revisions that the lead holds; without any, the content of results is compared with nothing.
    `own_rubrics`: SHA-256 of results → name and text of the rubric that they were rated with.
    """
    content = _ContentCheck(copies, ratings)
    signs = any(results.rater in keys.ever for results in received if not results.model)
    held: dict[str, HeldResults] = {}
    for results in received:
        reasons = content.reasons(results, own_rubrics[results.sha256])
        if not results.model:
            reasons += _identity_reasons(results, signings.get(results.sha256), keys, decisions, signs=signs)
        decision = decisions.results.get(results.sha256)
        if decision is not None and decision.kind == "none":
            decision = None
        if reasons or (decision is not None and decision.kind == "taken out"):
            held[results.sha256] = HeldResults(results=results, reasons=tuple(reasons), decision=decision)
    return held


class _ContentCheck:
    """Comparison of results with the lead's copies."""

    def __init__(self, copies: Sequence[LeadCopy], ratings: Iterable[ReceivedRating]) -> None:
        self._copies = {copy.revision: copy for copy in copies}
        self._newest = max(self._copies, default=0)
        self._texts = {revision: dict(copy.tasks) for revision, copy in self._copies.items()}
        self._rated: dict[str, list[tuple[str, str]]] = defaultdict(list)
        if copies:
            for rating in ratings:
                self._rated[rating.results].append((rating.task, rating.text))

    def reasons(self, results: ReceivedResults, rubric: ResultsRubric) -> list[QuarantineReason]:
        if not self._copies:
            return []
        reasons: list[QuarantineReason] = []
        if results.revision > self._newest:
            reasons.append(QuarantineReason("revision"))
        # Results of an earlier revision that the lead does not hold claim nothing but that: what differs is outdated.
        base = results.revision if results.revision in self._copies else self._newest
        earlier = results.revision < base
        if not earlier and rubric != ResultsRubric(self._copies[base].rubric, self._copies[base].rubric_toml):
            reasons.append(QuarantineReason("rubric"))
        if not earlier:
            reasons += self._task_reasons(self._rated[results.sha256], self._texts[base])
        return reasons

    @staticmethod
    def _task_reasons(rated: Iterable[tuple[str, str]], texts: Mapping[str, str]) -> list[QuarantineReason]:
        foreign = tuple(sorted(task for task, _ in rated if task not in texts))
        differing = tuple(sorted(task for task, text in rated if texts.get(task, text) != text))
        reasons = [QuarantineReason("tasks", foreign)] if foreign else []
        return reasons + ([QuarantineReason("text", differing)] if differing else [])


def _identity_reasons(
    results: ReceivedResults,
    signing: ResultsSignature | None,
    keys: KnownKeys,
    decisions: LeadDecisions,
    *,
    signs: bool,
) -> list[QuarantineReason]:
    """Return what is against the maker of results; `signs`: a key of some rater of the bundle is known."""
    state = signing.state if signing is not None else "unsigned"
    if state == "altered":
        return [QuarantineReason("altered")]
    if results.rater in keys.ever:
        if state == "signed" and signing is not None and signing.key in keys.valid.get(results.rater, frozenset()):
            return []
        return [QuarantineReason("other-key" if state == "signed" else "unsigned")]
    decision = decisions.raters.get(results.rater)
    admitted = decision is not None and decision.kind == "admitted"
    return [QuarantineReason("no-key")] if signs and not admitted else []


def audit_cautions(
    received: Sequence[ReceivedResults],
    held: Iterable[HeldResults],
    effective: EffectiveRatings,
    *,
    known: bool,
) -> tuple[Caution, ...]:
    """Return what a reader of the figures must know, most urgent first. `known`: the lead holds the bundle."""
    entries = list(held)
    waiting = [entry.results.rater for entry in entries if entry.held]
    unsigned = [
        entry.results.rater
        for entry in entries
        if entry.admitted and any(reason.kind in {"unsigned", "other-key"} for reason in entry.reasons)
    ]
    found: list[tuple[CautionKind, Collection[str]]] = [
        ("disputed", [] if known else [rating.rater for rating in effective.stale]),
        ("held", waiting),
        ("unsigned", unsigned),
        ("fork", [fork.rater for fork in effective.forks]),
    ]
    found += [("look-alike", names) for names in look_alikes({results.rater for results in received})]
    cautions = [Caution(kind, len(raters), tuple(sorted(set(raters)))) for kind, raters in found if raters]
    return tuple(cautions if known else [*cautions, Caution("copy")])


def look_alikes(raters: Collection[str]) -> list[tuple[str, ...]]:
    """Return groups of different ids that look the same."""
    groups: dict[str, set[str]] = defaultdict(set)
    for rater in raters:
        groups[look_alike_key(rater)].add(rater)
    return [tuple(sorted(group)) for _, group in sorted(groups.items()) if len(group) > 1]
