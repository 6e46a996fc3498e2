"""What the review room calls reasons, flags, groups and verdicts, in the language of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop_rater.ui import spelling

if TYPE_CHECKING:
    from desktop_rater.audit.disagreement import Group
    from desktop_rater.audit.items import Flag

translate = QCoreApplication.translate
MINUTE = 60


def flag_words(flag: Flag) -> str:
    """A filter of the list."""
    return {
        "warning": translate("Review", "With a warning"),
        "acknowledged": translate("Review", "Warning acknowledged"),
        "too-fast": translate("Review", "Too fast"),
        "no-evidence": translate("Review", "No evidence"),
        "evidence-dead": translate("Review", "Evidence no longer answers"),
        "returned": translate("Review", "Sent back"),
        "gold-missed": translate("Review", "Gold missed"),
        "forked": translate("Review", "Forked"),
        "outdated": translate("Review", "Verdict outdated"),
    }.get(flag, flag)


def group_words(group: Group) -> str:
    """What stands over a group of the list."""
    first, second = spelling.number(group.first), spelling.number(group.second)
    match group.kind:
        case "different":
            return translate("Review", "{n} different labels").format(n=first)
        case "against":
            return translate("Review", "{n} against {m}").format(n=first, m=second)
        case "other":
            return translate("Review", "Same label, other answers differ")
        case "agree":
            return translate("Review", "All agree")
        case "one":
            return translate("Review", "One rating")
    return translate("Review", "No label")


def verdict_words(kind: str) -> str:
    """A verdict in a word."""
    return {
        "accepted": translate("Review", "Accepted"),
        "corrected": translate("Review", "Corrected"),
        "returned": translate("Review", "Sent back"),
    }.get(kind, translate("Review", "Not yet"))


VERDICT_MARKS = {"accepted": "done", "corrected": "double-tick", "returned": "back"}


def time_on_it(seconds: float | None) -> str:
    """How long a rater was active: "2:40 on it"."""
    if seconds is None:
        return ""
    minutes, rest = divmod(round(seconds), MINUTE)
    return translate("Review", "{minutes}:{seconds:02d} on it").format(minutes=minutes, seconds=rest)
