"""Decide which received results may count: those that match the lead's copies of the bundle and the raters' keys."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from desktop_rater.audit.effective_ratings import EffectiveRatings, effective_ratings
from desktop_rater.audit.results import (
    Caution,
    CautionKind,
    HeldResults,
    LeadCopy,
    QuarantineReason,
    RaterListBasis,
    ReceivedRating,
    ReceivedResults,
    ResultsDecision,
    ResultsRubric,
    ResultsSignature,
)
from desktop_rater.format.authority import Source, counts
from desktop_rater.text.untrusted import look_alike_key


class LeadDecisions(msgspec.Struct, frozen=True, kw_only=True):
    """Decisions of the lead: by the SHA-256 of results, and by rater for raters without a known key."""

    results: Mapping[str, ResultsDecision] = {}
    raters: Mapping[str, ResultsDecision] = {}


class KnownKeys(msgspec.Struct, frozen=True, kw_only=True):
    """Public keys by rater: those that are valid now. `ever`: raters who have had one, even if it was called back."""

    valid: Mapping[str, frozenset[str]] = {}
    ever: frozenset[str] = frozenset()


class AuditEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that says which results count.

    `copies`: all revisions that the lead holds, the highest last; without any, the content of results is compared with
    nothing. `rubrics`: SHA-256 of results → the rubric that they were rated with. `assigned`: (rater, bundle) of the
    assignments that the lead has signed, parts of bundles included.
    """

    received: Sequence[ReceivedResults]
    ratings: Sequence[ReceivedRating]
    rubrics: Mapping[str, ResultsRubric]
    copies: Sequence[LeadCopy] = ()
    signings: Mapping[str, ResultsSignature] = {}
    keys: KnownKeys = KnownKeys()
    decisions: LeadDecisions = LeadDecisions()
    assigned: frozenset[tuple[str, str]] = frozenset()


class CountedResults(msgspec.Struct, frozen=True, kw_only=True):
    """The results that count, with what speaks against the others.

    `rubric`: that of the lead's copy. Without a copy it is the one that most raters used for the highest revision, as a
    preview. `stale`: ratings of another text or rubric, those of held results included.
    """

    results: tuple[ReceivedResults, ...]
    rubric: ResultsRubric
    effective: EffectiveRatings
    stale: tuple[ReceivedRating, ...]
    held: tuple[HeldResults, ...]
    cautions: tuple[Caution, ...]
    raters_from: RaterListBasis


def count_results(evidence: AuditEvidence) -> CountedResults:
    """Determine which results of a bundle count; independent of time and order. There must be results or a copy."""
    copy = evidence.copies[-1] if evidence.copies else None
    assigned = _assigned_raters(evidence)
    held = _held_results(evidence, assigned)
    results = tuple(entry for entry in evidence.received if entry.sha256 not in held or held[entry.sha256].admitted)
    rubric = ResultsRubric(copy.rubric, copy.rubric_toml) if copy is not None else _majority_rubric(evidence, results)
    counted = {entry.sha256 for entry in results}
    effective = effective_ratings(
        results,
        (rating for rating in evidence.ratings if rating.results in counted),
        other_rubric={name for name, own in evidence.rubrics.items() if own != rubric},
        texts=None if copy is None else dict(copy.tasks),
    )
    outdated = {name for name, entry in held.items() if entry.held and entry.of_content}
    return CountedResults(
        results=results,
        rubric=rubric,
        effective=effective,
        stale=(*effective.stale, *(rating for rating in evidence.ratings if rating.results in outdated)),
        held=tuple(held.values()),
        cautions=_cautions(evidence.received, held.values(), effective, known=copy is not None),
        raters_from="assignments" if assigned else "results",
    )


def _majority_rubric(evidence: AuditEvidence, results: Sequence[ReceivedResults]) -> ResultsRubric:
    voters = results or evidence.received
    highest = max(entry.revision for entry in voters)
    own = {(evidence.rubrics[entry.sha256], entry.rater) for entry in voters if entry.revision == highest}
    votes = Counter(rubric for rubric, _ in own)
    return max(votes, key=lambda rubric: (votes[rubric], rubric.ref, rubric.toml or ""))


def _held_results(evidence: AuditEvidence, assigned: Collection[str]) -> dict[str, HeldResults]:
    """Return the results that do not simply count, by SHA-256. `assigned`: the raters who may have any."""
    keys, decisions = evidence.keys, evidence.decisions
    content = _ContentCheck(evidence.copies, evidence.ratings)
    # Only the holder of a known key can bring about that others have to sign: a mere name would hold honest results.
    signs = any(
        _is_proven(results, evidence.signings.get(results.sha256), keys)
        for results in evidence.received
        if not results.model
    )
    held: dict[str, HeldResults] = {}
    for results in evidence.received:
        name = results.sha256
        reasons = content.reasons(results, evidence.rubrics[name])
        signing = evidence.signings.get(name)
        if results.model:
            reasons += _model_reasons(signing)
        else:
            reasons += _identity_reasons(results, signing, keys, decisions, signs=signs)
            reasons += _assignment_reasons(results, assigned, decisions)
        decision = decisions.results.get(name)
        if decision is not None and decision.kind == "none":
            decision = None
        if reasons or (decision is not None and decision.kind == "taken out"):
            held[name] = HeldResults(results=results, reasons=tuple(reasons), decision=decision)
    return held


def _assigned_raters(evidence: AuditEvidence) -> frozenset[str]:
    """Return the raters to whom the lead has assigned the bundle or, if it was assigned to none, a part of it.

    What is a part of it is known from results alone: from those that a rater to whom the part is assigned has signed.
    """
    whole = {results.bundle for results in evidence.received}
    parts = {
        results.of
        for results in evidence.received
        if (results.rater, results.of) in evidence.assigned
        and _is_proven(results, evidence.signings.get(results.sha256), evidence.keys)
    }
    raters = [frozenset(rater for rater, bundle in evidence.assigned if bundle in names) for names in (whole, parts)]
    return raters[0] or raters[1]


def _assignment_reasons(
    results: ReceivedResults, assigned: Collection[str], decisions: LeadDecisions
) -> list[QuarantineReason]:
    source: Source = "assigned" if not assigned or results.rater in assigned else "unassigned"
    decision = decisions.raters.get(results.rater)
    admitted = decision is not None and decision.kind == "admitted"
    return [] if counts("results", source) or admitted else [QuarantineReason("not-assigned")]


def _model_reasons(signing: ResultsSignature | None) -> list[QuarantineReason]:
    """Return what is against results of a model that the lead has not named: anybody can make such results."""
    if signing is not None and signing.state == "altered":
        return [QuarantineReason("altered")]
    return [] if counts("model results", "found") else [QuarantineReason("model")]


class _ContentCheck:
    """Comparison of results with the lead's copies."""

    def __init__(self, copies: Sequence[LeadCopy], ratings: Iterable[ReceivedRating]) -> None:
        self._copies = {copy.revision: copy for copy in copies}
        self._newest = max(self._copies, default=0)
        self._texts = {revision: dict(copy.tasks) for revision, copy in self._copies.items()}
        self._rated: dict[str, list[ReceivedRating]] = defaultdict(list)
        for rating in ratings if copies else ():
            self._rated[rating.results].append(rating)

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
    def _task_reasons(rated: Iterable[ReceivedRating], texts: Mapping[str, str]) -> list[QuarantineReason]:
        foreign = tuple(sorted(rating.task for rating in rated if rating.task not in texts))
        differing = tuple(sorted(of.task for of in rated if texts.get(of.task, of.text) != of.text))
        reasons = [QuarantineReason("tasks", foreign)] if foreign else []
        return reasons + ([QuarantineReason("text", differing)] if differing else [])


def _is_proven(results: ReceivedResults, signing: ResultsSignature | None, keys: KnownKeys) -> bool:
    """Tell if results are signed with a valid key of their rater."""
    valid_keys = keys.valid.get(results.rater, frozenset())
    return signing is not None and signing.state == "signed" and signing.key in valid_keys


def _identity_reasons(
    results: ReceivedResults,
    signing: ResultsSignature | None,
    keys: KnownKeys,
    decisions: LeadDecisions,
    *,
    signs: bool,
) -> list[QuarantineReason]:
    """Return what is against the maker of results; `signs`: some results are signed with a known key."""
    state = signing.state if signing is not None else "unsigned"
    if state == "altered":
        return [QuarantineReason("altered")]
    if results.rater in keys.ever:
        if _is_proven(results, signing, keys):
            return []
        return [QuarantineReason("other-key" if state == "signed" else "unsigned")]
    decision = decisions.raters.get(results.rater)
    admitted = decision is not None and decision.kind == "admitted"
    return [QuarantineReason("no-key")] if signs and not admitted else []


def _cautions(
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
    caused: list[tuple[CautionKind, Collection[str]]] = [
        ("disputed", [] if known else [rating.rater for rating in effective.stale]),
        ("held", waiting),
        ("unsigned", unsigned),
        ("fork", [fork.rater for fork in effective.forks]),
    ]
    caused += [("look-alike", names) for names in look_alikes({results.rater for results in received})]
    cautions = [Caution(kind, len(raters), tuple(sorted(set(raters)))) for kind, raters in caused if raters]
    return tuple(cautions if known else [*cautions, Caution("copy")])


def look_alikes(raters: Collection[str]) -> list[tuple[str, ...]]:
    """Return groups of different ids that look the same."""
    groups: dict[str, set[str]] = defaultdict(set)
    for rater in raters:
        groups[look_alike_key(rater)].add(rater)
    return [tuple(sorted(group)) for _, group in sorted(groups.items()) if len(group) > 1]
