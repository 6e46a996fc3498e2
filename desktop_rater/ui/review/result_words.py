"""What is here of a bundle's results, and what is not, as rows and sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop_rater.model.signature import fingerprint
from desktop_rater.ui import spelling
from desktop_rater.ui.direction import isolated
from desktop_rater.ui.rows import Line

if TYPE_CHECKING:
    from desktop_rater.audit.signed import Signing
    from desktop_rater.audit.status import RaterState, Status, TaskState
    from desktop_rater.work.open_results import Opened, Refused

translate = QCoreApplication.translate
MOST_NAMED, LONGEST = 5, 80


def _many(count: int, one: str, several: str) -> str:
    """How many; nothing where there is none."""
    return "" if not count else one if count == 1 else several.format(n=spelling.number(count))


def named(names: tuple[str, ...]) -> str:
    """A few names, and how many more there are."""
    shown = ", ".join(isolated(name[:LONGEST]) for name in names[:MOST_NAMED])
    more = len(names) - MOST_NAMED
    return (
        translate("Results", "{names} and {n} more").format(names=shown, n=spelling.number(more)) if more > 0 else shown
    )


def summary(status: Status) -> str:
    """Whether everything is here, in one sentence, and how much that is."""
    counts = ", ".join(
        (
            _many(len(status.raters), translate("Results", "1 rater"), translate("Results", "{n} raters")),
            _many(status.tasks, translate("Results", "1 task"), translate("Results", "{n} tasks")),
            _many(status.ratings, translate("Results", "1 rating"), translate("Results", "{n} ratings")),
        )
    )
    if status.whole:
        return translate("Results", "Everything is here: {counts}.").format(counts=counts)
    words = translate("Results", "Not everything is here: {what}. So far {counts}.")
    return words.format(counts=counts, what=_open(status))


def _open(status: Status) -> str:
    raters = [one for one in status.raters if not one.whole]
    lacking = sum(one.lacks for one in status.raters)
    parts = [
        _many(
            len(raters),
            translate("Results", "1 rater is not complete"),
            translate("Results", "{n} raters are not complete"),
        ),
        _many(lacking, translate("Results", "1 rating is missing"), translate("Results", "{n} ratings are missing")),
        _many(len(status.forks), translate("Results", "1 fork"), translate("Results", "{n} forks")),
        _many(
            len(status.short),
            translate("Results", "1 task lacks raters"),
            translate("Results", "{n} tasks lack raters"),
        ),
    ]
    return ", ".join(part for part in parts if part)


def on_the_way(unsent: int, out: int) -> str:
    """What was sent back and has not left yet, and what has left and is not back."""
    parts = (
        _many(unsent, translate("Results", "1 verdict to send"), translate("Results", "{n} verdicts to send")),
        _many(out, translate("Results", "1 task still out"), translate("Results", "{n} tasks still out")),
    )
    return ", ".join(part for part in parts if part)


def rater_line(one: RaterState) -> Line:
    """A rater: how many ratings are here, and what is open."""
    count = spelling.number(one.ratings)
    of = translate("Results", "{n} of {due}").format(n=count, due=spelling.number(one.due)) if one.due else count
    said = _said(one)
    whole = one.whole
    state = (
        translate("Results", "complete")
        if whole
        else translate("Results", "not complete")
        if one.results
        else translate("Results", "sent nothing")
    )
    return Line(
        one.rater,
        one.rater[:LONGEST],
        end=of,
        detail=said or state,
        mark="warns" if is_doubtful(one) else "done" if whole else "part" if one.results else "todo",
        state=state,
    )


def _said(one: RaterState) -> str:
    lacking = translate("Results", "lacks {tasks}").format(tasks=named(one.lacking)) if one.lacking else ""
    if one.lacks and not one.lacking:
        lacking = _many(one.lacks, translate("Results", "lacks 1 task"), translate("Results", "lacks {n} tasks"))
    nothing = translate("Results", "sent nothing") if not one.results else ""
    forked = (
        translate("Results", "two results say different things of {tasks}").format(tasks=named(one.forked))
        if one.forked
        else ""
    )
    stale = translate("Results", "rated another text of {tasks}").format(tasks=named(one.stale)) if one.stale else ""
    before = _many(
        len(one.unknown_before),
        translate("Results", "follows results that are not here"),
        translate("Results", "{n} follow results that are not here"),
    )
    signed = signing_words(one.signing) if one.signing is not None else ""
    doubt, calm = (signed, "") if is_doubtful(one) else ("", signed)
    strange = (
        translate("Results", "rated {tasks} without being asked").format(tasks=named(one.strange))
        if one.strange
        else ""
    )
    earlier = _many(
        one.earlier, translate("Results", "1 rating came anew"), translate("Results", "{n} ratings came anew")
    )
    skipped = _many(one.skipped, translate("Results", "1 skipped"), translate("Results", "{n} skipped"))
    parts = (
        doubt,
        nothing or lacking,
        forked,
        stale,
        before,
        strange,
        skipped,
        earlier,
        calm,
        on_the_way(one.unsent, len(one.out)),
        translate("Results", "a model") if one.model else "",
        translate("Results", "practice") if one.practice else "",
    )
    return "; ".join(part for part in parts if part)


def is_doubtful(one: RaterState) -> bool:
    """Whether somebody should look at how the results of a rater are signed."""
    return one.signing is not None and one.signing.doubtful


def doubts(status: Status) -> str:
    """How many raters there are of whom that is so, in one sentence."""
    count = sum(map(is_doubtful, status.raters))
    one = translate("Results", "The signature of 1 rater is not right.")
    return _many(count, one, translate("Results", "The signatures of {n} raters are not right."))


def signing_words(one: Signing) -> str:
    """How a rater's results are signed; nothing where nobody expects a signature."""
    key = fingerprint(one.key)
    return {
        "own": translate("Results", "signed, {key}"),
        "keyless": translate("Results", "signed, {key}, and no key of this rater is known"),
        "strange": translate("Results", "signed by a key that this rater has not published, {key}"),
        "dropped": translate("Results", "unsigned, though this rater signs"),
        "altered": translate("Results", "altered since it was signed"),
    }.get(one.kind, "").format(key=key)


def task_line(one: TaskState) -> Line:
    """A task with fewer ratings than most have."""
    who = translate("Results", "missing: {raters}").format(raters=named(one.lacking)) if one.lacking else ""
    return Line(
        one.task,
        one.task[:LONGEST],
        end=_many(one.ratings, translate("Results", "1 rating"), translate("Results", "{n} ratings")),
        detail=who
        or (
            translate("Results", "nobody has rated it")
            if not one.ratings
            else translate("Results", "fewer than most have")
        ),
        mark="part" if one.ratings else "todo",
    )


def refused_line(at: int, one: Refused) -> Line:
    """A file of which nothing was taken, and why."""
    title = "" if one.title.startswith(one.file) and one.message else f"{one.title.rstrip('.')}."
    why = " ".join(filter(None, (title, one.message, one.hint)))
    return Line(f"{at}", one.file[:LONGEST], detail=why, mark="blocked", state=translate("Results", "refused"))


def came_in(opened: Opened) -> str:
    """What a run brought, in one sentence."""
    fresh = [one for one in opened.took if not one.known]
    known = len(opened.took) - len(fresh) + sum(one.known for one in opened.copies)
    copies = len(opened.copies) - sum(one.known for one in opened.copies)
    keys = sum(not one.known for one in opened.keys)
    parts = [
        _many(len(fresh), translate("Results", "1 result is new"), translate("Results", "{n} results are new")),
        _many(copies, translate("Results", "1 bundle was read"), translate("Results", "{n} bundles were read")),
        _many(keys, translate("Results", "1 public key is new"), translate("Results", "{n} public keys are new")),
        _many(
            known, translate("Results", "1 file was here already"), translate("Results", "{n} files were here already")
        ),
        _many(
            len(opened.refused),
            translate("Results", "1 file was refused"),
            translate("Results", "{n} files were refused"),
        ),
    ]
    words = ", ".join(part for part in parts if part)
    return f"{words[:1].upper()}{words[1:]}." if words else translate("Results", "Nothing came in.")
