"""The main window: painted at once as a frame, filled later; saves everything before it closes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QEvent, QMetaMethod, QObject, QSize, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QMainWindow, QMenuBar, QStackedWidget, QWidget

from desktop_rater.format.opened_files import can_open, is_source
from desktop_rater.hooks import resolve
from desktop_rater.ui.window.window_place import MIN_WINDOW_SIZE, limit_least_size

if TYPE_CHECKING:
    from desktop_rater.ui.pages.browser import PageBrowser
    from desktop_rater.ui.pages.live_support import LiveViewSupport
    from desktop_rater.ui.pages.live_view import LiveView
    from desktop_rater.ui.pages.preview_pane import PreviewPane
    from desktop_rater.ui.rating.pair.arrangement import PairArrangement
    from desktop_rater.ui.rating.rating_saver import RatingSaver
    from desktop_rater.ui.rating.session import Session
    from desktop_rater.ui.rating.task_model import TaskModel
    from desktop_rater.ui.widgets.banners import BannerAction


class Parts:
    """Makes each part once, when it is first asked for; an action, or what has happened, asks for it.

    A part is offered with the place of its class ("module:class", imported by then) and its arguments, or with a
    function. `actions` are the functions of the actions of all parts, `created` is called with each part that was made.
    """

    def __init__(self) -> None:
        self.offered: dict[str, tuple[str, ...]] = {}  # the parts, with the ids of their actions
        self.created: Callable[[Any], object] = lambda _part: None
        self._factories: dict[str, Callable[[], Any]] = {}
        self._made: dict[str, Any] = {}
        self._companions: dict[str, tuple[str, ...]] = {}

    def offer(
        self, name: str, factory: str | Callable[..., Any], *arguments: Any, actions: str = "", along: str = ""
    ) -> None:
        """Offer a part with the ids of its actions. `along` names the parts that are made after it, and with it."""
        self._factories[name] = partial(factory if callable(factory) else partial(_make, factory), *arguments)
        self._companions[name] = tuple(along.split())
        self.offered[name] = tuple(actions.split())

    @property
    def actions(self) -> dict[str, Callable[[], object]]:
        return {action: partial(self._run, name, action) for name, ids in self.offered.items() for action in ids}

    def __getitem__(self, name: str) -> Any:
        """Return a part, made by now."""
        if name not in self._made:
            self._made[name] = self._factories[name]()
            self.created(self._made[name])
            for companion in self._companions[name]:
                _ = self[companion]
        return self._made[name]

    def made(self, name: str) -> Any:
        """Return a part if it was made before, else `None`."""
        return self._made.get(name)

    def later(self, name: str, method: str) -> Callable[..., Any]:
        """Return a function that calls a method ("close", "list.show") of a part, made by then."""
        return partial(self._call, name, method)

    def _call(self, name: str, method: str, *arguments: Any) -> Any:
        return attrgetter(method)(self[name])(*arguments)

    def _run(self, name: str, action: str) -> object:
        return self[name].actions()[action]()


def _make(place: str, *arguments: Any) -> Any:
    return resolve(f"desktop_rater.{place}")(*arguments)


OUTLIVES_CONTENT = "outlives_content"  # property of a dialog that stays open while the window is filled again
INPUT = {QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove, QEvent.Type.Wheel}


class MainWindow(QMainWindow):
    """Task list, text, page and form side by side; before the first bundle, a page that explains how to get one.

    It is complete after `build`; only the first paint deals with the bare frame. Other parts of the program use its
    banners and panes, and its methods for the rest.
    """

    closed = Signal()
    released = Signal()  # everything is saved, so the content may be removed
    dropped = Signal(object)  # tuple[Path, …]
    sources_dropped = Signal(object)  # files of records, which are no bundles
    bundle_shown = Signal()
    tab_pressed = Signal()  # emitted before Tab moves the focus
    import_wanted = Signal()
    hub_wanted = Signal()
    screen_wanted = Signal(str)
    reopen_wanted = Signal(object)  # the reason: close the window, and open another one

    _furnished = False  # Qt sends change events before __init__ has ended

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("main_window")
        self.setWindowTitle(self.tr("Desktop Rater"))
        self.setAcceptDrops(True)
        limit_least_size(self, QSize(*MIN_WINDOW_SIZE))
        self._start_afresh()
        self._of_frame = self.children()

    def _start_afresh(self) -> None:
        self._closing = self._give_up = self._releasing = False
        self._rating = True  # the rating screen is active
        self._sharing: tuple[QWidget, ...] = ()
        self.bundle_title = ""
        self.parts = Parts()
        self.displaced = ""  # why even what was saved is not safe; the window is not closed meanwhile

    def build(
        self,
        session: Session,
        saver: RatingSaver,
        tasks: TaskModel,
        browsing: PageBrowser,
        make_live: Callable[[], LiveView],
        machine: LiveViewSupport | None = None,
    ) -> None:
        # Loading them takes several times as long as showing the frame, which is on the screen by now.
        from desktop_rater.ui.window.window_widgets import WindowWidgets  # noqa: PLC0415

        self._session = session
        self._saver = saver
        self.make_live = make_live
        self._widgets = widgets = WindowWidgets(self, session, saver, tasks)
        self.parts.offer("preview", self._make_preview, session, browsing, make_live, machine, along="pages")
        browsing.about_to_load.connect(partial(self.parts.__getitem__, "preview"))
        self.banners, self.task_list, self.text_pane = widgets.banners, widgets.task_list, widgets.text_pane
        self.form_pane, self.sizes = widgets.form_pane, widgets.sizes
        self.parts.offer(
            "empty_page", "ui.window.welcome:EmptyPage", widgets.stack, self.import_wanted, self.hub_wanted
        )
        widgets.status.hub.clicked.connect(self.hub_wanted)
        widgets.header.screen_tabs.chosen.connect(self.screen_wanted)
        saver.saved.connect(widgets.status.show_saved)
        saver.not_saved.connect(widgets.status.show_not_saved)
        saver.settled.connect(self._close_when_settled)
        session.opened.connect(self.focus_task)
        self._furnished = True
        if self.isVisible():
            self.update_clock()
            self._after_show()
            widgets.panes_page.refold()

    def sizeHint(self) -> QSize:
        return QSize(1440, 900)

    def release(self) -> None:
        """Save everything as before closing, but keep the frame; it can be filled again after `remove_content`."""
        self._releasing = True
        if self._is_saved():
            self.closed.emit()
            self.released.emit()

    def remove_content(self) -> None:
        """Delete all that was built in the frame, except the settings dialog while it is open.

        The frame stays as it is on the screen: its updates are disabled until new content is complete.
        """
        self.setUpdatesEnabled(False)
        self._furnished = False
        kind, own = self.metaObject(), QMainWindow.staticMetaObject.methodCount()  # ty: ignore[missing-attribute]
        for method in map(kind.method, range(own, kind.methodCount())):
            if method.methodType() == QMetaMethod.MethodType.Signal and self.isSignalConnected(method):
                getattr(self, method.name().toStdString()).disconnect()
        for child in self.children():
            if child not in self._of_frame and not child.property(OUTLIVES_CONTENT):
                child.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        self._start_afresh()

    def menuBar(self) -> QMenuBar:
        """Return the menu bar of the header; Qt's own would replace the header."""
        return self._widgets.header.menu_bar

    def show_bundle(self, title: str | None) -> None:
        """Show the panes, or the first-run page if there is no bundle."""
        widgets = self._widgets
        widgets.stack.setCurrentWidget(widgets.panes_page if title is not None else self.parts["empty_page"])
        self.bundle_title = title or ""
        self.bundle_shown.emit()

    def show_put_away(self, count: int) -> None:
        """Show on the first-run page, if it was made, how many bundles are put away."""
        if (page := self.parts.made("empty_page")) is not None:
            page.show_put_away(count)

    def show_title(self, title: str) -> None:
        from desktop_rater.ui.widgets.labels import isolated, set_window_title  # noqa: PLC0415 - as above

        name = self.tr("Desktop Rater")
        set_window_title(self, f"{isolated(' '.join(title.split())[:120])} – {name}" if title else name)

    def show_state(self, text: str, reason: str) -> None:
        """Show a permanent note about the state of the window in the header."""
        self._widgets.header.show_state(text, reason)

    def show_not_saved(self) -> None:
        self._widgets.status.show_not_saved()

    def show_hub_state(self, text: str, ink: str, details: str) -> None:
        self._widgets.status.hub.show_words(text, ink, details)

    def show_today(self, seconds: int, targets: int = 0, responses: int = 0, *, paused: bool = False) -> None:
        self._widgets.status.show_today(seconds, targets, responses, paused=paused)

    # -- screens

    @property
    def is_empty(self) -> bool:
        """True while the rating screen shows the first-run page."""
        return self._widgets.stack.currentWidget() is self.parts.made("empty_page")

    @property
    def rating_widget(self) -> QStackedWidget:
        """The widget of the rating screen: the panes, or a page instead of them."""
        return self._widgets.stack

    @property
    def screen_parent(self) -> QWidget:
        """The parent of a screen's widget, given to it when it is made: a later one would style all of it again."""
        return self._widgets.pages

    def add_screen(self, widget: QWidget) -> None:
        """Add the widget of a screen; the first screen is visible."""
        self._widgets.pages.addWidget(widget)

    def offer_screens(self, labels: Mapping[str, str], current: str) -> None:
        self._widgets.header.screen_tabs.offer(labels, current)

    def show_screen(self, name: str, widget: QWidget) -> None:
        self._widgets.pages.setCurrentWidget(widget)
        self._widgets.header.screen_tabs.show_screen(name)

    def show_screen_status(self, text: str | None, *, answers: bool) -> None:
        """Show the text of a screen in the status line; see `StatusLine.show_screen`."""
        self._widgets.status.show_screen(text, answers=answers)

    def set_rating_active(self, *, on: bool) -> None:
        """Set whether the rating screen is active: time counts for a task only there."""
        self._rating = on
        self.update_clock()

    def update_clock(self) -> None:
        """Let time count while this window, or the one of the page, is active."""
        active = any(window.isActiveWindow() for window in (self, *self._sharing))
        self._session.active_time.set_window_active(self._rating and active)

    def share_clock(self, window: QWidget) -> None:
        """Let time count in another window too."""
        self._sharing = (*self._sharing, window)

    def panes(self) -> tuple[QWidget, ...]:
        """Return the panes that F6 cycles through."""
        texts = tuple(pane.view for pane in self.text_pane.panes)
        tasks = (self.task_list.list, self._widgets.panes_page.rail.list)
        form = self.form_pane.form
        others = tuple(page for page in self.form_pane.alternative_pages if page.focusProxy() is not None)
        forms = form.blocks or (form, *others)
        pages = () if self.page is None else (self.page,)
        return (*tasks, *texts, *self.text_pane.document_panes, *pages, *forms, self.form_pane.problems.list)

    def tab_roots(self) -> tuple[QWidget, ...]:
        """Return the widgets whose children follow each other in the tab order."""
        widgets = self._widgets
        return (self.banners, widgets.panes_page, widgets.status, widgets.header)

    @property
    def preview(self) -> PreviewPane:
        """The pane of pages, made when it is first needed."""
        return self.parts["preview"]

    @property
    def page(self) -> PreviewPane | None:
        """The pane of pages, if it was made."""
        return self.parts.made("preview")

    @property
    def page_has_focus(self) -> bool:
        return self.page is not None and self.page.has_focus

    def _make_preview(self, *arguments: Any) -> PreviewPane:
        from desktop_rater.ui.pages.preview_pane import PreviewPane  # noqa: PLC0415 - most tasks are opened without it

        preview = PreviewPane(*arguments)
        self._widgets.panes_page.hold_page(preview)
        return preview

    @property
    def pair(self) -> PairArrangement:
        return self._widgets.panes_page.pair

    def switch_text_and_page(self) -> None:
        self._widgets.panes_page.switch_text_and_page()

    def take_page_out(self) -> bool:
        """Leave the page to another window; return whether it is open."""
        return self._widgets.panes_page.take_page_out(self.preview)

    def put_page_back(self) -> None:
        self._widgets.panes_page.put_page_back(self.preview)

    def toggle_tasks(self) -> None:
        if self._shows_panes:
            self._widgets.panes_page.toggle_tasks()

    def toggle_context(self) -> None:
        self.text_pane.citing.documents.toggle()

    def show_next_citation(self) -> None:
        self.text_pane.citing.go_to_next()

    def refold_panes(self) -> None:
        """Lay out the panes again, even if the window has the same size."""
        self._widgets.panes_page.refold(again=True)

    @property
    def _shows_panes(self) -> bool:
        return self._widgets.stack.currentWidget() is self._widgets.panes_page

    def filter_tasks(self) -> None:
        """Focus the filter, unfolding the task list if necessary."""
        if self._shows_panes:
            self._widgets.panes_page.show_tasks()
            self.task_list.focus_filter()

    def choose_bundle(self) -> None:
        """Open the box of the bundles, unfolding the task list if necessary; a single bundle has no box."""
        self.filter_tasks()
        if self.task_list.bundles.isVisible():
            self.task_list.bundles.setFocus()
            self.task_list.bundles.showPopup()

    # -- saving

    def _close_when_settled(self, all_saved: bool) -> None:
        if not self._closing:
            return
        self._closing = False
        if all_saved:
            (self.release if self._releasing else self.close)()
            return
        from desktop_rater.ui.rating.rating_saver import SAVE_RETRY_MS  # noqa: PLC0415 - the bare frame needs no saver

        text = self.tr("Not closed: the latest answers of {tasks} are not saved yet. Saving is retried every {n} s.")
        buttons: list[BannerAction] = [
            (self.tr("Save now and close"), self.close),
            (self.tr("Close without saving"), self._close_anyway),
        ]
        text = text.format(tasks=self._widgets.unsaved.named(), n=SAVE_RETRY_MS // 1_000)
        self.banners.show_banner("closing", "block", text, buttons)

    def _close_anyway(self) -> None:
        self._give_up = True
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._furnished:
            return
        if not self._is_saved():
            event.ignore()
            return
        event.accept()
        self.closed.emit()

    def save(self) -> bool:
        """Submit what is being typed; return whether everything is saved."""
        if self._furnished:
            self._session.pause_typing()
            self._session.store_research()
        return not self._furnished or not self._saver.unsaved

    def _is_saved(self) -> bool:
        """Return whether everything is saved; if not, `_close_when_settled` goes on once it is."""
        self._closing = not self.save() and not self._give_up
        if self.displaced and not self._give_up:
            self._closing = False
            anyway: list[BannerAction] = [(self.tr("Close without saving"), self._close_anyway)]
            self.banners.show_banner("closing", "block", self.displaced, anyway)
            return False
        if self._closing:
            self._saver.try_now()
        return not self._closing

    # -- events

    def focus_task(self) -> None:
        """Focus the form, so that keys answer at once, unless the rater is using the task list or another screen."""
        shown = self._widgets.pages.currentWidget() is self._widgets.stack
        if self._session.task is None or self.task_list.in_use or not shown:
            return
        fold = self._widgets.panes_page.fold
        reading = fold is not None and fold.one_pane and self.text_pane.panes
        # With one pane at a time, a task begins with its text; keys answer from there too.
        (self.text_pane.panes[0].view if reading else self.form_pane.form).setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._furnished:
            self._after_show()

    def _after_show(self) -> None:
        # The window's own events only: an application-wide filter would see every event of every widget.
        self.windowHandle().installEventFilter(self)
        self.update_keys()

    def update_keys(self) -> None:
        """Show the buttons of existing actions with their current keys."""
        self._widgets.header.update_find_button()
        if (page := self.parts.made("empty_page")) is not None:
            page.update_keys()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.windowHandle() and event.type() in INPUT:
            self._session.active_time.touch()
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._furnished:
            # The panes keep their size if only the height of other parts changes.
            self._widgets.panes_page.refold()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if self._furnished and event.type() == QEvent.Type.ActivationChange:
            self.update_clock()

    def focusNextPrevChild(self, onward: bool) -> bool:
        self.tab_pressed.emit()
        return super().focusNextPrevChild(onward)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _files_of(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = _files_of(event)
        if paths:
            event.acceptProposedAction()
            self.open_files(paths)

    def open_files(self, paths: tuple[Path, ...]) -> None:
        """Open bundles, results and folders, or files of records; see `can_open`."""
        if not all(map(is_source, paths)):
            self.dropped.emit(paths)
        elif self.isSignalConnected(QMetaMethod.fromSignal(self.sources_dropped)):
            self.sources_dropped.emit(paths)
        else:
            from desktop_rater.ui.widgets.labels import visible  # noqa: PLC0415 - as above

            text = self.tr(
                "{name} can’t be opened. The plug-in “convert”, which reads files of records, is not installed."
            )
            self.banners.show_banner("sources", "warn", text.format(name=visible(paths[0].name)))


def _files_of(event: QDropEvent) -> tuple[Path, ...]:
    """Return the dropped zips and folders, or the dropped files of records; nothing if there are others among them."""
    paths = tuple(Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile())
    return paths if can_open(paths) else ()
