"""One rater's work: the rating screen, read-only, with that rater's answers, and the cells of the comparison."""

import time
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import NoReturn

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_rater.audit.results import AuditedTask, RaterOnTask
from desktop_rater.format.hub_names import fingerprint
from desktop_rater.format.rating import CONTRADICTING, SUPPORTING, DecidedCase, Evidence
from desktop_rater.format.rubric import WRITTEN_KINDS, Question
from desktop_rater.rubric import Rubric
from desktop_rater.rubric.display_order import exchanged_place, exchanged_rating, exchanged_task
from desktop_rater.rubric.evaluation import BY_CLAIMS
from desktop_rater.rubric.links import task_links
from desktop_rater.rubric.load import format_answer
from desktop_rater.rubric.research import entries_at, research_totals
from desktop_rater.rubric.suggest import reasons_at
from desktop_rater.text.markdown import shown_words
from desktop_rater.text.untrusted import is_blank
from desktop_rater.text.urls import find_links, page_key
from desktop_rater.ui.pages.browser import display_host, split_url
from desktop_rater.ui.pages.evidence_fields import STANCE_MARKS, page_with_stance, verdict_name
from desktop_rater.ui.pages.page_states import unreadable_text
from desktop_rater.ui.rating import research_pane, task_stops
from desktop_rater.ui.rating.form_pane import FormPane
from desktop_rater.ui.rating.problem_fixes import question_subject
from desktop_rater.ui.rating.rating_saver import RatingSaver
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_stops import place_path, stop_of
from desktop_rater.ui.rating.text_pane import TaskTextPane
from desktop_rater.ui.rating.work_time import ActiveTime
from desktop_rater.ui.review.cells import CellPart, ComparisonCell
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import ElidedLabel, isolated
from desktop_rater.ui.widgets.layouts import NamedGroup, OrderedSplitter, fill, horizontal_line, tight_column
from desktop_rater.ui.widgets.theme_tokens import PANE
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.window_place import PaneSizes

HEAD, FORM = 44, 440


def _never(*_given: object, **_named: object) -> NoReturn:
    raise AssertionError("a read-only rating is never saved")


def _bundle_of(task: AuditedTask) -> str:
    """Return a name that no bundle rated by the lead can have, so that the two are never confused."""
    return f"review of {task.bundle}"


class RaterRatingView(NamedGroup):
    """A view with a session of its own, read-only and without time tracking."""

    left = Signal()
    page_wanted = Signal(str)
    moved = Signal(str)  # to another `where` of the task

    def __init__(
        self, perform: WorkRunner, sizes: PaneSizes, now: Callable[[], datetime], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, name="rater_view")
        self.setAccessibleName(self.tr("The page as the rater saw it"))
        theme.set_ground(self, "surface")
        active_time = ActiveTime(time.monotonic)
        active_time.set_window_active(False)
        self.session = Session(RatingSaver(perform, _never, now, self), active_time, self)
        self.rater = ""
        self._shown: RaterOnTask | None = None
        self.session.place_changed.connect(lambda: self.moved.emit(self._where()))
        self.text_pane = TaskTextPane(self.session, sizes)
        self.text_pane.page_wanted.connect(self.page_wanted)
        self.form_pane = FormPane(self.session)
        self.form_pane.hide_footer()
        self._split = OrderedSplitter(Qt.Orientation.Horizontal, handleWidth=1, childrenCollapsible=False)
        for pane in (self.text_pane, self.form_pane):
            self._split.addWidget(pane)
        self._split.setStretchFactor(0, 1)
        tight_column(self, self._make_head(), horizontal_line(), (self._split, 1), spacing=0)
        theme.follow(self, self._set_sizes)

    def _make_head(self) -> QWidget:
        head = QWidget()
        theme.set_ground(head, "info_back")
        self._words = ElidedLabel(name="rater_view_words", size="interface", bold=True)
        back = KeyButton(self.tr("Back to the comparison"), "V", flat=True, name="rater_view_back", clicked=self.left)
        row = fill(QHBoxLayout(head), (self._words, 1), back)
        theme.pad(row, PANE, 0, PANE, 0, height=HEAD)
        return head

    def _set_sizes(self) -> None:
        """Give the form its width, at most half of the window."""
        width = self.width()
        form = min(theme.px(FORM), width // 2)
        self._split.setSizes([width - form, form])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_sizes()

    def shows(self, task: AuditedTask, of: RaterOnTask, where: str) -> bool:
        """Return whether that rating is shown, at that place."""
        session = self.session
        current = self._shown
        same_rating = current is not None and current.task is of.task and current.rater == of.rater
        return same_rating and session.bundle == _bundle_of(task) and self._where() == where

    def _where(self) -> str:
        """Return the current place in the terms of the results; the rater may have seen another order."""
        order = self._shown.rating.display_order if self._shown is not None else None
        return place_path(exchanged_place(self.session.stop, order))

    def show_rating(self, task: AuditedTask, of: RaterOnTask, where: str) -> None:
        self.rater, self._shown = of.rater, of
        order = of.rating.display_order
        as_displayed = exchanged_task(task.rubric, replace(of.task, display_order=order))
        text = self.tr("Rating by {rater}, read-only").format(rater=isolated(of.rater))
        self._words.setText(text)
        place = of.outcome.places.get(where)
        session = self.session
        session.open(
            _bundle_of(task),
            as_displayed,
            exchanged_rating(task.rubric, of.rating, order),
            task.rubric,
            at=stop_of(exchanged_place(place, order)) if place is not None else None,
            read_only=text,
            outcome=of.outcome if order is None else None,
        )

    def panes(self) -> tuple[QWidget, ...]:
        form = self.form_pane.form
        return (*(pane.view for pane in self.text_pane.panes), *(form.blocks or (form,)))


translate = QCoreApplication.translate
QUIET_INK = "text2"
MAX_PAGES, MAX_EVIDENCE, MAX_CLAIMS = 4, 12, 12


def evidence_cell(of: RaterOnTask, where: str) -> ComparisonCell:
    """Return the evidence that counts at a place, then the pages opened for this task that are no evidence."""
    pieces = _counting_evidence(of, where)
    parts = [part for piece in pieces[:MAX_EVIDENCE] for part in _evidence_parts(piece)]
    if len(pieces) > MAX_EVIDENCE:
        more = translate("Review", "{n} more").format(n=formatting.number(len(pieces) - MAX_EVIDENCE))
        parts.append(CellPart(more, QUIET_INK))
    used_pages = {page_key(piece.url) for piece in of.rating.evidence}
    used_pages |= set(map(page_key, of.rating.links_counted))
    opened = [url for url in of.rating.links_opened if page_key(url) not in used_pages]
    if not pieces:
        none = (
            translate("Review", "None. No pages opened.")
            if not of.rating.links_opened
            else translate("Review", "None.")
        )
        parts.append(CellPart(none, QUIET_INK))
    if opened:
        text = translate("Review", "Pages opened but not used as evidence: {n}")
        parts.append(CellPart(text.format(n=formatting.number(len(opened))), QUIET_INK))
        parts += (CellPart(address_text(url), url=url) for url in opened[:MAX_PAGES])
        if len(opened) > MAX_PAGES:
            parts.append(
                CellPart(
                    translate("Review", "{n} more").format(n=formatting.number(len(opened) - MAX_PAGES)), QUIET_INK
                )
            )
    return ComparisonCell(tuple(parts))


def links_cell(of: RaterOnTask, where: str) -> ComparisonCell:
    """Return the links of a place that the rater judged, or only counted as opened."""
    kind, _, name = where.partition("/")
    target = of.task.target(name) if kind == "targets" else None
    if target is not None:
        pages = set(map(page_key, find_links(target.quote or "")))
    else:
        all_of_task = not any(of.outcome.asked.get(f"responses/{response.id}") for response in of.task.responses)
        links = task_links(of.task, ())
        pages = {link.page for link in links if link.response == name or (kind == "task" and all_of_task)}
    parts = [
        CellPart(f"{verdict_name(verdict)}: {address_text(page)}", mark=verdict, url=page)
        for page, verdict in of.rating.link_verdicts.items()
        if page_key(page) in pages
    ]
    template = translate("Review", "Counted, not opened: {page}")
    counted = [url for url in of.rating.links_counted if page_key(url) in pages]
    parts += (CellPart(template.format(page=address_text(url)), mark="counted", url=url) for url in counted)
    return ComparisonCell(tuple(parts))


def _counting_evidence(of: RaterOnTask, where: str) -> list[Evidence]:
    return [piece for piece in of.rating.evidence if f"{where}/evidence/{piece.id}" in of.outcome.kept]


def evidence_at(of: RaterOnTask, where: str) -> tuple[Evidence, ...]:
    """Return the evidence of a place in display order."""
    return tuple(_counting_evidence(of, where))


def address_text(url: str) -> str:
    """Return an address without its scheme, shortened."""
    parts = split_url(url)
    return f"{parts.host}{parts.rest}"[:80] if parts.host else url[:80]


def _evidence_parts(piece: Evidence) -> Iterator[CellPart]:
    title = " ".join(piece.title.split())
    host = display_host(piece.url)
    address = address_text(piece.url) or translate("Review", "No address")
    text = f"{title} ({host})" if title and title != host else address
    yield CellPart(page_with_stance(piece, text), mark=STANCE_MARKS.get(piece.stance, "nothing"), piece=piece)
    if not is_blank(piece.quote):
        yield CellPart(formatting.quoted(piece.quote.strip()), QUIET_INK, deep=True)
        if unreadable := unreadable_text(piece.quote, of_quote=True):
            yield CellPart(unreadable, "warn", deep=True)
    else:
        yield CellPart(translate("Review", "No quote"), "warn", deep=True)
    opened = translate("Review", "never opened")
    if piece.opened is not None:
        time = formatting.clock(datetime.fromisoformat(piece.opened).astimezone())
        opened = translate("Review", "opened {time}").format(time=time)
    stored = translate("Review", "page stored") if piece.snapshot else translate("Review", "page not kept")
    parts = [opened, stored]
    if piece.library is not None:
        template = translate("Review", "from the library {library}")
        parts.append(template.format(library=formatting.library_text(piece.library)))
    if piece.reused is not None:
        parts.append(case_text(piece.reused))
    yield CellPart(", ".join(parts), QUIET_INK, deep=True)
    if not is_blank(piece.note):
        yield CellPart(translate("Review", "Rater’s note: {text}").format(text=piece.note.strip()), barred=True)


def case_text(case: DecidedCase) -> str:
    """Return from where an answer or a piece of evidence was taken over."""
    return (
        translate("Review", "as in {task} of {bundle}, their own")
        if case.own
        else translate("Review", "as in {task} of {bundle}, a decided case")
    ).format(task=isolated(case.task), bundle=isolated(case.bundle))


def reused_cell(of: RaterOnTask, where: str) -> ComparisonCell:
    """Return the cases from which the answers at a place, or at claims of it, were taken."""
    cases = (case for at, case in (of.rating.reused or {}).items() if f"{at}/".startswith(f"{where}/"))
    return ComparisonCell(tuple(map(CellPart, dict.fromkeys(map(case_text, cases)))))


def research_cell(of: RaterOnTask, where: str) -> ComparisonCell:
    """Return the totals of the research record at a place, its searches, and all of its rows as the tooltip."""
    kind, _, name = where.partition("/")
    place = (name, None) if kind == "targets" else (None, name or None)
    entries = entries_at(of.rating, *place)
    if not entries:
        return ComparisonCell()
    searches = [research_pane.entry_text(entry, timed=False) for entry in entries if entry.kind == "search"]
    parts = [CellPart(research_pane.summary_text(research_totals(of.rating, *place)))]
    parts += (CellPart(text, QUIET_INK) for text in searches[:MAX_PAGES])
    if len(searches) > MAX_PAGES:
        more = translate("Review", "{n} more").format(n=formatting.number(len(searches) - MAX_PAGES))
        parts.append(CellPart(more, QUIET_INK))
    return ComparisonCell(tuple(parts), details="\n".join(map(research_pane.entry_text, entries)))


def stance_counts(of: RaterOnTask, where: str) -> tuple[int, int] | None:
    """Count the evidence for and against; `None` where none is asked for."""
    if where not in of.outcome.evidence:
        return None
    stances = [piece.stance for piece in _counting_evidence(of, where)]
    return stances.count(SUPPORTING), stances.count(CONTRADICTING)


def decision_messages(rubric: Rubric, of: RaterOnTask, where: str) -> tuple[str, ...]:
    """Return the messages of the rubric's rules that decided here, including those of the claims."""
    messages = {row.id: row.message for row in rubric.file.decide}
    texts: dict[str, None] = {}
    for place, decided in of.outcome.decided.items():
        if place == where or place.startswith(f"{where}/claims/"):
            for decision in decided.values():
                text = (
                    translate("Review", "The lowest-rated of its claims.")
                    if decision.by == BY_CLAIMS
                    else messages.get(decision.by)
                )
                if text:
                    texts[text] = None
    return tuple(sorted(texts, key=lambda text: text != translate("Review", "The lowest-rated of its claims.")))


def claims_cell(task: AuditedTask, of: RaterOnTask, where: str) -> ComparisonCell:
    """Return the recorded claims of a target, each with its label and what else is combined of it."""
    kind, _, name = where.partition("/")
    if kind != "targets":
        return ComparisonCell()
    parts = []
    for claim in of.rating.claims.get(name, ())[:MAX_CLAIMS]:
        place = of.outcome.places.get(f"{where}/claims/{claim.id}")
        label = task_stops.claim_label(task.rubric, of.outcome, place) if place is not None else None
        shape, tone = (label[1].shape, label[1].tone) if label is not None else ("todo", "")
        words = [label[1].label] if label is not None else []
        if place is not None and label is not None:
            combined = task_stops.worst_labels(task.rubric, of.outcome, place, [claim])
            words += [choice.label for question, choice in combined if question.id != label[0].id]
        prefix = f"{', '.join(words)}: " if words else ""
        parts.append(CellPart(f"{prefix}{' '.join(shown_words(claim.text).split())}", mark=shape or "done", tone=tone))
    return ComparisonCell(tuple(parts))


def written_texts(of: RaterOnTask, where: str) -> list[tuple[Question, str]]:
    """Return the texts written at a place, with their questions."""
    return [
        (answer.question, format_answer(answer.question, answer.value))
        for answer in of.outcome.asked.get(where, ())
        if answer.question.kind in WRITTEN_KINDS and answer.value is not None
    ]


def comments_cell(of: RaterOnTask, where: str) -> ComparisonCell:
    """Return the texts written at a place, and a model's reasons; each with its question where there are several."""
    questions = of.outcome.asked.get(where, ())
    texts = written_texts(of, where)
    reasons = reasons_at(of.rating, where) if of.model else {}
    if len(texts) == 1 and not reasons:
        return ComparisonCell((CellPart(texts[0][1]),))
    texts += [(item.question, reasons[item.question.id]) for item in questions if item.question.id in reasons]
    parts = []
    for question, text in texts:
        name = question_subject(question)
        parts += [CellPart(f"{formatting.capitalized(name)}:", QUIET_INK), CellPart(text)]
    return ComparisonCell(tuple(parts))


def warnings_cell(of: RaterOnTask, where: str) -> ComparisonCell:
    """Return the warnings at a place at submission, and the rater's acknowledgements."""
    acknowledgements = {
        (acknowledgement.rule, acknowledgement.where): acknowledgement for acknowledgement in of.rating.acknowledged
    }
    parts = []
    for problem in of.outcome.problems:
        if problem.level != "warn" or (problem.where != where and not problem.where.startswith(f"{where}/")):
            continue
        acknowledged = acknowledgements.get((problem.rule, problem.where))
        parts.append(CellPart(problem.message or problem.rule, "warn", mark="warns"))
        if acknowledged is not None:
            text = (
                translate("Review", "acknowledged: {text}")
                if acknowledged.comment
                else translate("Review", "acknowledged")
            )
            parts.append(CellPart(text.format(text=formatting.quoted(acknowledged.comment)), QUIET_INK, deep=True))
    return ComparisonCell(tuple(parts))


def signature_cell(of: RaterOnTask) -> ComparisonCell:
    """Return the state of the signature on the results that contained this rating."""
    signing = of.signing
    if signing is None:
        return ComparisonCell()
    key = fingerprint(signing.key)
    text = {
        "own": translate("Review", "{rater}, {key}").format(rater=isolated(of.rater[:60]), key=key),
        "keyless": translate("Review", "{key}. No key of this rater is known.").format(key=key),
        "strange": translate("Review", "Signed with a key that this rater has not published: {key}").format(key=key),
        "unsigned": translate("Review", "Unsigned"),
        "dropped": translate("Review", "Unsigned, although this rater signs results"),
        "altered": translate("Review", "Altered since it was signed"),
    }[signing.kind]
    return ComparisonCell(
        (CellPart(text, "warn", mark="warns") if signing.needs_attention else CellPart(text, QUIET_INK),)
    )


def revisions_cell(of: RaterOnTask) -> ComparisonCell:
    """Return how often the task was changed, and over what time."""
    count = len(of.history) or of.received.digest.revisions
    text = formatting.number(count)
    times = [revision.changed for revision in of.history]
    if len(times) > 1:
        first, last = (datetime.fromisoformat(moment).astimezone() for moment in (min(times), max(times)))
        end = formatting.clock(last) if first.date() == last.date() else formatting.day_and_clock(last)
        span = translate("Review", "{n}, {first} to {last}")
        text = span.format(n=text, first=formatting.day_and_clock(first), last=end)
    parts = [CellPart(text)]
    if of.earlier:
        again = translate("Review", "Earlier ratings of this task: {n}").format(n=formatting.number(len(of.earlier)))
        parts.append(CellPart(again, QUIET_INK))
    if of.forked:
        parts.append(CellPart(translate("Review", "This rater has another, conflicting rating"), "warn", mark="warns"))
    return ComparisonCell(tuple(parts))
