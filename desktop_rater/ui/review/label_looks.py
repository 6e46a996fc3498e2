"""The appearance of a rubric's labels in lists: shape and tone where the rubric names them, else text."""

from dataclasses import dataclass

from desktop_rater.audit.items import Label
from desktop_rater.audit.questions import JudgedQuestion, Value, ValueStyle, judged_questions
from desktop_rater.rubric import Rubric
from desktop_rater.ui.rating.problem_fixes import question_subject

MAX_LABEL_LENGTH, MAX_DIGIT_KEYS = 14, 9


@dataclass(frozen=True)
class LabelToken:
    """A compact label: a shape, or a short text where it has none. `count`: the number of raters who gave it."""

    shape: str = ""
    tone: str = ""
    text: str = ""
    count: int = 0


class LabelLooks:
    """The judged questions of a rubric, by id."""

    def __init__(self, rubric: Rubric | None = None) -> None:
        self.judged: dict[str, JudgedQuestion] = (
            {question.id: question for question in judged_questions(rubric)} if rubric else {}
        )
        self._rubric = rubric
        self._titles = (
            {name: question_subject(compiled.question) for name, compiled in rubric.questions.items()} if rubric else {}
        )

    def title(self, question: str) -> str:
        """Return the subject of a judged question as a heading."""
        name = self._titles[self.judged[question].question]
        return name[:1].upper() + name[1:]

    @property
    def closing(self) -> frozenset[str]:
        """The questions whose answers can be the label of a place."""
        return frozenset(name for judged in self.judged.values() for name, _value, _label in judged.closing)

    def closes(self, question: str, value: Value) -> bool:
        """Return whether an answer is the label of its place."""
        return any((question, value) == closing[:2] for judged in self.judged.values() for closing in judged.closing)

    def keys(self, question: str) -> dict[Value, str]:
        """Return the keys of a question's answers: those of the rubric, or else the digits in their order."""
        judged = self.judged.get(question)
        if judged is None or self._rubric is None:
            return {}
        chosen = [(judged.question, look.id, look.id) for look in judged.looks]
        keys: dict[Value, str] = {}
        for name, value, label in (*judged.closing, *chosen):
            choices = self._rubric.questions[name].question.choices
            key = next((choice.key.upper() for choice in choices if choice.id == value), "")
            if key:
                keys[label] = key
        digits = enumerate(judged.looks[:MAX_DIGIT_KEYS], 1)
        return keys or {look.id: str(number) for number, look in digits}

    def look(self, question: str, value: Value) -> ValueStyle | None:
        """Return the look of a value, where the rubric defines one."""
        judged = self.judged.get(question)
        return next((look for look in judged.looks if look.id == value), None) if judged is not None else None

    def text(self, label: Label | None) -> str:
        """Return the text of a label; empty without one."""
        if label is None:
            return ""
        judged = self.judged.get(label.question)
        return judged.text_of(label.value) if judged is not None else str(label.value)

    def token(self, label: Label | None, count: int = 0) -> LabelToken:
        if label is None:
            return LabelToken("nothing", count=count)
        look = self.look(label.question, label.value)
        if look is not None and look.shape:
            return LabelToken(look.shape, look.tone, count=count)
        text = f"{label.value:g}" if isinstance(label.value, float) else self.text(label)
        return LabelToken(
            text=text if len(text) <= MAX_LABEL_LENGTH else f"{text[: MAX_LABEL_LENGTH - 1]}…", count=count
        )
