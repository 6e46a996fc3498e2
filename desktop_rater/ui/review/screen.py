"""The review screen: all raters' answers side by side, most disagreement first, and the lead's verdicts."""

from collections.abc import Callable, Mapping
from functools import cached_property

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from desktop_rater.audit.items import ItemFilter, ReviewItem
from desktop_rater.audit.questions import LabelChoice
from desktop_rater.format.errors import RaterError
from desktop_rater.hooks import load_rows
from desktop_rater.operations.audit.import_results import ImportedResults
from desktop_rater.ui.review import result_texts, review_exports
from desktop_rater.ui.review.compare_page import ComparePage
from desktop_rater.ui.review.desk import ReviewDesk
from desktop_rater.ui.review.items import method_text, place_count_text
from desktop_rater.ui.review.list_pane import ReviewListPane
from desktop_rater.ui.review.navigation import ReviewNavigator
from desktop_rater.ui.review.own_rating import OwnRatingController, OwnRatingForm
from desktop_rater.ui.review.results_page import ResultsPage
from desktop_rater.ui.review.review_exports import AssignmentCommand, FinalLabelsCommand, ReturnCommand
from desktop_rater.ui.review.verdict_commands import VerdictCommands
from desktop_rater.ui.review.verdict_recorder import VerdictRecorder
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.banners import Banners
from desktop_rater.ui.widgets.layouts import FocusSplitter, tight_column
from desktop_rater.ui.window.focus import is_typing
from desktop_rater.ui.window.screen_context import ScreenContext
from desktop_rater.ui.window.screens import RATE, REVIEW
from desktop_rater.ui.window.window_place import FORM_NARROWS, ONE_PANE, PaneSizes

LIST, NARROW_LIST, MIN_LIST_WIDTH = 300, 248, 200
NAME = "review/list"


class ReviewSplit(FocusSplitter):
    """A splitter; moving the focus with F6 or choosing an item shows the folded side."""

    def __init__(self, sizes: PaneSizes, parent: QWidget) -> None:
        super().__init__("review_sides", one_pane_width=ONE_PANE, visible=1, parent=parent)
        self._sizes = sizes
        self._folded_by_user = False
        self.splitter.splitterMoved.connect(lambda _at, _handle: self._store_width())
        sizes.changed.connect(self.arrange)

    def add_panes(self, *panes: QWidget) -> None:
        super().add_panes(*panes)
        self.splitter.setStretchFactor(1, 1)
        theme.follow(self, self.arrange)

    def toggle(self) -> None:
        """Fold or unfold the list."""
        if self.one_pane:
            self._panes[1 - self._visible].setFocus()
        else:
            self._folded_by_user = not self._folded_by_user
            self.arrange()

    def _widths(self) -> tuple[int, int]:
        usual = NARROW_LIST if self.width() < theme.px(FORM_NARROWS) else LIST
        first = 0 if self._folded_by_user else max(theme.px(MIN_LIST_WIDTH), self._sizes.width(NAME, usual))
        return first, self.width() - first

    def _store_width(self) -> None:
        if not self.one_pane and not self._folded_by_user and self.splitter.sizes()[0]:
            self._sizes.store_width(NAME, self.splitter.sizes()[0])

    def _pane_focused(self, index: int) -> None:
        if self.one_pane:
            super()._pane_focused(index)
        elif index == 0 and self._folded_by_user:
            self._folded_by_user = False
            self.arrange()


LISTING_BANNER, FAILED_BANNER = "listing", "list_failed"


class ReviewScreen(QObject):
    """Builds and connects the parts of the review screen."""

    changed = Signal()

    def __init__(self, context: ScreenContext) -> None:
        super().__init__(context.window)
        self.context = self._context = context
        self._is_new_bundle, self._came_in = True, False
        self._counted, self._count_text = list[ReviewItem](), ""  # items, and how many were sampled of them
        self._is_awaited = False  # the lead asked for the review while it is loading
        self.desk = ReviewDesk(context.perform, context.audited, self)
        self.widget = QWidget(context.window.screen_parent)
        self.widget.setObjectName("review_room")
        self.stack = QStackedWidget(self.widget)
        self.split = ReviewSplit(context.window.sizes, self.stack)
        self.list_pane = ReviewListPane(self.split.splitter)
        self.right = QStackedWidget(self.split.splitter)
        self.compare = ComparePage(context.perform, context.web, self.list_pane.labels, self.right)
        self.right.addWidget(self.compare)
        self.split.add_panes(self.list_pane, self.right)
        self.recorder = VerdictRecorder(context.perform, self.desk, self._lead, context.now, self)
        self.navigator = ReviewNavigator(context, self.desk, self.list_pane, self.compare, self.right, self)
        self.own_rating = OwnRatingController(context, self.desk, self.right, self)
        drafts = context.session.drafts
        self.verdicts = VerdictCommands(
            self.desk, self.navigator, self.recorder, self.compare, self.list_pane, self.own_rating, drafts, self
        )
        self.banners = Banners(self.widget)
        self.banners.setObjectName("review_banners")
        self.return_command = ReturnCommand(context, self.desk, self.banners, self)
        self.final_labels = FinalLabelsCommand(context, self.desk, self.banners, self.recorder, self)
        self.assignment = AssignmentCommand(context, self.banners, self)
        for page in (QWidget(), self.split):  # the first one until it is known which other to show
            self.stack.addWidget(page)
        self.stack.currentChanged.connect(lambda _at: self.changed.emit())
        self.stack.currentChanged.connect(lambda _at: self._update_actions())
        tight_column(self.widget, self.banners, (self.stack, 1), spacing=0)
        self._connect()
        self.plugin_parts = load_rows("review_parts", self)

    def _connect(self) -> None:
        context = self._context
        context.audited.imported.connect(self._results_imported)
        context.audited.listed.connect(lambda: None if context.audited.bundles else self.show_results())
        self.list_pane.results_wanted.connect(self.show_results)
        self.list_pane.filters_wanted.connect(self._offer_filters)
        self.list_pane.orders_wanted.connect(self._offer_orders)
        self.navigator.raters_wanted.connect(self._offer_raters)
        self.desk.listed.connect(self._items_listed)
        self.desk.bundle_changed.connect(self._bundle_changed)
        self.desk.listed.connect(self.changed)
        self.desk.progressed.connect(self._show_progress)
        self.desk.list_failed.connect(self._offer_retry)
        self.recorder.failed.connect(lambda error: self.banners.show_error(error, "refused"))
        self.recorder.recorded.connect(self._drop_outdated_banners)
        self.recorder.recorded.connect(self._update_actions)
        self.final_labels.ties_wanted.connect(self._show_ties)
        self.navigator.changed.connect(self.changed)
        self.own_rating.opened.connect(self.changed)
        self.own_rating.opened.connect(self._update_actions)
        self.navigator.moved.connect(self._update_actions)
        self._update_actions()

    @cached_property
    def results(self) -> ResultsPage:
        """The overview of the results, made when it is first shown."""
        page = ResultsPage(self._context, lambda: self.recorder.lead, self.stack)
        page.review_wanted.connect(self.show_review)
        self.stack.addWidget(page)
        return page

    @property
    def _is_at_results(self) -> bool:
        return isinstance(self.stack.currentWidget(), ResultsPage)

    def _lead(self) -> str:
        return self._context.preferences.now.rater or self._context.lead

    def _items_listed(self) -> None:
        """Open the list of a new bundle, unless its results were just imported."""
        audit = self.desk.audit
        self.list_pane.show_waiting(sum(entry.held for entry in audit.held) if audit is not None else 0)
        if self._is_new_bundle and self.desk.items:
            self._is_new_bundle = False
            if not self._came_in:
                self.show_review()
            self._came_in = False
        if self._is_awaited:
            self.show_review()

    def _offer_retry(self, error: RaterError) -> None:
        """Say why the list could not be read, and offer to read it again."""
        self.banners.show_banner(FAILED_BANNER, "block", str(error), [(self.tr("Try again"), self.desk.read)])

    def _show_progress(self, done: int, total: int) -> None:
        """Show how many tasks are listed while the list is made; what is listed can be reviewed meanwhile."""
        self.banners.drop(FAILED_BANNER)
        if done == total:
            self.banners.drop(LISTING_BANNER)
            if not self.desk.items:  # such as when a later copy of the bundle has made all ratings outdated
                self.show_results()
            return
        text = self.tr("Listing the places: {done} of {total} tasks")
        text = text.format(done=formatting.number(done), total=formatting.number(total))
        banner = self.banners.banner(LISTING_BANNER)
        if banner is None:
            self.banners.show_banner(LISTING_BANNER, "info", text)
        else:
            banner.label.setText(text)

    def show_results(self) -> None:
        self._is_awaited = False
        self.stack.setCurrentWidget(self.results)
        if self._is_current:
            next((pane for pane in self.results.panes() if pane.isVisible()), self.results).setFocus()

    def show_review(self) -> None:
        """Show the comparison as soon as it is loaded."""
        self._is_awaited = not self.desk.items
        if self.desk.items:
            self.stack.setCurrentWidget(self.split)
            form = self._form
            if self._is_current:
                (self.list_pane.list if form is None else form.panes()[0]).setFocus()

    def _offer_filters(self) -> None:
        self._context.palette.offer(self.tr("Filter the list"), self.list_pane.filters.sections)

    def _offer_orders(self) -> None:
        self._context.palette.offer(self.tr("Order the list by"), self.list_pane.filters.order_sections)

    def _offer_raters(self) -> None:
        """Offer the raters of the current place, to show columns of their own."""
        if not self.navigator.is_hidden:
            self._context.palette.offer(self.tr("Raters to show"), self.navigator.rater_sections, stays=True)

    def _show_ties(self) -> None:
        """List only the undecided items."""
        self.list_pane.clear_filters()
        self.list_pane.filters.set_filter(ItemFilter(tied=True))
        self.show_review()

    @property
    def _is_current(self) -> bool:
        return self._context.screens.name == REVIEW

    def _drop_outdated_banners(self) -> None:
        """Remove banners that are out of date after a new verdict."""
        for key in ("refused", review_exports.RETURN_BANNER, review_exports.FINAL_BANNER):
            self.banners.drop(key)

    def _results_imported(self, opened: ImportedResults) -> None:
        """Show the overview first after an import."""
        self._drop_outdated_banners()
        self._came_in = bool(opened.audits) and self._is_new_bundle
        self.results.show_imported()
        self.show_results()

    def _bundle_changed(self) -> None:
        """Treat the next listing as that of a new bundle."""
        self._is_new_bundle, self._is_awaited = True, False

    @property
    def _form(self) -> OwnRatingForm | None:
        """The lead's own rating while it is visible; keys never go to a hidden form."""
        return self.own_rating.open if self.stack.currentWidget() is self.split else None

    def _update_actions(self) -> None:
        enable = self._context.screens.enable
        for name in ("results_admit", "results_admit_rater", "results_take_out"):
            enable(REVIEW, name, self._is_at_results)
        if self._form is not None:
            return  # the form enables its own actions
        enable(REVIEW, "undo", self.recorder.can_undo)
        enable(REVIEW, "redo", self.recorder.can_redo)

    def open(self, task: str, where: str, rater: str) -> None:
        """Open a rater's answer at a place (from the report)."""
        self.navigator.find((task, where), rater)
        if self.desk.items:
            self.stack.setCurrentWidget(self.split)
            self.compare.grid.setFocus()

    # -- the interface of a screen

    @property
    def mode(self) -> str:
        return RATE if self._form is not None else REVIEW

    @property
    def title(self) -> str:
        audit = self.desk.audit
        return self.tr("{bundle}: review").format(bundle=audit.title) if audit is not None else self.tr("Review")

    @property
    def status_text(self) -> str:
        audit = self.desk.audit
        if audit is None:
            return ""
        raters = len(audit.raters)
        many = self.tr("1 rater") if raters == 1 else self.tr("{n} raters").format(n=formatting.number(raters))
        if self._counted is not self.desk.items:
            self._counted = self.desk.items
            self._count_text = place_count_text([item.where for item in self._counted if item.sampled])
        places = self._count_text
        text = places if self.navigator.blind else f"{many}, {places}"
        sample = self.desk.reviews.sample if self.desk.reviews is not None else None
        if sample is not None and self.desk.share is not None:
            template = self.tr("{words} in the sample, seed {seed}")
            text = template.format(words=text, seed=sample.seed)
        labels = self.desk.reviews.labels if self.desk.reviews is not None else LabelChoice()
        if labels != LabelChoice(lead=labels.lead, changed=labels.changed):
            text += f", {method_text(labels.by, labels.threshold)}"
        text = self.tr("{words}, blind").format(words=text) if self.navigator.blind else text
        raters_out = self.desk.returns_under_way
        outgoing = result_texts.outgoing_summary(
            sum(out.unsent for out in raters_out), sum(len(out.out) for out in raters_out)
        )
        return " · ".join(filter(None, (text, outgoing)))

    def actions(self) -> Mapping[str, Callable[[], object]]:
        own = self._form
        if own is not None:
            return own.form_actions()
        if self._is_at_results:
            onward = dict.fromkeys(("leave", "review_accept", "review_results"), self.show_review)
            commands = {
                **self.return_command.actions(),
                **self.final_labels.actions(),
                **self.assignment.actions(),
            }
            return {**onward, **self.results.received.decisions(), **commands}
        return {
            "review_results": self.show_results,
            "undo": self.recorder.undo,
            "redo": self.recorder.redo,
            "leave": self.leave_part,
            "toggle_tasks": self.split.toggle,
            "filter": self.list_pane.focus_filter,
            "review_filters": self._offer_filters,
            "review_filter_drop": self.list_pane.filters.drop_last,
            **self.navigator.actions(),
            **self.verdicts.actions(),
            **self.return_command.actions(),
            **self.final_labels.actions(),
            **self.assignment.actions(),
        }

    def take_key(self, key: str) -> bool:
        own = self._form
        if own is not None:
            return own.take_key(key)
        if self._is_at_results:
            return False
        return self.verdicts.take_key(key)

    def enter(self) -> None:
        self._context.audited.start()

    def leave(self) -> None:
        """Store text being typed; all else is stored already."""
        own = self.own_rating.open
        if own is not None:
            own.session.pause_typing()

    def panes(self) -> tuple[QWidget, ...]:
        own = self._form
        if own is not None:
            return own.panes()
        if self._is_at_results:
            return self.results.panes()
        return (self.list_pane.list, *self.navigator.panes()) if self.desk.items else (self.widget,)

    def leave_part(self) -> None:
        """Leave the field, then close what else is open (Esc)."""
        focus = QApplication.focusWidget()
        if is_typing(focus) and focus is not None:
            self.navigator.take_focus(focus)
        elif not self.verdicts.leave() and not self.navigator.leave():
            self.banners.drop("refused")
