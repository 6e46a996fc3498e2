"""The process that reads pages. It handles untrusted bytes, so it has little memory, no files and no network.

On Linux it makes no system call beyond memory, clocks and its pipes.

`python -m desktop_rater.pages.child`; a packaged program starts itself instead. The last argument is the memory limit
in bytes.
"""

import codecs
import encodings
import faulthandler
import logging
import pkgutil
import sys
import traceback
import zlib
from collections.abc import Iterator
from contextlib import suppress
from importlib.abc import MetaPathFinder

import msgspec

from desktop_rater.format.strict_json import prepared_type
from desktop_rater.pages.html_page import read_html
from desktop_rater.pages.page_reader import CHILD_READY, PageContent, ReadRequest, read_frame, send_message, write_frame
from desktop_rater.pages.pdf_page import read_epub, read_pdf, read_plain
from desktop_rater.pages.response import WebError
from desktop_rater.pages.sandbox import restrict_process

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


_READERS = {"html": read_html, "text": read_plain, "pdf": read_pdf, "epub": read_epub}
_FAULT = "This is a fault of Desktop Rater, not of the page: open the page in the browser of the system, and report it."


def main() -> int:
    """Read one page after another, until the parent closes the pipe."""
    logging.disable()
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    # Output of a library must not get between the frames.
    sys.stdout = sys.stderr
    load_codecs()
    sys.meta_path.append(_missing)
    for page in warming_pages():
        read_page(page)
        _missing.absent.update(_missing.names)
    restrict_process(int(sys.argv[-1]), _missing)
    write_frame(answers, CHILD_READY)
    while frame := read_frame(requests):
        send_message(answers, read_page(msgspec.msgpack.decode(frame, type=prepared_type(ReadRequest))))
    return 0


def read_page(ask: ReadRequest) -> PageContent:
    """Read a page; any exception that a library raises for untrusted bytes gives a `broken` page."""
    _missing.names.clear()
    _alarm(ask.seconds)
    try:
        return _READERS[ask.kind](ask)
    # A library's C code that runs out of memory may fail without a reason.
    except (MemoryError, SystemError):
        return PageContent(state="broken", why="Reading the page takes more memory than the reader has.", spent=True)
    except WebError as error:
        return PageContent(state=error.state, why=error.message)
    except RecursionError:
        return PageContent(state="broken", why="The page is nested too deep to be read.")
    except Exception as error:  # noqa: BLE001 - see above
        why = f"A part of the reader is missing ({_missing.names[-1]})." if _missing.names else _place_of(error)
        return PageContent(state="broken", why=f"The page can't be read. {why} {_FAULT}")
    finally:
        _alarm(0)


class _MissingModules(MetaPathFinder):
    """The last finder of modules: finds none, and keeps the names of those that a library asks for too late.

    `absent` are those that were not found either while everything could be loaded.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self.absent: set[str] = set()

    def find_spec(self, fullname: str, _path: object = None, _target: object = None) -> None:
        # All codecs are loaded, so any other is a name that does not exist.
        if not fullname.startswith("encodings.") and fullname not in self.absent:
            self.names.append(fullname)


_missing = _MissingModules()


def _place_of(error: Exception) -> str:
    """Return a sentence with the module and the line that raised `error`, which hold nothing of the page."""
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    return f"The reader failed at line {line} of {frame.f_globals.get('__name__')}."


def _alarm(seconds: float) -> None:
    """End this process after `seconds`, in case the parent is gone."""
    if sys.platform != "win32":
        import signal  # noqa: PLC0415 - has no timers on Windows

        signal.setitimer(signal.ITIMER_REAL, seconds)
    elif seconds:  # a thread of C code, which waits for no lock of Python
        faulthandler.dump_traceback_later(seconds, exit=True, file=sys.stderr)
    else:
        faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    sys.exit(main())
