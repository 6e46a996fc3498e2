"""E-books for tests, whole and hostile ones."""

import io
import zipfile

MIMETYPE = "application/epub+zip"
CONTAINER = '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'
BOMB = '<!DOCTYPE p [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>'


def chapter(number, text, *, doctype=""):
    return (
        f'<?xml version="1.0" encoding="utf-8"?>{doctype}<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head>'
        f'<body><a id="c{number}"/><h2>Chapter {number}</h2><p>{text}</p></body></html>'
    )


def epub(chapters, *, doctype="", method=zipfile.ZIP_DEFLATED, listed=None):
    """Return an EPUB with these chapters, in order; `listed`: the numbers in its spine."""
    numbers = range(1, len(chapters) + 1)
    items = "".join(f"<item id='i{n}' href='text/c%20{n}.xhtml' media-type='application/xhtml+xml'/>" for n in numbers)
    spine = "".join(f'<itemref idref="i{number}"/>' for number in (listed or numbers))
    facts = "<dc:title>Kelp &amp; tides</dc:title><dc:creator>M. Sarkis</dc:creator><dc:language>en</dc:language>"
    package = (
        f"{doctype}<package><metadata>{facts}</metadata><manifest>{items}</manifest><spine>{spine}</spine></package>"
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        file.writestr("mimetype", MIMETYPE, zipfile.ZIP_STORED)
        file.writestr("META-INF/container.xml", CONTAINER)
        file.writestr("OPS/book.opf", package)
        for number, text in zip(numbers, chapters, strict=True):
            file.writestr(f"OPS/text/c {number}.xhtml", text)
    return out.getvalue()
