"""Run by a test: read pages of every kind in a process that is warm but free. Prints what libraries load late."""

import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import PathFinder

from desktop_rater.pages import child
from desktop_rater.pages.child import load_codecs, warming_pages
from desktop_rater.pages.page_reader import ReadRequest
from tests.pages import pdf_files
from tests.pages.epub_files import chapter, epub
from tests.pages.reading_pages import ALL, stored


class LateImports(MetaPathFinder):
    """The first finder: it finds nothing itself, and tells what the system's finder would."""

    def find_spec(self, fullname, path=None, target=None):
        if PathFinder.find_spec(fullname, path):
            sys.stdout.write(f"{name}: module {fullname}\n")


def tell_opened(event, arguments):
    if event == "open" and not str(arguments[0]).endswith((".py", ".pyc")):
        sys.stdout.write(f"{name}: file {arguments[0]}\n")


PAGES = {
    **{name: ("html", stored(name)) for name in ALL},
    **{name: ("pdf", body) for name, (body, _words) in pdf_files.FILES.items()},
    "json": ("text", b'{"depth": 212}'),
    "broken json": ("text", b'{"depth": '),
    "other bytes": ("text", bytes(range(256))),
    "epub": ("epub", epub([chapter(1, "Kelp")])),
    "no pdf": ("pdf", b"%PDF-1.7\n" + bytes(range(256)) * 9),
}
load_codecs()
for page in warming_pages():
    child.read_page(page)
sys.meta_path.insert(0, LateImports())
sys.addaudithook(tell_opened)
for name, (kind, body) in PAGES.items():
    child.read_page(
        ReadRequest(
            kind=kind,
            final_url="https://page.example/",
            content_type="application/json" if "json" in name else "",
            body=body,
            elements=100_000,
            depth=500,
            seconds=0,
        )
    )
