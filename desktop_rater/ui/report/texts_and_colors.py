"""Translated texts and colours for a report's pictures and its HTML page, and the saving of reports."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication

from desktop_rater.audit.charts.svg import INKS
from desktop_rater.audit.html_report import PageColors
from desktop_rater.audit.report_format import Wording
from desktop_rater.text.untrusted import file_name
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.labels import isolated
from desktop_rater.ui.widgets.theme_tokens import DARK, LIGHT, Tokens
from desktop_rater.ui.window.screen_context import ScreenContext


def translated_wording() -> Wording:
    """Return the wording of a report in the current language."""
    translate = QCoreApplication.translate
    return Wording(translate=translate, point=formatting.decimal_point(), group=formatting.group_mark())


def ink_colors(colors: Tokens) -> dict[str, str]:
    """Return the colours by name, including the inks and tints of the tones."""
    tones = colors.tones.items()
    plain = {name: getattr(colors, name) for name in (*INKS, "win")}
    return (
        plain | {f"ink {name}": tone.ink for name, tone in tones} | {f"tint {name}": tone.tint for name, tone in tones}
    )


def page_colors() -> PageColors:
    """Return the colours of an HTML page, light and dark."""
    return PageColors(ink_colors(LIGHT), ink_colors(DARK))


def save_report(
    context: ScreenContext,
    report: Any,
    ending: str,
    page: Callable[..., object],
    texts: Wording,
    tables: Callable[[Any, Path], object],
    load: Callable[..., Any] | None = None,
) -> None:
    """Ask for a name, and write the HTML page, or the tables into a folder of that name; the suffix decides.

    `load` reads from the store what tables have beyond the report.
    """
    path = context.files.report(context.window, file_name(report.bundle, ending=ending))
    if path is None:
        return
    target = path.with_suffix("") if path.suffix.lower() == ".csv" else path

    def done(_result: object) -> None:
        text = QCoreApplication.translate("Report", "Saved as {file}.").format(file=isolated(str(target)))
        context.window.banners.show_banner("report", "info", text)

    def write(save: Callable[[], object]) -> None:
        context.perform.fetch(lambda _progress: save(), done=done)

    if path.suffix.lower() == ".html":
        colors, language = page_colors(), formatting.current_language()
        write(partial(page, report, path, texts, colors, lead=context.lead, language=language))
    elif load is not None:
        context.perform.ask(load, report.bundle, done=lambda whole: write(partial(tables, whole, target)))
    else:
        write(partial(tables, report, target))
