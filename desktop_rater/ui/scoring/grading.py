"""The page on which a lead grades texts, without their scores and authors, in random order."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.store.store import Store
from desktop_rater.ui.rating.form.choice_button import ChoiceButton
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.accessibility import NamedGroup
from desktop_rater.ui.widgets.buttons import KeyButton, LinkButton
from desktop_rater.ui.widgets.callbacks import LatestRequest
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel
from desktop_rater.ui.widgets.layouts import FlowLayout, horizontal_line, tight_column
from desktop_rater.ui.widgets.text_view import TextView
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.work.audit.review import Lead
from desktop_rater.work.scoring.grades import GradeKey, TextToGrade, load_grades, save_grades, texts_to_grade
from desktop_rater.work.scoring.manual_scoring import gather_trusted

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
        self.setObjectName("grading_page")
        self.setAccessibleName(self.tr("Grade texts"))
        theme.set_ground(self, "surface")
        self._perform = perform
        self._lead = lead
        self._latest = LatestRequest()
        self._bundle = ""
        self._texts: tuple[TextToGrade, ...] = ()
        self._grades: Grades = {}
        self._at = 0
        column = tight_column(self, spacing=0)
        column.addWidget(self._make_head())
        column.addWidget(horizontal_line())
        self.ask = WrappedLabel(name="grading_ask", bold=True)
        self.gold = WrappedLabel(name="grading_gold", ink="text2")
        self.text = TextView("grading_text")
        self.text.setAccessibleName(self.tr("Text"))
        middle = QVBoxLayout()
        for widget in (self.ask, self.gold, self.text):
            middle.addWidget(widget)
        column.addLayout(middle, 1)
        column.addWidget(horizontal_line())
        column.addWidget(self._make_grades())
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
        row.addWidget(self.title)
        row.addWidget(self.progress)
        row.addStretch(1)
        for label, key, by in ((self.tr("Previous"), "K", -1), (self.tr("Next"), "J", 1)):
            link = LinkButton(label, key, name=f"grading_to_{key}", clicked=lambda _on=False, by=by: self.move_by(by))
            row.addWidget(link)
        row.addWidget(
            LinkButton(self.tr("Compare with the scores"), "C", name="grading_compare", clicked=self.compare_wanted)
        )
        row.addWidget(KeyButton(self.tr("Back to the texts"), "Esc", name="grading_back", clicked=self.left))
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
