"""How a rubric can name the look of a choice; the window draws these, and leaves any other name out."""

from __future__ import annotations

TONES = frozenset({"accurate", "inaccurate", "unsupported", "disputed", "not factual", "skipped"})
SHAPES = frozenset(
    {
        "circle-tick",
        "square-cross",
        "diamond-question",
        "half-circle",
        "ring-bar",
        "ring-plus",
        "square-minus",
        "circle",
        "square",
        "bar-triangle",
        "skipped",
    }
)
