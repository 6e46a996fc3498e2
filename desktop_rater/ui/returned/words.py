"""The words for what a lead says to a rating. The review room and the rater read the same ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop_rater.ui import spelling
from desktop_rater.ui.direction import isolated

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_rater.model.returned import Comment

MOST_SHOWN = 4_000  # characters of a comment; the whole of it is in the bundle
_LONGEST_NAME = 60

translate = QCoreApplication.translate


def reason_words(reason: str) -> str:
    """A reason in the language of the window; one of another program as it stands."""
    return {
        "guideline-gap": translate("Returned", "The guideline has a gap"),
        "ambiguous-text": translate("Returned", "The text is ambiguous"),
        "search-too-thin": translate("Returned", "Search too thin"),
        "label-does-not-follow": translate("Returned", "Label does not follow"),
        "evidence-does-not-say-it": translate("Returned", "Evidence does not say it"),
        "claim-missed": translate("Returned", "A claim is missed"),
        "edge-case": translate("Returned", "An edge case"),
        "other": translate("Returned", "Other"),
    }.get(reason, reason[:_LONGEST_NAME])


def reasons_in(comments: Iterable[Comment]) -> str:
    """The reasons of some comments, each once. That it is another one says nothing beside the comment."""
    return "; ".join(dict.fromkeys(reason_words(one.reason) for one in comments if one.reason not in {"", "other"}))


def sender_words(by: str) -> str:
    """Who sent it back."""
    name = " ".join(by.split())[:_LONGEST_NAME]
    return isolated(name) if name else translate("Returned", "the QA lead")


def head_words(by: str, comments: Iterable[Comment]) -> str:
    """The first line of what is said at a place."""
    reasons = reasons_in(comments)
    if not reasons:
        return translate("Returned", "Sent back by {name}").format(name=sender_words(by))
    return translate("Returned", "Sent back by {name}: {reasons}").format(name=sender_words(by), reasons=reasons)


def quoted(comment: Comment) -> str:
    """What the lead wrote, as it stands; long texts end in …."""
    text = comment.comment.strip()
    if not text:
        return ""
    shown = f"{text[:MOST_SHOWN].rstrip()} …" if len(text) > MOST_SHOWN else text
    return spelling.quoted(shown)
