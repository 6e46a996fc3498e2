"""Connect actions and keys to the parts that implement them; actions of the window itself, and context menus."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QDialog, QPlainTextEdit, QTextEdit, QWidget

from desktop_rater.paths import offered_samples
from desktop_rater.ui.pages.browser import PageBrowser
from desktop_rater.ui.pages.evidence_fields import CLAIM_KEYS
from desktop_rater.ui.pages.link_list import LinkRow, LinkRowList
from desktop_rater.ui.rating.claims_pane import ClaimList
from desktop_rater.ui.rating.commands import AnswerCommands, RatingCommands
from desktop_rater.ui.rating.response_view import ResponseView
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_loader import TaskLoader
from desktop_rater.ui.widgets.buttons import ChoiceButton
from desktop_rater.ui.widgets.find_bar import FindBar, ViewScope
from desktop_rater.ui.widgets.list_view import LIST_ROW_ROLE, RowList
from desktop_rater.ui.widgets.menu_chooser import MenuRow, copy_text, show_menu
from desktop_rater.ui.widgets.text_view import TextView
from desktop_rater.ui.window import actions
from desktop_rater.ui.window.keys import (
    ANSWER_KEYS,
    HeldKeys,
    KeyFallback,
    cap_text,
    normalized_key,
    usable_keys,
    use_keys,
)
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.ui.window.preferences import Preferences
from desktop_rater.ui.window.screens import RATE, START, Screens
from desktop_rater.ui.window.transfer import IncomingFiles, Transfer

if TYPE_CHECKING:
    from desktop_rater.ui.rating.task_search import TaskSearch
    from desktop_rater.ui.window.key_dialogs import SettingsDialog


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


MenuPlace = tuple[str, Mapping[str, MenuRow]]
"""Kind of the thing under the pointer, a key of `MENUS`, and the rows of its menu by name."""


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
        show_menu(self._window, event.globalPos(), list(self._rows(*place))).setObjectName("context_menu")
        return True

    def _rows(self, kind: str, commands: Mapping[str, MenuRow]) -> Iterator[MenuRow | str]:
        available = self._available()
        for name in MENUS[kind]:
            if name in commands:
                yield commands[name]
            elif name == LINE or name in available:
                yield name

    def _place(self, widget: QWidget, event: QContextMenuEvent, *, mouse: bool) -> MenuPlace | None:
        from desktop_rater.ui.pages.reader_view import ReaderView  # noqa: PLC0415 - only where a page is shown

        point = widget.mapFromGlobal(event.globalPos()) if mouse else QPoint()
        if isinstance(widget, ResponseView):
            widget.setFocus()
            return ("response", self._of_response(widget, point, mouse=mouse))
        if isinstance(widget, ReaderView):
            widget.setFocus()
            link = widget.anchorAt(point) if mouse else widget.anchor.url if widget.anchor is not None else ""
            return ("page", {**self._of_link(link or None), **self._copying(widget)})
        if isinstance(widget, RowList) and widget.objectName() in ("evidence_list", "link_list", "task_list"):
            return self._of_row(widget, widget.indexAt(point) if mouse else widget.currentIndex())
        if isinstance(widget, ClaimList):
            index = widget.indexAt(point) if mouse else widget.currentIndex()
            widget.setCurrentIndex(index)
            widget.setFocus()
            return ("claim", {}) if index.isValid() else None
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
            return ("task", {".open_task": MenuRow(self.tr("Open the task"), lambda: rows.setCurrentIndex(index))})
        rows.setCurrentIndex(index)
        rows.setFocus()
        row = index.data(LIST_ROW_ROLE)
        if isinstance(rows, LinkRowList):
            return ("link", self._of_link(row.url if isinstance(row, LinkRow) else None))
        piece = self._window.form_pane.form.evidence.selected
        return ("evidence", self._of_link(piece.url if piece is not None else None))


def _upwards(widget: QWidget | None) -> Iterator[QWidget]:
    while widget is not None:
        yield widget
        widget = None if widget.isWindow() else widget.parentWidget()


MAX_SELECTION = 80  # characters of a selection that are searched for


class ViewCommands(QObject):
    """Handles the actions of window and settings; `Commands` handles rating."""

    def __init__(self, window: MainWindow, session: Session, preferences: Preferences, screens: Screens) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self.preferences = preferences
        self._screens = screens
        self._actions: Mapping[str, QAction] = {}
        self._take_answer: Callable[[str], bool] = lambda _key: False
        self._task_search: TaskSearch | None = None
        place = "ui.window.action_palette:ActionPalette"
        window.parts.offer(
            "palette", place, window, lambda: self._actions, lambda: screens.available, along="palette_sources"
        )
        window.parts.offer("find_bar", self._make_find_bar)
        open_dialog = window.findChild(QDialog, "settings")
        self._settings = self._make_settings() if open_dialog is not None else None
        preferences.changed.connect(self._apply_setting)
        screens.actions_changed.connect(lambda: self._apply_setting("keys"))
        window.sizes.restore(preferences.now.panes)
        window.sizes.changed_by_hand.connect(lambda sizes: preferences.set("panes", sizes))

    def _make_find_bar(self) -> FindBar:
        bar = FindBar()
        bar.targets_wanted.connect(self._actions["select_hits"].trigger)
        return bar

    @property
    def find_bar(self) -> FindBar:
        return self._window.parts["find_bar"]

    @property
    def settings(self) -> "SettingsDialog":
        """The dialog, made when it is first opened."""
        self._settings = self._settings or self._make_settings()
        return self._settings

    def _make_settings(self) -> "SettingsDialog":
        """Make the dialog. It outlives the content of the window, which is made anew when its language is changed."""
        from desktop_rater.ui.window.key_dialogs import SettingsDialog  # noqa: PLC0415 - only when it is used

        dialog = self._window.findChild(SettingsDialog) or SettingsDialog(self._window)
        dialog.follow(self.preferences, self._rubric_keys)
        return dialog

    def actions(self) -> dict[str, Callable[[], object]]:
        return {
            "palette": self._window.parts.later("palette", "ask"),
            "keys": self.show_keys,
            "find": self.find,
            "toggle_tasks": self._window.toggle_tasks,
            "toggle_prompt": self._window.text_pane.toggle_prompt,
            "settings": lambda: self.settings.ask(),  # noqa: PLW0108 - it is made then
            "zoom_in": lambda: self.preferences.step("zoom", 1),
            "zoom_out": lambda: self.preferences.step("zoom", -1),
            "zoom_reset": lambda: self.preferences.step("zoom", 0),
            "usual_panes": self._window.sizes.reset,
            "full_screen": self.toggle_full_screen,
            "context": self._window.toggle_context,
            "next_citation": self._window.show_next_citation,
            **{
                row.id: partial(self._screens.go, row.id.removeprefix("room_"))
                for row in actions.ROWS
                if row.id.startswith("room_")
            },
            "next_pane": lambda: self._focus_next_pane(1),
            "previous_pane": lambda: self._focus_next_pane(-1),
            **self._window.pair.actions(),
        }

    def bind(self, built: Mapping[str, QAction], take_answer: Callable[[str], bool]) -> None:
        """Bind the actions to their keys, and handle the keys that no shortcut takes."""
        self._actions, self._take_answer = built, take_answer
        self._apply_setting("keys")
        self._window.winId()  # creates the window's handle
        KeyFallback(self._window.windowHandle(), self.trigger_key).setParent(self)

    def trigger_key(self, key: str) -> bool:
        """Trigger the action bound to a key. Return whether there is one."""
        normalized = normalized_key(key)
        for action in self._actions.values():
            if normalized in [shortcut.toString() for shortcut in action.shortcuts()]:
                action.trigger()
                return True
        return normalized in {*ANSWER_KEYS, *CLAIM_KEYS} and self._take_answer(normalized)

    def show_keys(self) -> None:
        from desktop_rater.ui.window.key_dialogs import KeySheet  # noqa: PLC0415 - only when it is used

        rubric = self._session.rubric if self._screens.current.mode == RATE else None
        KeySheet(self._window, usable_keys(self.preferences.now.keys), rubric, self._screens.available).ask()

    def find(self) -> None:
        """Find in the page that has the focus, else in everything of the task."""
        from desktop_rater.ui.rating.task_search import TaskSearch  # noqa: PLC0415 - only when it is used

        focus = QApplication.focusWidget()
        guidelines = self._window.findChild(QWidget, "guidelines")
        if guidelines is not None and focus is not None and guidelines.isAncestorOf(focus):
            self._window.parts["guidelines"].search.setFocus()  # they have a search field of their own
            return
        text = focus.textCursor().selectedText() if isinstance(focus, QTextEdit | QPlainTextEdit) else ""
        text = text if len(text) <= MAX_SELECTION and "\u2029" not in text else ""
        window, bar = self._window, self.find_bar
        if isinstance(focus, QTextEdit) and focus.isReadOnly() and window.page_has_focus:
            window.preview.add_bar(bar)
            bar.search_in(ViewScope(focus), text)
        elif self._session.task is not None:
            window.text_pane.add_bar(bar)
            self._task_search = self._task_search or TaskSearch(window.text_pane)
            bar.search_in(
                self._task_search, text or ("" if bar.field.text() else window.task_list.filter.text().strip())
            )

    def leave_find_bar(self) -> bool:
        """Close the find bar; return `False` if it is not open."""
        bar = self._window.parts.made("find_bar")
        if bar is None or not bar.isVisible():
            return False
        bar.shut()
        return True

    def leave_page(self) -> None:
        """Close the find bar with the page."""
        bar = self._window.parts.made("find_bar")
        if bar is not None and self._window.page is not None and self._window.page.isAncestorOf(bar):
            bar.hide()

    def toggle_full_screen(self) -> None:
        self._window.setWindowState(self._window.windowState() ^ Qt.WindowState.WindowFullScreen)

    def _focus_next_pane(self, direction: int) -> None:
        panes = [pane for pane in self._screens.current.panes() if pane.isVisible()]
        focus = QApplication.focusWidget()
        current = next(
            (
                index
                for index, candidate in enumerate(panes)
                if focus is not None and (candidate is focus or candidate.isAncestorOf(focus))
            ),
            -1,
        )
        if panes:
            pane = panes[(current + direction) % len(panes)]
            pane.setFocus()
            pane.activateWindow()

    def _rubric_keys(self) -> frozenset[str]:
        rubric = self._session.rubric
        questions = rubric.file.questions if rubric is not None else ()
        return frozenset(choice.key for question in questions for choice in question.choices if choice.key)

    def _apply_setting(self, name: str) -> None:
        if name == "keys" and self._actions:
            own = usable_keys(self.preferences.now.keys)
            actions.set_keys(self._actions, own, self._screens.available)
            is_changed = use_keys(own, self._screens.available)
            for widget in self._window.findChildren(QWidget) if is_changed else ():
                widget.updateGeometry()  # a key cap that changes its width moves its neighbours
                if isinstance(widget, ChoiceButton):
                    widget.update_name()
            self._window.update_keys()  # the frame may have been shown before there were actions
            self._window.update()


class ActionProvider(Protocol):
    """A part that implements actions."""

    def actions(self) -> Mapping[str, Callable[[], object]]:
        """Return the functions of its actions, by action id."""
        ...


class Commands(QObject):
    """Connects the table of actions with the session, the desk and the panes."""

    def __init__(  # noqa: PLR0913 - it connects all parts that have actions
        self,
        window: MainWindow,
        session: Session,
        desk: TaskLoader,
        transfer: Transfer,
        preferences: Preferences,
        browsing: PageBrowser,
        *,
        screens: Screens,
        others: Sequence[ActionProvider],
        open_results: Callable[[Sequence[Path]], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._desk = desk
        self._transfer = transfer
        self._screens = screens
        self._form_pane = window.form_pane
        self._parts = window.parts
        self.view = ViewCommands(window, session, preferences, screens)
        self.answering = AnswerCommands(window, session)
        self.rating = RatingCommands(window, session)
        self._browsing = browsing
        self.rating.section_here = self._gold_section
        self._parts.offer("guidelines", lambda: self.rating.guidelines)
        self.incoming = IncomingFiles(window, transfer, screens, preferences, open_results)
        own = (self.view, self.answering, self.rating, self.incoming)
        providers: tuple[ActionProvider, ...] = (*own, *others)
        self._functions = {**window.parts.actions, **self._own_actions()}
        for provider in providers:
            self._functions.update(provider.actions())
        self.actions = actions.build(window, screens.run)
        self.menus = ContextMenus(window, lambda: screens.available)
        self._bind()
        self._bind_keys()
        self._connect()
        self._update_enabled()

    def add(self, functions: Mapping[str, Callable[[], object]]) -> None:
        """Offer the actions of further parts; those that are known stay."""
        added = {name: function for name, function in functions.items() if name in actions.BY_ID}
        self._functions = {**added, **self._functions}
        self._bind()

    def _bind(self) -> None:
        """Bind actions to their functions: some on all screens, some on the rating screen only."""
        functions = self._functions
        of_rating = {name for name in functions if RATE in actions.BY_ID[name].screens.split()}
        rating_actions = {name: function for name, function in functions.items() if name in of_rating}
        self._screens.rating_screen.bind(rating_actions, self._take_key)
        self.shared_with_start = {
            name: function for name, function in rating_actions.items() if START in actions.BY_ID[name].screens.split()
        }
        self._screens.bind(
            self.actions, {name: function for name, function in functions.items() if name not in of_rating}
        )

    def _bind_keys(self) -> None:
        self.view.bind(self.actions, self._screens.take_key)
        self.rating.bind(self.actions)
        for action in self.actions.values():
            # A shortcut never reaches the window as a key press, but is input all the same.
            action.triggered.connect(lambda _checked=False: self._session.active_time.touch())
        for key in (*ANSWER_KEYS, *CLAIM_KEYS):
            shortcut = QShortcut(QKeySequence(key), self._window)
            shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
            shortcut.setAutoRepeat(False)
            shortcut.activated.connect(partial(self._screens.take_key, key))

    def _take_key(self, key: str) -> bool:
        pages = self._parts["pages"] if key in CLAIM_KEYS else self._parts.made("pages")
        if pages is not None and pages.passages.take_key(key):
            return True
        research = self._parts.made("research")  # its pane covers the form
        return (research is None or research.pane.isHidden()) and self.answering.take_key(key)

    def _gold_section(self) -> str:
        practice = self._parts.made("practice")
        return "" if practice is None else practice.section

    def _own_actions(self) -> dict[str, Callable[[], object]]:
        desk, transfer = self._desk, self._transfer
        return {
            **{name: partial(transfer.open_sample, name) for name in offered_samples()},
            "export": transfer.choose_results,
            "quit": self._window.close,
            "leave": self.leave,
            "go_on": self.go_on,
            "finish": self.finish,
            "next_task": lambda: desk.move(1),
            "previous_task": lambda: desk.move(-1),
            "filter": self._window.filter_tasks,
            "choose_bundle": self._window.choose_bundle,
        }

    def _connect(self) -> None:
        window, session, desk = self._window, self._session, self._desk
        window.import_wanted.connect(self.incoming.choose)
        window.task_list.bundle_wanted.connect(desk.open_bundle)
        window.task_list.task_wanted.connect(desk.open_task)
        self._form_pane.go_on_wanted.connect(self.go_on)
        for signal in (session.opened, session.rating_changed, session.earlier_known):
            signal.connect(self._update_enabled)
        desk.all_done.connect(self._offer_export)
        held = HeldKeys(window, lambda: self._screens.name == RATE, self.view.trigger_key)
        desk.loading.connect(held.hold)
        window.released.connect(held.drop)
        for signal in (desk.settled, desk.rater_wanted, desk.all_done):
            signal.connect(held.release)
        desk.guidelines_read.connect(self.rating.show_guidelines)
        # A practice bundle shows its gold answer first.
        session.finished.connect(lambda: None if desk.practice else desk.go_on())
        form = self._form_pane.form
        form.evidence.page_wanted.connect(self._parts.later("pages", "passages.open_evidence"))
        form.evidence.reasons.asking.connect(
            lambda asking: self._parts["pages"].passages.give_digits(form.evidence.reasons, asking)
        )
        texts, pictures = window.text_pane, self._parts.later("pictures", "find")
        texts.pictures_placed.connect(lambda view: pictures(view) if view.pictures else None)
        texts.picture_wanted.connect(self._parts.later("pictures", "fetch"))
        texts.page_wanted.connect(self._browsing.open)
        texts.link_wanted.connect(self._parts.later("pages", "preview.open_next_link"))
        self._browsing.closed.connect(self.view.leave_page)
        form.draft_wanted.connect(self._parts.later("research", "draft"))
        form.research_wanted.connect(self._parts.later("research", "toggle"))
        desk.work_left_read.connect(self.rating.show_work_left)

    def leave(self) -> None:
        """Leave the field; if none has the focus, close what else is open."""
        made = self._parts.made
        pages = made("pages")
        if (pages is not None and pages.passages.leave()) or self.answering.leave():
            return
        if self.view.leave_find_bar():
            return
        others = (
            self.rating,
            made("history"),
            pages and pages.preview,
            made("research"),
            made("practice"),
            made("guide"),
        )
        if not any(part.leave() for part in others if part is not None):
            self._form_pane.banners.drop("hint")

    def go_on(self) -> None:
        practice = self._parts.made("practice")
        if practice is None or not practice.go_on():
            self.answering.go_on()

    def finish(self) -> None:
        practice = self._parts.made("practice")
        if practice is None or not practice.go_on():
            self.answering.finish()

    def _offer_export(self) -> None:
        export = self.tr("Export results…  {key}").format(key=cap_text("Ctrl Shift E"))
        buttons = [(export, self._transfer.choose_results)]
        self._window.banners.show_banner("all_done", "info", self.tr("All tasks of this bundle are done."), buttons)

    def _update_enabled(self) -> None:
        """Disable the actions that are impossible now; the keys of those that need a task do nothing then."""
        has_task = self._session.task is not None
        possible = {
            "undo": has_task and self._session.can_undo,
            "redo": has_task and self._session.can_redo,
            "export": bool(self._desk.bundle) and not self._desk.read_only,
        }
        for action, on in possible.items():
            self._screens.enable(RATE, action, on)
