"""Cells that come out of one rating: its claims, evidence, words, warnings and revisions."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop_rater.model.rating import CONTRADICTING, SUPPORTING
from desktop_rater.model.signature import fingerprint
from desktop_rater.rubric.reading import BY_CLAIMS
from desktop_rater.text.pages import page_of
from desktop_rater.ui import labels, spelling
from desktop_rater.ui.direction import isolated
from desktop_rater.ui.preview.shown_url import host_of, shown_url
from desktop_rater.ui.problems.ways_out import short_name
from desktop_rater.ui.review.cells import Cell, Part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.audit.audited_task import AuditedTask, OfRater
    from desktop_rater.model.rating import Evidence
    from desktop_rater.rubric import Rubric

translate = QCoreApplication.translate
QUIET = "text2"
MOST_PAGES, MOST_PIECES, MOST_CLAIMS = 4, 12, 12
MARKS = {SUPPORTING: "supports", CONTRADICTING: "contradicts"}


def evidence(of: OfRater, where: str) -> Cell:
    """The pieces that count here; then what was opened for this task and is no evidence in it."""
    pieces = _pieces(of, where)
    parts = [part for piece in pieces[:MOST_PIECES] for part in _piece(piece)]
    if len(pieces) > MOST_PIECES:
        more = translate("Review", "{n} more").format(n=spelling.number(len(pieces) - MOST_PIECES))
        parts.append(Part(more, QUIET))
    taken = {page_of(one.url) for one in of.rating.evidence}
    opened = [url for url in of.rating.links_opened if page_of(url) not in taken]
    if not pieces:
        none = (
            translate("Review", "None. No page opened.") if not of.rating.links_opened else translate("Review", "None.")
        )
        parts.append(Part(none, QUIET))
    if opened:
        words = translate("Review", "Opened in this task and not taken: {n}")
        parts.append(Part(words.format(n=spelling.number(len(opened))), QUIET))
        parts += (Part(_address(url), url=url) for url in opened[:MOST_PAGES])
        if len(opened) > MOST_PAGES:
            parts.append(
                Part(translate("Review", "{n} more").format(n=spelling.number(len(opened) - MOST_PAGES)), QUIET)
            )
    return Cell(tuple(parts))


def _pieces(of: OfRater, where: str) -> list[Evidence]:
    return [one for one in of.rating.evidence if f"{where}/evidence/{one.id}" in of.outcome.kept]


def pieces_of(of: OfRater, where: str) -> tuple[Evidence, ...]:
    """The evidence of a place, in the order in which it is shown."""
    return tuple(_pieces(of, where))


def _address(url: str) -> str:
    shown = shown_url(url)
    return f"{shown.host}{shown.rest}"[:80] if shown.host else url[:80]


def _piece(piece: Evidence) -> Iterator[Part]:
    title = " ".join(piece.title.split())
    host = host_of(piece.url)
    words = f"{title} ({host})" if title and title != host else _address(piece.url) or translate("Review", "No address")
    stance = {SUPPORTING: translate("Review", "Supports"), CONTRADICTING: translate("Review", "Contradicts")}
    said = stance.get(piece.stance or "", "")
    yield Part(f"{said}: {words}" if said else words, mark=MARKS.get(piece.stance or "", "nothing"), piece=piece)
    if piece.quote.strip():
        yield Part(spelling.quoted(piece.quote.strip()), QUIET, deep=True)
    else:
        yield Part(translate("Review", "No quote"), "warn", deep=True)
    yield Part(_kept(piece), QUIET, deep=True)
    if piece.note.strip():
        yield Part(translate("Review", "Rater’s note: {text}").format(text=piece.note.strip()), barred=True)


def _kept(piece: Evidence) -> str:
    opened = translate("Review", "never opened")
    if piece.opened is not None:
        opened = translate("Review", "opened {time}").format(time=_clock(piece.opened))
    kept = translate("Review", "page kept") if piece.snapshot else translate("Review", "page not kept")
    return f"{opened}, {kept}"


def _clock(time: str) -> str:
    return spelling.clock(datetime.fromisoformat(time).astimezone())


def sides(of: OfRater, where: str) -> tuple[int, int] | None:
    """How much evidence stands for it and against it; `None` where none is asked for."""
    if where not in of.outcome.evidence:
        return None
    stances = [one.stance for one in _pieces(of, where)]
    return stances.count(SUPPORTING), stances.count(CONTRADICTING)


def decisions(rubric: Rubric, of: OfRater, where: str) -> tuple[str, ...]:
    """The words of the rows of the rubric that decide here, of the claims where they do."""
    messages = {row.id: row.message for row in rubric.file.decide}
    found: dict[str, None] = {}
    for at, decided in of.outcome.decided.items():
        if at == where or at.startswith(f"{where}/claims/"):
            for one in decided.values():
                words = translate("Review", "The worst of its claims.") if one.by == BY_CLAIMS else messages.get(one.by)
                if words:
                    found[words] = None
    return tuple(sorted(found, key=lambda words: words != translate("Review", "The worst of its claims.")))


def claims(task: AuditedTask, of: OfRater, where: str) -> Cell:
    """The recorded claims of a target, each with its label."""
    kind, _, name = where.partition("/")
    if kind != "targets":
        return Cell()
    parts = []
    for claim in of.rating.claims.get(name, ())[:MOST_CLAIMS]:
        place = of.outcome.places.get(f"{where}/claims/{claim.id}")
        label = labels.claim_label(task.rubric, of.outcome, place) if place is not None else None
        shape, tone = (label[1].shape, label[1].tone) if label is not None else ("todo", "")
        said = f"{label[1].label}: " if label is not None else ""
        parts.append(Part(f"{said}{' '.join(claim.text.split())}", mark=shape or "done", tone=tone))
    return Cell(tuple(parts))


def comments(of: OfRater, where: str) -> Cell:
    """What was written here; of several texts each with its name."""
    asked = of.outcome.asked.get(where, ())
    texts = [one for one in asked if one.question.kind == "text" and isinstance(one.value, str) and one.value.strip()]
    if len(texts) == 1:
        return Cell((Part(texts[0].value),))
    parts = []
    for one in texts:
        name = short_name(one.question)
        parts += [Part(f"{name[:1].upper()}{name[1:]}:", QUIET), Part(one.value)]
    return Cell(tuple(parts))


def warnings(of: OfRater, where: str) -> Cell:
    """What warned here when it was handed in, and what the rater said to it."""
    known = {(one.rule, one.where): one for one in of.rating.acknowledged}
    parts = []
    for problem in of.outcome.problems:
        if problem.level != "warn" or (problem.where != where and not problem.where.startswith(f"{where}/")):
            continue
        seen = known.get((problem.rule, problem.where))
        parts.append(Part(problem.message or problem.rule, "warn", mark="warns"))
        if seen is not None:
            words = translate("Review", "acknowledged: {text}") if seen.comment else translate("Review", "acknowledged")
            parts.append(Part(words.format(text=spelling.quoted(seen.comment)), QUIET, deep=True))
    return Cell(tuple(parts))


def signature(of: OfRater) -> Cell:
    """How the results are signed that this came in."""
    signing = of.signing
    if signing is None:
        return Cell()
    key = fingerprint(signing.key)
    words = {
        "own": translate("Review", "{rater}, {key}").format(rater=isolated(of.rater[:60]), key=key),
        "keyless": translate("Review", "{key}. No key of this rater is known.").format(key=key),
        "strange": translate("Review", "By a key that this rater has not published: {key}").format(key=key),
        "unsigned": translate("Review", "Unsigned"),
        "dropped": translate("Review", "Unsigned, though this rater signs"),
        "altered": translate("Review", "Altered since it was signed"),
    }[signing.kind]
    return Cell((Part(words, "warn", mark="warns") if signing.doubtful else Part(words, QUIET),))


def revisions(of: OfRater) -> Cell:
    """How often the task was changed, and from when to when."""
    count = len(of.history) or of.filed.digest.revisions
    words = spelling.number(count)
    times = [one.changed for one in of.history]
    if len(times) > 1:
        first, last = (datetime.fromisoformat(one).astimezone() for one in (min(times), max(times)))
        end = spelling.clock(last) if first.date() == last.date() else spelling.day_and_clock(last)
        span = translate("Review", "{n}, {first} to {last}")
        words = span.format(n=words, first=spelling.day_and_clock(first), last=end)
    parts = [Part(words)]
    if of.earlier:
        again = translate("Review", "Rated again after {n} earlier").format(n=spelling.number(len(of.earlier)))
        parts.append(Part(again, QUIET))
    if of.forked:
        parts.append(Part(translate("Review", "Another one of this rater stands beside it"), "warn", mark="warns"))
    return Cell(tuple(parts))
