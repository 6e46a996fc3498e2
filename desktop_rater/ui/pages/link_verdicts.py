"""Bar below a page that is a link of the task: whether the page shows what the text says."""

from collections.abc import Callable

from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from desktop_rater.model.rating import LinkVerdict
from desktop_rater.rubric.links import link_verdicts
from desktop_rater.ui.pages.choice_row import ChoiceRow
from desktop_rater.ui.pages.link_list import LinkList
from desktop_rater.ui.pages.page_views import PageInView
from desktop_rater.ui.pages.stances import verdict_names
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.layouts import horizontal_line, tight_column

VERDICT_KEYS = ("Shift M", "Shift V", "Shift X", "Shift G")  # of the actions, in the order of the verdicts


class LinkVerdictBar(QWidget):
    """Choices for the link that is open, else for the current row of the list of links.

    A page that could not be read suggests a verdict.
    """

    def __init__(self, session: Session, in_view: PageInView, links: LinkList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("link_verdicts")
        self._session = session
        self._in_view = in_view
        self._links = links
        self.page: str | None = None  # the link that the bar is about
        theme.set_ground(self, "panel")
        column = tight_column(self, spacing=0)
        column.addWidget(horizontal_line())
        self.row = ChoiceRow("link_verdict", self.tr("This link"), verdict_names(), keys=VERDICT_KEYS)
        self.row.chosen.connect(self.judge)
        body = QWidget()
        inner = tight_column(body)
        theme.pad(inner, 16, 4, 8, 4)  # words and keys without shapes: one line in the page of a notebook
        inner.addWidget(self.row)
        column.addWidget(body)
        for signal in (in_view.changed, session.opened, session.rating_changed):
            signal.connect(lambda *_values: self.refresh())
        links.list.selectionModel().currentChanged.connect(lambda *_indexes: self.refresh())
        QApplication.instance().focusChanged.connect(self._focus_changed)  # ty: ignore[missing-attribute]
        self.refresh()

    def refresh(self) -> None:
        """Show the link that the keys judge; while another page is loading, they judge none."""
        shown, in_list = self._in_view.now, self._links.list.hasFocus()
        if shown is None and self._in_view.is_loading and not in_list:
            self.row.setEnabled(False)
            return
        chosen = self._links.chosen_url if in_list else None
        urls = [url for url in (chosen, *((shown.url, shown.final_url) if shown is not None else ())) if url]
        self.page = self._links.link_of(*urls) if self._session.task is not None else None
        self.setVisible(self.page is not None)
        if self.page is None:
            return
        outcome = shown.outcome if shown is not None and chosen is None else None
        suggested = outcome if outcome in {"dead", "sign_in"} else None
        self.row.show_choice(link_verdicts(self._session.rating).get(self.page), suggested)
        self.row.setEnabled(not self._session.read_only)

    def commands(self) -> dict[str, Callable[[], object]]:
        return {
            "link_matches": lambda: self.judge("matches"),
            "link_differs": lambda: self.judge("differs"),
            "link_dead": lambda: self.judge("dead"),
            "link_sign_in": lambda: self.judge("sign_in"),
        }

    def judge(self, verdict: LinkVerdict) -> None:
        """Judge the link; the same verdict again takes it back."""
        if self.isVisible() and self.row.isEnabled() and self.page is not None:
            self._session.judge_link(self.page, verdict)
            self.refresh()
        else:
            loading = self.tr("The page is still loading. Judge the link once it is shown.")
            none = self.tr("No link of the task is shown.")
            self._session.hinted.emit(loading if self._in_view.is_loading else none)

    def _focus_changed(self, _old: QWidget | None, _new: QWidget | None) -> None:
        if isValid(self._links.list):  # not while the window is being destroyed
            self.refresh()
