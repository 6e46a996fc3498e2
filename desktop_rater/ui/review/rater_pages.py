"""What the chosen rater had before the eyes: the stored pages of the evidence, and the task as it was answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_rater.ui.direction import isolated
from desktop_rater.ui.review import said_cells

if TYPE_CHECKING:
    from PySide6.QtWidgets import QStackedWidget

    from desktop_rater.ui.review.cells import Part
    from desktop_rater.ui.review.compare_page import ComparePage
    from desktop_rater.ui.review.desk import ReviewDesk
    from desktop_rater.ui.review.looking import Looking
    from desktop_rater.ui.review.rater_view import RaterView
    from desktop_rater.ui.rooms import Around


class RaterPages(QObject):
    """Nothing is fetched, and nothing of it is shown while the answers are hidden."""

    def __init__(
        self, around: Around, desk: ReviewDesk, looking: Looking, compare: ComparePage, right: QStackedWidget
    ) -> None:
        super().__init__(looking)
        self._around, self._desk, self._looking = around, desk, looking
        self._compare, self._right = compare, right
        self._made: RaterView | None = None
        self._piece = -1
        compare.grid.evidence_wanted.connect(self._open_part)
        compare.excerpt.page_wanted.connect(self.toggle_view)

    # -- stored pages

    def start_over(self) -> None:
        """Another rater, or another place: its evidence begins with the first piece."""
        self._piece = -1
        self.follow()

    def open_next(self) -> None:
        """The pages that the chosen rater's evidence rests on, one after the other."""
        of, item = self._looking.of, self._looking.item
        if of is None or item is None or self._looking.is_hidden:
            return
        pieces = said_cells.pieces_of(of, item.where)
        if not pieces:
            words = self.tr("{rater} gave no evidence here.").format(rater=isolated(of.rater))
            self._compare.banners.show_banner("page", "info", words)
            return
        self._compare.banners.drop("page")
        self._piece = (self._piece + 1) % len(pieces)
        self._compare.stored.show_piece(pieces[self._piece])
        self._compare.open_page()

    def _open_part(self, part: Part) -> None:
        if part.piece is not None:
            self._compare.stored.show_piece(part.piece)
        else:
            self._compare.stored.show_url(part.url)
        self._compare.open_page()

    def _open_url(self, url: str) -> None:
        self.shut_view()
        self._compare.stored.show_url(url)
        self._compare.open_page()

    # -- the task as the rater saw it

    @property
    def view(self) -> RaterView | None:
        """It, while it is before the lead."""
        return self._made if self._made is not None and self._right.currentWidget() is self._made else None

    def toggle_view(self) -> None:
        """The task with the chosen rater's answers, and back."""
        if self.view is not None:
            self.shut_view()
        elif self._looking.is_hidden:
            self._looking.hidden_wanted.emit()
        elif self._looking.of is not None:
            if self._made is None:
                self._made = self._make()
            self._right.setCurrentWidget(self._made)
            self.follow()
            next(iter(self._made.panes())).setFocus()

    def _make(self) -> RaterView:
        from desktop_rater.ui.review.rater_view import RaterView  # noqa: PLC0415 - many leads never ask for it

        view = RaterView(self._around.perform, self._around.window.sizes, self._around.now)
        view.left.connect(self.shut_view)
        view.page_wanted.connect(self._open_url)
        view.moved.connect(self._moved)
        self._right.addWidget(view)
        return view

    def _moved(self, where: str) -> None:
        """The list follows, where it has that place."""
        name = self._desk.name[0], where
        if self.view is not None and name != self._desk.name and self._desk.item_of(name) is not None:
            self._looking.go(name, self.view.rater)

    def move(self, by: int) -> bool:
        """To the next target in the rater's text; whether that is before the lead."""
        if self.view is None:
            return False
        self.view.session.move(by)
        return True

    def follow(self) -> None:
        """Show what is looked at now."""
        view, item, task, of = self.view, self._looking.item, self._desk.task, self._looking.of
        if view is None:
            return
        if item is None or task is None or of is None or self._looking.is_hidden:
            self.shut_view()
        elif not view.shows(task, of, item.where):
            view.show_rating(task, of, item.where)

    def shut_view(self) -> bool:
        """Back to the comparison; whether one was elsewhere."""
        if self.view is None:
            return False
        self._right.setCurrentWidget(self._compare)
        self._compare.grid.setFocus()
        return True
