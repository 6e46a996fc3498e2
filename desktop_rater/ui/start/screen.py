"""The start page as a screen: it reads the figures, and runs what its rows, buttons and keys say."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from desktop_rater.format.change import Change
from desktop_rater.format.errors import RaterError
from desktop_rater.operations.bundles.import_bundle import ImportedBundle
from desktop_rater.operations.bundles.revisions import (
    RemovalCheck,
    bring_bundle_back,
    check_removal,
    put_bundle_away,
    remove_bundle,
)
from desktop_rater.operations.rating.overview import (
    LeftOff,
    NewGuideline,
    ReturnedTask,
    StartOverview,
    mark_guideline_read,
    read_left_off,
    read_overview,
)
from desktop_rater.operations.rating.rater_state import ORDERS, BundleOverview, RememberedSpot, ordered_bundles
from desktop_rater.store.mailbox import Arrival
from desktop_rater.store.state import RecentFile
from desktop_rater.text.markdown import shown_words
from desktop_rater.ui.hub.commands import HubCommands
from desktop_rater.ui.hub.exchange import HubContext
from desktop_rater.ui.rating.returned_comments import quoted_comment, return_reason_text
from desktop_rater.ui.start import texts
from desktop_rater.ui.start.bundle_list import bundle_row
from desktop_rater.ui.start.left_off import GoalDialog, GuidelineChanges, RemovalQuestion, StopView, stop_view, view_of
from desktop_rater.ui.start.page import MAX_FILES, StartPage
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.list_view import ListRow
from desktop_rater.ui.window.screens import RATE, START, Screens
from desktop_rater.ui.window.transfer import Transfer

REFRESH_MS = 50  # several changes are read at once
MAX_PROMPT, MAX_COMMENT = 160, 200

translate = QCoreApplication.translate


def returned_rows(tasks: Sequence[ReturnedTask]) -> list[ListRow]:
    """Return a row for each returned task: its prompt, the first comment with its reason, and when it was sent."""
    rows = []
    for task in tasks:
        comment = task.returned.comments[0]
        quote = " ".join(quoted_comment(comment).split())[:MAX_COMMENT]
        reason = return_reason_text(comment.reason) if comment.reason not in {"", "other"} else ""
        rows.append(
            ListRow(
                (task.bundle, task.task),
                " ".join(shown_words(task.prompt).split())[:MAX_PROMPT],
                end=formatting.weekday(_day(task.returned.at)) if task.returned.at else "",
                detail=quote or reason,
                detail_end=reason if quote else "",
                mark="back",
                bold=True,
                state=translate("Start", "sent back"),
            )
        )
    return rows


def file_rows(files: Sequence[RecentFile]) -> list[ListRow]:
    """Return a row for each recent file."""
    words = {
        "imported": translate("Start", "imported {day}"),
        "exported": translate("Start", "exported {day}"),
        "received": translate("Start", "from the hub {day}"),
    }
    return [
        ListRow(
            (number, file.bundle),
            file.name,
            end=words[file.what].format(day=formatting.weekday(_day(file.moment))),
            mark="page",
        )
        for number, file in enumerate(files)
    ]


def _day(moment: str) -> date:
    return datetime.fromisoformat(moment).astimezone().date()


class HubNews(QObject):
    """The offers of a hub, from the store: no network is used for it."""

    def __init__(self, page: StartPage, hub: HubCommands, now: Callable[[], datetime]) -> None:
        super().__init__(page)
        self._page = page
        self._hub = hub
        self._now = now

    def show(self, guidelines: Sequence[NewGuideline]) -> None:
        """Show the downloads that wait, and changed guidelines."""
        state, page = self._hub.exchange.hub_state, self._page
        waiting = (*state.to_import, *state.held)
        rows = [self._arrival_row(arrival) for arrival in waiting]
        rows += [self._guideline_row(change) for change in guidelines]
        page.news.show_rows(rows)
        page.news.setVisible(bool(rows))
        page.no_news.setVisible(not rows)
        no_hub = self.tr("No hub is connected.")
        page.no_news.setText(self.tr("Nothing new.") if state.hub is not None else no_hub)
        page.get.setVisible(bool(waiting))
        page.read.setVisible(bool(guidelines))
        page.sync.set_label(self.tr("Sync now") if state.hub is not None else self.tr("Connect …"))
        verified = state.hub.verified if state.hub is not None else ""
        text = self.tr("synced {when}").format(when=texts.moment_text(verified, self._now())) if verified else ""
        page.hub_section.note.setText(text)

    def _arrival_row(self, arrival: Arrival) -> ListRow:
        kind = self.tr("sent back") if arrival.kind == "returned" else texts.units_text("tasks", arrival.tasks)
        detail = f"{kind}, {formatting.megabytes(arrival.size)}"
        return ListRow(("arrival", arrival.key), arrival.title or arrival.bundle, detail=detail, mark="todo", bold=True)

    def _guideline_row(self, change: NewGuideline) -> ListRow:
        text = self.tr("Guideline changed in revision {n}").format(n=change.revision)
        return ListRow(
            ("guideline", change.bundle), change.title or change.bundle, detail=text, mark="warns", bold=True
        )

    def get(self) -> None:
        """Import what is signed; the hub's dialog asks about the rest."""
        state = self._hub.exchange.hub_state
        if state.to_import:
            self._hub.arrivals.import_all()
        elif state.held:
            self._hub.joining.open()


class StartScreen(QObject):
    """The start page, made when it is first entered. `shared`: functions of other parts that are available here."""

    changed = Signal()

    def __init__(
        self,
        context: HubContext,
        screens: Screens,
        transfer: Transfer,
        hub: HubCommands,
        shared: Mapping[str, Callable[[], object]],
    ) -> None:
        super().__init__(context.window)
        self._context = context
        self._screens = screens
        self._transfer = transfer
        self._hub = hub
        self._shared = shared
        self._desk, self._session, self._perform = context.desk, context.session, context.perform
        self._overview: StartOverview | None = None
        self._selected = ""
        self._view: StopView | None = None
        self._spot: RememberedSpot | None = None  # of the task that was opened behind this page
        self._then: Callable[[], object] | None = None  # once the bundle that is being opened is there
        self._hidden_too = False
        self.page = StartPage()
        self.page.body.setUpdatesEnabled(False)  # until there are figures and a place to go on at
        self._timer = DelayedCall(self, REFRESH_MS, self.refresh)
        self.news = HubNews(self.page, hub, context.now)
        self._connect()

    def _connect(self) -> None:
        page, run = self.page, self._screens.run
        for button, action in (
            (page.card.go, "start_go"),
            (page.card.pick, "start_pick"),
            (page.sort, "start_sort"),
            (page.guide, "start_guide"),
            (page.open_file, "import"),
            (page.open_returned, "start_returned"),
            (page.export, "export"),
            (page.get, "start_get"),
            (page.read, "start_guideline"),
            (page.sync, "sync"),
        ):
            button.clicked.connect(partial(run, action))
        page.bundles.chosen.connect(self._select)
        page.bundles.opened.connect(lambda _bundle: self.go_on())
        page.bundles.menu_wanted.connect(self._show_menu)
        page.show_hidden.clicked.connect(self._toggle_hidden)
        page.came_back.opened.connect(self._open_returned)
        page.files.opened.connect(lambda row: self._select_bundle(row[1]))
        page.week.goal_wanted.connect(self.ask_goal)
        self._perform.changed.connect(self._follow)
        self._desk.bundle_opened.connect(self._bundle_opened)
        self._desk.resumed.connect(self._keep_spot)
        self._session.opened.connect(self._schedule)
        self._hub.exchange.changed.connect(self._show_news)
        self._context.preferences.changed.connect(self._apply_setting)

    # -- the interface of a screen

    @property
    def widget(self) -> QWidget:
        return self.page

    @property
    def title(self) -> str:
        return self.tr("Start")

    @property
    def status_text(self) -> str:
        """The keys of the page."""
        return self.tr("↑ ↓ bundle · Enter continue · M more · F6 next part")

    @property
    def mode(self) -> str:
        return START

    def actions(self) -> Mapping[str, Callable[[], object]]:
        own = {
            "start_go": self.go_on,
            "start_pick": partial(self._enter, self._pick_task),
            "start_returned": self.open_first_returned,
            "start_get": self.news.get,
            "start_guideline": self.read_guideline,
            "start_more": self.page.bundles.ask_menu,
            "start_sort": self.sort,
            "start_guide": self.begin_guide,
            "export": self.export,
        }
        return {**self._shared, **own}

    def take_key(self, key: str, /) -> bool:  # noqa: ARG002 - no question is answered here
        return False

    def enter(self) -> None:
        self.refresh()
        self.page.bundles.setFocus()

    def leave(self) -> None:
        self._timer.stop()

    def panes(self) -> tuple[QWidget, ...]:
        page = self.page
        return (page.bundles, page.came_back, page.week.as_table, page.files, page.news, page.sync)

    @property
    def _active(self) -> bool:
        return self._screens.name == START

    # -- figures

    def _follow(self, change: Change) -> None:
        if not self._active:
            return
        if isinstance(change, ImportedBundle) and change.outcome == "imported" and not change.put_away:
            self._screens.go(RATE)  # what was just imported is opened
        elif change.bundles or change.tasks or change.hub:
            self._schedule()

    def _schedule(self) -> None:
        if self._active:
            self._timer.start()

    def refresh(self) -> None:
        """Read the figures again."""
        read = partial(read_overview, now=self._context.now())
        self._perform.ask(read, self._context.rater, done=self._show)

    def _apply_setting(self, name: str) -> None:
        if name in {"goal", "bundle_order"} and self._overview is not None:
            self._show(self._overview)

    def _show(self, overview: StartOverview) -> None:
        first = self._overview is None
        self._overview = overview
        listed = {bundle.id for bundle in overview.bundles if self._hidden_too or not bundle.put_away}
        if (first or self._selected not in listed) and overview.next is not None:
            self._selected = overview.next[0]
        self._show_bundles(overview)
        now = self._context.now()
        self.page.came_back.show_rows(returned_rows(overview.came_back))
        self.page.came_back_section.setVisible(bool(overview.came_back))
        self.page.week.show_week(overview.week, self._context.preferences.now.goal)
        self.page.week_section.note.setText(formatting.weekday(now.astimezone().date()))
        self.page.files.show_rows(file_rows(overview.files[:MAX_FILES]))
        self.page.files_section.setVisible(bool(overview.files))
        self.page.guide_offer.setVisible(self._context.preferences.now.guide == "new")
        self._show_news()
        self._read_place()

    def _show_bundles(self, overview: StartOverview) -> None:
        page, order, now = self.page, self._context.preferences.now.bundle_order, self._context.now()
        shown = [bundle for bundle in overview.bundles if self._hidden_too or not bundle.put_away]
        rows = ordered_bundles(shown, order)
        urgent = next((bundle.id for bundle in ordered_bundles(shown, "due") if bundle.open and bundle.due), "")
        page.bundles.show_bundles([bundle_row(one, now, urgent=one.id == urgent) for one in rows], self._selected)
        page.bundles.setVisible(bool(rows))
        page.none.setVisible(not rows)
        page.left_off.setVisible(bool(rows))
        page.bundles_section.note.setText(texts.order_text(order))
        hidden = sum(bundle.put_away for bundle in overview.bundles)
        text = self.tr("1 bundle is hidden") if hidden == 1 else self.tr("{n} bundles are hidden")
        label = self.tr("Leave them out") if self._hidden_too else self.tr("Show")
        page.show_hidden_count(text.format(n=formatting.number(hidden)) if hidden else "", label)

    def _show_news(self) -> None:
        self.news.show(self._overview.guidelines if self._overview is not None else ())

    # -- the selected bundle

    def _bundle(self, name: str) -> BundleOverview | None:
        bundles = self._overview.bundles if self._overview is not None else ()
        return next((bundle for bundle in bundles if bundle.id == name), None)

    def _select(self, bundle: str) -> None:
        if bundle != self._selected:
            self._selected = bundle
            self._read_place()

    def _select_bundle(self, bundle: str) -> None:
        page = self.page
        page.bundles.setCurrentIndex(page.bundles.rows.index(page.bundles.rows.row_of(bundle), 0))
        page.bundles.setFocus()

    def _read_place(self) -> None:
        """Show where the rater goes on in the selected bundle: as it is open now, else as stored."""
        session, bundle = self._session, self._selected
        if bundle == session.bundle and session.task is not None and session.rubric is not None:
            place = session.place
            self._show_place(stop_view(session.task, session.rating, session.rubric, session.outcome, place))
        elif bundle:
            self._show_place(None)
            arrived = partial(self._place_read, bundle)
            failed = partial(self._place_failed, bundle)
            self._perform.ask(read_left_off, bundle, self._context.rater, done=arrived, failed=failed)
            return
        self.page.body.setUpdatesEnabled(True)

    def _place_failed(self, bundle: str, _error: Exception) -> None:
        """Show the page without a place: opening the bundle reports the error."""
        self._place_read(bundle, None)

    def _place_read(self, bundle: str, found: LeftOff | None) -> None:
        if bundle == self._selected and found is not None:
            self._show_place(view_of(found))
        self.page.body.setUpdatesEnabled(True)

    def _show_place(self, view: StopView | None) -> None:
        bundle = self._bundle(self._selected)
        overview = self._overview
        if bundle is None or overview is None:
            return
        begun = bool(bundle.changed) and bundle.open
        self.page.card.show_place(texts.title_text(bundle), view, open_now=begun or bundle.id == overview.last)
        here = bundle.id == overview.last
        self.page.left_off.title.setText(texts.reason_text(overview, bundle))
        self.page.left_off.note.setText(texts.moment_text(bundle.changed, self._context.now()) if here else "")

    def go_on(self) -> None:
        """Go to the rating screen, where the rater left off in the selected bundle."""
        self._enter()

    def _pick_task(self) -> None:
        """Focus the filter of the tasks, after the form had the focus."""
        pick = self._context.window.filter_tasks
        if self._session.task is None:
            self._session.opened.connect(pick, Qt.ConnectionType.SingleShotConnection)
        else:
            pick()

    def _enter(self, then: Callable[[], object] | None = None) -> None:
        """Open the selected bundle, and then call `then`."""
        bundle, self._then = self._selected, then
        if bundle and bundle != self._desk.bundle:
            self._screens.go(RATE)
            self._desk.open_bundle(bundle)
            return
        self._screens.go(RATE)
        spot, self._spot = self._spot, None
        if spot is not None and self._session.task is not None and self._session.task.id == spot.task:
            self._desk.resumed.emit(spot)  # places in texts and fields that were not laid out yet
            self._spot = None
        if then is not None:
            self._call_then()

    def _bundle_opened(self, bundle: str) -> None:
        del bundle
        if self._then is not None:
            QTimer.singleShot(0, self, self._call_then)  # the last task that is asked for is opened

    def _call_then(self) -> None:
        then, self._then = self._then, None
        if then is not None:
            then()

    def _keep_spot(self, spot: RememberedSpot) -> None:
        if self._active:
            self._spot = spot

    def export(self) -> None:
        """Export the results of the selected bundle."""
        if self._selected and self._selected != self._desk.bundle:
            self._then = self._transfer.choose_results
            self._desk.open_bundle(self._selected)
        else:
            self._transfer.choose_results()

    # -- returned tasks, guidelines, goal

    def open_first_returned(self) -> None:
        if self._overview is not None and self._overview.came_back:
            first = self._overview.came_back[0]
            self._open_returned((first.bundle, first.task))

    def _open_returned(self, row: tuple[str, str]) -> None:
        self._selected = row[0]
        self._enter(partial(self._desk.open_task, row[1]))

    def read_guideline(self) -> None:
        guidelines = self._overview.guidelines if self._overview is not None else ()
        if guidelines:
            first = guidelines[0]
            mark = partial(
                self._perform.perform, mark_guideline_read, self._context.rater, first.bundle, first.revision,
                done=lambda _change: self._schedule(),
            )  # fmt: skip
            GuidelineChanges(self._context.window, first, mark).ask()

    def ask_goal(self) -> None:
        preferences = self._context.preferences
        GoalDialog(self._context.window, preferences.now.goal, partial(preferences.set, "goal")).ask()

    def sort(self) -> None:
        """Show the bundles in the next order."""
        now = ORDERS.index(self._context.preferences.now.bundle_order)
        self._context.preferences.set("bundle_order", ORDERS[(now + 1) % len(ORDERS)])

    def begin_guide(self) -> None:
        """Go to the rating screen, where the guide begins with the sample."""
        self._screens.go(RATE)
        self._shared["start_guide"]()

    # -- the menu of a bundle

    def _show_menu(self, name: str, place: QPoint) -> None:
        bundle = self._bundle(name)
        if bundle is None:
            return
        menu = QMenu(self.page)
        menu.setObjectName("start_bundle_menu")
        menu.aboutToHide.connect(menu.deleteLater)
        entries: list[tuple[str, str, Callable[[], object]]] = [("open", self.tr("Open"), self.go_on)]
        if bundle.put_away:
            entries.append(
                ("bring_back", self.tr("Show in the list again"), partial(self._set_hidden, name, hide=False))
            )
        else:
            entries.append(("hide", self.tr("Hide"), partial(self._set_hidden, name, hide=True)))
        entries.append(("details", self.tr("Details and revisions…"), self._shared["bundles"]))
        entries.append(("remove", self.tr("Remove…"), partial(self._ask_removal, name)))
        for identity, text, function in entries:
            action = QAction(text, menu)
            action.setObjectName(f"start_menu_{identity}")
            action.triggered.connect(function)
            action.setEnabled(identity in {"open", "details"} or not self._perform.read_only)
            menu.addAction(action)
        menu.setActiveAction(menu.actions()[0])
        menu.popup(place)

    def _set_hidden(self, name: str, *, hide: bool) -> None:
        self._transfer.change_bundle(put_bundle_away if hide else bring_bundle_back, name)

    def _toggle_hidden(self) -> None:
        self._hidden_too = not self._hidden_too
        if self._overview is not None:
            self._show(self._overview)

    def _ask_removal(self, name: str) -> None:
        """Say what a bundle holds before anything is deleted. Answers on their way to the store are counted."""
        self._session.pause_typing()

        def check(_saved: bool) -> None:
            self._perform.ask(check_removal, name, done=self._confirm_removal, failed=self._perform.failed.emit)

        self._session.saver.when_settled(check)

    def _confirm_removal(self, check: RemovalCheck) -> None:
        remove = partial(self._remove, check.id)
        RemovalQuestion(self._context.window, check, remove, partial(self._set_hidden, check.id, hide=True)).ask()

    def _remove(self, name: str) -> None:
        self._perform.perform(partial(remove_bundle, now=self._context.now), name, failed=self._not_removed)

    def _not_removed(self, error: Exception) -> None:
        text = str(error) if isinstance(error, RaterError) else self.tr("Unexpected error.")
        self._context.window.banners.show_banner("trouble", "block", text)
