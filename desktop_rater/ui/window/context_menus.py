"""Context menus of the rating screen: the actions of the table that concern what is under the pointer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint
from PySide6.QtGui import QContextMenuEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QWidget

from desktop_rater.ui.pages.link_list import LinkRow, LinkRowList
from desktop_rater.ui.pages.reader_view import ReaderView
from desktop_rater.ui.rating.claims_pane import ClaimList
from desktop_rater.ui.rating.response_view import ResponseView
from desktop_rater.ui.widgets.context_menus import MenuRow, copy_text, show_menu
from desktop_rater.ui.widgets.list_view import LIST_ROW_ROLE, RowList
from desktop_rater.ui.widgets.text_view import TextView
from desktop_rater.ui.window.main_window import MainWindow

LINE = ""

# Kind of place → the ids of actions, of commands on what is under the pointer (with a dot), and lines between them.
MENUS: Mapping[str, tuple[str, ...]] = {
    "response": (
        *(".fetch_picture", ".open", ".copy_address", LINE, ".copy", ".copy_target", "copy_target", LINE),
        *("repeat", "select_next", "select_block", LINE),
        *("search_claim", "claim", "split_claims", "border", LINE, "find", "tools", "markdown_source"),
    ),
    "page": (
        *(".open", ".copy_address", LINE, ".copy", LINE, "supports", "contradicts", "does_not_decide", "quote", LINE),
        *("reader_or_page", "whole_page", "fetch_again", "open_outside", "page_window", LINE, "find"),
    ),
    "evidence": (
        *("open_link", "quote", LINE, "supports", "contradicts", "does_not_decide", "all_claims", LINE),
        *(".copy_address", "open_outside", "remove"),
    ),
    "link": ("open_link", ".copy_address", LINE, "next_link", "fetch_task_links"),
    "task": (".open_task", LINE, "filter", "next_task", "previous_task", LINE, "bundles"),
    "claim": ("claim_words", "claim_span", LINE, "search_claim", "evidence", LINE, "remove"),
}


@dataclass(frozen=True)
class MenuPlace:
    """Rows of the menu for the thing under the pointer. `commands`: name → row."""

    kind: str
    commands: Mapping[str, MenuRow]


class ContextMenus(QObject):
    """Shows the menus for one window; views that have one leave the event to their window."""

    def __init__(self, window: MainWindow, available: Callable[[], Collection[str]]) -> None:
        super().__init__(window)
        self._window, self._available = window, available
        self.follow(window)

    def follow(self, window: QWidget) -> None:
        """Show the menus for the views of a window too."""
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QContextMenuEvent):
            return False
        mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        if not isinstance(watched, QWidget):
            return False
        over = watched.childAt(watched.mapFromGlobal(event.globalPos())) if mouse else QApplication.focusWidget()
        place = next((found for widget in _upwards(over) if (found := self._place(widget, event, mouse=mouse))), None)
        if place is None:
            return False
        show_menu(self._window, event.globalPos(), list(self._rows(place))).setObjectName("context_menu")
        return True

    def _rows(self, place: MenuPlace) -> Iterator[MenuRow | str]:
        available = self._available()
        for name in MENUS[place.kind]:
            if name in place.commands:
                yield place.commands[name]
            elif name == LINE or name in available:
                yield name

    def _place(self, widget: QWidget, event: QContextMenuEvent, *, mouse: bool) -> MenuPlace | None:
        point = widget.mapFromGlobal(event.globalPos()) if mouse else QPoint()
        if isinstance(widget, ResponseView):
            widget.setFocus()
            return MenuPlace("response", self._of_response(widget, point, mouse=mouse))
        if isinstance(widget, ReaderView):
            widget.setFocus()
            link = widget.anchorAt(point) if mouse else widget.anchor.url if widget.anchor is not None else ""
            return MenuPlace("page", {**self._of_link(link or None), **self._copying(widget)})
        if isinstance(widget, RowList) and widget.objectName() in ("evidence_list", "link_list", "task_list"):
            return self._of_row(widget, widget.indexAt(point) if mouse else widget.currentIndex())
        if isinstance(widget, ClaimList):
            index = widget.indexAt(point) if mouse else widget.currentIndex()
            widget.setCurrentIndex(index)
            widget.setFocus()
            return MenuPlace("claim", {}) if index.isValid() else None
        return None

    def _of_response(self, view: ResponseView, point: QPoint, *, mouse: bool) -> dict[str, MenuRow]:
        commands = {**self._of_link(view.link_under(point) if mouse else None), **self._copying(view)}
        picture = view.picture_under(point) if mouse else None
        if picture is not None:
            commands[".fetch_picture"] = MenuRow(
                self.tr("Fetch the picture"), partial(view.picture_wanted.emit, picture)
            )
        quote = view.target_text(point if mouse else None)
        if quote:
            commands[".copy_target"] = MenuRow(self.tr("Copy the target"), partial(copy_text, quote))
        return commands

    def _of_link(self, url: str | None) -> dict[str, MenuRow]:
        if not url:
            return {}
        return {
            ".open": MenuRow(self.tr("Open the link"), partial(self._window.text_pane.page_wanted.emit, url)),
            ".copy_address": MenuRow(self.tr("Copy the address"), partial(copy_text, url)),
        }

    def _copying(self, view: TextView) -> dict[str, MenuRow]:
        selected, key = view.textCursor().hasSelection(), QKeySequence.StandardKey.Copy
        return {".copy": MenuRow(self.tr("Copy"), view.copy, key)} if selected else {}

    def _of_row(self, rows: RowList, index: QModelIndex) -> MenuPlace | None:
        if not index.isValid():
            return None
        if rows is self._window.task_list.list:
            return MenuPlace(
                "task", {".open_task": MenuRow(self.tr("Open the task"), lambda: rows.setCurrentIndex(index))}
            )
        rows.setCurrentIndex(index)
        rows.setFocus()
        row = index.data(LIST_ROW_ROLE)
        if isinstance(rows, LinkRowList):
            return MenuPlace("link", self._of_link(row.url if isinstance(row, LinkRow) else None))
        piece = self._window.form_pane.form.evidence.selected
        return MenuPlace("evidence", self._of_link(piece.url if piece is not None else None))


def _upwards(widget: QWidget | None) -> Iterator[QWidget]:
    while widget is not None:
        yield widget
        widget = None if widget.isWindow() else widget.parentWidget()
