"""Fixes of a problem, derived from the rubric, and the rows that show them."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, Literal

from msgspec import Struct
from PySide6.QtCore import QCoreApplication, QEvent, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QStyle, QWidget

from desktop_rater.format.rating import Problem
from desktop_rater.format.rubric import WRITTEN_KINDS, Choice, GuidelineDocument, Question, SourcedStruct
from desktop_rater.format.values import Place
from desktop_rater.rubric import CheckOutcome, Rubric
from desktop_rater.rubric.condition import parse_condition, same_value
from desktop_rater.translation import N_
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.form.question import LABEL_SLACK, LabelControlLayout
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import SourceBadge, WrappedLabel
from desktop_rater.ui.widgets.layouts import FlowLayout, height_for_width, tight_column, tight_row
from desktop_rater.ui.widgets.list_view import Index, ListRow, ListRowDelegate, RowList, ink_of
from desktop_rater.ui.widgets.shapes import Icon
from desktop_rater.ui.widgets.theme_tokens import CONTROL, TOOL

FixKind = Literal[
    "split", "change", "reconsider", "weigh", "neutral", "write", "answer", "open", "mend", "acknowledge", "take_back"
]
FACT_FIELDS = {"quote": "quote", "url_valid": "url", "url_repeated": "url", "claim_known": "claim"}
EVIDENCE_FACTS = {"supporting", "contradicting", "urls_on_both_sides"}


class ProblemFix(Struct, frozen=True):
    """One fix: the `question` that it is about, the `value` that it sets, the evidence `field` that it edits."""

    kind: FixKind
    question: Question | None = None
    choice: Choice | None = None
    value: Any = None
    field: str = ""
    keys: str = ""


def fixes_for(
    rubric: Rubric, outcome: CheckOutcome, problem: Problem, *, acknowledged: bool, splits: bool = False
) -> tuple[ProblemFix, ...]:
    """Return the fixes for a problem, the most direct first. `splits`: a split of its target is proposed."""
    if acknowledged:
        return (ProblemFix("take_back"),)
    place = outcome.places[problem.where]
    kind, _, name = problem.rule.partition(":")
    if kind == "contradicts":
        fixes = list(_contradiction_fixes(rubric, outcome, place, name))
        if splits and place.claim is None and _is_about_claims(rubric, name):
            fixes.insert(0, ProblemFix("split", keys="Shift L"))
    elif kind == "required":
        fixes = [_answer_fix(rubric, name)]
    else:
        fixes = list(_rule_fixes(rubric, outcome, problem, place))
    if problem.level == "warn":
        fixes.append(ProblemFix("acknowledge"))
    return tuple(fixes)


def _is_about_claims(rubric: Rubric, row: str) -> bool:
    """Return whether a decision is about a claim: on a target without claims, its pages may speak of a part only."""
    return any(decision.id == row and decision.per == "claim" for decision in rubric.file.decide)


def _contradiction_fixes(rubric: Rubric, outcome: CheckOutcome, place: Place, name: str) -> Iterable[ProblemFix]:
    row = next(row for row in rubric.file.decide if row.id == name)
    sets = rubric.questions[row.sets].question
    choice = next((choice for choice in sets.choices if same_value(choice.id, row.then)), None)
    yield ProblemFix("change", sets, choice, row.then, keys=choice.key.upper() if choice is not None else "")
    when = parse_condition(row.when)
    names = list(when.names())
    asked_here = _asked_questions(outcome, place)
    facts = [fact for fact in names if fact in rubric.questions and fact in asked_here]
    sides = [test.name for test in when.tests if test.name in EVIDENCE_FACTS and test.low]
    if len(sides) == 1:  # a page that copies the response stands on the wrong side
        yield ProblemFix("neutral", field=sides[0], keys="Shift S")
    if facts:
        question = rubric.questions[facts[-1]].question
        yield ProblemFix("reconsider", question, keys=choice_key_range(question))
    elif EVIDENCE_FACTS & set(names):
        yield ProblemFix("weigh")


def _answer_fix(rubric: Rubric, name: str) -> ProblemFix:
    question = rubric.questions[name].question
    if question.kind in WRITTEN_KINDS:
        return ProblemFix("write", question, keys="W")
    return ProblemFix("answer", question, keys=choice_key_range(question))


def _rule_fixes(rubric: Rubric, outcome: CheckOutcome, problem: Problem, place: Place) -> Iterable[ProblemFix]:
    rule = task_stops.rule_of_problem(rubric, problem)
    wanted = list(parse_condition(rule.require).names()) if rule is not None and rule.require else []
    if place.evidence is not None:
        yield ProblemFix("open", keys="O")
        field = next((FACT_FIELDS[name] for name in wanted if name in FACT_FIELDS), "")
        if field:
            yield ProblemFix("mend", field=field, keys="Q" if field == "quote" else "")
        return
    asked_here = _asked_questions(outcome, place)
    text = next(
        (name for name in wanted if name in asked_here and rubric.questions[name].question.kind == "text"), None
    )
    if text is not None:
        yield ProblemFix("write", rubric.questions[text].question, keys="W")
        return
    if EVIDENCE_FACTS & set(wanted):
        yield ProblemFix("weigh")
    blamed = [*wanted, *(parse_condition(rule.when).names() if rule is not None and rule.when else ())]
    subject = next((name for name in blamed if name in asked_here), None)
    if subject is not None:
        question = rubric.questions[subject].question
        yield ProblemFix("reconsider", question, keys=choice_key_range(question))


def _asked_questions(outcome: CheckOutcome, place: Place) -> set[str]:
    wheres = (task_stops.place_path(place), task_stops.place_path(task_stops.stop_of(place)))
    return {question.question.id for where in wheres for question in outcome.asked.get(where, ())}


def choice_key_range(question: Question) -> str:
    """Return the keys of a question's choices: "1–3" if they are consecutive, else as in "A I U D"."""
    keys = [choice.key.upper() for choice in question.choices if choice.key]
    if len(keys) < 2 or len(keys) > 4:
        return keys[0] if len(keys) == 1 else ""
    follow = all(ord(later) == ord(earlier) + 1 for earlier, later in pairwise(keys))
    return f"{keys[0]}–{keys[-1]}" if follow else " ".join(keys)


def question_subject(question: Question) -> str:
    """Return the subject of a question for use inside a sentence: its section heading, else its own text."""
    name = question.ask.rstrip("?. ") if question.kind == "text" else question.section or question.ask.rstrip("?. ")
    # An abbreviation keeps its capitals.
    return name[:1].lower() + name[1:] if name[1:2].islower() else name


# The phrases of `rubric.check` and `rubric.words`, with the rubric's text as {said}.
MESSAGE_FRAMES = (
    N_("ProblemLanguage", "The guideline says {said}."),
    N_("ProblemLanguage", "This project's rule says {said}."),
    N_("ProblemLanguage", "Not answered: {said}"),
    N_("ProblemLanguage", "{said} is not answered."),
)
DECIDED_FRAMES, REQUIRED_FRAMES = MESSAGE_FRAMES[:2], MESSAGE_FRAMES[2:]


def names_guideline(problem: Problem) -> bool:
    """Return whether the message of a contradiction is in the guideline's name."""
    guideline, project = ((problem.message or "").rfind(frame.partition("{said}")[0]) for frame in DECIDED_FRAMES)
    return guideline > project


def problem_message(problem: Problem) -> str:
    """Return the translated message of a problem, or its rule if it has none."""
    text = problem.message or problem.rule
    if problem.rule.startswith("contradicts:"):
        frame = max(DECIDED_FRAMES, key=lambda frame: text.rfind(frame.partition("{said}")[0]))
        before, begins, after = text.rpartition(frame.partition("{said}")[0])
        if begins:
            return f"{before}{_translated_frame(frame, begins + after)}"
    if problem.rule.startswith("required:"):
        return next((framed for frame in REQUIRED_FRAMES if (framed := _translated_frame(frame, text))), text)
    return text


def _translated_frame(frame: str, text: str) -> str:
    """Return `text` in the translated frame; "" if it is not in that frame."""
    before, _, after = frame.partition("{said}")
    if not (text.startswith(before) and text.endswith(after)):
        return ""
    inner = text.removeprefix(before).removesuffix(after)
    return QCoreApplication.translate("ProblemLanguage", frame).format(said=inner)


MAX_LINES_BESIDE_BUTTON = 4  # longest text beside a single button
translate = QCoreApplication.translate


def fix_label(way: ProblemFix) -> str:
    """Return the label of a fix's button."""
    about = question_subject(way.question) if way.question is not None else ""
    label = way.choice.label if way.choice is not None else str(way.value)
    templates = {
        "split": translate("Problems", "Split into claims"),
        "change": translate("Problems", "Change to {label}"),
        "reconsider": translate("Problems", "Reconsider {about}"),
        "weigh": translate("Problems", "Review the evidence"),
        "neutral": translate("Problems", "The page does not decide"),
        "write": translate("Problems", "Write the {about}"),
        "answer": translate("Problems", "Answer"),
        "open": translate("Problems", "Open"),
        "mend": translate("Problems", "Write the quote") if way.field == "quote" else translate("Problems", "Fix"),
        "acknowledge": translate("Problems", "Acknowledge…"),
        "take_back": translate("Problems", "Withdraw"),
    }[way.kind]
    return templates.format(label=label, about=about)


class ProblemRow(QWidget):
    """Widget over a row of the list, for any problem with the same fixes. A click beside the buttons reaches the list.

    `ways` is None for a row of another theme, which has other sizes.
    """

    taken = Signal(object, object)  # Problem, ProblemFix

    def __init__(self, ways: tuple[ProblemFix, ...], parent: QWidget) -> None:
        super().__init__(parent)
        self.ways: tuple[ProblemFix, ...] | None = ways
        self._mark = Icon("todo")
        mark = tight_column(None, self._mark, 1, margins=(0, LABEL_SLACK, 0, 0))
        both = QWidget(self)
        both.setSizePolicy(height_for_width())
        pair = LabelControlLayout(both)
        pair.most_lines = MAX_LINES_BESIDE_BUTTON if len(ways) == 1 else pair.most_lines
        self.label = WrappedLabel(parent=both)
        pair.addWidget(self.label)
        buttons = QWidget(both)
        buttons.setSizePolicy(height_for_width())
        flow = FlowLayout(buttons, spacing=theme.px(8), alike=False)
        self._badge = SourceBadge(parent=buttons)
        self._badge.setMinimumHeight(theme.px(CONTROL if ways else TOOL))
        self.buttons = [self._button(way, buttons, flat=len(ways) == 1) for way in ways]
        for part in (self._badge, *self.buttons):
            flow.addWidget(part)
        pair.addWidget(buttons)
        tight_row(
            self, mark, (both, 1), spacing=theme.px(10), margins=(theme.px(16), theme.px(3), theme.px(16), theme.px(7))
        )
        self._measured = buttons, both

    def show_problem(
        self, problem: Problem, line: ListRow, source: SourcedStruct | None, document: GuidelineDocument | None
    ) -> None:
        """Show a problem as a line of the list, with the source of its rule."""
        self.problem, self.line = problem, line
        self._mark.show_icon(line.mark, ink_of(line.mark))
        self.label.setText(line.title)
        self._badge.show_source(source, document=document)
        for widget in self._measured:  # the layouts around it know its earlier size
            widget.updateGeometry()
        self.show()

    def _button(self, way: ProblemFix, parent: QWidget, *, flat: bool) -> KeyButton:
        button = KeyButton(fix_label(way), way.keys, flat=flat, name=f"way_{way.kind}", parent=parent)
        if way.kind == "change" and way.choice is not None:
            button.set_look(way.choice.tone, way.choice.shape)
        button.clicked.connect(lambda: self.taken.emit(self.problem, way))
        return button


class ProblemDelegate(ListRowDelegate):
    """Delegate that paints the background and rail of a row; the widget over it shows the text."""

    view: "ProblemList"

    def height_of(self, index: Index) -> int:
        # Qt's own result is based on the size hint, which is higher.
        width = self.view.viewport().width()
        return max(theme.px(36), self.view.rows[index.row()].heightForWidth(width) if width > 0 else 0)

    def paint_row(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, row: ListRow, index: Index) -> None:
        del index
        self.paint_background(painter, rect, state, row)


class ProblemList(RowList):
    """List of problems; Return goes to the problem instead of going on."""

    delegate_class = ProblemDelegate

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, two_lines=False, parent=parent)
        self.setUniformItemSizes(False)
        self.rows: dict[int, ProblemRow] = {}  # the widgets over the rows, and hidden ones for later problems
        self._max_height = 0

    def fit_height(self, most: int) -> None:
        """Set the height to that of the rows, at most `most` pixels; beyond that it scrolls."""
        self._max_height = most
        self.setFixedHeight(min(most, self.rows_height() + 2 * self.frameWidth()))
        self.scheduleDelayedItemsLayout()

    def row_widgets(self) -> list[ProblemRow]:
        """Return the widgets over the rows, from top to bottom."""
        return [self.rows[number] for number in range(self.model().rowCount())]

    def updateEditorGeometries(self) -> None:
        """Place the widgets over their rows. They are no index widgets, which Qt deletes when the model is reset."""
        super().updateEditorGeometries()
        for number, row in enumerate(self.row_widgets()):
            row.setGeometry(self.visualRect(self.model().index(number, 0)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._max_height and event.size().width() != event.oldSize().width():
            self.fit_height(self._max_height)  # text wraps differently at another width
        self.scheduleDelayedItemsLayout()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._is_go_key(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._is_go_key(event):
            self.activated.emit(self.currentIndex())
            return
        super().keyPressEvent(event)

    def _is_go_key(self, event: QKeyEvent) -> bool:
        return (
            event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
            and not event.modifiers()
            and self.currentIndex().isValid()
        )
