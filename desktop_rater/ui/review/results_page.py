"""The overview of a bundle's results: raters and what each lacks; received results and keys, and decisions on them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QScrollArea, QSizePolicy, QWidget

from desktop_rater.audit.results import CopyState, DecisionKind, HeldResults, ReceivedResults, ResultsDecision
from desktop_rater.audit.status import AuditStatus
from desktop_rater.format.change import Change
from desktop_rater.format.errors import RaterError
from desktop_rater.operations.audit.audit_status import (
    RaterKeyState,
    ReceivedOverview,
    decide_rater_key,
    received_overview,
)
from desktop_rater.operations.audit.review import (
    Lead,
    ReviewChange,
    copies_after,
    decide_copies,
    decide_rater,
    decide_results,
)
from desktop_rater.store.keys import KeyEvent
from desktop_rater.store.store import Store
from desktop_rater.ui.rating.rating_saver import Drafts
from desktop_rater.ui.review import result_texts
from desktop_rater.ui.review.result_texts import RowId
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.fields import LineField
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel, visible
from desktop_rater.ui.widgets.layouts import (
    FlowLayout,
    NamedGroup,
    ScrollColumn,
    fill,
    horizontal_line,
    tight_column,
    tight_row,
)
from desktop_rater.ui.widgets.list_view import HEADING, Index, ListRow, ListRowDelegate, ListRowModel, RowList
from desktop_rater.ui.widgets.menu_chooser import MenuChooser
from desktop_rater.ui.widgets.shapes import Icon
from desktop_rater.ui.widgets.theme_tokens import CONTROL
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.screen_context import ScreenContext

DecisionName = Literal["admit", "admit_rater", "take_out", "take_back"]
MIN_RECEIVED_ROWS, TEXT_LINES, MAX_REASON = 4, 4, 2_000


class ReceivedRowDelegate(ListRowDelegate):
    """A delegate for rows of two lines and headings of one."""

    def height_of(self, index: Index) -> int:
        model: ListRowModel = index.model()  # ty: ignore[invalid-assignment]
        return theme.px(HEADING) if model.rows[index.row()].heading else self.height()


class ReceivedRowList(RowList):
    """The results and keys, below the headings of their groups."""

    delegate_class = ReceivedRowDelegate

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scrollTo(self.currentIndex())


class ReceivedResultsSection(QWidget):
    """The list, everything about the chosen row, and the ways to decide on it."""

    row_opened = Signal()  # what is below the list concerns the user now

    def __init__(
        self, perform: WorkRunner, lead: Callable[[], Lead], drafts: Drafts, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._perform, self._lead = perform, lead
        self._drafts, self._draft = drafts, drafts.draft("", "", "")
        self._overview: ReceivedOverview | None = None
        self._asked: DecisionName | None = None  # the decision whose reason is being written
        self._is_storing = False
        self._next_id: RowId | None = None  # the row to choose once a decision is stored
        title = self.tr("Received results, keys and copies")
        self.model = ListRowModel(self)
        self.list = ReceivedRowList("received_results", two_lines=True)
        self.list.setAccessibleName(visible(title))
        self.list.setModel(self.model)
        self.list.vary_heights()
        theme.follow(self, lambda: self.list.setMinimumHeight(MIN_RECEIVED_ROWS * self.list.row_delegate.height()))
        self.list.selectionModel().currentChanged.connect(lambda *_: self._row_chosen())
        self.text_label = WrappedLabel(name="decision_text", ink="text2")
        self.text_label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading)
        # The list must not change its height with each row.
        theme.follow(
            self.text_label,
            lambda: self.text_label.setMinimumHeight(TEXT_LINES * self.text_label.fontMetrics().lineSpacing()),
        )
        self._ways, self._writing = self._make_ways(), self._make_writing()
        self.refusal = WrappedLabel(name="decision_refused", ink="block")
        below = (self.text_label, self._ways, self._writing, self.refusal)
        tight_column(self, PlainLabel(title, size="interface", bold=True), (self.list, 1), *below, spacing=6)
        for widget in below:
            widget.hide()

    # -- layout

    def _make_ways(self) -> QWidget:
        box = QWidget()
        box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        flow = FlowLayout(box, spacing=6, alike=False)
        ways: tuple[tuple[DecisionName, str, str], ...] = (
            ("admit", self.tr("Admit …"), "C"),
            ("take_out", self.tr("Take out …"), "T"),
            ("admit_rater", self.tr("Admit all results of this rater …"), "Shift C"),
            ("take_back", self.tr("Take the decision back"), "Backspace"),
        )
        self.buttons: dict[DecisionName, KeyButton] = {}
        for name, label, key in ways:
            button = KeyButton(
                label, key, name=f"results_{name}", clicked=lambda _on=False, wanted=name: self.decide(wanted)
            )
            flow.addWidget(button)
            self.buttons[name] = button
        return box

    def _make_writing(self) -> QWidget:
        box = QWidget()
        self.reason = LineField(
            name="decision_reason",
            label=self.tr("Reason"),
            placeholder=self.tr("Reason, for everyone who reads the audit"),
        )
        self.reason.setMaxLength(MAX_REASON)
        theme.follow(self.reason, lambda: self.reason.setFixedHeight(theme.px(CONTROL)))
        self.reason.textEdited.connect(lambda text: self._draft.keep(text))  # noqa: PLW0108 - it is replaced
        self.reason.entered.connect(lambda _way: self._confirm())
        self.reason.left.connect(self.leave)
        self.confirm_button = KeyButton(
            "", "Enter", primary=True, name="decision_confirm", clicked=self._confirm, enter_at=self.reason
        )
        tight_row(
            box,
            (self.reason, 1),
            self.confirm_button,
            KeyButton(self.tr("Cancel"), "Esc", flat=True, name="decision_cancel", clicked=self.leave),
            spacing=6,
        )
        return box

    # -- content

    @property
    def is_waiting(self) -> bool:
        """Return whether results or keys wait for the lead."""
        overview = self._overview
        return overview is not None and (
            any(entry.held for entry in overview.status.held) or any(state.kind == "waits" for state in overview.keys)
        )

    def show_overview(self, overview: ReceivedOverview) -> None:
        """Show the results and keys of a bundle. The chosen row stays chosen; after a decision the next one is."""
        before, chosen, self._next_id = self._overview, self._next_id or self._chosen_id, None
        self._overview = overview
        self.model.show(result_texts.decision_rows(overview))
        self.setVisible(bool(self.model.rows))
        if before is not None and before.status.bundle != overview.status.bundle:
            chosen = None
            self._close()
        number = self.model.row_of(chosen)
        if number < 0 and self.is_waiting:
            number = 1  # below the first heading
        if number >= 0 and number != self.list.currentIndex().row():
            self.list.select_row(number)
        self._show_chosen()

    @property
    def _chosen_id(self) -> RowId | None:
        number = self.list.currentIndex().row()
        return self.model.rows[number].id if 0 <= number < len(self.model.rows) else None

    @property
    def _chosen(self) -> HeldResults | ReceivedResults | RaterKeyState | CopyState | None:
        """The chosen results, key or copy."""
        overview, row_id = self._overview, self._chosen_id
        if overview is None or row_id is None:
            return None
        if row_id[0] == result_texts.KEY:
            return next((state for state in overview.keys if (state.rater, state.key) == row_id[1:]), None)
        if row_id[0] == result_texts.COPY:
            return next((state for state in overview.copies if str(state.copy.revision) == row_id[1]), None)
        held = next((entry for entry in overview.status.held if entry.results.sha256 == row_id[1]), None)
        return held or next((entry for entry in overview.status.received if entry.sha256 == row_id[1]), None)

    def _row_chosen(self) -> None:
        if not self._is_storing:
            self._close()
        self._show_chosen()
        if self.list.hasFocus():
            self.row_opened.emit()

    def _show_chosen(self) -> None:
        overview, chosen = self._overview, self._chosen
        labels = self._labels()
        self.text_label.setVisible(chosen is not None)
        self._ways.setVisible(bool(labels) and self._asked is None)
        for name, button in self.buttons.items():
            button.setVisible(name in labels)
            button.set_label(labels.get(name, button.label))
        if overview is None or chosen is None:
            return
        if isinstance(chosen, RaterKeyState):
            self.text_label.setText(result_texts.key_text(chosen))
        elif isinstance(chosen, CopyState):
            self.text_label.setText(result_texts.copy_sentence(chosen))
        else:
            results = chosen.results if isinstance(chosen, HeldResults) else chosen
            self.text_label.setText(result_texts.results_text(overview, results))

    def _labels(self) -> Mapping[DecisionName, str]:
        """Return the decisions that the chosen row allows, with the words for them."""
        chosen = self._chosen
        admit, take_out = self.tr("Admit …"), self.tr("Take out …")
        admit_rater, back = self.tr("Admit all results of this rater …"), self.tr("Take the decision back")
        if chosen is None:
            return {}
        if isinstance(chosen, RaterKeyState):
            ways: dict[DecisionName, str] = {"admit": self.tr("Introduce …"), "take_out": self.tr("Call back …")}
            decided = {"introduced": "admit", "called back": "take_out"}.get(chosen.kind)
            return {name: label for name, label in ways.items() if name != decided}
        if isinstance(chosen, CopyState):
            if chosen.decision is not None:
                return {"take_back": back}
            back_to: Mapping[DecisionName, str] = {"admit": self.tr("Go back to this revision …")}
            later = chosen.copy.revision < self._newest_revision
            return {**(back_to if later else {}), "take_out": self.tr("Put this copy away …")}
        if isinstance(chosen, ReceivedResults):
            overview = self._overview
            by_word = overview is not None and result_texts.rater_decision(overview, chosen) is not None
            return {"take_out": take_out, "take_back": back} if by_word else {"take_out": take_out}
        kinds = {reason.kind for reason in chosen.reasons}
        wanted: dict[DecisionName, bool] = {
            "admit": not chosen.admitted and "rubric" not in kinds,
            "take_out": not chosen.taken_out,
            "admit_rater": chosen.held and bool(kinds & {"no-key", "not-assigned"}),
            "take_back": not chosen.held,
        }
        labels = {"admit": admit, "take_out": take_out, "admit_rater": admit_rater, "take_back": back}
        return {name: labels[name] for name, is_wanted in wanted.items() if is_wanted}

    @property
    def _newest_revision(self) -> int:
        copies = self._overview.copies if self._overview is not None else ()
        return max((state.copy.revision for state in copies if state.decision is None), default=0)

    # -- decisions

    def decisions(self) -> Mapping[str, Callable[[], object]]:
        return {
            "results_admit": lambda: self.decide("admit"),
            "results_admit_rater": lambda: self.decide("admit_rater"),
            "results_take_out": lambda: self.decide("take_out"),
            "review_take_back": lambda: self.decide("take_back"),
        }

    def decide(self, name: DecisionName) -> None:
        """Ask for the reason of a decision on the chosen row; taking one back needs none."""
        labels = self._labels()
        if name not in labels or self._is_storing or self.isHidden():
            return
        self.refusal.hide()
        if name == "take_back":
            self._store(name, "")
            return
        self._asked = name
        self.confirm_button.set_label(labels[name].removesuffix("…").rstrip())
        bundle = self._overview.status.bundle if self._overview is not None else ""
        self._draft = self._drafts.draft(bundle, "", " ".join((name, *(self._chosen_id or ()))))
        self.reason.setText(self._draft.text)
        self._ways.hide()
        self._writing.show()
        self.reason.setFocus()
        self.row_opened.emit()

    def leave(self) -> None:
        """Close the field; what was written there is offered when the same decision is asked for again."""
        self._close()
        self._show_chosen()
        self.list.setFocus()

    def _close(self) -> None:
        self._asked = None
        self.reason.clear()
        self._writing.hide()
        self.refusal.hide()

    def _confirm(self) -> None:
        if self._asked is not None and not self._is_storing:
            self._store(self._asked, self.reason.text().strip())

    def _store(self, name: DecisionName, reason: str) -> None:
        work = self._work(name, reason)
        if work is None:
            return
        waiting = [row.id for row in self.model.rows if row.mark == result_texts.WAITS]
        index = waiting.index(self._chosen_id) + 1 if self._chosen_id in waiting else len(waiting)
        next_id = waiting[index] if index < len(waiting) else None

        def stored(_change: Change) -> None:
            self._is_storing, self._next_id = False, next_id
            had_focus = self.reason.hasFocus()
            if name != "take_back":
                self._draft.keep("")
            self._close()
            self._show_chosen()
            if had_focus:
                self.list.setFocus()

        def failed(error: Exception) -> None:
            self._is_storing = False
            if isinstance(error, RaterError):
                self.refusal.setText(str(error))
                self.refusal.show()

        self._is_storing = True
        self._perform.perform(work, done=stored, failed=failed, first=True)

    def _work(self, name: DecisionName, reason: str) -> Callable[[Store], Change] | None:
        """Return the work that stores a decision on the chosen row."""
        chosen, overview, lead = self._chosen, self._overview, self._lead()
        if chosen is None or overview is None:
            return None
        audit = overview.audit  # that which the lead sees
        if isinstance(chosen, RaterKeyState):
            kind = "introduced" if name == "admit" else "called back"
            event = KeyEvent(rater=chosen.rater, key=chosen.key, project="", kind=kind, reason=reason)
            return lambda store: decide_rater_key(store, event, lead)
        kinds: dict[DecisionName, DecisionKind] = {"take_out": "taken out", "take_back": "none"}
        decision = ResultsDecision(kind=kinds.get(name, "admitted"), reason=reason)
        if isinstance(chosen, CopyState):
            revision, bundle = chosen.copy.revision, overview.status.bundle
            if name != "admit":
                return lambda store: decide_copies(store, bundle, [revision], decision, lead)
            later = ResultsDecision(kind="taken out", reason=reason)
            return lambda store: decide_copies(store, bundle, copies_after(store, bundle, revision), later, lead)
        results = chosen.results if isinstance(chosen, HeldResults) else chosen
        if name == "admit_rater" or (name == "take_back" and isinstance(chosen, ReceivedResults)):
            return lambda store: decide_rater(store, audit, results.rater, decision, lead)
        return lambda store: decide_results(store, audit, [results.sha256], decision, lead)


NARROW, MAX_WIDTH = 860, 1180
MIN_ROWS, MAX_REFUSED_ROWS = 3, 7


class ResultsSection(QWidget):
    """A list with a title, hidden while empty."""

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = PlainLabel(title, size="interface", bold=True)
        self.list = RowList(name, two_lines=True, label=visible(title))
        self.model = ListRowModel(self)
        self.list.setModel(self.model)
        theme.follow(self, lambda: self.list.setMinimumHeight(MIN_ROWS * self.list.row_delegate.height()))
        tight_column(self, self.title, (self.list, 1), spacing=6)

    def show_lines(self, lines: Sequence[ListRow]) -> None:
        self.model.show(lines)
        self.setVisible(bool(lines))


class ResultsPage(NamedGroup):
    """The first page on results. `review_wanted` leads on to the ratings."""

    review_wanted = Signal()
    refreshed = Signal()  # the page is up to date

    def __init__(self, context: ScreenContext, lead: Callable[[], Lead], parent: QWidget | None = None) -> None:
        super().__init__(parent, name="results_page")
        self.setAccessibleName(self.tr("Results"))
        theme.set_ground(self, "surface")
        self._context = context
        self._audited = context.audited
        self.received = ReceivedResultsSection(context.perform, lead, context.session.drafts)
        self.status: AuditStatus | None = None
        self._outdated = False  # a verdict changed since it was read
        self._has_news = False  # results were imported while the page was hidden
        body = QWidget()
        theme.follow(body, lambda: body.setMaximumWidth(theme.px(MAX_WIDTH)))
        tight_row(self, 1, (body, 100), 1)
        column = tight_column(body, spacing=12)
        theme.pad(column, 24, 20, 24, 16)
        fill(column, self._make_head(), self._make_words(), horizontal_line())
        empty = self.tr(
            "Raters export their results as zip files. Drop the files or a folder here. Add the rated"
            " bundle too, to see what is missing."
        )
        self._empty = WrappedLabel(empty, name="results_empty", size="prompt", ink="text2")
        fill(column, self._empty, (self._make_sections(), 1))
        self._audited.listed.connect(self._show_bundles)
        self._audited.opening.connect(self._show_bundles)
        self._audited.loaded.connect(self._outdate)
        self._audited.reviewed.connect(self._review_changed)
        self._show_bundles()
        if self._audited.audit is not None:
            self._outdate()

    # -- layout

    def _make_head(self) -> QHBoxLayout:
        self._title = WrappedLabel(name="results_title", size="title", bold=True)
        self.bundles = MenuChooser("audited_bundles")
        self.bundles.chosen.connect(lambda chosen: self._audited.open(chosen[0]))
        self._open = KeyButton(
            self.tr("Open results …"),
            "Ctrl O",
            name="open_results",
            clicked=lambda _on=False: self._context.screens.run("open_results"),
        )
        self._review = KeyButton(
            self.tr("Review"),
            "Enter",
            primary=True,
            name="begin_review",
            clicked=lambda _on=False: self.review_wanted.emit(),
        )
        return tight_row(None, (self._title, 1), self.bundles, self._open, self._review, spacing=8)

    def _make_words(self) -> QHBoxLayout:
        row = tight_row(spacing=8)
        self._sign = Icon("tick", ink="ok")
        row.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        self.text_label = WrappedLabel(name="results_words")
        row.addWidget(self.text_label, 1)
        return row

    def _make_sections(self) -> QScrollArea:
        area = ScrollColumn("results_scroll", focus=Qt.FocusPolicy.NoFocus)
        area.setAccessibleName(self.accessibleName())
        self._area = area
        within = QWidget()
        theme.set_ground(within, "surface")
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, within)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(24)
        area.setWidget(within)
        self.raters = ResultsSection("results_raters", self.tr("Raters"))
        self._row.addWidget(self.raters, 3)
        self._right_column = QWidget()
        self.refused = ResultsSection("results_refused", self.tr("Refused"))
        self.tasks = ResultsSection("results_tasks", self.tr("Tasks that lack raters"))
        self.refused_words = WrappedLabel(name="refused_words", ink="text2")
        self.refused.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        tight_column(
            self._right_column, (self.received, 100), self.refused, self.refused_words, (self.tasks, 100), 1, spacing=16
        )
        self._row.addWidget(self._right_column, 3)
        self.received.row_opened.connect(lambda: QTimer.singleShot(0, self, self._scroll_to_decision))
        self.refused.list.selectionModel().currentChanged.connect(lambda now, _before: self._show_reason(now.row()))
        for section in (self.raters, self.received, self.refused, self.tasks, self._right_column, self.refused_words):
            section.hide()
        return area

    # -- content

    def read(self) -> None:
        bundle, self._outdated = self._audited.bundle, False

        def arrived(overview: ReceivedOverview) -> None:
            if bundle == self._audited.bundle:
                self.status = overview.status
                self.received.show_overview(overview)
                self.refresh()

        if bundle:
            self._context.perform.ask(received_overview, bundle, done=arrived)

    def refresh(self) -> None:
        status = self.status
        current = status is not None and status.bundle == self._audited.bundle
        self._review.setVisible(current)
        self._sign.setVisible(current)
        if status is None or not current:
            return
        self._title.setText(status.title[:200])
        doubts = result_texts.doubtful_signatures_text(status)
        good = status.whole and not doubts
        self._sign.show_icon("tick" if good else "triangle-exclamation", "ok" if good else "warn")
        last = self._context.results.last
        sentences = [result_texts.status_summary(status), result_texts.cautions_text(status), doubts]
        if not status.known:
            sentences.append(self.tr("Open the bundle too, to see which tasks have not been rated."))
        if last is not None and (last.refused or last.passed_over or self._has_news):
            sentences.append(result_texts.import_summary(last))
        self.text_label.setText(" ".join(filter(None, sentences)))
        # What waits or is doubtful first, then incomplete raters, then those with tasks sent back, then by name.
        raters = sorted(
            status.raters,
            key=lambda rater: (
                not result_texts.needs_attention(rater),
                rater.whole,
                not (rater.unsent or rater.out),
            ),
        )
        self.raters.show_lines([result_texts.rater_line(rater) for rater in raters])
        self.tasks.show_lines([result_texts.task_line(task) for task in status.short])
        self._show_refused()
        self._arrange()
        self.refreshed.emit()

    def _scroll_to_decision(self) -> None:
        """Scroll to the foot of the section, once it has its place."""
        self._area.ensureVisible(0, self._right_column.y() + self.received.geometry().bottom())

    def _show_refused(self) -> None:
        last = self._context.results.last
        refused = last.refused if last is not None else ()
        self.refused.show_lines([result_texts.refused_line(index, file) for index, file in enumerate(refused)])
        self.refused_words.setVisible(bool(refused))
        sections = (self.received, self.tasks)
        self._right_column.setVisible(bool(refused) or not all(section.isHidden() for section in sections))
        if refused:
            self.refused.list.fit_rows(MAX_REFUSED_ROWS)
            self.refused.list.setCurrentIndex(self.refused.model.index(0))

    def _show_reason(self, index: int) -> None:
        """Show the whole reason for the chosen file, which is too long for a row."""
        lines = self.refused.model.rows
        self.refused_words.setText(lines[index].detail if 0 <= index < len(lines) else "")

    def _show_bundles(self) -> None:
        bundles = self._audited.bundles
        self.bundles.offer(self.tr("Bundle"), [(name, name) for name in bundles], (self._audited.bundle,))
        self.bundles.setVisible(len(bundles) > 1)
        nothing = self._audited.is_listed and not bundles and not self._audited.bundle
        self._empty.setVisible(nothing)
        if nothing:
            self._title.setText(self.tr("No results yet"))
            self._show_refused()
            last = self._context.results.last
            self.text_label.setText(result_texts.import_summary(last) if last is not None else "")
        elif self.status is None or self.status.bundle != self._audited.bundle:
            self._title.setText(self._audited.bundle[:200])
            self.text_label.setText("")
        self.refresh()

    def show_imported(self) -> None:
        """Show the results that were just imported."""
        self._has_news = True
        self._show_bundles()
        self.read()

    def panes(self) -> tuple[QWidget, ...]:
        lists = (self.raters.list, self.received.list)
        first = reversed(lists) if self.received.is_waiting else lists
        return (*first, self.refused.list, self.tasks.list, self._open)

    def _review_changed(self, change: ReviewChange) -> None:
        if self._audited.bundle in change.audits:
            self._outdate()

    def _outdate(self) -> None:
        """Read the overview again, once it can be seen."""
        self._outdated = True
        if self.isVisible():
            self.read()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._outdated:
            self.read()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._has_news = False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Arrange the columns; in a narrow window, what waits for the lead comes first."""
        direction = QBoxLayout.Direction.LeftToRight
        if self.width() < theme.px(NARROW):
            waiting = self.received.is_waiting
            direction = QBoxLayout.Direction.BottomToTop if waiting else QBoxLayout.Direction.TopToBottom
        self._row.setDirection(direction)
