"""The forms that stand in for the one form while a pair is shown, and what wanders between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop_rater.model.place import Place
    from desktop_rater.model.rating import Evidence
    from desktop_rater.ui.evidence.pane import EvidencePane
    from desktop_rater.ui.pair.compact_form import CompactForm
    from desktop_rater.ui.session import Session
    from desktop_rater.ui.suggestion_bar import SuggestionBar


class Blocks:
    """None while no pair is shown. Evidence and suggestions are there once, and go where the rater stands."""

    def __init__(self, session: Session, evidence: EvidencePane, suggestions: SuggestionBar) -> None:
        self._session = session
        self._evidence, self._suggestions = evidence, suggestions
        self.all: tuple[CompactForm, ...] = ()
        self._opened_at: Place | None = None  # where the list of evidence is open
        self._known: tuple[str, Place | None, tuple[Evidence, ...]] = "", None, ()
        evidence.fold_wanted.connect(lambda: self._fold(open_it=False))

    def __bool__(self) -> bool:
        return bool(self.all)

    @property
    def here(self) -> CompactForm | None:
        """Where the rater stands."""
        return next((one for one in self.all if one.is_current), None)

    def take(self, blocks: tuple[CompactForm, ...]) -> None:
        """Stand in from now on."""
        self.all = blocks
        self._evidence.set_folding(folds=True)
        for block in blocks:
            block.evidence_line.wanted.connect(self._evidence.wanted)
            block.evidence_line.opening.connect(lambda is_open, one=block: self._open_in(one, is_open=is_open))

    def drop(self) -> None:
        """Stand in no longer."""
        for block in self.all:
            block.evidence_line.wanted.disconnect()
            block.evidence_line.opening.disconnect()
            block.evidence_line.show_open(is_open=False)
        self.all = ()
        self._opened_at = None
        self._evidence.set_folding(folds=False)

    def refresh(self) -> None:
        """Show what stands now; what has just become of evidence is not hidden in a folded line."""
        session = self._session
        for block in self.all:
            block.refresh()
        assert session.task is not None
        here, pieces = (session.task.id, session.stop), session.evidence
        if self._known[:2] == here and self._known[2] != pieces and pieces:
            self._opened_at = session.stop
        if self._known[:2] != here or not session.takes_evidence:
            self._opened_at = None
        self._known = *here, pieces
        self._settle()

    def show_evidence(self) -> None:
        """Open the list where the rater stands, and bring it into view."""
        self._fold(open_it=True)
        if self.here is not None:
            self.here.ensureWidgetVisible(self._evidence, 0, 8)

    def holds(self, widget: QWidget | None) -> bool:
        """Whether something belongs to one of them."""
        return widget is not None and any(one.isAncestorOf(widget) for one in self.all)

    def _open_in(self, block: CompactForm, *, is_open: bool) -> None:
        if not block.is_current and block.place is not None:
            self._session.go_to(block.place)
        self._fold(open_it=is_open)

    def _fold(self, *, open_it: bool) -> None:
        if self.all and self._session.task is not None:
            self._opened_at = self._session.stop if open_it and self._session.takes_evidence else None
            self._settle()

    def _settle(self) -> None:
        here, focus = self.here, QApplication.focusWidget()
        inside = focus is not None and self._evidence.isAncestorOf(focus)
        self._evidence.setVisible(self._opened_at is not None)
        for block in self.all:
            block.evidence_line.show_open(is_open=block is here and self._opened_at is not None)
        if here is not None:
            here.lead_with(self._suggestions)
            if self._opened_at is not None:
                here.evidence_line.hold(self._evidence)
                self._evidence.refresh()
            elif inside:
                here.setFocus()
        self._suggestions.refresh()
