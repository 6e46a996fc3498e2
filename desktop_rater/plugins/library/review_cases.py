"""Decided cases in the review: beside the votes of a place, as a filter of the list, and before a decision."""

from collections.abc import Callable, Sequence
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_rater.audit.items import ReviewItem, depth_of
from desktop_rater.audit.questions import Value, plain_value
from desktop_rater.format.change import Progress
from desktop_rater.plugins.library.catalogue import FOLDER, precedent_libraries
from desktop_rater.plugins.library.precedents import CaseSummary, SimilarCase, summarize_cases
from desktop_rater.plugins.library.search import find_cases
from desktop_rater.ui.review.desk import NO_ITEM
from desktop_rater.ui.review.items import ItemKey
from desktop_rater.ui.review.screen import ReviewScreen
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.labels import ElidedLabel, WrappedLabel, isolated, set_optional_text
from desktop_rater.ui.widgets.layouts import NamedGroup, fill, horizontal_line, tight_column
from desktop_rater.ui.widgets.theme_tokens import PANE

MOST_SHOWN, LONGEST = 3, 300  # cases, and characters of a text
BANNER = "cases"
PlaceCases = tuple[CaseSummary, tuple[str, ...]]  # the labels of cases, and the nearest ones as lines


class CasePanel(NamedGroup):
    """The labels of decided cases like a claim, and the nearest of them."""

    def __init__(self) -> None:
        super().__init__(name="review_cases")
        self.setAccessibleName(self.tr("Decided cases"))
        theme.set_ground(self, "surface")
        body = QWidget()
        self.summary = WrappedLabel(name="cases_summary", size="small", bold=True)
        self.lines = [ElidedLabel(name=f"case_{number}", size="small") for number in range(1, MOST_SHOWN + 1)]
        theme.pad(fill(QVBoxLayout(body), self.summary, *self.lines, 1), PANE, 6, PANE, 6, spacing=3)
        tight_column(self, (body, 1), horizontal_line(), spacing=0)
        self.hide()

    def show_cases(self, cases: PlaceCases | None) -> None:
        """Show the cases like a claim; hide without any."""
        summary, texts = cases or (None, ())
        self.summary.setText(self.labels_text(summary) if summary is not None else "")
        for line, text in zip(self.lines, (*texts, *[""] * MOST_SHOWN), strict=False):
            set_optional_text(line, text)
        self.setVisible(bool(texts))

    def labels_text(self, summary: CaseSummary) -> str:
        """Return the labels of cases with their numbers, and the headings of guidelines that they name."""
        labels = ", ".join(f"{formatting.number(count)} {isolated(label)}" for label, count in summary.counts)
        sections = "".join(f"; §\u00a0{isolated(section)}" for section in summary.sections)
        return self.tr("Decided before: {labels}").format(labels=labels + sections)

    def case_text(self, case: SimilarCase, claim: str) -> str:
        """Return a case as a line: label and place, the values of the other claim that it lacks, reason, and claim."""
        decided, values = case.claim, ", ".join(isolated(claim[value.start : value.end]) for value in case.values)
        names = {"label": decided.label, "task": decided.task, "bundle": decided.bundle}
        parts = (
            self.tr("{label} ({task} of {bundle})").format(**{name: isolated(text) for name, text in names.items()}),
            values and self.tr("without {values}").format(values=values),
            isolated(decided.reason[:LONGEST]),
            formatting.quoted(decided.text[:LONGEST]),
        )
        return " · ".join(filter(None, parts))


class ReviewCases(QObject):
    """Finds decided cases in the background: of the current place, or of all for the filter; kept for the session."""

    def __init__(self, screen: ReviewScreen) -> None:
        super().__init__(screen)
        self._screen, self._desk, self._perform = screen, screen.desk, screen.context.perform
        self._filters, self._mark = screen.list_pane.filters, self.tr("decided differently before")
        self._running: Progress | None = None  # the comparison of all places
        self.panel = CasePanel()
        screen.compare.add_beside_votes(self.panel)
        screen.verdicts.before_decision = self.check_decision
        screen.navigator.moved.connect(self._follow)
        screen.desk.bundle_changed.connect(self._start_over)
        self._filters.changed.connect(self._compare_all)
        self._start_over()

    def _start_over(self) -> None:
        """Forget the cases of another bundle."""
        self._stop()
        self._known, self._wanted = dict[ItemKey, PlaceCases](), NO_ITEM

    def _find(
        self,
        items: Sequence[ReviewItem],
        then: Callable[[], object],
        progressed: Callable[[int, int], None] | None = None,
    ) -> Progress:
        """Find the cases like some places in the background, then run `then`; a failure removes the filter."""
        by_place, audit, folder = self._known, self._desk.audit, self._perform.folder
        assert audit is not None, "there are places"

        def work(progress: Progress) -> bool:
            libraries = precedent_libraries(folder)
            for number, item in enumerate(items if libraries else ()):
                step, own = partial(progress, number, len(items)), (audit.bundle, item.task, item.where)
                claim = item.quote if depth_of(item.where) == "target" else ""
                cases = find_cases(folder, claim, libraries, audit.rubric.ref, step, [own])
                by_place[item.task, item.where] = (
                    summarize_cases(cases),
                    tuple(self.panel.case_text(case, claim) for case in cases[:MOST_SHOWN]),
                )
                step()
            return bool(libraries)

        def ended(result: bool | Exception) -> None:
            if isinstance(result, Exception):
                self._screen.compare.banners.show_banner(BANNER, "warn", str(result))
                self._remove_filter()
            self._filters.marks |= {self._mark: self._differs} if result else {}
            if by_place is self._known:
                then()

        return self._perform.fetch(work, done=ended, failed=ended, progressed=progressed)

    # -- one place

    def _follow(self) -> None:
        """Show the cases of the current place, once they are found; not before the lead's own answer."""
        item, name = self._screen.navigator.item, self._desk.name
        is_shown = item is not None and not self._screen.navigator.is_hidden
        self.panel.show_cases(self._known.get(name) if is_shown else None)
        self._screen.compare.share_height()
        if item is not None and is_shown and not self._is_known(item) and name != self._wanted:
            self._wanted = name  # not again, if there are no libraries of cases
            self._find([item], self._follow)

    def check_decision(self, item: ReviewItem, question: str, value: Value | None, then: Callable[[str], None]) -> None:
        """Ask for the reason of a decision against most of the cases like it."""

        def check() -> None:
            against = self._summary_against(item, question, value)
            then(
                self.tr("{cases}. Write why this place is decided differently.").format(
                    cases=self.panel.labels_text(against)
                )
                if against is not None
                else ""
            )

        if self._is_known(item):
            check()
        else:
            self._find([item], check)

    def _is_known(self, item: ReviewItem) -> bool:
        """Return whether the cases of a place were found; without libraries there are none."""
        return (item.task, item.where) in self._known or not (self._perform.folder / FOLDER).is_dir()

    def _summary_against(self, item: ReviewItem, question: str, value: Value | None) -> CaseSummary | None:
        """Return the labels of the cases like a place if most of them have another value."""
        summary, _ = self._known.get((item.task, item.where), (None, ()))
        common = plain_value(summary.value) if summary is not None and summary.question == question else None
        return summary if value is not None and common not in {None, value} else None

    # -- all places

    def _differs(self, item: ReviewItem) -> bool:
        return item.final is not None and bool(self._summary_against(item, item.final.question, item.final.value))

    def _compare_all(self) -> None:
        """Find the cases of all places when the filter is chosen; stop when it is removed, or all are compared."""
        items = [item for item in self._desk.items if (item.task, item.where) not in self._known]
        if self._filters.filter.mark != self._mark or not items:
            self._stop()
        elif self._running is None:
            self._running = self._find(items, self._filters.changed.emit, self._show_progress)

    def _show_progress(self, done: int, total: int) -> None:
        text = self.tr("Comparing with decided cases: {done} of {total} places").format(
            done=formatting.number(done), total=formatting.number(total)
        )
        banners, cancel = self._screen.banners, (self.tr("Cancel"), self._remove_filter)
        if self._running is not None:  # else it was stopped since
            banner = banners.banner(BANNER) or banners.show_banner(BANNER, "info", text, [cancel])
            banner.label.setText(text)

    def _remove_filter(self) -> None:
        self._filters.set_filter(replace(self._filters.filter, mark=""))

    def _stop(self) -> None:
        if self._running is not None:
            self._perform.cancel(self._running)
        self._running = None
        self._screen.banners.drop(BANNER)
