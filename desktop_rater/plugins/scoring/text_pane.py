"""The page for scoring justifications, with the pane for one text and its answer to the current point."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QTextEdit, QVBoxLayout, QWidget

from desktop_rater.plugins.scoring.justifications import ClusterBy
from desktop_rater.plugins.scoring.manual_scoring import GoldChoice
from desktop_rater.plugins.scoring.model_page import ModelPanel, ScoresPage
from desktop_rater.plugins.scoring.points_pane import ANSWER_SHAPES, PointsPane, ScoringSplit, answer_name
from desktop_rater.plugins.scoring.sheet import ScoringSheet
from desktop_rater.text.sentences import split_sentences
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.banners import Banners
from desktop_rater.ui.widgets.buttons import ChoiceButton, KeyButton, LinkButton
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, WrappedLabel, name_widget, select_range
from desktop_rater.ui.widgets.layouts import FlowLayout, NamedGroup, fill, horizontal_line, tight_column
from desktop_rater.ui.widgets.menu_chooser import MenuChooser
from desktop_rater.ui.widgets.text_view import FittedTextView, TextView
from desktop_rater.ui.widgets.theme_tokens import CONTROL
from desktop_rater.ui.window.keys import cap_text
from desktop_rater.ui.window.window_place import PaneSizes

MAX_CONTEXT_LENGTH, MAX_POINT_LINES = 300, 4
LOW_HEIGHT = 440  # height below which context and prompt are hidden in favour of the text
MAX_TEXT_WIDTH = 660


class ScoredTextPane(NamedGroup):
    """The pane of one text. A sentence of a gold text is marked, to become a point."""

    answer_chosen = Signal(str)  # "agree", "disagree" or "silent"
    stepped = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name_widget(self, "scoring_text_pane", self.tr("Text"))
        theme.set_ground(self, "surface")
        self._shown: tuple[str, bool] | None = None
        self._spans: list[tuple[int, int]] = []
        self._sentence_index = 0
        self._language = "en"
        column = tight_column(self, self._make_head(), horizontal_line(), spacing=0)
        self._context = WrappedLabel(name="scoring_context", size="small", ink="text2")
        column.addWidget(self._context)
        self.text = TextView("scoring_text")
        self.text.setAccessibleName(self.tr("Text"))
        self.text.installEventFilter(self)
        middle = fill(QHBoxLayout(), self.text)
        fill(column, (middle, 1), horizontal_line(), self._make_bar())

        def measure() -> None:
            side = theme.px(16)
            self._context.setContentsMargins(side, theme.px(10), side, theme.px(2))
            middle.setContentsMargins(side, theme.px(4), theme.px(4), theme.px(8))
            self.text.setMaximumWidth(theme.px(MAX_TEXT_WIDTH + 24))
            self._mark_sentence()

        middle.setAlignment(Qt.AlignmentFlag.AlignLeft)
        theme.follow(self, measure)

    def _make_head(self) -> QWidget:
        box = QWidget()
        row = QHBoxLayout(box)
        self._title = PlainLabel(name="scoring_text_title", size="interface", bold=True)
        row.addWidget(self._title)
        self._kind = ElidedLabel(name="scoring_text_kind", ink="text2")
        row.addWidget(self._kind, 1)
        self.take_link = LinkButton(self.tr("Use sentence"), "T", name="scoring_take")
        row.addWidget(self.take_link)
        for label, key, by in ((self.tr("Previous"), "K", -1), (self.tr("Next"), "J", 1)):
            link = LinkButton(
                label, key, name=f"scoring_to_{key}", clicked=lambda _on=False, by=by: self.stepped.emit(by)
            )
            row.addWidget(link)
        theme.pad(row, 16, 0, 12, 0)
        theme.follow(box, lambda: box.setFixedHeight(theme.px(44)))
        return box

    def _make_bar(self) -> QWidget:
        self._bar = QWidget()
        theme.set_ground(self._bar, "panel")
        column = QVBoxLayout(self._bar)
        self._prompt = PlainLabel(self.tr("What does the text say about this point?"), size="small", ink="text2")
        self.point = FittedTextView("scoring_point", MAX_POINT_LINES)
        self.point.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.point.viewport().setAutoFillBackground(False)
        theme.set_paper(self.point, "panel")
        fill(column, self._prompt, self.point)
        choices = QWidget()
        flow = FlowLayout(choices, spacing=6, alike=False)
        labels = {"agree": self.tr("Agrees"), "disagree": self.tr("Disagrees"), "silent": self.tr("Silent")}
        self.choices: dict[str, ChoiceButton] = {}
        for number, (name, label) in enumerate(labels.items(), 1):
            button = ChoiceButton(label, {"agree": "A", "disagree": "D", "silent": "S"}[name], name=f"scoring_{name}")
            button.set_look("", ANSWER_SHAPES[name])
            button.set_place(number, len(labels))
            button.clicked.connect(lambda _on=False, name=name: self.answer_chosen.emit(name))
            flow.addWidget(button)
            self.choices[name] = button
        column.addWidget(choices)
        theme.pad(column, 16, 10, 16, 12)
        theme.follow(self._bar, lambda: column.setSpacing(theme.px(6)))
        return self._bar

    # -- content

    def show_sheet(self, sheet: ScoringSheet) -> None:
        text, count = sheet.text, len(sheet.texts)
        self._language = sheet.desk.language
        template = self.tr("Text {n} of {total}")
        self._title.setText(template.format(n=formatting.number(sheet.text_at + 1), total=formatting.number(count)))
        gold = self.tr("gold") if text.gold else ""
        self._kind.setText(gold)
        self.take_link.setVisible(text.gold)
        if self._shown != (text.text, text.gold):
            self._shown = text.text, text.gold
            self.text.show_text(text.text)
            self._spans = split_sentences(text.text, self._language) if text.gold else []
            self._sentence_index = 0
        if not self.text.extraSelections():  # laid out anew: another text, or another look
            self._mark_sentence()
        point = sheet.point
        self._bar.setVisible(point is not None)
        if point is not None:
            self.point.show_text(point.text)
            says = answer_name(sheet.current_answers[point.text]) if point.text in sheet.current_answers else ""
            for name, button in self.choices.items():
                button.setChecked(name == says)

    def show_context(self, quote: str, places: int) -> None:
        """Show the quote that the text is about, and the number of places with the same text."""
        flat = " ".join(quote[: 2 * MAX_CONTEXT_LENGTH].split())
        flat = flat if len(flat) <= MAX_CONTEXT_LENGTH else f"{flat[: MAX_CONTEXT_LENGTH - 1]}…"
        about = self.tr("About: {quote}").format(quote=formatting.quoted(flat)) if flat else ""
        more = self.tr("The same text occurs at {n} places.").format(n=formatting.number(places)) if places > 1 else ""
        self._context.setText("  ".join(part for part in (about, more) if part))
        self._update_height()

    # -- the sentence

    @property
    def sentence(self) -> str:
        if self._shown is None or not self._spans:
            return ""
        start, end = self._spans[self._sentence_index]
        return " ".join(self._shown[0][start:end].split())

    def step_sentence(self, by: int) -> bool:
        """Mark the next sentence or the previous one; return whether one is marked."""
        if not self._spans:
            return False
        self._sentence_index = min(max(self._sentence_index + by, 0), len(self._spans) - 1)
        self._mark_sentence()
        return True

    def _mark_sentence(self) -> None:
        marks: list[QTextEdit.ExtraSelection] = []
        if self._spans:
            shown_map = self.text.shown_map
            first, last = (shown_map.to_shown(offset) for offset in self._spans[self._sentence_index])
            cursor = select_range(QTextCursor(self.text.document()), first, last)
            mark = QTextEdit.ExtraSelection()
            mark.cursor = cursor
            mark.format.setBackground(theme.color(self.text, "cur"))
            marks.append(mark)
            caret = QTextCursor(cursor)
            caret.clearSelection()
            self.text.setTextCursor(caret)
            self.text.ensureCursorVisible()
        self.text.setExtraSelections(marks)

    def _update_height(self) -> None:
        low = self.height() < theme.px(LOW_HEIGHT)
        self._context.setVisible(not low and bool(self._context.text()))
        self._prompt.setVisible(not low)
        self.point.most_lines = 1 if low else MAX_POINT_LINES
        self.point.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_height()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.text and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
            return step is not None and plain and self.step_sentence(step)
        return False


class ScoringPage(QWidget):
    """The widgets of the page, without its commands."""

    question_wanted = Signal(str)
    gold_wanted = Signal(object)  # GoldChoice

    def __init__(self, sizes: PaneSizes, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("scoring_page")
        theme.set_ground(self, "win")
        self.has_model = False
        self.banners = Banners()
        self.banners.setObjectName("scoring_banners")
        self.points, self.text = PointsPane(), ScoredTextPane()
        self.split = ScoringSplit(self.points, self.text, sizes)
        self.scores, self.model = ScoresPage(), ModelPanel()
        self.waiting = PlainLabel(name="scoring_waiting")
        self.waiting.setContentsMargins(24, 24, 24, 24)
        self.stack = QStackedWidget()
        for widget in (self.waiting, self._make_no_gold(), self.split, self.scores, self.model):
            self.stack.addWidget(widget)
        column = tight_column(self, spacing=0)
        self._head = self._make_head()
        fill(column, self._head, horizontal_line(), self.banners, (self.stack, 1))
        self.stack.currentChanged.connect(lambda _at: self._update_toolbar())

    def _make_head(self) -> QWidget:
        box = QWidget()
        row = QHBoxLayout(box)
        choices = QWidget()
        flow = FlowLayout(choices, spacing=12, alike=False)
        self.title = PlainLabel(self.tr("Score justifications"), name="scoring_title", size="interface", bold=True)
        self.questions = MenuChooser("scoring_question")
        self.questions.chosen.connect(lambda now: self.question_wanted.emit(now[0]))
        self.trusted = MenuChooser("scoring_trusted", several=True)
        self.scope = MenuChooser("scoring_scope")
        for chooser in (self.trusted, self.scope):
            chooser.chosen.connect(lambda _chosen: self._choose_gold())
        self.progress_label = PlainLabel(name="scoring_far", ink="text2")
        self.grade_link = LinkButton(self.tr("Grade texts"), "E", name="scoring_to_grades")
        self.compare_link = LinkButton(self.tr("Compare"), "C", name="scoring_to_validation")
        self.model_link = LinkButton(self.tr("Language model…"), "L", name="scoring_to_model")
        self.scores_link = LinkButton(self.tr("Scores"), "V", name="scoring_to_scores")
        self.back = KeyButton(self.tr("Back to the report"), "Esc", name="scoring_back")
        for widget in (
            self.title,
            self.questions,
            self.scope,
            self.trusted,
            self.progress_label,
            self.model_link,
            self.scores_link,
            self.grade_link,
            self.compare_link,
        ):
            flow.addWidget(widget)
        row.addWidget(choices, 1)
        row.addWidget(self.back, 0, Qt.AlignmentFlag.AlignTop)
        theme.pad(row, 16, 6, 16, 6)

        def measure() -> None:
            for widget in (self.title, self.progress_label):
                widget.setFixedHeight(theme.px(CONTROL))

        theme.follow(box, measure)
        return box

    def _make_no_gold(self) -> QWidget:
        self.nothing = QWidget()
        self.nothing.setObjectName("scoring_nothing")
        theme.set_ground(self.nothing, "surface")
        column = QVBoxLayout(self.nothing)
        title = PlainLabel(self.tr("No gold texts yet"), size="title", bold=True)
        text = WrappedLabel(
            self.tr(
                "Raters’ texts are scored against gold texts, and there are none. Open your copy of the "
                "bundle with its gold answers ({key} in the report), or choose raters whose texts count "
                "as gold (G)."
            ).format(key=cap_text("Ctrl O")),
            size="prompt",
            ink="text2",
        )
        fill(column, 2, title, text, 3)
        theme.follow(self.nothing, lambda: text.setMaximumWidth(theme.px(560)))
        theme.pad(column, 48, 24, 48, 24)
        return self.nothing

    # -- content

    def _update_toolbar(self) -> None:
        """Hide the toolbar's choices on pages that have their own buttons, and all of it on those with a heading."""
        widget = self.stack.currentWidget()
        elsewhere = widget in {self.scores, self.model}
        self._head.setHidden(widget not in {self.waiting, self.nothing, self.split, self.scores, self.model})
        links = (self.scores_link, self.grade_link, self.compare_link, self.back)
        for choice in (self.questions, self.scope, self.trusted, self.progress_label, *links):
            choice.setVisible(not elsewhere)
        self.model_link.setVisible(self.has_model and not elsewhere)

    def offer_model(self, on: bool) -> None:
        self.has_model = on
        self._update_toolbar()

    def _choose_gold(self) -> None:
        by: ClusterBy = "place" if self.scope.current == ("place",) else "bundle"
        self.gold_wanted.emit(GoldChoice(self.trusted.current, by))

    def show_raters(self, raters: Sequence[str], trusted: Sequence[str], by: ClusterBy = "bundle") -> None:
        """Offer the raters whose texts can also count as gold, and the scopes of points."""
        scopes = [("bundle", self.tr("Points of the whole bundle")), ("place", self.tr("Points of each place"))]
        self.scope.offer(self.tr("Scope of the points"), scopes, (by,))
        gold_only = self.tr("Gold texts only")
        self.trusted.offer(
            self.tr("Texts that count as gold"), [(rater, rater) for rater in raters], trusted, all_text=gold_only
        )

    def show_sheet(self, sheet: ScoringSheet) -> None:
        questions = [
            (cluster.id, f"{cluster.place}: {cluster.ask}" if cluster.place else cluster.ask)
            for cluster in sheet.desk.clusters
        ]
        self.questions.offer(self.tr("Question"), questions, (sheet.cluster.id,))
        total = len(sheet.texts)
        template = self.tr("{done} of 1 text") if total == 1 else self.tr("{done} of {total} texts")
        self.progress_label.setText(template.format(done=formatting.number(sheet.done), total=formatting.number(total)))
        self.progress_label.updateGeometry()
        self.scores_link.setEnabled(sheet.is_enough)
        self.points.show_sheet(sheet)
        self.text.show_sheet(sheet)
