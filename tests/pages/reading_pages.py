"""Answers to be read: pages of many kinds from the folder `pages`, and whatever else a test puts together."""

from pathlib import Path

from desktop_rater.format.change import Progress
from desktop_rater.pages.response import WebResponse

PAGES = Path(__file__).parent / "pages"
URL = "https://site.example/dir/page"
ALL = tuple(sorted(path.stem for path in PAGES.glob("*.html")))
ENCODINGS = {"hebrew": "cp1255", "chinese": "gb18030", "japanese": "cp932", "russian": "koi8-r"}


def stored(name, encoding=""):
    """The bytes of a page of the folder; one that says CHARSET is given the name of its encoding."""
    encoding = encoding or ENCODINGS.get(name, "utf-8")
    text = (PAGES / f"{name}.html").read_text("utf-8")
    return text.replace("CHARSET", encoding.replace("cp125", "windows-125")).encode(encoding)


def answer(body, content_type="text/html", *, status=200, url=URL, hops=()):
    headers = (("Content-Type", content_type),) if content_type else ()
    return WebResponse(
        url=hops[0].url if hops else url,
        final_url=url,
        status=status,
        headers=headers,
        hops=hops,
        raw=body,
        body=body,
        fetched="2026-11-20T09:00:00Z",
    )


def read(reader, body, content_type="text/html", **more):
    """The page that a body makes."""
    body = body if isinstance(body, bytes) else body.encode()
    return reader.read(answer(body, content_type, **more), progress=Progress())
