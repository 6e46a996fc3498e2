"""Everything that libraries load late, and small pages that the child reads before it restricts itself.

A test reads many kinds of pages in a process without restrictions, and fails for each module that is still loaded late.
"""

import codecs
import encodings
import pkgutil
import zlib
from collections.abc import Iterator
from contextlib import suppress

from desktop_rater.web.reader_process import ReadRequest

_ARTICLE = b"<title>Page</title><h1>Page</h1>" + b"".join(
    b"<p>Paragraph %d of a page that is read once so that its reader is warm, and never shown.</p>" % number
    for number in range(9)
)
# So short that every strategy for finding a main text is tried.
_SHORT = b'<html lang="en"><title>Page</title><nav>Page</nav><table><tr><td>1<td><a href="/">2</a></table>'
_DRAWN = zlib.compress(b"BT /F1 12 Tf 20 20 Td (Page) Tj ET")
_TO_UNICODE = (
    b"/CIDInit/ProcSet findresource begin 12 dict begin begincmap\n1 begincodespacerange<00><ff>endcodespacerange\n"
    b"1 beginbfchar\n<50><0050>\nendbfchar\n1 beginbfrange\n<61><65><0061>\nendbfrange\nendcmap end end"
)


def load_codecs() -> None:
    """Load every codec of Python: a page, or a font in a PDF, may name any of them."""
    for module in pkgutil.iter_modules(encodings.__path__):
        with suppress(LookupError):  # a module that is no codec, or one of another system
            codecs.lookup(module.name)


def warming_pages() -> Iterator[ReadRequest]:
    """Yield one page for each code path of the child."""
    for kind, content_type, body in (
        ("html", "text/html; charset=utf-8", _ARTICLE),
        ("html", "text/html", _SHORT),
        ("text", "application/json", b'{"page": 1}'),
        ("pdf", "application/pdf", _pdf()),
    ):
        yield ReadRequest(
            kind=kind,
            final_url="https://page.example/",
            content_type=content_type,
            body=body,
            elements=1_000,
            depth=100,
            seconds=0,
        )


def _pdf() -> bytes:
    """Return a page with one word, in a font that is not embedded and has a map to Unicode with codes of one byte."""
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (len(_DRAWN), _DRAWN),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(_TO_UNICODE), _TO_UNICODE),
    )
    out = b"%PDF-1.4\n"
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj%s endobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer<</Size 7/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % len(out)
    return out + b"xref\n0 7\n0000000000 65535 f \n" + table + end
