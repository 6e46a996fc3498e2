"""What of the review room's list is wanted: a filter as data, and the predicate of each of its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.audit.disagreement import Group, Label
from desktop_rater.audit.items import Flag

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_rater.audit.items import Entry, Item


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """A filter of the list; what is empty lets everything through. `reviewed`: only items judged whole, or not yet.

    What is wanted of a rating (`rater`, `label`, `flags`) has to hold of one and the same. `words`: each has to stand
    in the quote, the ids or a rater's name.
    """

    rater: str = ""
    label: Label | None = None
    flags: frozenset[Flag] = frozenset()
    group: Group | None = None
    reviewed: bool | None = None
    sampled: bool = False
    tied: bool = False
    words: str = ""


EVERYTHING = Wanted()


def matching(items: Iterable[Item], wanted: Wanted) -> tuple[Item, ...]:
    """The items that the filter lets through, in their order."""
    words = wanted.words.casefold().split()
    return tuple(one for one in items if _is_wanted(one, wanted) and _has_words(one, words))


def _is_wanted(item: Item, wanted: Wanted) -> bool:
    if (wanted.sampled and not item.sampled) or (wanted.tied and not item.tied):
        return False
    if wanted.group is not None and item.group != wanted.group:
        return False
    if wanted.reviewed is not None and (item.reviewed == "all") is not wanted.reviewed:
        return False
    if not (wanted.rater or wanted.label or wanted.flags):
        return True
    return any(_is_meant(entry, wanted) for entry in item.entries)


def _is_meant(entry: Entry, wanted: Wanted) -> bool:
    return (
        (not wanted.rater or entry.rater == wanted.rater)
        and (wanted.label is None or entry.label == wanted.label)
        and wanted.flags <= entry.flags
    )


def _has_words(item: Item, words: list[str]) -> bool:
    if not words:
        return True
    text = "\n".join((item.quote, item.task, item.where, *(one.rater for one in item.entries))).casefold()
    return all(word in text for word in words)
