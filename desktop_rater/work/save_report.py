"""A report as files: tables for a spreadsheet, or one page to send on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.audit.html_report import Colors, html_page
from desktop_rater.audit.report_csv import NAMES, csv_files
from desktop_rater.bundle.put import put_all_in_place, put_in_place
from desktop_rater.bundle.trouble import named

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_rater.audit.report import Report
    from desktop_rater.audit.wording import Wording

TRY_AGAIN = "Nothing was written. Choose another place."
BOM = "\ufeff"  # without it spreadsheets take UTF-8 for something else


def save_tables(report: Report, folder: Path) -> tuple[Path, ...]:
    """Write the CSV files into a folder, which is made; what else it holds stays. Raises `RaterError`."""
    with named(folder, "written", TRY_AGAIN):
        folder.mkdir(parents=True, exist_ok=True)
        with put_all_in_place(folder, NAMES) as beside:
            for name, text in csv_files(report).items():
                (beside / name).write_text(BOM + text, encoding="utf-8", newline="")
    return tuple(folder / name for name in NAMES)


def save_page(report: Report, path: Path, words: Wording, colors: Colors, *, lead: str, language: str) -> Path:
    """Write the page. Raises `RaterError`."""
    page = html_page(report, words, colors, lead=lead, language=language)
    with named(path, "written", TRY_AGAIN), put_in_place(path) as beside:
        beside.write_text(page, encoding="utf-8", newline="\n")
    return path
