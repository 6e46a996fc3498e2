"""Bar below a page that is a link of the task: whether the page shows what the text says."""

from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from desktop_rater.model.page import DEAD_STATES
from desktop_rater.model.rating import LinkVerdict
from desktop_rater.rubric.links import link_verdicts
from desktop_rater.ui.pages.browser import PageBrowser
from desktop_rater.ui.pages.choice_row import ChoiceRow
from desktop_rater.ui.pages.link_list import LinkList
from desktop_rater.ui.pages.stances import verdict_names
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.layouts import horizontal_line, tight_column


class LinkVerdictBar(QWidget):
    """Choices for the link that is open, else for the current row of the list of links.

    The digits 1 to 4 choose while the page or the list has the focus. A page that could not be read suggests a verdict.
    """

    def __init__(self, session: Session, browsing: PageBrowser, links: LinkList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("link_verdicts")
        self._session = session
        self._browsing = browsing
        self._links = links
        self.page: str | None = None  # the link that the bar is about
        theme.set_ground(self, "panel")
        column = tight_column(self, spacing=0)
        column.addWidget(horizontal_line())
        self.row = ChoiceRow("link_verdict", self.tr("This link"), verdict_names())
        for verdict, button in self.row.buttons.items():
            button.set_look("", verdict)
        self.row.chosen.connect(self._judge)
        body = QWidget()
        inner = tight_column(body)
        theme.pad(inner, 16, 4, 16, 4)
        inner.addWidget(self.row)
        column.addWidget(body)
        for signal in (browsing.page_shown, browsing.failed, browsing.closed, session.opened, session.rating_changed):
            signal.connect(lambda *_values: self.refresh())
        links.list.selectionModel().currentChanged.connect(lambda *_indexes: self.refresh())
        QApplication.instance().focusChanged.connect(self._focus_changed)  # ty: ignore[missing-attribute]
        self.refresh()

    def refresh(self) -> None:
        page = self._browsing.page
        chosen = self._links.chosen_url if self._links.list.hasFocus() else None
        urls = [url for url in (chosen or "", page.url if page else "", page.final_url if page else "") if url]
        self.page = self._links.link_of(*urls) if self._session.task is not None else None
        self.setVisible(self.page is not None)
        if self.page is None:
            return
        verdict = link_verdicts(self._session.rating).get(self.page)
        suggested = None
        if page is not None and chosen is None:
            suggested = "sign_in" if page.state == "login" else "dead" if page.state in DEAD_STATES else None
        self.row.show_choice(verdict, suggested)
        self.row.setEnabled(not self._session.read_only)
        focus, preview = QApplication.focusWidget(), self.parentWidget()
        self.row.show_keys(shown=focus is not None and preview is not None and preview.isAncestorOf(focus))

    def take_key(self, key: str) -> bool:
        """Choose by a digit; return False if no link is open, or for another key."""
        return self.page is not None and self.row.take_key(key)

    def _focus_changed(self, _old: QWidget | None, _new: QWidget | None) -> None:
        if isValid(self._links.list):  # not while the window is being destroyed
            self.refresh()

    def _judge(self, verdict: LinkVerdict) -> None:
        if self.page is not None:
            self._session.judge_link(self.page, verdict)
        self.refresh()
