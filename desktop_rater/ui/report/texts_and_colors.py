"""Translated texts and colours for the report's pictures and its HTML page."""

from typing import Any, TypeVar

from msgspec.structs import fields
from PySide6.QtCore import QCoreApplication

from desktop_rater.audit.charts.shapes import INKS
from desktop_rater.audit.report_texts import MISSING_REASONS, TRANSLATION_CONTEXT, ReportTexts
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.theme_tokens import Tokens

T = TypeVar("T", bound=ReportTexts)
UNTRANSLATED = {"point", "group", "whys"}


def translated_wording() -> ReportTexts:
    """Return all texts of a report in the current language."""
    return translated_texts(ReportTexts)


def translated_texts(kind: type[T]) -> T:
    """Return all texts of a kind in the current language."""
    source = kind()
    translated: dict[str, Any] = {
        field.name: _translated(getattr(source, field.name)) for field in fields(kind) if field.name not in UNTRANSLATED
    }
    return kind(
        point=formatting.decimal_point(),
        group=formatting.group_mark(),
        whys={reason: _translated(reason) for reason in MISSING_REASONS},
        **translated,
    )


def _translated(text: str) -> str:
    return QCoreApplication.translate(TRANSLATION_CONTEXT, text)


def ink_colors(colors: Tokens) -> dict[str, str]:
    """Return the colours by name, including the inks and tints of the tones."""
    tones = colors.tones.items()
    plain = {name: getattr(colors, name) for name in (*INKS, "win")}
    return (
        plain | {f"ink {name}": tone.ink for name, tone in tones} | {f"tint {name}": tone.tint for name, tone in tones}
    )
