"""Raters of one place in groups by their label: what each group rests on, its evidence and comments. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from desktop_rater.audit.items import Label, ReviewEntry, ReviewItem, depth_of
from desktop_rater.audit.questions import JudgedQuestion, Value
from desktop_rater.audit.results import AuditedTask, RaterOnTask
from desktop_rater.model.rating import SUPPORTING, Evidence
from desktop_rater.text.urls import page_key

SIMILAR, MAX_COMPARED, PARTING_SHARE = 80, 20, 0.5
GroupName = tuple[Label | None, bool]
"""The label of a group, and whether its raters skipped the task."""


@dataclass(frozen=True)
class AnswerGroup:
    """The raters who gave one label, people before models; without a `label` those who gave none, or `skipped`."""

    label: Label | None
    entries: tuple[ReviewEntry, ...]
    skipped: bool = False

    @property
    def name(self) -> GroupName:
        return self.label, self.skipped

    @property
    def votes(self) -> int:
        """The number of people."""
        return sum(not entry.model for entry in self.entries)

    @property
    def median_seconds(self) -> float | None:
        times = [entry.seconds for entry in self.entries if entry.seconds is not None and not entry.model]
        return median(times) if times else None


def answer_groups(item: ReviewItem, question: JudgedQuestion | None) -> tuple[AnswerGroup, ...]:
    """Return the groups of a place, the largest first, steps of a scale in their order; those without a label last."""
    members: dict[GroupName, list[ReviewEntry]] = {}
    for entry in item.entries:
        members.setdefault((None if entry.skipped else entry.label, entry.skipped), []).append(entry)
    groups = [AnswerGroup(label, tuple(entries), skipped) for (label, skipped), entries in members.items()]
    ordered = question is not None and question.measure != "nominal"

    def rank(group: AnswerGroup) -> tuple[object, ...]:
        value = group.label.value if group.label is not None else ""
        by_value = ordered and isinstance(value, float)
        return group.label is None, group.skipped, value if by_value else 0.0, -group.votes, str(value)

    return tuple(sorted(groups, key=rank))


@dataclass(frozen=True)
class PooledPage:
    """A page that `raters` of a group took as evidence, `rater` one of them; without a `piece` only opened."""

    url: str
    raters: int
    rater: str
    piece: Evidence | None = None


@dataclass(frozen=True)
class PooledComment:
    """A comment with its rater, and the number of others like it."""

    text: str
    rater: str
    others: int = 0


def pooled_pages(raters: Sequence[RaterOnTask], where: str) -> tuple[list[PooledPage], list[PooledPage]]:
    """Return the pages taken at a place, then those opened for the task but not taken, each by its raters."""
    used: dict[str, dict[str, Evidence]] = defaultdict(dict)
    opened: dict[str, dict[str, str]] = defaultdict(dict)
    for of in raters:
        for piece in of.rating.evidence:
            if f"{where}/evidence/{piece.id}" in of.outcome.kept:
                used[page_key(piece.url) or piece.url].setdefault(of.rater, piece)
        elsewhere = {page_key(piece.url) for piece in of.rating.evidence}
        for url in of.rating.links_opened:
            if page_key(url) not in elsewhere:
                opened[page_key(url) or url][of.rater] = url
    pages = []
    for by_rater in used.values():
        uses = {rater: (piece.stance, " ".join(piece.quote.split())) for rater, piece in by_rater.items()}
        usual = Counter(uses.values()).most_common(1)[0][0]
        rater = next(rater for rater, use in uses.items() if use == usual)
        pages.append(PooledPage(by_rater[rater].url, len(by_rater), rater, by_rater[rater]))
    only_opened = [(key, urls) for key, urls in opened.items() if key not in used]
    seen = [PooledPage(next(iter(urls.values())), len(urls), next(iter(urls))) for _key, urls in only_opened]
    return _most_used(pages), _most_used(seen)


def _most_used(pages: Sequence[PooledPage]) -> list[PooledPage]:
    return sorted(pages, key=lambda page: (-page.raters, page.url))


def pooled_comments(comments: Sequence[tuple[str, str]]) -> list[PooledComment]:
    """Return comments (rater and text) that differ, those with the most others like them first."""
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - only where there are many raters

    pooled: list[list[tuple[str, str]]] = []
    for rater, text in comments:
        first_texts = [" ".join(some[0][1].casefold().split()) for some in pooled[:MAX_COMPARED]]
        words = " ".join(text.casefold().split())
        like = process.extractOne(words, first_texts, scorer=fuzz.token_sort_ratio, score_cutoff=SIMILAR)
        if like is None:
            pooled.append([(rater, text)])
        else:
            pooled[like[2]].append((rater, text))
    pooled.sort(key=len, reverse=True)
    return [PooledComment(some[0][1], some[0][0], len(some) - 1) for some in pooled]


@dataclass(frozen=True)
class Parting:
    """The first question on which the two largest groups part; without a `question`, whether a page was taken.

    `value` is an answer that `counts` of the groups' raters gave, of so many each in `of`.
    """

    question: JudgedQuestion | None
    value: Value
    counts: tuple[int, int]
    of: tuple[int, int]


def parting_question(
    task: AuditedTask, where: str, groups: Sequence[AnswerGroup], judged: Mapping[str, JudgedQuestion]
) -> Parting | None:
    """Return the first question, in the order of the rubric, on which the two largest groups part, then the evidence.

    They part if the shares of an answer among their raters are at least half apart.
    """
    largest = sorted((group for group in groups if group.label is not None), key=lambda group: -group.votes)[:2]
    if len(largest) < 2 or not all(group.votes for group in largest):
        return None
    ratings = {of.rater: of for of in task.raters}
    first, second = ([ratings[rater] for rater in _people(group) if rater in ratings] for group in largest)
    labels = {name for group in largest if group.label is not None for name in _label_names(group.label, judged)}
    depth = depth_of(where)
    for question in judged.values():
        if question.per == depth and question.id not in labels and not labels & question.hangs_on:
            given = [Counter(question.value(of.received.digest.values.get(where, {})) for of in some)
                     for some in (first, second)]  # fmt: skip
            parting = _widest(question, given, (len(first), len(second)))
            if parting is not None:
                return parting
    with_page: list[Counter[Value | None]] = [
        Counter(SUPPORTING for of in some if of.received.digest.evidence.get(where)) for some in (first, second)
    ]
    return _widest(None, with_page, (len(first), len(second)))


def _people(group: AnswerGroup) -> Iterator[str]:
    return (entry.rater for entry in group.entries if not entry.model)


def _label_names(label: Label, judged: Mapping[str, JudgedQuestion]) -> Iterator[str]:
    yield label.question
    yield judged[label.question].question


def _widest(
    question: JudgedQuestion | None, given: Sequence[Counter[Value | None]], of: tuple[int, int]
) -> Parting | None:
    values = [value for value in given[0] | given[1] if value is not None]
    if not values or not all(of):
        return None

    def gap(value: Value) -> float:
        return abs(given[0][value] / of[0] - given[1][value] / of[1])

    widest = max(values, key=lambda value: (gap(value), given[0][value], str(value)))
    if gap(widest) < PARTING_SHARE:
        return None
    return Parting(question, widest, (given[0][widest], given[1][widest]), of)
