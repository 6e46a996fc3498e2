"""Received results of a bundle: origin, signature, ratings, and one task with all its ratings and their reviews.

A review by a QA lead is a verdict with its reason, an own rating, or a decision. Each is a revision of its subject.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from desktop_rater.audit.digest import Digest, PackedDigest
from desktop_rater.format import manifests
from desktop_rater.format.errors import RaterError
from desktop_rater.format.hub_names import Signature, SignatureState
from desktop_rater.format.manifests import RETURN_TOOL, BundleDerivation, HistoryLine, ResultsManifest
from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import prepared_type
from desktop_rater.format.task import Task
from desktop_rater.rubric import CheckOutcome, Rubric
from desktop_rater.text.untrusted import normalised_name

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


class Verdict(Struct, frozen=True, kw_only=True):
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


class LeadRating(Struct, frozen=True, kw_only=True):
    """The lead's own rating of a task, `blind` or as a correction; `rating` None takes it back."""

    task: str
    rating: Rating | None
    blind: bool = False
    lead: str = ""
    changed: str = ""


class LeadDecision(Struct, frozen=True, kw_only=True):
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


# `own`: by a key that the rater has published. `keyless`: no key of the rater is known. `strange`: by a key the rater
# has not published. `dropped`: unsigned, although this rater signs.
SigningKind = Literal["own", "keyless", "strange", "unsigned", "dropped", "altered"]
DOUBTFUL: frozenset[SigningKind] = frozenset({"strange", "dropped", "altered"})

# Most urgent first: the kind reported for several results.
_BY_WEIGHT: tuple[SigningKind, ...] = ("altered", "strange", "dropped", "unsigned", "keyless", "own")


class ResultsSignature(Struct, frozen=True, kw_only=True):
    """Signature of one results zip.

    `key` is the public key; `known`: the rater has published it, `None` if no key of the rater is known or nothing is
    signed. `signs`: this rater signs, according to published keys or other results.
    """

    results: str
    state: SignatureState = "unsigned"
    key: str = ""
    known: bool | None = None
    signs: bool = False

    @property
    def kind(self) -> SigningKind:
        match self.state:
            case "altered":
                return "altered"
            case "unsigned":
                return "dropped" if self.signs else "unsigned"
        return "keyless" if self.known is None else "own" if self.known else "strange"

    @property
    def needs_attention(self) -> bool:
        return self.kind in DOUBTFUL


def is_known_key(signature: Signature, keys: frozenset[str]) -> bool | None:
    """Return whether the key of a signature belongs to the rater; `None` if there is nothing to compare."""
    return signature.key in keys if signature.state == "signed" and keys else None


def results_signatures(
    received: "Iterable[ReceivedResults]", signatures: Mapping[str, Signature], keys: Mapping[str, frozenset[str]]
) -> dict[str, ResultsSignature]:
    """Return the signature of each results zip, by its SHA-256. `keys`: rater → their known public keys."""
    zips = [(results, signatures[results.sha256]) for results in received if results.sha256 in signatures]
    signers = {results.rater for results, signature in zips if signature.state == "signed"} | keys.keys()
    return {
        results.sha256: ResultsSignature(
            results=results.sha256,
            state=signature.state,
            key=signature.key,
            known=is_known_key(signature, keys.get(results.rater, frozenset())),
            signs=results.rater in signers and not results.model,
        )
        for results, signature in zips
    }


def most_urgent_signature(signed: Iterable[ResultsSignature]) -> ResultsSignature | None:
    """Return the most urgent signature of several results."""
    return min(signed, key=lambda signing: _BY_WEIGHT.index(signing.kind), default=None)


class ReceivedResults(Struct, frozen=True, kw_only=True):
    """One results zip.

    `bundle` is the audited bundle, `of` the one named by the results: a part or a rework. `rework`: it contains only
    returned tasks, so it supersedes only those. `sent_back_from`: the results that were sent back, which it follows
    like those it supersedes: the rater may have exported again without handing that in. `model`: the name of the model,
    if the rater is one, and `questions` those that it was asked, if not all. `imported`: the rater answered in another
    tool, and it is not known which tasks were given out there.
    """

    sha256: str
    bundle: str
    of: str
    revision: int
    rater: str
    supersedes: str | None = None
    rework: bool = False
    sent_back_from: str | None = None
    partial: bool = False
    practice: bool = False
    imported: bool = False
    model: str = ""
    questions: tuple[str, ...] | None = None
    tasks: int = 0
    complete: int = 0
    skipped: int = 0
    language: str = ""
    file: str = ""


class ReceivedRating(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One rating of received results.

    `sha256` is that of its exported form, `text` that of the task's text. `results` is the SHA-256 of the zip,
    `revision` the rating's number there. `summary` is the digest; or its bytes as the store has them, which need a
    tenth of the memory and are decoded at each access; or a function that reads it for these `results` and `task`.
    """

    results: str
    task: str
    rater: str
    text: str
    sha256: str
    revision: int
    summary: Digest | bytes | Callable[[str, str], Digest]

    @property
    def digest(self) -> Digest:
        if isinstance(self.summary, Digest):
            return self.summary
        return (
            decoded(self.summary, Digest) if isinstance(self.summary, bytes) else self.summary(self.results, self.task)
        )

    def unpacked(self) -> "ReceivedRating":
        """Return the rating with its digest decoded, for work that looks at it more than once."""
        return self if isinstance(self.summary, Digest) else replace(self, summary=self.digest)

    @property
    def places(self) -> Iterable[str]:
        """The places with values, which are not decoded."""
        if isinstance(self.summary, bytes):
            return decoded(decoded(self.summary, PackedDigest).values, dict[str, msgspec.Raw])
        return self.digest.values

    def without_values(self) -> "tuple[ReceivedRating, bytes]":
        """Return the rating with a digest without its values, and these as MessagePack."""
        if isinstance(self.summary, bytes):
            digest = decoded(self.summary, PackedDigest)
            values = bytes(digest.values)
        else:
            digest, values = self.digest, msgspec.msgpack.encode(self.digest.values)
        return replace(self, summary=replace(digest, values={})), values


def unresearched_hits(ratings: Iterable[ReceivedRating]) -> Iterator[tuple[str, bool]]:
    """Yield the task of each claim, and whether it rests on what everybody knows alone, where that was counted."""
    for rating in ratings:
        digest = rating.digest
        counts = digest.unresearched
        hits = sum(counts.values()) if counts is not None else 0
        yield from ((rating.task, number < hits) for number in range(digest.claims if counts is not None else 0))


T = TypeVar("T")


def decoded(packed: bytes | msgspec.Raw, expected: type[T]) -> T:
    """Decode a digest or a part of one. Raises `RaterError` if it can't be read."""
    try:
        return msgspec.msgpack.decode(packed, type=prepared_type(expected))
    except msgspec.MsgspecError as error:
        raise RaterError(
            "A received rating was altered.",
            f"Its digest can't be read: {error}.",
            "Check the store with `doctor`, then open the results again.",
        ) from error


class ResultsRubric(msgspec.Struct, frozen=True):
    """The rubric by which results were rated: its name, and its text if included."""

    ref: str
    toml: str | None


class Fork(Struct, frozen=True, kw_only=True):
    """Results of one rater that do not name each other, and the tasks they differ on. `results`: their SHA-256."""

    rater: str
    results: tuple[str, ...]
    tasks: tuple[str, ...]


# `revision`: later than any that the lead holds. `rubric`, `tasks`, `text`: not those of the lead's copy. `altered`:
# the signature does not belong to the results. `unsigned`, `other-key`: not signed with the rater's known key.
# `no-key`: no key of this rater is known, while others of the bundle sign. `not-assigned`: the lead has signed to whom
# the bundle is assigned, and not to this rater. `model`: of a model, and the lead has neither named nor signed them.
QuarantineKind = Literal[
    "revision", "rubric", "tasks", "text", "altered", "unsigned", "other-key", "no-key", "not-assigned", "model"
]
OF_CONTENT: frozenset[QuarantineKind] = frozenset({"revision", "rubric", "tasks", "text"})
DecisionKind = Literal["admitted", "taken out", "none"]


class QuarantineReason(msgspec.Struct, frozen=True):
    """Why results do not count; `tasks`: the ids of the tasks that differ."""

    kind: QuarantineKind
    tasks: tuple[str, ...] = ()


class ResultsDecision(Struct, frozen=True, kw_only=True):
    """The lead's word on one results zip, or on a rater without a known key. `none`: it was taken back."""

    kind: DecisionKind
    reason: str = ""
    lead: str = ""
    changed: str = ""


class HeldResults(Struct, frozen=True, kw_only=True):
    """Results with something against them, or with a decision of the lead.

    They count only if `admitted`. `held`: they wait for the lead's word.
    """

    results: ReceivedResults
    reasons: tuple[QuarantineReason, ...] = ()
    decision: ResultsDecision | None = None

    @property
    def admitted(self) -> bool:
        return self.decision is not None and self.decision.kind == "admitted"

    @property
    def taken_out(self) -> bool:
        return self.decision is not None and self.decision.kind == "taken out"

    @property
    def held(self) -> bool:
        return not self.admitted and not self.taken_out

    @property
    def of_content(self) -> bool:
        """Tell if only their text, rubric or revision is against them, not who made them."""
        return all(reason.kind in OF_CONTENT for reason in self.reasons)


# `copy`: the lead's copy is missing. `disputed`: it is missing, and results disagree on a text or the rubric. `held`:
# results wait for the lead. `unsigned`: results count by the lead's word, although their rater's key is known. `fork`:
# raters whose results do not name each other. `look-alike`: ids that can't be told apart. `rubric`: ratings by another
# revision of the rubric, which are in no figure.
CautionKind = Literal["disputed", "held", "unsigned", "fork", "look-alike", "rubric", "copy"]
_OPEN_CAUTIONS: frozenset[CautionKind] = frozenset({"disputed", "held", "unsigned", "fork", "copy"})


class Caution(msgspec.Struct, frozen=True):
    """Something that keeps figures from being final: how many results, and the raters concerned."""

    kind: CautionKind
    count: int = 0
    raters: tuple[str, ...] = ()


def open_cautions(cautions: Iterable[Caution]) -> tuple[Caution, ...]:
    """Return those that wait for the lead: while there are any, the figures are not final."""
    return tuple(caution for caution in cautions if caution.kind in _OPEN_CAUTIONS)


# What the list of a bundle's raters rests on: the assignments that the lead has signed, or the results that came in.
RaterListBasis = Literal["assignments", "results"]


class Audit(Struct, frozen=True, kw_only=True):
    """All effective ratings of a bundle.

    `tasks` in natural order, `raters` by name. `ratings`: (task, rater) → the effective rating. `stale`: ratings of
    another text of their task, or by another rubric, which are in no figure. `earlier`: superseded ratings. `models`:
    the raters that are models. `texts`: task → SHA-256 of the effective text. `missing`: SHA-256 of results → that of
    their predecessors, which were not received. `signings`: SHA-256 of results → signature, as far as checked. `held`:
    results with something against them, which are in `received` only if the lead has admitted them. `cautions`: what
    keeps the figures from being final. `copy`: the lead's, of the highest revision. `raters_from`: what the list of
    raters rests on. `other_rubrics`: SHA-256 of results by another rubric → its `id@version`.
    """

    bundle: str
    title: str
    rubric: Rubric
    tasks: tuple[str, ...]
    raters: tuple[str, ...]
    models: frozenset[str]
    ratings: dict[tuple[str, str], ReceivedRating]
    received: tuple[ReceivedResults, ...] = ()
    forks: tuple[Fork, ...] = ()
    stale: tuple[ReceivedRating, ...] = ()
    earlier: tuple[ReceivedRating, ...] = ()
    texts: dict[str, str] = {}
    missing: dict[str, str] = {}
    signings: dict[str, ResultsSignature] = {}
    held: tuple[HeldResults, ...] = ()
    cautions: tuple[Caution, ...] = ()
    copy: "LeadCopy | None" = None
    raters_from: RaterListBasis = "results"
    other_rubrics: dict[str, str] = {}

    def unpacked(self) -> "Audit":
        """Return the audit with all digests decoded."""
        return replace(
            self,
            ratings={key: rating.unpacked() for key, rating in self.ratings.items()},
            stale=tuple(rating.unpacked() for rating in self.stale),
            earlier=tuple(rating.unpacked() for rating in self.earlier),
        )


PART_TOOLS = frozenset({"assign", "split", RETURN_TOOL})  # tools that make bundles of part of another's tasks


class ResultsOrigin(Struct, frozen=True):
    """Bundle that results are audited with, its revision, and whether they are a rework of it."""

    bundle: str
    revision: int
    rework: bool = False


def origin_of(manifest: ResultsManifest) -> ResultsOrigin:
    """Return the audited bundle: results of a part of a bundle, or of a rework, belong to the original bundle."""
    ref = manifest.bundle
    whole = original_bundle(ref.derived)
    if whole is None:
        return ResultsOrigin(ref.id, ref.revision)
    return ResultsOrigin(whole.id, whole.revision, rework=ref.derived is not None and ref.derived.tool == RETURN_TOOL)


def original_bundle(derived: BundleDerivation | None) -> manifests.Origin | None:
    """Return the bundle that a derived bundle is part of; `None` for an independent bundle."""
    if derived is None or derived.tool not in PART_TOOLS or len(derived.bundles) != 1:
        return None
    return derived.bundles[0]


def received_of(manifest: ResultsManifest, *, sha256: str, bundle: str, file: str) -> ReceivedResults:
    """Describe a results zip by its manifest."""
    origin = origin_of(manifest)
    return ReceivedResults(
        sha256=sha256,
        bundle=bundle,
        of=manifest.bundle.id,
        revision=origin.revision,
        rater=normalised_name(manifest.rater),
        supersedes=manifest.supersedes,
        rework=origin.rework,
        sent_back_from=manifest.bundle.derived.results if origin.rework and manifest.bundle.derived else None,
        partial=manifest.partial,
        practice=manifest.practice,
        imported=bool(manifest.imported_from),
        model=manifest.model.name if manifest.model is not None else "",
        questions=manifest.model.questions if manifest.model is not None else None,
        tasks=manifest.counts.tasks,
        complete=manifest.counts.complete,
        skipped=manifest.counts.skipped,
        language=manifest.bundle.language,
        file=file,
    )


class RaterOnTask(Struct, frozen=True, kw_only=True):
    """Effective rating of one rater.

    `task` has its targets as this rater had them. `earlier`: superseded ratings, as received and as read, latest first.
    `forked`: another rating of this rater conflicts with it. `signing`: signature of its results, if it was checked.
    """

    rater: str
    received: ReceivedRating
    rating: Rating
    outcome: CheckOutcome
    task: Task
    history: tuple[HistoryLine, ...] = ()
    earlier: tuple[tuple[ReceivedRating, Rating], ...] = ()
    model: bool = False
    forked: bool = False
    signing: ResultsSignature | None = None


class AuditedTask(Struct, frozen=True, kw_only=True):
    """Task with all its ratings.

    `task` has the targets of all raters, placed. `raters` by name. `verdicts`: (where, rater) → verdict, `finals`:
    (where, question) → decision; without those taken back.
    """

    bundle: str
    id: str
    rubric: Rubric
    task: Task
    raters: tuple[RaterOnTask, ...]
    guidelines: str = ""
    pictures: dict[str, bytes] = {}
    language: str = ""
    verdicts: dict[tuple[str, str], Verdict] = {}
    own: LeadRating | None = None
    finals: dict[tuple[str, str], LeadDecision] = {}
    gold: tuple[Rating, ...] = ()

    def of(self, rater: str) -> RaterOnTask | None:
        return next((row for row in self.raters if row.rater == rater), None)


def separate_models(
    received: Iterable[ReceivedResults], filed: Iterable[ReceivedRating]
) -> tuple[list[ReceivedResults], list[ReceivedRating]]:
    """Append the model's name to a model with a person's name, so that one never counts as the other."""
    arrived, ratings = list(received), list(filed)
    people = {results.rater for results in arrived if not results.model}
    renamed = {
        results.sha256: _other_name(results, people) for results in arrived if results.model and results.rater in people
    }
    if not renamed:
        return arrived, ratings
    return (
        [
            replace(results, rater=renamed[results.sha256]) if results.sha256 in renamed else results
            for results in arrived
        ],
        [replace(rating, rater=renamed[rating.results]) if rating.results in renamed else rating for rating in ratings],
    )


def _other_name(results: ReceivedResults, people: set[str]) -> str:
    name = f"{results.rater} ({results.model})"
    while name in people:
        name = f"{name} ({results.model})"
    return name


class LeadCopy(Struct, frozen=True, kw_only=True):
    """One revision of the bundle: ids and SHA-256 of its tasks in order; equal `identity` means the same to a rater."""

    revision: int
    title: str = ""
    language: str = ""
    rubric: str = ""
    rubric_toml: str | None = None
    guidelines: str = ""
    pictures: dict[str, str] = {}
    """Name → SHA-256."""
    identity: str = ""
    tasks: tuple[tuple[str, str], ...] = ()


class CopyState(Struct, frozen=True, kw_only=True):
    """A lead's copy: who brought it in, when, and the `decision` that put it away; it counts if there is none."""

    copy: LeadCopy
    lead: str
    arrived: str
    decision: ResultsDecision | None = None


class TaskGold(Struct, frozen=True, kw_only=True):
    """Gold answers of a task in the bundle's `revision`."""

    revision: int
    ratings: tuple[Rating, ...]
