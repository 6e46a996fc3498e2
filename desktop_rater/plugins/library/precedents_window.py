"""Decided cases like the claim at hand, after the rater's own answer, and the rater's own answers in earlier tasks."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_rater.app.assembly import Application
from desktop_rater.format import edit
from desktop_rater.format.change import Progress
from desktop_rater.format.manifests import Assistance, assistance_in_manifest, is_held_out
from desktop_rater.format.rating import LibraryName, Precedents
from desktop_rater.format.values import format_time
from desktop_rater.operations.rating.history import earlier_work
from desktop_rater.operations.rating.open_task import load_bundle
from desktop_rater.plugins.library.catalogue import FOLDER, precedent_libraries
from desktop_rater.plugins.library.window import library_name
from desktop_rater.rubric.repeat import (
    REUSE_ACTION,
    EarlierClaim,
    earlier_claims,
    nearest_claim,
    with_earlier_answers,
)
from desktop_rater.store.bundles import BundleRow
from desktop_rater.ui.pages.reader_view import claim_or_quote
from desktop_rater.ui.rating.rating_state import RatingState, TaskKey
from desktop_rater.ui.rating.task_stops import claim_label, label_of_answers, place_path
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.labels import ElidedLabel, isolated
from desktop_rater.ui.widgets.layouts import announce, tight_column, tight_row

if TYPE_CHECKING:
    from desktop_rater.plugins.library.precedents import CaseSummary, SimilarCase

    # The most similar first, with their summary and the libraries that were searched.
    CasesOfClaim = tuple[tuple[SimilarCase, ...], CaseSummary, tuple[LibraryName, ...]]

READ_EARLIER_MS = 5_000  # a rater reads the first task first
LOOK_UP_DELAY_MS = 50  # paint the place first: a busy worker makes each part of it wait for the GIL
PlaceKey = tuple[str, str]  # name of a place, and its claim


class PrecedentCommands(QObject):
    """Finds decided cases and earlier answers for the current claim, with a line for each above the footer."""

    def __init__(self, application: Application) -> None:
        super().__init__(application.window)
        self._application, self._window, self._perform = application, application.window, application.perform
        self._store: Path = application.reader.folder
        self._rater, self._now = application.context.rater, application.context.now
        self._rubric = ""  # id of the rubric of the earlier claims
        self._earlier: dict[TaskKey, tuple[EarlierClaim, ...]] = {}  # of tasks that are not open, the latest first
        self._view: Any = None
        self.lines = QWidget()
        self._rows: list[tuple[QWidget, LinkButton, ElidedLabel]] = []
        self._make_lines()
        self._reading = DelayedCall(self, READ_EARLIER_MS, self._read_earlier)
        self._session = session = application.session
        session.opened.connect(self._open)
        session.leaving.connect(self._keep_claims)
        for signal in (session.rating_changed, session.place_changed):
            signal.connect(self.follow)
        self._open()

    def actions(self) -> dict[str, Callable[[], object]]:
        return {"show_cases": self.show_cases, "reuse_answers": self.reuse}

    def _make_lines(self) -> None:
        column = tight_column(self.lines, spacing=2, margins=(7, 2, 16, 2))
        for name, key, clicked in (("offer", "Alt R", self.reuse), ("cases", "Alt C", self.show_cases)):
            row, button = QWidget(), LinkButton("", key, name=f"{name}_line", clicked=clicked)
            words = ElidedLabel(name=f"{name}_words", size="small", ink="text2")
            tight_row(row, button, (words, 1), spacing=8)
            column.addWidget(row)
            self._rows.append((row, button, words))
        layout = cast("QVBoxLayout", self._window.form_pane.layout())
        layout.insertWidget(layout.indexOf(self._window.form_pane.banners), self.lines)

    # -- what is known of the open task

    def _open(self) -> None:
        session = self._session
        self._assistance: Assistance | None = None  # once it is read
        self._offers: dict[PlaceKey, EarlierClaim | None] = {}
        self._cases: dict[PlaceKey, CasesOfClaim | None] = {}
        self._has_libraries = (self._store / FOLDER).is_dir()
        self.follow()
        if session.task is not None and session.rubric is not None:
            if self._has_libraries:
                self._perform.ask(load_bundle, session.bundle, done=self._read_assistance)
            if session.rubric.file.id != self._rubric:
                self._rubric, self._earlier = session.rubric.file.id, {}
                self._reading.start()

    def _read_assistance(self, bundle: BundleRow) -> None:
        if bundle.id == self._session.bundle:
            self._assistance = assistance_in_manifest(bundle.manifest)
            self.follow()

    def _read_earlier(self) -> None:
        """Read what the rater answered in earlier tasks by the same rubric."""
        rubric = self._rubric

        def done(work: dict[TaskKey, tuple[EarlierClaim, ...]]) -> None:
            if rubric == self._rubric:
                # A new dictionary, as a worker may go through the other one; claims of this sitting are not replaced.
                self._earlier = {**self._earlier, **work, **self._earlier}
                self._offers = {}
                self.follow()

        self._perform.ask(earlier_work, self._rater, rubric, done=done)

    def _keep_claims(self) -> None:
        """Keep the claims of the task that is left, as the store will have them."""
        state = self._session.state
        if state is not None:
            claims = tuple(earlier_claims(state.bundle, state.task, state.rating))
            self._earlier = {state.key: claims, **self._earlier, state.key: claims}

    # -- the current place

    def follow(self) -> None:
        """Show what there is for the claim at hand, and look for it if that was not done yet."""
        session, state = self._session, self._session.state if self._earlier or self._has_libraries else None
        offer = cases = None
        if state is not None and session.place.target is not None and not (session.read_only or session.shows_gold):
            key = place_path(session.place), claim_or_quote(session)
            offer, cases = self._find_offer(state, key), self._find_cases(state, key)
        self._show(offer, cases)

    def _find_offer(self, state: RatingState, key: PlaceKey) -> EarlierClaim | None:
        """Return the earlier answers to the same claim, while the claim has no label."""
        if not key[1] or self._has_label(state) or key[0] in (state.rating.reused or {}):
            return None
        others = (claim for task, claims in self._earlier.items() if task != state.key for claim in claims)
        return self._look_up(self._offers, key, lambda _progress: nearest_claim(key[1], others))

    def _find_cases(self, state: RatingState, key: PlaceKey) -> "CasesOfClaim | None":
        """Return the decided cases if they may be shown."""
        record = self._record(key[0])
        if record.held_out if record is not None else not self._may_look(state):
            return None
        here = state.bundle, state.task.id, key[0].partition("/claims/")[0]
        cases = self._look_up(self._cases, key, partial(_search, self._store, key[1], state.rubric.ref, here))
        record = self._note_cases(key[0], cases)
        return cases if record is not None and not record.held_out else None

    def _may_look(self, state: RatingState) -> bool:
        """Return whether the rater's own answer is given; a finished rating is looked at without new cases."""
        when, rating = self._assistance.precedents if self._assistance is not None else "never", state.rating
        if when == "never" or rating.status != "incomplete":
            return False
        answers = edit.answers_at(rating, self._session.place)
        return self._has_label(state) if when == "decided" else any(value is not None for value in answers.values())

    def _has_label(self, state: RatingState) -> bool:
        return claim_label(state.rubric, state.outcome, self._session.place) is not None

    def _look_up(self, known: dict[PlaceKey, Any], key: PlaceKey, work: Callable[[Progress], Any]) -> Any:
        """Return what is known for a claim of the open task; if nothing is, find it in the background soon."""
        if key not in known:
            known[key] = None

            def done(result: Any) -> None:
                known[key] = result
                if known is self._cases:  # the rater may be at another claim by now
                    self._note_cases(key[0], result)
                self.follow()

            QTimer.singleShot(LOOK_UP_DELAY_MS, self, lambda: self._perform.fetch(work, done=done))
        return known[key]

    # -- the record

    def _record(self, where: str) -> Precedents | None:
        return next((record for record in self._session.rating.precedents or () if record.where == where), None)

    def _note_cases(self, where: str, result: "CasesOfClaim | None") -> Precedents | None:
        """Return the record of the cases of a place, made when they are found for the first time."""
        session, state, assistance = self._session, self._session.state, self._assistance
        if result is not None and state is not None and assistance is not None and self._record(where) is None:
            cases, summary, libraries = result
            names = "precedents", state.bundle, state.task.id, where, self._rater
            record = Precedents(
                where=where,
                at=format_time(self._now()),
                cases=len(cases),
                question=summary.question,
                value=summary.value,
                first=_own_value(state, where, summary.question),
                held_out=is_held_out(assistance.precedents_held_out, *names),
                libraries=libraries,
            )
            session.record_precedents(record)
        return self._record(where)

    # -- what is shown

    def _show(self, offer: EarlierClaim | None, cases: "CasesOfClaim | None") -> None:
        texts, was_hidden = (self._offer_texts(offer), self._cases_texts(cases)), self.lines.isHidden()
        self.offer, self.cases = offer if texts[0][0] else None, cases
        for (row, button, words), (label, more) in zip(self._rows, texts, strict=True):
            button.set_label(label)
            words.setText(more)
            row.setVisible(bool(label))
        self.lines.setVisible(any(label for label, _ in texts))
        if was_hidden and not self.lines.isHidden():
            announce(self.lines, " ".join(filter(None, (*texts[0], *texts[1]))))
        if self._view is not None and self._view.isVisible():
            self._show_view()

    def _offer_texts(self, offer: EarlierClaim | None) -> tuple[str, str]:
        """Return where the rater answered with which label, and the question if it is no claim's, or other words."""
        session, rubric = self._session, self._session.rubric
        label = label_of_answers(rubric, offer.answers) if rubric is not None and offer is not None else None
        if offer is None or label is None or (session.place.claim is not None and label[0].per != "claim"):
            return "", ""
        case, words = offer.case, offer.text if offer.text != claim_or_quote(session) else ""
        task = case.task if case.bundle == session.bundle else f"{case.task} ({case.bundle})"
        text = self.tr("As in {task}: {label}").format(task=isolated(task), label=isolated(label[1].label))
        return text, words if label[0].per == "claim" else label[0].ask

    def _cases_texts(self, result: "CasesOfClaim | None") -> tuple[str, str]:
        """Return how many cases there are, and their labels with the headings of the guidelines that decide them."""
        if result is None:
            return "", ""
        (cases, summary, _), number = result, formatting.number
        labels = ", ".join(f"{number(count)} {isolated(label)}" for label, count in summary.counts)
        sections = (f"§ {isolated(section)}" for section in summary.sections)
        text = self.tr("1 case like it") if len(cases) == 1 else self.tr("{n} cases like it")
        return text.format(n=number(len(cases))), "; ".join((labels, *sections))

    def show_cases(self) -> None:
        """Show the decided cases like the claim in the preview."""
        if self.cases is None:
            self._session.hinted.emit(
                self.tr("There are no decided cases to show. They are shown after your own answer.")
            )
            return
        if self._view is None:
            from desktop_rater.plugins.library.case_views import CaseView  # noqa: PLC0415 - only when it is used

            self._view = CaseView(self._application)
            self._window.preview.add_view(self._view)
        self._window.preview.show_view(self._view)
        self._show_view()
        self._view.setFocus()

    def _show_view(self) -> None:
        record = self._record(place_path(self._session.place)) if self.cases is not None else None
        if record is not None and record.opened is None:
            self._session.record_precedents(replace(record, opened=format_time(self._now())))
        cases = self.cases[0] if self.cases is not None else ()
        self._view.show_cases(
            claim_or_quote(self._session), cases, ": ".join(filter(None, self._cases_texts(self.cases)))
        )

    def reuse(self) -> None:
        """Answer as in the earlier task, in one step."""
        session, state, offer = self._session, self._session.state, self.offer
        if state is None or offer is None:
            session.hinted.emit(self.tr("No earlier answer of yours is offered here."))
            return
        session.pause_typing()
        session.change(with_earlier_answers(state.rubric, session.rating, session.place, offer), REUSE_ACTION)


def _own_value(state: RatingState, where: str, question: str) -> Any:
    """Return the rater's answer to a judged question at a place, as it is decided or else answered."""
    from desktop_rater.audit.questions import judged_questions  # noqa: PLC0415 - few raters have cases
    from desktop_rater.operations.audit.adjudicate import plain_answer  # noqa: PLC0415

    judged = {judged.id: judged for judged in judged_questions(state.rubric)}.get(question)
    places = where.partition("/claims/")[0], where
    values = {item.question.id: item.value for place in places for item in state.outcome.asked.get(place, ())}
    values |= {name: row.value for name, row in state.outcome.decided.get(where, {}).items()}
    return plain_answer(state.rubric, judged, judged.value(values)) if judged is not None else None


def _search(
    store: Path, claim: str, rubric: str, here: tuple[str, str, str], progress: Progress
) -> "CasesOfClaim | None":
    """Find the decided cases like a claim, but for the decision on the place itself. Raises `RaterError`."""
    if not (store / FOLDER).is_dir():
        return None
    from desktop_rater.plugins.library.precedents import summarize_cases  # noqa: PLC0415 - few raters have libraries
    from desktop_rater.plugins.library.search import find_cases  # noqa: PLC0415

    libraries = precedent_libraries(store)
    cases = tuple(find_cases(store, claim, libraries, rubric, lambda: progress(0, 0), [here]))
    return (cases, summarize_cases(cases), tuple(map(library_name, libraries))) if cases else None
