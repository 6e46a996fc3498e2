"""The pages on which a lead grades texts, and compares text scores with the grades."""

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from desktop_rater.audit.charts.svg import Key
from desktop_rater.audit.report_format import Wording
from desktop_rater.operations.audit.review import Lead
from desktop_rater.plugins.scoring.actions import PART
from desktop_rater.plugins.scoring.justifications import DEFAULT_RULE
from desktop_rater.plugins.scoring.manual_scoring import (
    GradeKey,
    TextToGrade,
    gather_trusted,
    load_grades,
    save_grades,
    texts_to_grade,
    window_options,
)
from desktop_rater.plugins.scoring.validation import IntervalUnit, ScoreValidation, load_validation
from desktop_rater.plugins.scoring.validation_report import (
    rests_on_texts,
    save_validation_page,
    save_validation_tables,
    source_name,
    source_names,
    validation_panels,
)
from desktop_rater.stats.scores import ScoringRule
from desktop_rater.store.store import Store
from desktop_rater.ui.report.card import ChartCard, PlacesCard, ReportCard
from desktop_rater.ui.report.chart import ChartView
from desktop_rater.ui.report.figure_screen import FigureCalculator
from desktop_rater.ui.report.heading import PartSwitch
from desktop_rater.ui.report.texts_and_colors import save_report, translated_wording
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import ChoiceButton, KeyButton, LinkButton
from desktop_rater.ui.widgets.callbacks import LatestRequest
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel, name_widget, set_optional_text
from desktop_rater.ui.widgets.layouts import FlowLayout, NamedGroup, fill, horizontal_line, tight_column
from desktop_rater.ui.widgets.menu_chooser import MenuChooser
from desktop_rater.ui.widgets.text_view import TextView
from desktop_rater.ui.widgets.theme_tokens import CONTROL
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.screen_context import ScreenContext

GRADES = range(1, 11)
KEYS = {str(grade % 10): grade for grade in GRADES}  # 0 stands for 10
MAX_TEXT_WIDTH, MAX_GOLD = 660, 600
Grades = dict[GradeKey, float | None]


class GradingPage(NamedGroup):
    """A text with its question and gold text, and the grades. A grade is stored at once, and the next text follows."""

    left = Signal()
    compare_wanted = Signal()
    changed = Signal()

    def __init__(self, perform: WorkRunner, lead: Callable[[], Lead], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name_widget(self, "grading_page", self.tr("Grade texts"))
        theme.set_ground(self, "surface")
        self._perform = perform
        self._lead = lead
        self._latest = LatestRequest()
        self._bundle = ""
        self._texts: tuple[TextToGrade, ...] = ()
        self._grades: Grades = {}
        self._at = 0
        column = tight_column(self, self._make_head(), horizontal_line(), spacing=0)
        self.ask = WrappedLabel(name="grading_ask", bold=True)
        self.gold = WrappedLabel(name="grading_gold", ink="text2")
        self.text = TextView("grading_text")
        self.text.setAccessibleName(self.tr("Text"))
        middle = QVBoxLayout()
        for widget in (self.ask, self.gold, self.text):
            middle.addWidget(widget)
        fill(column, (middle, 1), horizontal_line(), self._make_grades())
        theme.pad(middle, 16, 10, 16, 8)

        def measure() -> None:
            middle.setSpacing(theme.px(8))
            for widget in (self.ask, self.gold, self.text):
                widget.setMaximumWidth(theme.px(MAX_TEXT_WIDTH))

        theme.follow(self, measure)

    def _make_head(self) -> QWidget:
        box = QWidget()
        row = QHBoxLayout(box)
        self.title = PlainLabel(name="grading_title", size="interface", bold=True)
        self.progress = PlainLabel(name="grading_progress", ink="text2")
        fill(row, self.title, self.progress, 1)
        for label, key, by in ((self.tr("Previous"), "K", -1), (self.tr("Next"), "J", 1)):
            link = LinkButton(label, key, name=f"grading_to_{key}", clicked=lambda _on=False, by=by: self.move_by(by))
            row.addWidget(link)
        fill(
            row,
            LinkButton(self.tr("Compare with the scores"), "C", name="grading_compare", clicked=self.compare_wanted),
            KeyButton(self.tr("Back to the texts"), "Esc", name="grading_back", clicked=self.left),
        )
        theme.pad(row, 16, 6, 16, 6)
        return box

    def _make_grades(self) -> QWidget:
        box = QWidget()
        theme.set_ground(box, "panel")
        column = QVBoxLayout(box)
        prompt = self.tr("How well does the text say what the gold text says? 1: not at all, 10: all of it")
        column.addWidget(PlainLabel(prompt, size="small", ink="text2"))
        choices = QWidget()
        flow = FlowLayout(choices, spacing=6, alike=False)
        self.choices: dict[int, ChoiceButton] = {}
        for key, grade in KEYS.items():
            button = ChoiceButton(str(grade), key, name=f"grading_{grade}")
            button.set_place(grade, len(GRADES))
            button.clicked.connect(lambda _on=False, grade=grade: self.grade(grade))
            flow.addWidget(button)
            self.choices[grade] = button
        column.addWidget(choices)
        theme.pad(column, 16, 10, 16, 12)
        return box

    # -- content

    def open(self, bundle: str) -> None:
        """Load the texts and their grades, and go to the first one without a grade."""
        self._bundle = bundle
        self._latest.replace()
        self._perform.ask(_load, bundle, done=self._latest.only(self._loaded))

    def _loaded(self, texts: tuple[TextToGrade, ...]) -> None:
        self._texts, self._grades = texts, {text.key: text.grade for text in texts}
        self._at = 0
        if texts and self._grades[texts[0].key] is not None:
            self._to_open()
        self._show()
        if self.isVisible():
            self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def total(self) -> int:
        return len(self._texts)

    @property
    def graded(self) -> int:
        return sum(grade is not None for grade in self._grades.values())

    @property
    def status_text(self) -> str:
        template = self.tr("{n} of {total} texts graded; grades are saved automatically")
        return template.format(n=formatting.number(self.graded), total=formatting.number(self.total))

    def _show(self) -> None:
        if not self._texts:
            return
        text = self._texts[self._at]
        title = self.tr("Text {n} of {total}")
        self.title.setText(title.format(n=formatting.number(self._at + 1), total=formatting.number(self.total)))
        self.progress.setText(self.tr("{n} graded").format(n=formatting.number(self.graded)))
        self.ask.setText(text.ask)
        gold = " / ".join(" ".join(gold.split()) for gold in text.gold)
        gold = gold if len(gold) <= MAX_GOLD else f"{gold[: MAX_GOLD - 1]}…"
        self.gold.setText(self.tr("Gold: {text}").format(text=gold))
        self.text.show_text(text.text)
        grade = self._grades[text.key]
        for number, button in self.choices.items():
            button.setChecked(grade == number)
        self.changed.emit()

    # -- commands

    def grade(self, grade: int | None) -> None:
        """Store a grade, or withdraw it, and go on to the next text without one."""
        if not self._texts:
            return
        key, lead = self._texts[self._at].key, self._lead()
        self._grades[key] = grade
        self._perform.perform(partial(save_grades, now=lead.now()), self._bundle, {key: grade}, lead.name)
        if grade is not None:
            self._to_open()
        self._show()

    def move_by(self, by: int) -> None:
        self._at = min(max(self._at + by, 0), max(len(self._texts) - 1, 0))
        self._show()

    def go_on(self) -> None:
        self._to_open()
        self._show()

    def _to_open(self) -> None:
        """Go to the next text without a grade, if there is one."""
        count = len(self._texts)
        order = ((self._at + step) % count for step in range(1, count + 1))
        self._at = next((index for index in order if self._grades[self._texts[index].key] is None), self._at)

    def commands(self) -> dict[str, Callable[[], object]]:
        return {
            "leave": self.left.emit,
            "scoring_validate": self.compare_wanted.emit,
            "scoring_clear": lambda: self.grade(None),
            "scoring_go_on": self.go_on,
            "scoring_next": lambda: self.move_by(1),
            "scoring_previous": lambda: self.move_by(-1),
            "scoring_next_open": self.go_on,
        }

    def take_key(self, key: str) -> bool:
        if key in KEYS:
            self.grade(KEYS[key])
        return key in KEYS


def _load(store: Store, bundle: str) -> tuple[TextToGrade, ...]:
    return texts_to_grade(gather_trusted(store, bundle), load_grades(store, bundle))


translate = QCoreApplication.translate
TWO_COLUMNS, GAP, SIDE, MAX_HEIGHT = 900, 12, 16, 1_400
# Rows of cards, with the share of the width of the first one.
ROWS: tuple[tuple[tuple[str, ...], float], ...] = (
    (("scatter",), 1),
    (("follows", "answers"), 0.62),
    (("apart", "inversions"), 0.5),
)


class ValidationBoard(QScrollArea):
    """The cards, in one column or in two. `open_wanted` carries the task and place to open in the review."""

    open_wanted = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("validation_board")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._inside = QWidget()
        theme.set_ground(self._inside, "win")
        self.setWidget(self._inside)
        self.cards: dict[str, ReportCard] = {
            name: ChartCard(f"validation_{name}", self._inside) for name in ("scatter", "follows", "answers")
        } | {name: PlacesCard(f"validation_{name}", self._inside) for name in ("apart", "inversions")}
        for card in self.cards.values():
            if isinstance(card, ChartCard):
                card.chart.chosen.connect(self._chosen)
                card.button.toggled.connect(lambda _on: self._arrange())
            elif isinstance(card, PlacesCard):
                card.open_wanted.connect(self.open_wanted)
        theme.follow(self, self._arrange)

    def show_validation(self, validation: ScoreValidation, name: tuple[str, str], texts: Wording) -> None:
        """Show the cards of a source of answers that have something to show."""
        panels = validation_panels(validation, name, texts)
        for card_name, card in self.cards.items():
            panel = panels.get(card_name)
            card.setVisible(panel is not None)
            if panel is None:
                continue
            if isinstance(card, PlacesCard):
                card.show_places(panel)
            elif isinstance(card, ChartCard):
                card.set_title(panel.title, panel.note)
                if panel.draw is not None:
                    card.show_chart(panel.draw, panel.table, panel.foot)
                else:
                    card.show_nothing(" ".join(panel.foot))
        self._arrange()

    def panes(self) -> tuple[ReportCard, ...]:
        return tuple(card for card in self.cards.values() if not card.isHidden())

    def _chosen(self, key: Key) -> None:
        if key[0] == "text":
            self.open_wanted.emit(str(key[1]), str(key[2]))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._arrange()

    def _arrange(self) -> None:
        """Set the geometry of the cards: rows of one or two, as high as the higher one asks for."""
        side, gap, width = theme.px(SIDE), theme.px(GAP), self.viewport().width()
        top = side
        rows = [([name for name in names if not self.cards[name].isHidden()], share) for names, share in ROWS]
        if width < theme.px(TWO_COLUMNS):
            rows = [([name], 1) for names, _share in rows for name in names]
        for names, share in rows:
            available = width - 2 * side - gap * (len(names) - 1)
            first = round(available * (share if len(names) > 1 else 1))
            widths = [first, available - first][: len(names)]
            height = max(map(self._height, names, widths), default=-gap)
            left = side
            for name, card_width in zip(names, widths, strict=True):
                mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
                x = width - left - card_width if mirrored else left
                self.cards[name].setGeometry(x, top, card_width, height)
                left += card_width + gap
            top += height + gap
        self._inside.resize(width, top - gap + side)

    def _height(self, name: str, width: int) -> int:
        card = self.cards[name]
        assert isinstance(card, ChartCard | PlacesCard), "there are no other cards"
        return min(card.height_for(width), theme.px(MAX_HEIGHT))


class ValidationPage(QWidget):
    """`left`: back to the texts; `grade_wanted`: to the texts to grade; `part_wanted`: another part of the report."""

    left = Signal()
    grade_wanted = Signal()
    changed = Signal()
    open_wanted = Signal(str, str)
    part_wanted = Signal(str)

    def __init__(self, context: ScreenContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name_widget(self, "validation_page", translate("Report", "Text scores"))
        theme.set_ground(self, "win")
        self._context = context
        self._name = ("hand", "")
        self.figures = FigureCalculator(context.perform, context.now, _load_figures, (DEFAULT_RULE, "task"), self)
        self.figures.ready.connect(self._show)
        self.figures.slow.connect(lambda: self.note.setText(translate("Report", "Computing the figures")))
        self.sources, self.priors = MenuChooser("validation_source"), MenuChooser("validation_priors")
        self.unit = MenuChooser("validation_unit")
        self.board = ValidationBoard()
        self.board.open_wanted.connect(self.open_wanted)
        self.note = WrappedLabel(name="validation_note", ink="text2")
        theme.follow(self.note, lambda: self.note.setContentsMargins(*[theme.px(SIDE)] * 4))
        tight_column(self, self._make_head(), horizontal_line(), self.note, (self.board, 1), spacing=0)

    def _make_head(self) -> QWidget:
        box = QWidget()
        row = QHBoxLayout(box)
        choices = QWidget()
        flow = FlowLayout(choices, spacing=GAP, alike=False)
        parts = PartSwitch(PART)
        parts.wanted.connect(self.part_wanted)
        self.rests = PlainLabel(name="validation_rests", size="small", ink="text2")
        grade = LinkButton(translate("Report", "Grade texts"), "E", name="validation_grade", clicked=self.grade_wanted)
        for widget in (parts, self.sources, self.priors, self.unit, self.rests, grade):
            flow.addWidget(widget)
        for chooser in (self.sources, self.priors, self.unit):
            chooser.chosen.connect(lambda _chosen: self._choose())
        save = KeyButton(
            translate("Report", "Save as CSV"),
            "Ctrl Shift E",
            name="validation_save",
            clicked=lambda: self.save(".csv"),
        )
        back = KeyButton(translate("Report", "Back"), "Esc", name="validation_back", clicked=self.left)
        row.addWidget(choices, 1)
        for button in (save, back):
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        theme.pad(row, SIDE, 6, SIDE, 6)

        theme.follow(box, lambda: self.rests.setFixedHeight(theme.px(CONTROL)))
        return box

    # -- figures

    def open(self) -> None:
        """Compute the figures: answers and grades may have changed."""
        self.board.hide()
        self.note.setText("")
        self.note.show()
        self.figures.compute(self._context.audited.bundle, self.figures.filter)

    def _choose(self) -> None:
        validation = self.figures.report
        if validation is None:
            return
        names = source_names(validation)
        self._name = names[int(self.sources.current[0])] if self.sources.current else self._name
        smoothed, text = self.priors.current == ("smoothed",), self.unit.current == ("text",)
        rule = DEFAULT_RULE._replace(priors="smoothed" if smoothed else "observed")
        request = rule, "text" if text else "task"
        if request == self.figures.filter:
            self._show()
        else:
            self.figures.compute(self.figures.bundle, request)

    def _show(self) -> None:
        validation = self.figures.report
        if validation is None:
            return
        texts = translated_wording()
        names = source_names(validation)
        if names and self._name not in names:
            self._name = names[0]
        choices = [(str(index), source_name(name, texts)) for index, name in enumerate(names)]
        current = (str(names.index(self._name)),) if names else ()
        self.sources.offer(translate("Report", "Answers"), choices, current)
        self.sources.setVisible(bool(names))
        priors = {
            "observed": translate("Report", "Priors as observed"),
            "smoothed": translate("Report", "Smoothed priors"),
        }
        rule, unit = self.figures.filter
        self.priors.offer(translate("Report", "Priors"), list(priors.items()), (rule.priors,))
        units = {
            "task": translate("Report", "Intervals over tasks"),
            "text": translate("Report", "Intervals over texts"),
        }
        self.unit.offer(translate("Report", "Intervals"), list(units.items()), (unit,))
        self.rests.setText(rests_on_texts(validation, texts))
        self.rests.updateGeometry()
        missing = self._missing(validation)
        set_optional_text(self.note, missing)
        self.board.setVisible(not missing)
        if not missing:
            self.board.show_validation(validation, self._name, texts)
            self.board.cards["scatter"].setFocus(Qt.FocusReason.OtherFocusReason)
        self.changed.emit()

    def _missing(self, validation: ScoreValidation) -> str:
        """Return what has to be done before there are figures."""
        if not validation.texts:
            return translate(
                "Report",
                "You have graded no texts yet. Press E to grade some from 1 to 10, without seeing scores or authors. "
                "They come in random order, so you may stop at any time.",
            )
        if not validation.rows:
            return translate("Report", "The graded texts have no scores yet. Answer the points first, or let a model.")
        return ""

    # -- the interface of a screen

    @property
    def status_text(self) -> str:
        validation = self.figures.report
        if validation is None or self.figures.is_running:
            return translate("Report", "Computing the figures")
        text = translate("Report", "{n} of {total} texts graded · computed in {seconds} s, seed {seed}")
        return text.format(
            n=formatting.number(len(validation.texts)),
            total=formatting.number(validation.to_grade),
            seconds=formatting.decimal(self.figures.took, 1),
            seed=validation.seed,
        )

    def commands(self) -> Mapping[str, Callable[[], object]]:
        saving = {
            "report_as_table": self._as_table,
            "report_enter": self._enter,
            "report_tables": lambda: self.save(".csv"),
            "report_page": lambda: self.save(".html"),
        }
        return {
            "leave": self.left.emit,
            "scoring_grade": self.grade_wanted.emit,
            **(saving if self.figures.report is not None else {}),
        }

    def _card(self) -> ReportCard | None:
        focus = QApplication.focusWidget()
        return next((card for card in self.board.panes() if focus is not None and card.isAncestorOf(focus)), None)

    def _as_table(self) -> None:
        card = self._card()
        if isinstance(card, ChartCard):
            card.toggle_table()

    def _enter(self) -> None:
        focus, card = QApplication.focusWidget(), self._card()
        if isinstance(focus, ChartView):
            focus.enter()
        elif isinstance(focus, QAbstractButton):
            focus.click()
        elif isinstance(card, PlacesCard):
            card.open_chosen()

    def save(self, ending: str) -> None:
        """Ask for a name, and write the tables into a folder of that name, or the page."""
        validation = self.figures.report
        if validation is not None:
            texts, page = translated_wording(), save_validation_page
            save_report(self._context, validation, f"-text-scores{ending}", page, texts, save_validation_tables)


def _load_figures(
    store: Store, bundle: str, wanted: tuple[ScoringRule, IntervalUnit], now: datetime
) -> ScoreValidation:
    """Compute with the scope of points and the gold texts that the scoring screen uses."""
    rule, unit = wanted
    return load_validation(store, bundle, replace(window_options(store, bundle), rule=rule), unit=unit, now=now)
