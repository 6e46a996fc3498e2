"""ZIM files for tests, written by libzim."""

import pytest

from desktop_rater.plugins.library.catalogue import Library

writer = pytest.importorskip("libzim.writer", reason="libzim is not installed: it has no wheel for this system")

WIKI = {
    "Title": "Kelp encyclopedia",
    "Date": "2026-01-05",
    "Language": "eng",
    "Creator": "Wikipedia",
    "License": "CC-BY-SA-4.0",
    "Source": "en.wikipedia.org",
    "Scraper": "mwoffliner 1.14",
}


class Article(writer.Item):
    def __init__(self, path, title, content, media_type="text/html"):
        super().__init__()
        self.values = path, title, content, media_type

    def get_path(self):
        return self.values[0]

    def get_title(self):
        return self.values[1]

    def get_mimetype(self):
        return self.values[3]

    def get_contentprovider(self):
        return writer.StringProvider(self.values[2])

    def get_hints(self):
        return {writer.Hint.FRONT_ARTICLE: self.values[3] == "text/html"}


def write_zim(path, *, indexed=True, articles=40, metadata=WIKI, words=""):
    """Write a ZIM file with articles on kelp, of which every tenth mentions otters."""
    with writer.Creator(path).config_indexing(indexed, "eng") as creator:
        creator.set_mainpath("Kelp/1")
        for number in range(1, articles + 1):
            otter = f"<p>A sea otter of forest {number} eats urchins." if number % 10 == 0 else ""
            kelp = f"<p>Giant kelp number {number} grows in cold water. {words}" * 3
            page = f"<html><title>Kelp {number}</title><h1>Kelp {number}</h1>{kelp}{otter}</html>"
            creator.add_item(Article(f"Kelp/{number}", f"Kelp {number}", page))
        creator.add_item(Article("style.css", "", "p {}", "text/css"))
        creator.add_redirection("Kelps", "Kelps", "Kelp/1", {})
        for key, value in metadata.items():
            creator.add_metadata(key, value)
    return path


def zim_library(path, **more):
    return Library(id="kelp", name="Kelp", kind="zim", sources=(str(path),), **more)
