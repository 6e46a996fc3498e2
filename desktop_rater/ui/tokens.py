"""The few colours that the system's palette has no name for, in a light and a dark set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtGui import QColor, QPalette

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


@dataclass(frozen=True)
class Tokens:
    """Colours by use; each pair that meets has the contrast of WCAG AA."""

    line: str
    edge: str
    text2: str
    accent: str
    accent_text: str
    sel: str
    hover: str
    current: str
    target: str
    done: str
    block: str
    block_back: str
    warn: str
    warn_back: str
    info_back: str
    ok: str


LIGHT = Tokens(
    line="#DCDCD8",
    edge="#7E8187",
    text2="#50545A",
    accent="#1A5AC8",
    accent_text="#FFFFFF",
    sel="#DCE8FC",
    hover="#EAEAE7",
    current="#CFE1FF",
    target="#F1F1EF",
    done="#D9F1EB",
    block="#B0241C",
    block_back="#FDEEEC",
    warn="#775000",
    warn_back="#FDF5DC",
    info_back="#E9F1FE",
    ok="#0B6A58",
)
DARK = Tokens(
    line="#34373C",
    edge="#82868D",
    text2="#B4B8BE",
    accent="#84B2FF",
    accent_text="#0E1A2E",
    sel="#233A5E",
    hover="#2A2D31",
    current="#27477A",
    target="#2F3236",
    done="#15392F",
    block="#FF9F96",
    block_back="#331E1D",
    warn="#EDC560",
    warn_back="#2D2716",
    info_back="#1C2838",
    ok="#76D6BF",
)


def is_dark(palette: QPalette) -> bool:
    """Whether the palette shows light text on dark."""
    return (
        palette.color(QPalette.ColorRole.Window).lightness() < palette.color(QPalette.ColorRole.WindowText).lightness()
    )


def tokens(widget: QWidget) -> Tokens:
    """The set that goes with a widget's palette."""
    return DARK if is_dark(widget.palette()) else LIGHT


def color(widget: QWidget, name: str) -> QColor:
    """One colour of the set that goes with a widget's palette."""
    return QColor(getattr(tokens(widget), name))


def quiet(widget: QWidget, name: str = "text2") -> None:
    """Write a label in one of the colours, secondary text by default."""
    palette = widget.palette()
    # On a background of `Base` Qt writes labels in `Text`.
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text):
        palette.setColor(role, color(widget, name))
    widget.setPalette(palette)
