"""The start page: sections in two columns, or in one where there is little room."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QBoxLayout,
    QHBoxLayout,
    QWidget,
)

from desktop_rater.ui.start.bundle_list import BundleList
from desktop_rater.ui.start.left_off import LeftOffCard
from desktop_rater.ui.start.sections import Rows, Section, WeekCard, framed
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.bars import OverlayScrollBar
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel
from desktop_rater.ui.widgets.layouts import ScrollColumn, tight_column, tight_row

PAGE_WIDTH, TWO_COLUMNS, GAP = 1184, 960, 32
MAX_FILES, MAX_RETURNED = 6, 6
REVEALED = 48  # around the middle of what has the focus


class StartPage(ScrollColumn):
    """The widgets of the page. The screen fills them and connects their buttons."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("start_page", parent, focus=Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(self.tr("Start page"))
        theme.set_ground(self, "surface")
        self._make_left()
        self._make_right()
        page = QWidget()
        theme.set_ground(page, "surface")
        outer = QHBoxLayout(page)
        outer.setContentsMargins(24, 24, 24, 24)
        self.body = QWidget()
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight, self.body)
        self._columns.setContentsMargins(0, 0, 0, 0)
        for stretch, sections in (
            (2, (self.left_off, self.guide_offer, self.bundles_section, self.came_back_section)),
            (1, (self.week_section, self.files_section, self.hub_section)),
        ):
            column = tight_column(spacing=24)
            for section in sections:
                column.addWidget(section)
            column.addStretch(1)
            self._columns.addLayout(column, stretch)
        outer.addStretch(1)
        outer.addWidget(self.body, 100)
        outer.addStretch(1)
        self.setWidget(page)
        OverlayScrollBar(self)
        theme.follow(self, self._measure)
        self._reveal_later = DelayedCall(self, 0, self._reveal)  # once the page is laid out
        QApplication.instance().focusChanged.connect(self._focus_moved)  # ty: ignore[missing-attribute]
        self.bundles.chosen.connect(lambda _bundle: self._reveal_later.start())

    def _focus_moved(self, _old: QWidget | None, _new: QWidget | None) -> None:
        self._reveal_later.start()

    def _reveal(self) -> None:
        """Scroll to the widget that has the focus; of a list, to its current row."""
        new = QApplication.focusWidget()
        if new is None or not self.isVisible() or not self.isAncestorOf(new) or not self.body.updatesEnabled():
            return
        area = new.rect()
        if isinstance(new, QAbstractItemView) and new.currentIndex().isValid():
            area = new.visualRect(new.currentIndex())
        page = self.widget()
        assert page is not None, "the page is set when it is made"
        middle = new.mapTo(page, area.center())
        self.ensureVisible(middle.x(), middle.y(), 0, theme.px(REVEALED))

    def _make_left(self) -> None:
        self.card = LeftOffCard()
        self.left_off = Section("start_left_off", self.tr("Where you left off"), self.card)
        self.guide_offer = QWidget()
        offer = tight_row(self.guide_offer, spacing=8)
        offer.addWidget(
            PlainLabel(self.tr("New here? Five steps on the sample show how a task is rated."), ink="text2")
        )
        self.guide = LinkButton(self.tr("Guided first task"), "G", name="start_guide")
        offer.addWidget(self.guide)
        offer.addStretch(1)
        self.bundles = BundleList()
        self.none = WrappedLabel(self.tr("No bundle is in the list."), name="start_no_bundles", ink="text2")
        self.none.setContentsMargins(16, 12, 16, 12)
        self._hidden_row = QWidget()
        row = tight_row(self._hidden_row, spacing=8)
        row.setContentsMargins(12, 4, 8, 4)
        self.hidden = PlainLabel(name="start_hidden", size="small", ink="text2")
        self.show_hidden = LinkButton(self.tr("Show"), name="start_show_hidden", underlined=True)
        row.addWidget(self.hidden, 1)
        row.addWidget(self.show_hidden)
        self.sort = LinkButton(self.tr("Sort by …"), "S", name="start_sort")
        self.open_file = LinkButton(self.tr("Open a file …"), "Ctrl O", name="start_open_file")
        body = framed(self.bundles, self.none, self._hidden_row)
        self.bundles_section = Section("start_bundles_section", self.tr("Bundles"), body, (self.sort, self.open_file))
        self.came_back = Rows("start_came_back", self.tr("Came back from the lead"), most=MAX_RETURNED)
        self.open_returned = LinkButton(self.tr("Open the first"), "B", name="start_open_returned")
        self.came_back_section = Section(
            "start_came_back_section",
            self.tr("Came back from the lead"),
            framed(self.came_back),
            (self.open_returned,),
        )

    def _make_right(self) -> None:
        self.week = WeekCard()
        self.week_section = Section("start_week_section", self.tr("Today and this week"), self.week)
        self.files = Rows("start_files", self.tr("Recent files"), most=MAX_FILES, two_lines=False)
        self.export = LinkButton(self.tr("Export …"), "Ctrl Shift E", name="start_export")
        self.files_section = Section("start_files_section", self.tr("Recent files"), framed(self.files), (self.export,))
        self.news = Rows("start_news", self.tr("New on the hub"), most=MAX_FILES)
        self.get = LinkButton(self.tr("Get"), "N", name="start_get")
        self.read = LinkButton(self.tr("Read changes"), "V", name="start_read")
        self.sync = LinkButton(self.tr("Sync now"), "F5", name="start_sync")
        self.no_news = WrappedLabel(name="start_no_news", size="small", ink="text2")
        self.no_news.setContentsMargins(16, 10, 16, 10)
        body = QWidget()
        column = tight_column(body, spacing=8)
        column.addWidget(framed(self.news, self.no_news))
        buttons = tight_row(spacing=8)
        buttons.addStretch(1)
        buttons.addWidget(self.get)
        buttons.addWidget(self.read)
        column.addLayout(buttons)
        self.hub_section = Section("start_hub_section", self.tr("New on the hub"), body, (self.sync,))

    def show_hidden_count(self, text: str, label: str) -> None:
        """Show how many bundles are hidden, with the button that shows or hides them; nothing with an empty text."""
        self.hidden.setText(text)
        self.show_hidden.set_label(label)
        self._hidden_row.setVisible(bool(text))

    def _measure(self) -> None:
        self.body.setMaximumWidth(theme.px(PAGE_WIDTH))
        self._columns.setSpacing(theme.px(GAP))
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        wide = self.viewport().width() >= theme.px(TWO_COLUMNS)
        direction = QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        if self._columns.direction() != direction:
            self._columns.setDirection(direction)
