"""Small pages that the child reads before it restricts itself, so that everything libraries load late is loaded."""

import codecs
import zlib
from collections.abc import Iterator

from desktop_rater.web.decoding import CODECS
from desktop_rater.web.reader_process import ReadRequest

_ARTICLE = b"<title>Page</title><h1>Page</h1>" + b"".join(
    b"<p>Paragraph %d of a page that is read once so that its reader is warm, and never shown.</p>" % number
    for number in range(9)
)
# So short that every strategy for finding a main text is tried.
_SHORT = b'<html lang="en"><title>Page</title><nav>Page</nav><table><tr><td>1<td><a href="/">2</a></table>'
_DRAWN = zlib.compress(b"BT /F1 12 Tf 20 20 Td (Page) Tj ET")


def warming_pages() -> Iterator[ReadRequest]:
    """Yield one page for each code path of the child."""
    for name in CODECS:
        codecs.lookup(name)
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
    """Return a page with one word, in a font that is not embedded."""
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (len(_DRAWN), _DRAWN),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    )
    out = b"%PDF-1.4\n"
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj%s endobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % len(out)
    return out + b"xref\n0 6\n0000000000 65535 f \n" + table + end
