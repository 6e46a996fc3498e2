"""Pages that the servers of the tests send."""

from html import escape


def page(title: str, text: str, head: str = "") -> bytes:
    return (
        f"<!doctype html><html lang=en><head><title>{escape(title)}</title>{head}</head>"
        f"<body><h1>{escape(title)}</h1><p>{escape(text)}</p></body></html>"
    ).encode()


ARTICLE = b"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Canberra - The Atlas</title>
<meta property="og:site_name" content="The Atlas"><meta property="article:published_time" content="2025-03-12">
</head><body>
<nav><a href="/">Home</a> <a href="/about">About</a></nav>
<main><article><h1>Canberra</h1>
<p>Canberra is the capital city of Australia. It was founded in 1913 as a compromise between the rivals Sydney and
Melbourne, and lies in the Australian Capital Territory, about 280 kilometres south-west of Sydney.</p>
<p>The competition for its plan was won by <a href="/griffin">Walter Burley Griffin</a> and Marion Mahony Griffin.
Their design used circles, hexagons and triangles, and was aligned with the hills around the valley.</p>
<p>The population was 456,692 in June 2022, which makes it the largest inland city of the country. The lake in its
middle was filled in 1964 and bears the name of Griffin.</p>
<img src="/pixel.gif" alt="The lake at dusk" width="1" height="1">
</article></main>
<footer>The Atlas, 2025</footer></body></html>
"""

LOGIN_FORM = page("Sign in", "To read on, sign in.").replace(
    b"</body>", b'<form action="/in"><input name="user"><input type="password" name="word"></form></body>'
)
PAYWALL = page(
    "The lake",
    "The lake was filled in 1964. Subscribe to read on.",
    '<script type="application/ld+json">{"@type": "NewsArticle", "isAccessibleForFree": false}</script>',
)
LINKS = page("Links", "Where would you like to go?").replace(
    b"</body>",
    b'<p><a href="file:///etc/hostname">a file</a> <a href="http://127.0.0.1:22/">a port</a>'
    b' <a href="javascript:alert(1)">a script</a> <a href="data:text/html,hi">data</a>'
    b' <a href="//example.org/x">no scheme</a> <a href="/page">a page</a></p>'
    b'<img src="/pixel.gif"><iframe src="/frame"></iframe><script src="/script.js"></script>'
    b'<link rel="stylesheet" href="/style.css"></body>',
)


def pdf(text: str) -> bytes:
    """A PDF of one page with one line."""
    drawing = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode("latin-1")
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources 6 0 R >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawing), drawing),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Font << /F1 5 0 R >> >>",
    ]
    out = b"%PDF-1.4\n"
    starts = []
    for number, part in enumerate(parts, 1):
        starts.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % start for start in starts)
    size = len(parts) + 1
    end = b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
    return out + end % (size, table, size, len(out))
