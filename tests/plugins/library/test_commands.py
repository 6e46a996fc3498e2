"""Libraries by commands, as scripts use them."""

import json

import pytest

OTTER = {"title": "Sea otter", "text": "The sea otter eats urchins."}


@pytest.fixture
def here(tmp_path, monkeypatch):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "kelp.txt").write_text("Kelp grows in cold water.")
    (tmp_path / "dump.jsonl").write_text(json.dumps(OTTER))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_from_files_to_the_answers_to_a_file_of_queries(run, here):
    added = run(
        "library", "add", "Sea", "docs", "--date", "2026-03-01", "--licence", "CC0", "--origin", "a friend", "--json"
    )
    assert added.status == 0
    expected = {"id": "sea", "documents": 1, "passages": 1, "skipped": [], "ready": True, "licence": "CC0"}
    assert expected.items() <= added.json.items()
    assert run("library", "add", "Otters", "dump.jsonl").out == "Otters: 1 documents, 1 passages\n"
    assert [row["name"] for row in run("library", "list", "--json").json] == ["Otters", "Sea"]
    (here / "queries.jsonl").write_text('{"id": "q1", "query": "urchins"}\n{"id": "q2", "query": "elephants"}\n')
    answers = run("library", "search", "--queries", "queries.jsonl", "--limit", "5", "--json")
    first, second = map(json.loads, answers.out.splitlines())
    assert (answers.status, second) == (1, {"id": "q2", "results": []})
    (hit,) = first["results"]
    assert {"library": "Otters", "title": "Sea otter", "place": f"{here / 'dump.jsonl'}#0"}.items() <= hit.items()
    assert (first["id"], hit["text"], hit["score"] > 0) == ("q1", "# Sea otter\nThe sea otter eats urchins.", True)
    assert run("library", "search", "urchins", "--library", "Sea").status == 1
    assert run("library", "search", "cold kelp", "--library", "sea").out.splitlines() == [
        "kelp.txt (Sea)",
        "  Kelp grows in cold water.",
    ]
    assert run("library", "remove", "Sea").status == 0
    assert run("library", "search", "kelp").out == "Nothing found.\n"
    assert (here / "docs" / "kelp.txt").exists()


def test_what_can_not_be_read_is_named_until_it_is_mended(run, here):
    (here / "docs" / "broken.pdf").write_bytes(b"%PDF-1.4 of nothing")
    added = run("library", "add", "Sea", "docs")
    assert (added.status, added.err.splitlines()[0]) == (1, "Documents that can't be read: 1")
    assert f"{here / 'docs' / 'broken.pdf'}: This PDF is damaged" in added.err
    (skipped,) = run("library", "update", "Sea", "--json").json["skipped"]
    assert (skipped["place"], bool(skipped["reason"])) == (str(here / "docs" / "broken.pdf"), True)
    (here / "docs" / "broken.pdf").unlink()
    assert run("library", "update", "Sea", "--again").status == 0


@pytest.mark.parametrize(
    "words",
    [
        "library add Sea",
        "library add Sea docs --pages",
        "library add Sea nowhere",
        "library add Sea docs --date yesterday",
        "library add Sea docs --date 2026-02-30",
        "library add Sea docs --text body",
        "library add Mixed docs dump.jsonl",
        "library search",
        "library search kelp --queries dump.jsonl",
        "library search --queries dump.jsonl",
        "library search kelp --library Land",
        "library update Land",
        "library remove Land",
    ],
)
def test_what_makes_no_sense_is_refused(run, here, words):
    assert run(*words.split()).status == 2
    assert run("library", "list", "--json").json == []
