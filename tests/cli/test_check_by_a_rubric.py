"""`check` vouches for the rules that results were rated by, or says that it does not."""

import json
import re
import zipfile
from pathlib import Path

import pytest

from desktop_rater.format.strict_json import sha256
from desktop_rater.pages.response import WebResponse
from desktop_rater.pages.warc import write_snapshot
from desktop_rater.paths import resources
from tests.operations.bundles import make, rating, task, write_lines

BUILTIN = (resources() / "rubrics" / "span-factuality.toml").read_text(encoding="utf-8")


def without_rules(name="span-factuality"):
    """The built-in rubric without decisions and rules, under that id."""
    return BUILTIN[: BUILTIN.index("[[decide]]")].replace('id = "span-factuality"', f'id = "{name}"', 1)


@pytest.fixture
def results(run, tmp_path):
    """Make results of one rater, by the built-in rubric or by one with this id and text."""

    def write(own=None):
        more = {}
        if own is not None:
            (tmp_path / "own.toml").write_text(own, encoding="utf-8", newline="")
            more["rubric"] = str(tmp_path / "own.toml")
        assert run("import", make(tmp_path / "b.zip", [task("t-1")], **more)).status == 0
        run("rate", "b", "--from", write_lines(tmp_path / "r.jsonl", [rating("t-1")]), "--rater", "r-17")
        assert run("export", "b", "--rater", "r-17", "--out", tmp_path / "r.zip").status == 0
        return tmp_path / "r.zip"

    return write


def renamed(path, out, rubric, text):
    """The zip with another rubric under another name, with true hashes, as a stranger may write it."""
    with zipfile.ZipFile(path) as zipped:
        files = {name: zipped.read(name) for name in zipped.namelist() if name != "signature.json"}
    manifest = json.loads(files.pop("manifest.json"))
    lines = [json.loads(line) | {"rubric": rubric} for line in files.get("ratings.jsonl", b"").splitlines()]
    if lines:
        files["ratings.jsonl"] = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    files["rubric.toml"] = text.encode()
    manifest["rubric"] = rubric
    manifest["files"] = {
        name: {**manifest["files"].get(name, {}), "sha256": sha256(content), "bytes": len(content)}
        for name, content in files.items()
    }
    with zipfile.ZipFile(out, "w") as zipped:
        for name, content in {"manifest.json": json.dumps(manifest).encode(), **files}.items():
            zipped.writestr(name, content)
    return out


def test_results_by_a_built_in_rubric_are_good_and_its_hash_is_printed(run, results):
    answer = run("check", results())
    digest = sha256(BUILTIN.encode())
    assert answer.status == 0
    assert "good" in answer.out
    assert f"Rubric span-factuality@3, built in: SHA-256 {digest}" in answer.out
    said = run("check", results(), "--json").json["rubric"]
    assert said == {"id": "span-factuality", "version": 3, "sha256": digest, "source": "built-in"}


def test_a_comment_changes_no_rule(run, results):
    answer = run("check", results("# Handed on.\n" + BUILTIN), "--json")
    assert (answer.status, answer.json["rubric"]["source"]) == (0, "built-in")


@pytest.mark.parametrize(
    "name",
    [
        "span-factuality",
        "span-factu\u0430lity",
        "span-factuality ",
        "Span-Factuality",
        "span\u2011factuality",
        "side-by-side",
    ],
)
def test_the_name_of_a_built_in_rubric_is_lent_to_no_other(run, tmp_path, results, name):
    weak = without_rules(name)
    odd = renamed(results(), tmp_path / "weak.zip", f"{name}@3", weak)
    answer = run("check", odd)
    assert (answer.status, answer.out) == (2, "")
    assert "under the name of a built-in one" in answer.err
    assert run("--store", tmp_path / "lead", "audit", "open", odd).status == 2
    (tmp_path / "weak.toml").write_text(weak, encoding="utf-8", newline="")
    lines = write_lines(tmp_path / "tasks.jsonl", [task("t-1")])
    run("bundle", "make", lines, "--out", tmp_path / "weak-bundle.zip", "--rubric", tmp_path / "weak.toml", status=2)
    assert not (tmp_path / "weak-bundle.zip").exists()
    plain = make(tmp_path / "plain.zip", [task("t-1")])
    refused = run(
        "--store", tmp_path / "other", "import", renamed(plain, tmp_path / "evil.zip", f"{name}@3", weak), status=2
    )
    assert "under the name of a built-in one" in refused.err


def test_a_rubric_that_only_the_results_bring_is_good_for_nothing_until_it_is_named(run, tmp_path, results):
    weak = without_rules("our-own")
    path = results(weak)
    answer = run("check", path, status=1)
    assert "good only by its own rubric" in answer.out
    assert f"Rubric our-own@3, of the results alone: SHA-256 {sha256(weak.encode())}" in answer.out
    assert "--bundle" in answer.err
    assert run("check", path, "--json").json["rubric"]["source"] == "results"
    for more in (["--bundle", tmp_path / "b.zip"], ["--rubric", tmp_path / "own.toml"]):
        named = run("check", path, *more, "--json")
        assert (named.status, named.json["rubric"]["source"], named.json["notes"]) == (0, "named", [])
    other = make(tmp_path / "other.zip", [task("t-1")])
    for more in (["--bundle", other], ["--rubric", "span-factuality"]):
        answer = run("check", path, *more, status=1)
        assert "They were not rated by the rubric of" in answer.err
    assert run("check", path, "--bundle", other, "--rubric", "span-factuality").status == 2


def test_results_by_a_built_in_rubric_are_not_those_of_a_bundle_with_another(run, tmp_path, results):
    path = results()
    assert run("check", path, "--rubric", "span-factuality").status == 0
    assert run("check", path, "--rubric", "side-by-side").status == 1


def test_an_earlier_version_of_a_built_in_rubric_that_the_program_knows_stays_good(run, results):
    known = json.loads((resources() / "rubrics" / "earlier.json").read_text("utf-8"))
    folder = Path(__file__).parent / "earlier_rubrics"
    texts = {path.stem: path.read_text("utf-8") for path in folder.glob("*.toml")}
    assert known == {name: sha256(text.encode()) for name, text in texts.items()}
    answer = run("check", results(texts["span-factuality@1"]), "--json", status=0)
    assert (answer.json["rubric"]["version"], answer.json["rubric"]["source"]) == (1, "built-in")


def test_an_earlier_version_that_the_program_does_not_know_is_refused(run, tmp_path, results):
    text = re.sub(r"^version = \d+$", "version = 1", BUILTIN, count=1, flags=re.MULTILINE)
    odd = renamed(results(), tmp_path / "odd.zip", "span-factuality@1", text)
    assert run("check", odd).status == 2


def page(url, *, final_url=None):
    body = b"<p>Kelp is an alga.</p>"
    return write_snapshot(
        WebResponse(
            url=url,
            final_url=final_url or url,
            status=200,
            headers=(("Content-Type", "text/html"),),
            fetched="2026-11-20T12:00:00Z",
            raw=body,
            body=body,
        )
    )


def test_a_stored_page_of_another_address_than_its_evidence_is_a_problem(run, tmp_path):
    contents = [page("https://x.example/"), page("HTTPS://Kelp.example/a#top")]
    snapshots = tmp_path / "pages"
    snapshots.mkdir()
    for number, content in enumerate(contents):
        (snapshots / f"{number}.warc.gz").write_bytes(content)
    run("import", make(tmp_path / "b.zip", [task("t-1")], snapshots=snapshots))
    urls = ["https://kelp.example/", "https://kelp.example/a"]
    evidence = [
        {"id": f"e{at}", "target": "s1", "url": url, "snapshot": sha256(content), "stance": "supporting"}
        for at, (url, content) in enumerate(zip(urls, contents, strict=True))
    ]
    lines = write_lines(tmp_path / "r.jsonl", [rating("t-1", evidence=evidence)])
    run("rate", "b", "--from", lines, "--rater", "r-17")
    assert run("export", "b", "--rater", "r-17", "--out", tmp_path / "r.zip").status == 0
    answer = run("check", tmp_path / "r.zip", "--json", status=1)
    (problem,) = answer.json["broken"]
    assert (problem["task"], problem["rule"], problem["where"]) == ("t-1", "evidence-page", "evidence/e0")
    assert "https://x.example/" in problem["message"]
    assert "evidence-page" in run("--store", tmp_path / "lead", "audit", "open", tmp_path / "r.zip", status=1).err
