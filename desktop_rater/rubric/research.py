"""Research on a target or response: the entries of a rating, their totals, and the time that a rule requires."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from desktop_rater.format.rating import MAX_RESEARCH_ENTRIES, Rating, ResearchEntry
from desktop_rater.rubric.compiled import Rubric
from desktop_rater.rubric.load import label_of_value
from desktop_rater.text.urls import page_key

EntryKey = tuple[str | None, ...]
TIME_FACT = "research_seconds"


def entry_key(entry: ResearchEntry) -> EntryKey:
    """Return what identifies an entry while its seconds and outcome change."""
    return entry.kind, entry.target, entry.response, entry.url, entry.query, entry.engine, entry.at


def merged_entries(entries: Sequence[ResearchEntry], newer: Iterable[ResearchEntry]) -> tuple[ResearchEntry, ...]:
    """Return the entries in order of time; a newer state of an entry replaces it, but never with less time."""
    merged = list(entries)
    positions = {entry_key(entry): index for index, entry in enumerate(merged)}
    for entry in newer:
        index = positions.get(entry_key(entry))
        if index is None:
            positions[entry_key(entry)] = len(merged)
            merged.append(entry)
        elif (entry.seconds or 0) >= (merged[index].seconds or 0):
            merged[index] = entry
    if len(merged) > len(entries):
        merged.sort(key=lambda entry: entry.at or "")
    return tuple(merged[:MAX_RESEARCH_ENTRIES])


def with_research(rating: Rating, newer: Iterable[ResearchEntry] = ()) -> Rating:
    """Return the rating with newer entries, and with the outcome of each page that was shown.

    A page counts as `taken` while evidence of the same target or response names it.
    """
    pages = {(piece.target, piece.response, page_key(piece.url)) for piece in rating.evidence}
    entries = tuple(
        replace(entry, outcome="taken" if _page_of(entry) in pages else "nothing")
        if entry.outcome in {"taken", "nothing"}
        else entry
        for entry in merged_entries(rating.research, newer)
    )
    return replace(rating, research=entries) if entries != rating.research else rating


def _page_of(entry: ResearchEntry) -> tuple[str | None, str | None, str | None]:
    return entry.target, entry.response, page_key(entry.url or "")


class ResearchEdit(msgspec.Struct, frozen=True):
    """Entries that the rater removed and added in one step."""

    removed: tuple[ResearchEntry, ...] = ()
    added: tuple[ResearchEntry, ...] = ()

    @classmethod
    def between(cls, before: Rating, after: Rating) -> "ResearchEdit":
        """Return the edit that leads from one rating to another."""
        if before.research == after.research:
            return cls()
        return cls(
            tuple(entry for entry in before.research if entry not in after.research),
            tuple(entry for entry in after.research if entry not in before.research),
        )

    def applied_to(self, rating: Rating, *, back: bool) -> Rating:
        """Return the rating with the edit made again, or taken `back`; other entries stay."""
        removed, added = (self.added, self.removed) if back else (self.removed, self.added)
        return replace(rating, research=merged_entries(entries_without(rating, removed), added))


def entries_without(rating: Rating, removed: Iterable[ResearchEntry]) -> tuple[ResearchEntry, ...]:
    """Return the research entries of a rating without some of them."""
    keys = {entry_key(entry) for entry in removed}
    return tuple(entry for entry in rating.research if entry_key(entry) not in keys)


class ResearchTotals(msgspec.Struct, frozen=True, kw_only=True):
    """Research on a target or response. `measured`: active seconds in the program; `reported`: outside of it."""

    searches: int = 0
    pages: int = 0
    measured: float = 0
    reported: float = 0

    @property
    def seconds(self) -> float:
        return self.measured + self.reported


def entries_at(rating: Rating, target: str | None, response: str | None) -> tuple[ResearchEntry, ...]:
    """Return the research entries of a target, or else of a response."""
    place = (target, None) if target is not None else (None, response)
    return tuple(entry for entry in rating.research if (entry.target, entry.response) == place)


def research_totals(rating: Rating, target: str | None, response: str | None) -> ResearchTotals:
    """Count the research on a target or response. A target has its own clock; else the time on pages counts."""
    entries = entries_at(rating, target, response)
    pages = [entry for entry in entries if entry.kind == "page"]
    on_pages = sum(entry.seconds or 0 for entry in pages)
    return ResearchTotals(
        searches=sum(entry.kind == "search" for entry in entries),
        pages=len({page_key(entry.url or "") or entry.url for entry in pages}),
        measured=rating.time.targets.get(target, 0) if target is not None else on_pages,
        reported=sum(entry.seconds or 0 for entry in entries if entry.kind == "outside"),
    )


class RequiredResearch(msgspec.Struct, frozen=True):
    """The seconds of research that a rule requires, and the labels of the answers for which it does."""

    seconds: float
    labels: tuple[str, ...] = ()


def required_research(rubric: Rubric) -> RequiredResearch | None:
    """Return the longest research that a rule of the rubric requires."""
    required = [
        RequiredResearch(float(times["min"]), tuple(dict.fromkeys(_labels(rubric, rule.when))))
        for rule in rubric.file.rules
        if isinstance(times := (rule.require or {}).get(TIME_FACT), dict) and times.get("min")
    ]
    return max(required, key=lambda rule: rule.seconds, default=None)


def counts_unresearched(rubric: Rubric) -> bool:
    """Return whether the rubric has answers that need no research."""
    return any(choice.without_research for question in rubric.file.questions for choice in question.choices)


def _labels(rubric: Rubric, condition: Any) -> Iterator[str]:
    """Yield the labels of the answers that a condition names."""
    for part in condition if isinstance(condition, list) else [condition]:
        for name, wanted in part.items() if isinstance(part, dict) else ():
            if name not in rubric.questions:
                yield from _labels(rubric, wanted)
                continue
            question = rubric.questions[name].question
            values = wanted if isinstance(wanted, list) else [wanted]
            yield from (label_of_value(question, value) for value in values if isinstance(value, str))
