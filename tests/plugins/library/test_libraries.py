"""Libraries are made of files, follow them, and find what a claim is about."""

import json
import sqlite3
import sys
import time
from contextlib import closing
from types import SimpleNamespace

import numpy as np
import pytest
from msgspec.structs import replace

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.values import utc_now
from desktop_rater.operations.pages.stored_pages import page_snapshot_row
from desktop_rater.pages.guard import Guard
from desktop_rater.pages.page_reader import PageReader
from desktop_rater.pages.response import WEB_LIMITS
from desktop_rater.pages.web_client import Web
from desktop_rater.plugins.library import index
from desktop_rater.plugins.library.catalogue import INDEX, Library, library_folder, list_libraries, save_library
from desktop_rater.plugins.library.passages import LibraryDocument
from desktop_rater.plugins.library.search import (
    add_library,
    indexing_lock,
    read_document,
    search_libraries,
    skipped_documents,
    update_library,
)
from desktop_rater.store import pages, snapshots
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.pages import PageOrigin
from tests.pages.warc_files import answer
from tests.plugins.library.test_passages import SENTENCE

OTTER = """<html lang="en"><title>Sea otter</title><h1>Sea otter</h1><p>The sea otter is a marine mammal of the Pacific.
<h2>Diet</h2><p>It eats urchins, and sleeps wrapped in kelp.</html>"""
KELP = "# Kelp forests\n\nKelp is a brown alga. It grows fast in cold water.\n\n## Uses\n\nIt thickens ice cream."
TOKYO = "日本の首都は東京である。人口は約千四百万人で、世界最大の都市圏を形成している。"


@pytest.fixture
def docs(tmp_path):
    folder = tmp_path / "docs"
    (folder / "sea").mkdir(parents=True)
    (folder / "sea" / "otter.html").write_text(OTTER)
    (folder / "sea" / "z-copy.html").write_text(OTTER)
    (folder / "kelp.md").write_text(KELP)
    (folder / "tokyo.txt").write_text(TOKYO)
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 of nothing")
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    return folder


def titles(store, query, *names, **more):
    return [hit.passage.title for hit in search_libraries(store, query, names, **more)]


def rows(store, library, query):
    with closing(sqlite3.connect(library_folder(store, library.id) / "index.sqlite3")) as db:
        return db.execute(query).fetchall()


def check_index(store, library):
    """Compare the words that can be searched with the passages, and the passages with the documents."""
    with closing(sqlite3.connect(library_folder(store, library.id) / "index.sqlite3")) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        for table in ("words", "grams"):
            (indexed,) = db.execute(f"SELECT count(*) FROM {table}_docsize").fetchone()
            (stored,) = db.execute("SELECT count(*) FROM passages WHERE tokens = ?", (table,)).fetchone()
            assert indexed == stored
        assert db.execute("SELECT * FROM passages WHERE document NOT IN (SELECT id FROM documents)").fetchall() == []


def test_documents_whose_reader_ended_are_read_by_the_next_update(store, docs, web):
    library = Library(id="sea", name="Sea", kind="folder", sources=(str(docs),))
    with Web(Guard(), WEB_LIMITS, time.monotonic, utc_now) as failing:
        failing._reader = PageReader(command=[sys.executable, "-c", ""])
        skipped = add_library(store, library, failing, Progress())
    assert (skipped.documents, skipped.skipped) == (0, 5)
    updated = update_library(store, skipped, web, Progress())
    assert (updated.documents, updated.skipped) == (4, 1)
    check_index(store, library)


def test_documents_of_a_folder_are_found_by_what_they_say(store, docs, add):
    library = add("Sea", docs, date="2026-03-01")
    assert (library.documents, library.passages, library.skipped, library.ready) == (4, 3, 1, True)
    assert [place for place, _ in skipped_documents(store, library)] == [str(docs / "broken.pdf")]
    best = search_libraries(store, "What do sea otters eat [2]?")[0]
    assert (best.library.name, best.passage.title, best.passage.heading) == ("Sea", "Sea otter", "Sea otter")
    assert best.passage.text.endswith("It eats urchins, and sleeps wrapped in kelp.")
    assert titles(store, "kelp") == ["Kelp forests", "Sea otter"]
    assert titles(store, "世界最大の都市圏") == titles(store, "東京") == ["tokyo.txt"]
    assert titles(store, "elephants") == []


def test_a_document_opens_as_the_page_whose_text_the_passage_is(store, docs, add, web):
    add("Sea", docs, date="2026-03-01", origin="https://sea.example/docs/")
    for query in ("urchins", "ice cream", "都市圏"):
        passage = search_libraries(store, query)[0].passage
        fetched = read_document(store, list_libraries(store)[0], passage.place, web, Progress())
        assert fetched.page.whole_text[passage.start : passage.end] == passage.text
        assert fetched.page.final_url == passage.url
        assert (fetched.page.fetched, bool(fetched.warc)) == ("2026-03-01T00:00:00Z", True)
    assert passage.url == "https://sea.example/docs/tokyo.txt"


def test_an_update_indexes_what_changed_and_keeps_the_rest(store, docs, add, web):
    library = add("Sea", docs)
    before = dict(rows(store, library, "SELECT place, id FROM documents"))
    (docs / "sea" / "otter.html").unlink()
    (docs / "kelp.md").write_text("Seals haul out on ice.")
    (docs / "new.txt").write_text("Puffins nest in burrows.")
    library = update_library(store, library, web, Progress())
    after = dict(rows(store, library, "SELECT place, id FROM documents"))
    assert [place for place, key in after.items() if before.get(place) == key] == [str(docs / "tokyo.txt")]
    assert titles(store, "urchins") == ["Sea otter"], "the copy stands in for the page that is gone"
    assert titles(store, "alga") == []
    assert titles(store, "seal") + titles(store, "puffin") == ["kelp.md", "new.txt"]
    check_index(store, library)
    docs.rename(docs.with_name("elsewhere"))
    with pytest.raises(RaterError, match="docs can't be read"):
        update_library(store, library, web, Progress())
    assert titles(store, "urchins") == ["Sea otter"], "nothing is forgotten because a disk is not there"
    docs.mkdir()
    library = update_library(store, library, web, Progress())
    assert (library.documents, library.passages, library.skipped) == (0, 0, 0)
    check_index(store, library)


def test_nothing_is_left_of_a_library_that_can_not_be_listed(store, tmp_path, add):
    with pytest.raises(RaterError, match="gone can't be read"):
        add("Sea", tmp_path / "gone")
    with pytest.raises(RaterError, match="gone.jsonl can't be read"):
        add("Sea", tmp_path / "gone.jsonl")
    assert list_libraries(store) == []


def test_one_that_was_stopped_is_searched_as_far_as_it_came_and_goes_on(store, tmp_path, add, web, monkeypatch):
    monkeypatch.setattr("desktop_rater.plugins.library.search._SECONDS_OF_WRITING", 0)
    for number in range(9):
        (tmp_path / f"{number}.txt").write_text(f"Number{number} is a lighthouse. {SENTENCE}")
    stopped = Progress(lambda done, total: stopped.stop() if done == 5 else None)
    with pytest.raises(Cancelled):
        add("Lights", *sorted(tmp_path.glob("*.txt")), progress=stopped)
    (library,) = list_libraries(store)
    assert not library.ready
    first = rows(store, library, "SELECT id, place FROM documents")
    assert 0 < len(search_libraries(store, "lighthouse")) == len(first) < 9
    library = update_library(store, library, web, Progress())
    assert (library.documents, library.ready) == (9, True)
    assert set(first) < set(rows(store, library, "SELECT id, place FROM documents"))
    check_index(store, library)


def test_lines_of_a_dump_are_documents(store, tmp_path, add, web):
    dump = tmp_path / "dump.jsonl"
    lines = [
        {"head": f"Light {number}", "body": f"Lighthouse number{number}.", "url": f"https://light.example/{number}"}
        for number in (1, 2)
    ]
    dump.write_text("\n".join(["", *map(json.dumps, lines), "{broken", '["list"]', '{"head": "Empty"}']))
    library = add("Lights", dump, keys={"title": "head", "text": "body"})
    assert (library.kind, library.documents, library.skipped) == ("dump", 2, 3)
    assert [reason.split(":")[0] for _, reason in skipped_documents(store, library)] == [
        "Line 4",
        "Line 5",
        "Line 6 has no text.",
    ]
    passage = search_libraries(store, "number2")[0].passage
    assert (passage.title, passage.url) == ("Light 2", "https://light.example/2")
    assert "number2" in read_document(store, library, passage.place, web, Progress()).page.whole_text


def put(store, name, texts):
    """Make a library of texts, beside others that no query is about."""
    library = Library(id=name, name=name, kind="folder", ready=True)
    save_library(store, library)
    with index.open_index(library_folder(store, name) / INDEX) as db:
        for number, text in enumerate([*texts, *(f"filler{number} text" for number in range(90))]):
            index.put_document(
                db, LibraryDocument(f"{name}{number}", "https://sea.example/", f"{name}{number}", text), "1"
            )


def test_libraries_are_ranked_together(store):
    put(store, "a", ["otter", "otter otter", "kelp"])
    put(store, "b", ["otter walrus", "walrus " * 9, *["kelp walrus"] * 3, "walrus"])
    assert titles(store, "otter walrus")[0] == "b0"
    assert titles(store, "kelp otter", "a") == ["a2", "a1", "a0"], "kelp is the rarer word in this library"
    assert set(titles(store, "otter", limit=3)) == {"a0", "a1", "b0"}
    assert titles(store, "otter", "a", limit=1) == ["a1"]


@pytest.mark.parametrize("most", [1, 4, 20_000])
def test_frequent_words_find_what_has_several_of_them(store, monkeypatch, most):
    monkeypatch.setattr(index, "_MOST_RANKED", most)
    texts = ["otter kelp", "otter sea", "kelp sea", "otter kelp sea", "walrus"] * 2
    put(store, "sea", [f"{text} number{number}" for number, text in enumerate(texts)])
    assert set(titles(store, "otter kelp sea")[:2]) == {"sea3", "sea8"}
    assert titles(store, "number6 otter")[0] == "sea6"
    assert set(titles(store, "walrus")) == {"sea4", "sea9"}


def test_a_model_orders_the_first_passages(store):
    put(store, "sea", [f"otter {'kelp ' * number}" for number in range(60)])
    plain = titles(store, "otter", limit=60)

    def longest_first(query, passages, scores):
        assert (query, len(passages), len(scores)) == ("otter", 50, 50)
        return list(map(len, passages))

    hits = search_libraries(store, "otter", limit=60, rerank=longest_first)
    assert [hit.passage.title for hit in hits[50:]] == plain[50:]
    lengths = [len(hit.passage.text) for hit in hits[:50]]
    assert lengths == sorted(lengths, reverse=True)
    scores = [hit.passage.score for hit in hits]
    assert scores == sorted(scores, reverse=True)


class ModelOfLetters:
    """A tokenizer and a model whose tokens are letters: a score of each pair, or a vector of each token or text."""

    truncation, kind = None, ""
    enable_truncation = enable_padding = lambda *_arguments: None
    from_file = classmethod(lambda cls, _path: cls())

    def __init__(self, *_arguments, **_named):
        pass

    def encode_batch(self, texts):
        letters = ["".join(text) for text in texts]
        rows = [(len(text), text.ljust(max(map(len, letters)), "t")) for text in letters]
        tokens = [(list(map(ord, row)), [place < size for place in range(len(row))]) for size, row in rows]
        return [SimpleNamespace(ids=ids, attention_mask=mask, type_ids=mask) for ids, mask in tokens]

    def get_inputs(self):
        return [SimpleNamespace(name=name) for name in ("input_ids", "attention_mask")]

    def run(self, _names, feeds):
        tokens = np.eye(128)[feeds["input_ids"]]
        if self.kind == "sentence_embedding":
            return [(tokens * feeds["attention_mask"][:, :, None]).sum(1)]
        return [tokens[:, :, ord("k")].sum(1)] if self.kind == "logits" else [tokens, None]


@pytest.mark.parametrize(
    ("kind", "order"),
    [
        ("logits", ["kkkk", "tree", "otto"]),
        ("hidden", ["otto", "tree", "kkkk"]),
        ("sentence_embedding", ["otto", "tree", "kkkk"]),
    ],
)
def test_a_model_of_pairs_or_of_vectors_orders_passages(store, monkeypatch, kind, order):
    put(store, "sea", [f"otter {word}" for word in ("tree", "kkkk", "otto")])
    monkeypatch.setattr(ModelOfLetters, "kind", kind)
    monkeypatch.setitem(sys.modules, "onnxruntime", SimpleNamespace(InferenceSession=ModelOfLetters))
    monkeypatch.setitem(sys.modules, "tokenizers", SimpleNamespace(Tokenizer=ModelOfLetters))
    folder = store / "libraries" / "model.d"
    folder.mkdir()
    (folder / "model.onnx").touch()
    assert [hit.passage.text.split()[1] for hit in search_libraries(store, "otter")] == order


def test_a_model_that_can_not_be_used_is_named(store, monkeypatch):
    put(store, "sea", ["otter"])
    folder = store / "libraries" / "model.d"
    folder.mkdir()
    (folder / "model.onnx").write_bytes(b"no model")
    assert titles(store, "whale") == [], "a model is loaded when there is something to order"
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(RaterError, match="onnxruntime is not installed"):
        titles(store, "otter")


def test_words_in_quotation_marks_have_to_occur_unless_nothing_has_them(store, tmp_path, add):
    (tmp_path / "a.txt").write_text("Sea lions and an otter.")
    (tmp_path / "b.txt").write_text("An otter at sea. The sea otter.")
    add("Sea", tmp_path / "a.txt", tmp_path / "b.txt")
    assert titles(store, '"sea otter" lions') == ["b.txt"]
    assert len(titles(store, '"otter lions"')) == 2


def test_pages_of_the_store_are_a_library_but_not_those_of_raters(store, web, stored):
    stored("https://otter.example/", OTTER, "fetched")
    stored("https://otter.example/", OTTER.replace("urchins", "clams"), "fetched", "2026-11-21T08:00:00Z")
    stored("https://kelp.example/", "<title>Kelp</title><p>Kelp grows in cold water.", "results")
    stored("https://bundle.example/", "<title>Puffin</title><p>Puffins nest in burrows.", "bundle")
    library = add_library(store, Library(id="", name="Pages", kind="pages"), web, Progress())
    assert (library.documents, library.skipped) == (2, 0)
    assert titles(store, "kelp clams puffins") == ["Sea otter", "Puffin"]
    assert "clams" in search_libraries(store, "otter")[0].passage.text
    assert read_document(
        store, library, search_libraries(store, "puffins")[0].passage.place, web, Progress()
    ).page.shows


@pytest.fixture
def stored(store, web):
    """Store a page as if it came from the network, a bundle or results."""

    def stored(url, body, kind, fetched="2026-11-20T08:00:00Z"):
        read = web.read_response(replace(answer(url=url, body=body.encode()), fetched=fetched), Progress())
        with open_writer(store, command="a test") as opened:
            name = read.page.snapshot
            snapshots.store_snapshot(store, name, [read.warc])
            origin = PageOrigin(kind=kind, bundle="b", rater="r" if kind == "results" else "", arrived=fetched)
            row = page_snapshot_row(read.page, read.content)
            pages.record_visits(opened, [], [row], {name: read.page.whole_text}, [(name, origin)])

    return stored


def test_a_damaged_index_is_named_and_built_again(store, docs, add, web):
    library = add("Sea", docs)
    file = library_folder(store, library.id) / INDEX
    file.write_bytes(file.read_bytes()[:4096] + b"x" * 9_000)
    with pytest.raises(RaterError, match="The index of a library can't be used"):
        search_libraries(store, "otter")
    assert update_library(store, library, web, Progress(), again=True).documents == 4
    file.write_bytes(b"x" * 9_000)
    assert update_library(store, library, web, Progress()).documents == 4
    assert titles(store, "urchins") == ["Sea otter"]


def test_an_index_that_was_just_created_has_nothing_and_one_of_another_version_is_made_anew(store, docs, add, web):
    library = add("Sea", docs)
    file = library_folder(store, library.id) / INDEX
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(RaterError, match="it has version 99"):
        search_libraries(store, "otter")
    assert update_library(store, library, web, Progress()).documents == 4
    index.delete_index(file)
    file.touch()
    assert titles(store, "otter 東京") == []


def test_two_processes_never_index_one_library(store, docs, add, web):
    library = add("Sea", docs)
    with indexing_lock(store, library), pytest.raises(RaterError, match="by another process"):
        update_library(store, library, web, Progress())


def test_one_library_has_one_kind_and_one_name(store, docs, add):
    (docs / "dump.jsonl").write_text("{}")
    with pytest.raises(RaterError, match="can't be in one library"):
        add("Mixed", docs, docs / "dump.jsonl")
    add("Sea", docs)
    with pytest.raises(RaterError, match="already"):
        add("sea", docs)
    with pytest.raises(RaterError, match="no library 'Land'"):
        search_libraries(store, "otter", ["Land"])
