"""Plain text, JSON, tables of values and PDF as text; other types are named, also where the header lies."""

import pytest
from PySide6.QtCore import QBuffer, QIODevice, QMarginsF
from PySide6.QtGui import QFont, QFontDatabase, QPageLayout, QPageSize, QPainter, QPdfWriter, QTextDocument

from tests.pages.reading_pages import read

WORDS = "The county had 1,720 inhabitants in the year 1918. A doctor wrote a warning, which was printed in spring. "


@pytest.fixture
def pdf(qapp):
    if not QFontDatabase.families():
        pytest.skip("a system without fonts prints no text")

    def written(*pages, title="Report 7"):
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        writer = QPdfWriter(buffer)
        writer.setTitle(title)
        writer.setPageLayout(
            QPageLayout(QPageSize(QPageSize.PageSizeId.A5), QPageLayout.Orientation.Portrait, QMarginsF(20, 20, 20, 20))
        )
        document = QTextDocument()
        document.setDefaultFont(QFont(qapp.font().family()))  # without the window's letter shapes, which have no words
        document.setHtml("".join(f"<p style='page-break-before: always'>{page}</p>" for page in pages))
        document.print_(writer)
        buffer.close()
        return buffer.data().data()

    return written


def test_a_pdf_is_read_as_text(reader, pdf):
    page = read(
        reader, pdf(WORDS * 4, "The second page speaks of Étaples."), "application/pdf", url="https://a.example/r.pdf"
    )

    assert (page.state, page.why, page.title) == ("ok", "", "Report 7")
    assert "A doctor wrote a warning, which was printed in spring." in page.text
    assert "The second page speaks of Étaples." in page.text.split("\n")
    assert page.published.startswith("20")


def test_a_pdf_that_calls_itself_html_is_read_as_a_pdf(reader, pdf):
    assert "Étaples" in read(reader, pdf("Étaples"), "text/html").text


@pytest.mark.parametrize("junk", [b"%PDF-1.4\n", b"%PDF-1.7\n" + bytes(range(256)) * 50])
def test_a_damaged_pdf_ends_in_a_sentence(reader, junk):
    page = read(reader, junk, "application/pdf")

    assert page.state == "broken"
    assert "damaged" in page.why


def test_a_pdf_of_pictures_says_that_it_holds_no_text(reader, qapp):
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    painter = QPainter(writer)
    painter.drawEllipse(0, 0, 999, 999)
    painter.end()
    page = read(reader, buffer.data().data(), "application/pdf")

    assert not page.shows
    assert "no text" in page.why


def test_plain_text_keeps_its_lines_and_its_columns(reader):
    page = read(reader, "year  cases\n1918   1100\n\n<b>Not bold</b> & so on", "text/plain")

    assert page.text == "year cases 1918 1100\n<b>Not bold</b> & so on"
    assert page.html == (
        "<p>year\u00a0\u00a0cases<br>1918\u00a0\u00a0 1100</p>\n<p>&lt;b&gt;Not bold&lt;/b&gt; &amp; so on</p>"
    ).replace("\u00a0", "&nbsp;")
    assert page.title == "year cases"


@pytest.mark.parametrize("content_type", ["text/csv", "text/markdown", "application/json", "application/xml"])
def test_texts_of_other_types_are_texts(reader, content_type):
    page = read(reader, '{"depth": [212, 205]}', content_type)

    assert page.state == "ok"
    assert '"depth"' in page.text
    assert "212" in page.text


def test_a_text_of_megabytes_is_cut_and_says_so(reader):
    page = read(reader, "word " * 350_000, "text/plain")

    assert page.state == "ok"
    assert len(page.text) <= 600_000
    assert max(map(len, page.text.split("\n"))) <= 4_000
    assert "600,000" in page.why


@pytest.mark.parametrize(
    ("body", "content_type", "name"),
    [
        (b"\x89PNG\r\n\x1a\n" + bytes(99), "text/html", "PNG"),
        (b"PK\x03\x04" + bytes(99), "text/plain", "zip"),
        (b"", "video/mp4", "a film (video/mp4)"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml", "a picture (image/svg+xml)"),
        (bytes(range(32)) * 99, "", "binary"),
        (b"x", "application/x-thing", "a file (application/x-thing)"),
    ],
)
def test_other_types_are_named(reader, body, content_type, name):
    page = read(reader, body, content_type)

    assert page.state == "other_type"
    assert name in page.why


@pytest.mark.parametrize(("body", "text"), [("<html><p>Hello", "Hello"), ("Hello <you>", "Hello <you>")])
def test_a_body_without_a_type_is_looked_at(reader, body, text):
    assert read(reader, body, "").text == text
