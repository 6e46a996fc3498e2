"""Look of a target in a response (shape, underline, colours), derived from its state."""

from dataclasses import dataclass, replace
from typing import Literal

from PySide6.QtGui import QColor

from desktop_rater.ui.rating.task_stops import TargetState
from desktop_rater.ui.widgets import shapes
from desktop_rater.ui.widgets.theme_tokens import Tokens, UnderlineStyle


@dataclass(frozen=True)
class TargetMark:
    """Look of one target; `span` are positions in the document."""

    span: tuple[int, int]
    number: int
    shape: str
    ink: QColor
    tint: QColor | None
    line: UnderlineStyle
    width: float
    words_ink: QColor | None = None
    blocked: bool = False


@dataclass(frozen=True)
class QuietMark:
    """Mark of a span that is not rated, with a tooltip.

    A sentence missing in the other response (`only`) or differing words; or a value that the tool output has
    (`found`), has otherwise (`differs`) or has not (`absent`).
    """

    span: tuple[int, int]
    look: Literal["only", "differs", "found", "absent"]
    tip: str = ""


def target_mark(state: TargetState | None, span: tuple[int, int], number: int, colors: Tokens) -> TargetMark:
    """Return the look of a target in that state; plain for a label with an unknown tone."""
    return replace(_label_mark(state, span, number, colors), blocked=state is not None and state.blocked)


def _label_mark(state: TargetState | None, span: tuple[int, int], number: int, colors: Tokens) -> TargetMark:
    kind = state.kind if state is not None else "todo"
    shape, ink = shapes.STATES.get(kind, shapes.STATES["done"])
    tone = colors.tones.get(state.tone) if state is not None and kind in ("label", "skipped") else None
    if tone is not None and kind == "label":
        own = state.shape if state is not None and state.shape in shapes.SHAPES else tone.shape
        pale = QColor(tone.ink) if tone.line == "none" else None
        return TargetMark(span, number, own, QColor(tone.ink), QColor(tone.tint), tone.line, tone.width, pale)
    if kind in ("label", "done"):
        own = state.shape if state is not None and state.shape in shapes.SHAPES else shape
        return TargetMark(span, number, own, QColor(colors.text2), None, "solid", 1.0)
    line: UnderlineStyle = "none" if kind == "skipped" else "dotted"
    return TargetMark(span, number, shape, QColor(getattr(colors, ink)), None, line, 1.0)
