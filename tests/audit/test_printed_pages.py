"""A lead prints the pages: Chromium makes a PDF on A4, and its texts are where paper is."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec

import pytest
from msgspec.structs import replace
from pypdf import PdfReader

from desktop_rater.audit.html_report import PageColors, render_html
from desktop_rater.audit.report_format import Wording
from desktop_rater.ui.report.texts_and_colors import ink_colors
from desktop_rater.ui.widgets.theme_tokens import DARK, LIGHT
from tests.audit.reports import picture_report

MARGIN = 12 / 25.4 * 72
# Digits of equal width, and with some fonts the hyphen, have no letters in the PDF.
NAMES = tuple(f"annotator-{first}{second}-of-the-north" for first in "abcdefghij" for second in "klmnopqrst")
PRINT = """
import sys
from PySide6.QtCore import QMarginsF, QTimer, QUrl
from PySide6.QtGui import QPageLayout, QPageSize
from PySide6.QtWebEngineCore import QWebEnginePage
from PySide6.QtWidgets import QApplication
app = QApplication([])
page = QWebEnginePage()
margins, unit = QMarginsF(12, 12, 12, 12), QPageLayout.Unit.Millimeter
paper = QPageLayout(QPageSize(QPageSize.PageSizeId.A4), QPageLayout.Orientation.Portrait, margins, unit)
page.loadFinished.connect(lambda loaded: page.printToPdf(sys.argv[2], paper))
page.pdfPrintingFinished.connect(lambda path, printed: app.exit(0 if printed else 1))
page.load(QUrl.fromLocalFile(sys.argv[1]))
QTimer.singleShot(60_000, lambda: app.exit(1))
sys.exit(app.exec())
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The page about a hundred raters, printed."""
    if find_spec("PySide6.QtWebEngineCore") is None:  # not imported: other tests of this process want it absent
        pytest.skip("Qt WebEngine is not installed")
    report = picture_report()
    raters = tuple(replace(report.raters[number % 5], rater=name) for number, name in enumerate(NAMES))
    folder = tmp_path_factory.mktemp("printed")
    source, out = folder / "report.html", folder / "report.pdf"
    page = render_html(replace(report, raters=raters), Wording(), PageColors(ink_colors(LIGHT), ink_colors(DARK)))
    source.write_text(page, "utf-8")
    flags = {
        "QT_QPA_PLATFORM": "offscreen",
        "QTWEBENGINE_CHROMIUM_FLAGS": "--no-sandbox",
        "QTWEBENGINE_DISABLE_SANDBOX": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", PRINT, str(source), str(out)],
        env={**os.environ, **flags},
        capture_output=True,
        check=False,
    )
    if done.returncode or not out.exists():
        pytest.skip("Chromium does not print here")
    return [PrintedPage(page) for page in PdfReader(out).pages]


class PrintedPage:
    """Text of a page, and the places in points where its pieces begin."""

    def __init__(self, page):
        self.places = []
        self.width = float(page.mediabox.width)
        self.text = page.extract_text(visitor_text=self._add)

    def _add(self, text, cm, tm, *_):
        if text.strip():
            self.places.append(cm[4] + tm[4] * cm[0])


def test_no_column_is_cut_at_the_edge_of_the_paper(pages):
    texts = Wording()
    heads = " ".join(" ".join(page.text.split()) for page in pages)
    for head in (
        texts.translate("Report", "Open warnings"),
        texts.translate("Report", "Agrees with gold"),
        texts.translate("Report", "Agreement on repeats"),
    ):
        assert head in heads
    for page in pages:
        assert max(page.places) < page.width - MARGIN


def test_no_name_is_split_and_no_page_is_nearly_empty(pages):
    whole = [page.text for page in pages]
    for name in NAMES:
        assert sum(len(re.findall(name.replace("-", ".?"), text)) for text in whole) >= 4, name
    for number, text in enumerate(whole[:-1]):
        assert len(text.split()) > 80, f"page {number + 1}: {text[:200]}"
