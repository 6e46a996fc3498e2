"""Research, verdicts on links, spans of claims and neutral pages go through every door, and odd values through none."""

import copy
import json
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.operations.bundles import make, task, write_lines

from .conftest import Answer

URL = "https://kelp.example/colour"
SENTENCE = "Kelp is green and brown."
LINE: dict[str, Any] = {
    "task": "t-1",
    "answers": {"targets": {"s1": {"factual": "yes", "comment": "Two field guides."}, "s2": {"factual": "no"}}},
    "claims": {
        "s1": [
            {
                "id": "c1",
                "text": "Kelp is green.",
                "spans": [{"start": 0, "end": 13, "quote": "Kelp is green", "shade": 1}],
                "answers": {"accuracy": "accurate"},
                "hue": "green",
            },
            {
                "id": "c2",
                "text": "Kelp is brown.",
                "spans": [{"start": 0, "end": 7, "quote": "Kelp is"}, {"start": 18, "end": 23, "quote": "brown"}],
                "answers": {"accuracy": "accurate"},
            },
        ]
    },
    "evidence": [
        {"id": "e1", "target": "s1", "claims": ["c1", "c2"], "stance": "supporting", "url": URL, "hue": "blue"},
        {"id": "e2", "target": "s1", "claims": ["c1"], "stance": "neutral", "reason": "copy", "url": f"{URL}/2"},
    ],
    "links_opened": [URL],
    "links_counted": [f"{URL}/3"],
    "link_verdicts": {URL: "matches", f"{URL}/3": "sign_in"},
    "research": [
        {"kind": "search", "target": "s1", "query": "kelp", "engine": "web", "at": "2026-11-20T09:00:00Z"},
        {"kind": "page", "target": "s1", "url": URL, "seconds": 70, "outcome": "taken", "depth": 3},
        {"kind": "outside", "target": "s1", "seconds": 300},
    ],
    "mood": "calm",
}


def exported(run: Callable[..., Answer], folder: Path, line: dict[str, Any]) -> Path:
    """The results of a rater who rates so."""
    made = make(folder / "kelp.zip", [task("t-1", SENTENCE, f"See {URL} and {URL}/3 too.")])
    assert run("import", made).status == 0
    lines = write_lines(folder / "ratings.jsonl", [line])
    done = run("rate", "kelp", "--from", lines, "--rater", "ann")
    assert done.status == 0, done.out + done.err
    out = folder / "results.zip"
    assert run("export", "kelp", "--rater", "ann", "--out", out).status == 0
    return out


def rating_in(results: Path) -> dict[str, Any]:
    with zipfile.ZipFile(results) as file:
        return json.loads(file.read("ratings.jsonl"))


def forged(source: Path, out: Path, rating: dict[str, Any]) -> Path:
    """The same results with another rating, and hashes that fit."""
    with zipfile.ZipFile(source) as old:
        files = {name: old.read(name) for name in old.namelist()}
    files["ratings.jsonl"] = json.dumps(rating).encode() + b"\n"
    manifest = json.loads(files.pop("manifest.json"))
    manifest["files"] = {name: {"sha256": sha256(raw).hexdigest(), "bytes": len(raw)} for name, raw in files.items()}
    with zipfile.ZipFile(out, "w") as new:
        for name, raw in {**files, "manifest.json": json.dumps(manifest).encode()}.items():
            new.writestr(name, raw)
    return out


def holds(value: Any, wanted: Any) -> bool:
    """Every key and entry that is wanted is there."""
    if isinstance(wanted, dict):
        return all(name in value and holds(value[name], part) for name, part in wanted.items())
    if isinstance(wanted, list):
        return len(value) == len(wanted) and all(map(holds, value, wanted))
    return value == wanted


def test_all_of_it_and_keys_of_a_newer_program_come_out_of_a_store_and_of_an_audit(run, tmp_path):
    results = exported(run, tmp_path, LINE)
    assert run("check", results).status == 0
    left = rating_in(results)
    assert holds(left, LINE)
    assert left["decided"]["targets/s1"]["accuracy"] == {"is": "accurate", "by": "claims"}
    assert run("audit", "open", results, "--lead", "lead").status == 1
    final = tmp_path / "final.zip"
    assert run("audit", "adjudicate", "kelp", "--to", "results", "--out", final, "--rater", "lead").status == 1, (
        "without the bundle"
    )
    assert run("check", final).status == 0
    assert holds(rating_in(final), {name: LINE[name] for name in ("claims", "evidence", "research", "link_verdicts")})


def test_the_table_has_a_row_for_each_step_of_the_research(run, tmp_path):
    out = tmp_path / "out.jsonl"
    assert run("results", "convert", "--to", "jsonl", "--out", out, exported(run, tmp_path, LINE)).status == 0
    rows = [row for row in map(json.loads, out.read_text("utf-8").splitlines()) if row["kind"] == "research"]
    assert [[row[name] for name in ("target", "question", "value", "number", "note")] for row in rows] == [
        ["s1", "search", "kelp", None, "web"],
        ["s1", "page", "taken", 70, None],
        ["s1", "outside", None, 300, None],
    ]


ODD = {
    "evidence[0].stance": (("evidence", 0, "stance"), "undecided"),
    "evidence[1].reason": (("evidence", 1, "reason"), "boring"),
    "research[0].kind": (("research", 0, "kind"), "dream"),
    "research[1].outcome": (("research", 1, "outcome"), "burnt"),
    "research[2].seconds": (("research", 2, "seconds"), 1.7e308),
    "link_verdicts": (("link_verdicts", URL), "lovely"),
    "claims": (("claims", "s1", 0, "spans", 0, "start"), "first"),
}


@pytest.mark.parametrize("name", ODD)
def test_a_value_that_nobody_knows_is_refused_by_its_name_at_every_door(run, tmp_path, name):
    def changed(plain: dict[str, Any]) -> dict[str, Any]:
        odd = copy.deepcopy(plain)
        (*way, last), value = ODD[name]
        part: Any = odd
        for step in way:
            part = part[step]
        part[last] = value
        return odd

    results = exported(run, tmp_path, LINE)
    lines = write_lines(tmp_path / "odd.jsonl", [changed(LINE)])
    odd = forged(results, tmp_path / "odd.zip", changed(rating_in(results)))
    for command in (
        ("rate", "kelp", "--from", lines, "--rater", "bo"),
        ("check", odd),
        ("audit", "open", odd, "--lead", "lead"),
        ("results", "convert", "--to", "csv", "--out", tmp_path / "out.csv", odd),
    ):
        answer = run(*command, status=2)
        assert "line 1" in answer.err
        assert name in answer.err
        assert "Traceback" not in answer.err
    assert not (tmp_path / "out.csv").exists()
