"""How a target of a response looks: its shape, its line and its inks, from its state alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PySide6.QtGui import QColor

from desktop_rater.ui import shapes

if TYPE_CHECKING:
    from desktop_rater.ui.labels import TargetState
    from desktop_rater.ui.theme_tokens import Line, Tokens


@dataclass(frozen=True)
class Mark:
    """How one target looks; `span` are positions in the document."""

    span: tuple[int, int]
    number: int
    shape: str
    ink: QColor
    tint: QColor | None
    line: Line
    width: float
    words_ink: QColor | None = None


@dataclass(frozen=True)
class QuietMark:
    """A stretch that is pointed out and not rated: a sentence that the other response has not, words that differ."""

    span: tuple[int, int]
    look: Literal["only", "differs"]


def mark_of(state: TargetState | None, span: tuple[int, int], number: int, colors: Tokens) -> Mark:
    """How a target in that state looks; without a known tone its label is plain."""
    kind = state.kind if state is not None else "todo"
    shape, ink = shapes.STATES.get(kind, shapes.STATES["done"])
    tone = colors.tones.get(state.tone) if state is not None and kind in ("label", "skipped") else None
    if tone is not None and kind == "label":
        own = state.shape if state is not None and state.shape in shapes.SHAPES else tone.shape
        pale = QColor(tone.ink) if tone.line == "none" else None
        return Mark(span, number, own, QColor(tone.ink), QColor(tone.tint), tone.line, tone.width, pale)
    if kind in ("label", "done"):
        own = state.shape if state is not None and state.shape in shapes.SHAPES else shape
        return Mark(span, number, own, QColor(colors.text2), None, "solid", 1.0)
    line: Line = "none" if kind == "skipped" else "dotted"
    return Mark(span, number, shape, QColor(getattr(colors, ink)), None, line, 1.0)
