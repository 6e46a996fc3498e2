"""A rating: all of one rater's answers and evidence for one task."""

from collections import Counter
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from desktop_rater.format.strict_json import OpenStruct
from desktop_rater.format.values import Answers, Count, Day, Id, Seconds, Time, check_day, check_time

Level = Literal["block", "warn"]
Stance = Literal["supporting", "contradicting", "neutral"]
NeutralReason = Literal["copy", "unreliable", "off_topic", "undecided"]
ResearchKind = Literal["search", "page", "outside"]
PageOutcome = Literal["taken", "nothing", "dead", "sign_in", "not_shown"]
LinkVerdict = Literal["matches", "differs", "dead", "sign_in"]
Status = Literal["complete", "incomplete", "skipped"]

SnapshotName = Annotated[str, Meta(pattern="^([0-9a-f]{64})?$", description="the SHA-256 of the stored page")]

MAX_RESEARCH_ENTRIES = 5_000  # of a task; more than a day of work makes

SUPPORTING: Stance = "supporting"
CONTRADICTING: Stance = "contradicting"
NEUTRAL: Stance = "neutral"


class ClaimSpan(OpenStruct, frozen=True, kw_only=True):
    """A span of the response in which a claim is made: code points, half open; `quote` is the text between."""

    start: Count
    end: Count
    quote: str = ""


class Claim(OpenStruct, frozen=True, kw_only=True):
    """One checkable statement of a target, self-contained in `text`; `spans` are the words that make it.

    `start` and `end` are those of a single span in older files.
    """

    id: Id
    text: str = ""
    spans: tuple[ClaimSpan, ...] = ()
    start: int | None = None
    end: int | None = None
    answers: dict[str, Any] = {}

    @property
    def ranges(self) -> tuple[tuple[int, int], ...]:
        """Offsets of the claim's spans, also those of an older file."""
        if self.spans or self.start is None or self.end is None:
            return tuple((span.start, span.end) for span in self.spans)
        return ((self.start, self.end),)

    def ranges_in(self, text: str) -> tuple[tuple[int, int], ...]:
        """Return the offsets of the spans that lie in this text; a file may say otherwise."""
        return tuple((start, end) for start, end in self.ranges if 0 <= start < end <= len(text))


class LibraryName(OpenStruct, frozen=True, kw_only=True):
    """A library of documents on a rater's computer. `date`: the day of its content, YYYY-MM-DD, or empty."""

    name: Id
    date: Day = ""

    def __post_init__(self) -> None:
        check_day(self.date, "date")


class DecidedCase(OpenStruct, frozen=True, kw_only=True):
    """A place that was decided before: in a library of final labels, or by the rater, if it is their `own` rating."""

    bundle: Id
    task: Id
    where: str
    own: bool = False


class Precedents(OpenStruct, frozen=True, kw_only=True):
    """The decided cases like a target or claim, as they were found after its first answer.

    `cases`: their number. `value`: the answer to `question` that more than half of them have, if any; `first`: the
    rater's at that moment. `held_out`: they are never shown, so that their effect can be measured. `opened`: when the
    rater first looked at them.
    """

    where: str
    at: Time
    cases: Count
    question: str
    value: Any = None
    first: Any = None
    held_out: bool = False
    libraries: tuple[LibraryName, ...] = ()
    opened: Time | None = None

    def __post_init__(self) -> None:
        check_time(self.at, "at")
        check_time(self.opened, "opened")


class Evidence(OpenStruct, frozen=True, kw_only=True):
    """A URL with a stance, a quote and its snapshot. It belongs to a target (and claims of it) or to a response.

    `claim` is the single claim of older files; `claim_ids` are those of both. A neutral piece counts for neither side,
    and `reason` says why. `library`: the offline library from which the page was read. `reused`: the case from which
    the piece was taken.
    """

    id: Id
    target: str | None = None
    response: str | None = None
    claim: str | None = None
    claims: tuple[str, ...] = ()
    stance: Stance | None = None
    reason: NeutralReason | None = None
    url: str = ""
    title: str = ""
    quote: str = ""
    prefix: str = ""
    suffix: str = ""
    note: str = ""
    opened: Time | None = None
    snapshot: SnapshotName | None = None
    library: LibraryName | None = None
    reused: DecidedCase | None = None

    def __post_init__(self) -> None:
        check_time(self.opened, "opened")

    @property
    def claim_ids(self) -> tuple[str, ...]:
        """Ids of the claims that the piece speaks of, without repetitions."""
        return tuple(dict.fromkeys(self.claims if self.claim is None else (self.claim, *self.claims)))


class ResearchEntry(OpenStruct, frozen=True, kw_only=True):
    """One step of the research for a target or response.

    `search`: `query` in `engine`, or in `libraries`, where `hits` passages were found. `page`: `url` was looked at for
    `seconds`, with an `outcome`. `outside`: `seconds` in the rater's own browser, reported and not measured.
    """

    kind: ResearchKind
    target: str | None = None
    response: str | None = None
    query: str | None = None
    engine: str | None = None
    libraries: tuple[LibraryName, ...] | None = None
    hits: Count | None = None
    url: str | None = None
    title: str | None = None
    at: Time | None = None
    seconds: Seconds | None = None
    outcome: PageOutcome | None = None

    def __post_init__(self) -> None:
        check_time(self.at, "at")


class TimeSpent(OpenStruct, frozen=True, kw_only=True):
    """Seconds. `targets`: target id → active seconds."""

    active_seconds: Seconds = 0
    idle_seconds: Seconds = 0
    targets: dict[str, Seconds] = {}


class Acknowledgement(OpenStruct, frozen=True, kw_only=True):
    """A warning that the rater has seen and accepts."""

    rule: str
    where: str
    comment: str = ""


class SuggestionCounts(OpenStruct, frozen=True, kw_only=True):
    """Counts of the bundle's suggestions that were accepted, changed or ignored.

    `held_out`: places whose suggestions the rater never sees, so that their effect can be measured; they count in none.
    """

    accepted: Count = 0
    changed: Count = 0
    ignored: Count = 0
    held_out: tuple[str, ...] | None = None


class Border(OpenStruct, frozen=True, kw_only=True):
    """Corrected borders of a target: the right offsets and the original ones. Code points, half open.

    A border that was only reported has both at the same offsets, and `comment` describes what is wrong.
    """

    start: Count
    end: Count
    quote: str
    was_start: Count
    was_end: Count
    comment: str = ""


class SkipReason(OpenStruct, frozen=True, kw_only=True):
    """Reason why a task as a whole can't be rated."""

    reason: str = ""
    comment: str = ""


class DecidedValue(OpenStruct, frozen=True, kw_only=True):
    """Value that the facts imply for one question, and the row of the rubric that decides it."""

    value: Any = msgspec.field(name="is")
    by: str


class Problem(OpenStruct, frozen=True, kw_only=True, gc=False):
    """A rule that the rating breaks now. `where` is `task`, or like `responses/a` or `targets/s1/claims/c1`."""

    rule: str
    level: Level
    where: str
    message: str | None = None


class Rating(OpenStruct, frozen=True, kw_only=True):
    """A rating. Only `task` is required when reading; all known fields are written.

    `links_counted` are links that the rater counted as opened; `link_verdicts` is by normalised URL. `display_order`:
    that of the task, if its two responses were shown to the rater in the reverse order. `reused`: place → the case from
    which its answers were taken.
    """

    task: Id
    rater: str = ""
    rubric: str = ""
    status: Status = "incomplete"
    revision: Count = 0
    changed: Time | None = None
    answers: Answers = Answers()
    claims: dict[str, tuple[Claim, ...]] = {}
    evidence: tuple[Evidence, ...] = ()
    time: TimeSpent = TimeSpent()
    links_opened: tuple[str, ...] = ()
    links_counted: tuple[str, ...] = ()
    link_verdicts: dict[str, LinkVerdict] = {}
    research: Annotated[tuple[ResearchEntry, ...], Meta(max_length=MAX_RESEARCH_ENTRIES)] = ()
    acknowledged: tuple[Acknowledgement, ...] = ()
    suggestions: SuggestionCounts = SuggestionCounts()
    note: str = ""
    borders: dict[str, Border] = {}
    skipped: SkipReason | None = None
    decided: dict[str, dict[str, DecidedValue]] = {}
    problems: tuple[Problem, ...] = ()
    display_order: tuple[Id, Id] | None = None
    precedents: tuple[Precedents, ...] | None = None
    reused: dict[str, DecidedCase] | None = None

    def __post_init__(self) -> None:
        check_time(self.changed, "changed")
        _check_distinct("pieces of evidence have", [piece.id for piece in self.evidence])
        for target, claims in self.claims.items():
            _check_distinct(f"claims of {target!r} have", [claim.id for claim in claims])


def _check_distinct(kind: str, ids: list[str]) -> None:
    if len(set(ids)) < len(ids):
        duplicate, _ = Counter(ids).most_common(1)[0]
        raise ValueError(f"two {kind} the id {duplicate!r}")
