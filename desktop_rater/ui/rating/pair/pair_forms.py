"""The compact forms that replace the form while a pair is shown, and the widgets that they share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QWidget

from desktop_rater.model.rating import Evidence
from desktop_rater.model.values import Place
from desktop_rater.ui.pages.evidence_pane import EvidencePane
from desktop_rater.ui.rating.form_bars import SuggestionBar
from desktop_rater.ui.rating.session import Session

if TYPE_CHECKING:
    from desktop_rater.ui.rating.pair.compact_form import CompactForm


class PairForms:
    """The compact forms of a pair, if one is shown. The evidence list and suggestions move to the current form."""

    def __init__(self, session: Session, evidence: EvidencePane, suggestions: SuggestionBar) -> None:
        self._session = session
        self._evidence, self._suggestions = evidence, suggestions
        self.forms: tuple[CompactForm, ...] = ()
        self._opened_at: Place | None = None  # the stop at which the list of evidence is open
        self._last_seen: tuple[str, Place | None, tuple[Evidence, ...]] = "", None, ()
        evidence.fold_wanted.connect(lambda: self._fold(open_it=False))

    @property
    def current(self) -> CompactForm | None:
        return next((block for block in self.forms if block.is_current), None)

    def use(self, forms: tuple[CompactForm, ...]) -> None:
        self.forms = forms
        self._evidence.set_folding(folds=True)
        for block in forms:
            block.evidence_line.wanted.connect(self._evidence.wanted)
            block.evidence_line.opening.connect(lambda is_open, opened=block: self._open_in(opened, is_open=is_open))

    def drop(self) -> None:
        for block in self.forms:
            block.evidence_line.wanted.disconnect()
            block.evidence_line.opening.disconnect()
            block.evidence_line.show_open(is_open=False)
        self.forms = ()
        self._opened_at = None
        self._evidence.set_folding(folds=False)

    def refresh(self, taken_keys: frozenset[str] = frozenset()) -> None:
        """Show the current state, without keys that a bar takes; open the list when evidence has just changed."""
        session, focus = self._session, QApplication.focusWidget()
        inside = focus if self.holds(focus) else None
        for block in self.forms:
            block.taken_keys = taken_keys
            block.refresh()
        if inside is not None and not inside.isVisibleTo(inside.window()):  # its question has been folded
            (self.current or self.forms[-1]).setFocus()
        assert session.task is not None
        here, pieces = (session.task.id, session.stop), session.evidence
        if self._last_seen[:2] == here and self._last_seen[2] != pieces and pieces:
            self._opened_at = session.stop
        if self._last_seen[:2] != here or not session.accepts_evidence:
            self._opened_at = None
        self._last_seen = *here, pieces
        self._place_shared()

    def show_evidence(self) -> None:
        """Open the list of evidence at the current stop, and scroll to it."""
        self._fold(open_it=True)
        if self.current is not None:
            self.current.ensureWidgetVisible(self._evidence, 0, 8)

    def holds(self, widget: QWidget | None) -> bool:
        return widget is not None and any(block.isAncestorOf(widget) for block in self.forms)

    def _open_in(self, block: CompactForm, *, is_open: bool) -> None:
        if not block.is_current and block.place is not None:
            self._session.go_to(block.place)
        self._fold(open_it=is_open)

    def _fold(self, *, open_it: bool) -> None:
        if self.forms and self._session.task is not None:
            self._opened_at = self._session.stop if open_it and self._session.accepts_evidence else None
            self._place_shared()

    def _place_shared(self) -> None:
        here, focus = self.current, QApplication.focusWidget()
        inside = focus is not None and self._evidence.isAncestorOf(focus)
        self._evidence.setVisible(self._opened_at is not None)
        for block in self.forms:
            block.evidence_line.show_open(is_open=block is here and self._opened_at is not None)
        if here is not None:
            here.insert_first(self._suggestions)
            if self._opened_at is not None:
                here.evidence_line.hold(self._evidence)
                self._evidence.refresh()
            elif inside:
                here.setFocus()
        self._suggestions.refresh()
