"""Text, page and form of the lead's own rating, side by side, or one at a time in a narrow window."""

from desktop_rater.ui.pages.preview_pane import PreviewPane
from desktop_rater.ui.rating.form_pane import FormPane
from desktop_rater.ui.rating.pair.arrangement import PairArrangement
from desktop_rater.ui.rating.text_pane import TaskTextPane
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.layouts import FocusSplitter

ONE_PANE, TWO_PANES, LOW, FLAT, PAIR_WIDE = 900, 1400, 800, 640, 1000
FORM, NARROW_FORM, PAGE_SHARE = 500, 420, 0.52
AT_TEXT, AT_PAGE, AT_FORM = range(3)


class OwnRatingPanes(FocusSplitter):
    """A page replaces the text where three panes do not fit. The form of a pair goes below the text."""

    def __init__(self, text: TaskTextPane, page: PreviewPane, form: FormPane, pair: PairArrangement) -> None:
        super().__init__("own_panes", (pair.heights, page, form), one_pane_width=ONE_PANE, visible=AT_FORM)
        self._texts, self._text, self._page, self._form, self._pair = pair.heights, text, page, form, pair
        self.splitter.setStretchFactor(AT_TEXT, 1)
        page.opened.connect(lambda: self._show_pane(AT_PAGE))
        page.closed.connect(lambda: self._show_pane(AT_FORM))
        theme.follow(self, self.arrange)

    @property
    def _paired(self) -> bool:
        """Return whether the form of a pair is below the text."""
        return self._pair.is_wanted and self.width() >= theme.px(PAIR_WIDE) and not self._page.is_open

    def arrange(self) -> None:
        """Distribute the available width again."""
        if self.width() < 100:
            return
        paired, height = self._paired, self.window().height()
        self._put_form(beneath=paired)
        one_alone = self._pair.is_wanted and not paired
        low = height < theme.px(LOW)
        self._text.fold(low=low, strip=height >= theme.px(FLAT), one_alone=one_alone, paired=paired)
        self._pair.arrange(on=paired)
        self._form.fold(low=low)
        super().arrange()

    def _put_form(self, *, beneath: bool) -> None:
        if beneath is (self._form.parentWidget() is self._texts):
            return
        if beneath:
            self._texts.hold(self._form)
        else:
            self.splitter.addWidget(self._form)
        self._form.show()

    def _widths(self) -> list[int]:
        if self._paired:
            return [self.width(), 0]
        is_wide = self.width() >= theme.px(TWO_PANES)
        form = theme.px(FORM if is_wide else NARROW_FORM)
        rest = self.width() - form
        if is_wide:
            page = round(rest * PAGE_SHARE) if self._page.is_open else 0
        else:  # the page shares the place of the text
            page = rest if self._page.is_open and self._visible == AT_PAGE else 0
        return [rest - page, page, form]

    def switch_text_and_page(self) -> None:
        """Move the focus from the page to the text, or back."""
        if not self._page.is_open:
            return
        if self._page.has_focus:
            self._show_pane(AT_TEXT)
            next((pane.view for pane in self._text.panes), self._text).setFocus()
        else:
            self._show_pane(AT_PAGE)
            self._page.focus_page()

    def _pane_focused(self, index: int) -> None:
        shares_place = self.width() < theme.px(TWO_PANES) and self._page.is_open and index != AT_FORM
        if index != self._visible and (self.one_pane or shares_place):
            self._show_pane(index)
