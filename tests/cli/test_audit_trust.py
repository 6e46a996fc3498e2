"""A lead decides by commands which results and which keys count, and each command says what is not final."""

import pytest

from desktop_rater.format.signing import SigningKey
from desktop_rater.format.strict_json import sha256
from desktop_rater.operations.hub.keys import PASS_PHRASE_VARIABLE, key_file_bytes
from tests.audit.results import GOOD, OPINION, Desk, renamed
from tests.audit.test_hostile_results import forged, other_text
from tests.audit.test_who_decides import later_revision
from tests.cli.test_signatures import published

ANN, BO, EVE = (SigningKey(name * 32) for name in (b"a", b"b", b"e"))
ALL = {"t1": GOOD, "t2": GOOD, "t3": GOOD}
NONE = {"t1": OPINION, "t2": OPINION, "t3": OPINION}
WORDS = ("--lead", "Ana", "--reason", "I asked her.", "--json")


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


@pytest.fixture
def held(desk, run):
    """The SHA-256 of an unsigned forgery in the name of a rater whose signed results are here."""
    (desk.folder / "ann.json").write_bytes(key_file_bytes("ann", ANN.public))
    signed = desk.sent("ann", key=ANN, **ALL)
    assert run("audit", "open", "--lead", "Ana", desk.bundle, desk.folder / "ann.json", signed).status == 0
    forgery = renamed(desk.sent("eve", **NONE), desk.folder / "as-ann.zip", "ann")
    opened = run("audit", "open", forgery, "--json", status=1)
    assert "they are not signed, and a key of the rater is known" in opened.err
    return opened.json["results"][0]["sha256"]


def decided(run, folder):
    """The exit status of an adjudication, how many values it decided, and what it says on standard error."""
    out = folder / "final.jsonl"
    answer = run("audit", "adjudicate", "kelp", "--to", "jsonl", "--out", out, "--json")
    return answer.status, answer.json["decided"], answer.err, out.read_bytes()


def test_what_waits_is_named_by_each_command_and_ends_it_with_1(desk, run, held):
    status, _, err, _ = decided(run, desk.folder)
    assert (status, "1 result of ann waits for the lead’s decision" in err) == (1, True)
    report = run("audit", "report", "kelp", "--html", desk.folder / "report.html")
    assert (report.status, "waits for the lead’s decision" in report.out) == (1, True)
    assert "waits for the lead" in (desk.folder / "report.html").read_text("utf-8")
    told = run("audit", "status")
    assert (told.status, held[:12] in told.out) == (1, True)


def test_results_are_taken_out_and_admitted_with_a_reason(desk, run, held):
    _, _, _, before = decided(run, desk.folder)
    assert run("audit", "take-out", "kelp", "--results", held[:12], *WORDS).status == 0
    status, _, err, labels = decided(run, desk.folder)
    assert (status, err, labels) == (0, "", before)
    assert "Taken out by Ana: I asked her." in run("audit", "status").out
    admitted = run("audit", "admit", "kelp", "--results", held, *WORDS, status=1)
    assert admitted.json["decided"] == [{"sha256": held, "rater": "ann"}]
    status, _, err, labels = decided(run, desk.folder)
    assert (status, labels == before) == (1, False)
    assert "although no known key has signed it" in err


@pytest.mark.parametrize(
    "words",
    [
        ("take-out", "kelp", "--results", "ffffffffffff", *WORDS),
        ("take-out", "kelp", *WORDS),
        ("admit", "kelp", "--rater", "ann", *WORDS),
        ("admit", "kelp", "--rater", "nobody", *WORDS),
        ("keys", "--call-back", "ffff", "--lead", "Ana", "--reason", "It was lost."),
        ("keys", "--call-back", "8", "--introduce", "8"),
    ],
)
def test_a_decision_about_nothing_is_refused(run, held, words):
    before = run("audit", "status", "--json").json
    assert run("audit", *words).status == 2
    assert run("audit", "status", "--json").json == before


def test_a_revision_or_a_text_that_nobody_published_is_named_and_admitted_only_where_the_text_is_the_same(desk, run):
    assert run("audit", "open", desk.bundle, desk.sent("ann", **ALL)).status == 0
    for name, change in (("text", other_text), ("revision", later_revision)):
        odd = forged(desk.sent("eve", name, **NONE), desk.folder / f"odd-{name}.zip", change)
        opened = run("audit", "open", odd, "--json", status=1)
        quarantined = opened.json["bundles"]["kelp"]["quarantined"]
        assert name in {reason["kind"] for entry in quarantined for reason in entry["reasons"]}
    quarantined = run("audit", "status", "--json").json["bundles"][0]["quarantined"]
    for entry in quarantined:
        run("audit", "admit", "kelp", "--results", entry["sha256"], *WORDS)
    (eve,) = [
        rater for rater in run("audit", "status", "--json").json["bundles"][0]["raters"] if rater["rater"] == "eve"
    ]
    assert eve["ratings"] == 3


def test_a_key_is_called_back_and_another_one_is_introduced(desk, run):
    published(desk.folder, "ann", ANN)
    run("audit", "open", desk.folder)
    run("audit", "open", desk.bundle, desk.sent("ann", key=ANN, **ALL))
    assert run("audit", "keys").status == 0
    published(desk.folder, "ann", EVE)
    assert run("audit", "open", desk.folder / "keys" / "..").status in {0, 1}
    listed = run("audit", "keys", "--json", status=1)
    assert {key["key"]: key["state"] for key in listed.json["keys"]} == {ANN.public: "introduced", EVE.public: "waits"}
    run("audit", "keys", "--call-back", ANN.public[:16], "--lead", "Ana", "--reason", "It was lost.", status=1)
    (entry,) = run("audit", "status", "--json").json["bundles"][0]["quarantined"]
    assert [reason["kind"] for reason in entry["reasons"]] == ["other-key"]
    introduced = run(
        "audit", "keys", "--introduce", EVE.public, "--lead", "Ana", "--reason", "She told me.", "--json", status=0
    )
    assert {key["key"]: key["state"] for key in introduced.json["keys"]}[EVE.public] == "introduced"


def test_ids_that_look_alike_are_named(desk, run):
    results = desk.sent("ann", **ALL)
    alike = renamed(results, desk.folder / "alike.zip", "аnn")
    run("audit", "open", desk.bundle, results, alike)
    assert "These ids look alike: ann, аnn." in run("audit", "status").out


def test_an_id_with_unseen_characters_is_the_id_without_them(desk, run):
    results = renamed(desk.sent("ann", **ALL), desk.folder / "unseen.zip", " ann\u200b ")
    opened = run("audit", "open", results, "--json")
    assert opened.json["results"][0]["rater"] == "ann"
    assert [rater["rater"] for rater in opened.json["bundles"]["kelp"]["raters"]] == ["ann"]


def test_a_key_that_replaces_another_counts_because_the_other_has_signed_for_it(desk, run, monkeypatch):
    monkeypatch.setenv(PASS_PHRASE_VARIABLE, "four words or more of these")
    files = [desk.folder / "first.json", desk.folder / "second.json"]
    made = run("key", "--rater", "ann", "--make", "--file", "--public", files[0], "--json").json
    replaced = run("key", "--rater", "ann", "--replace", "--public", files[1], "--json").json
    assert replaced["key"] != made["key"]
    assert run("key", "--rater", "ann", "--json").json["key"] == replaced["key"]
    for file in files:  # as they lie on a hub
        raw = file.read_bytes()
        place = desk.folder / "keys" / "ann" / f"{sha256(raw)}.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(raw)
        run("audit", "open", desk.folder)
    listed = run("audit", "keys", "--json", status=0)
    assert {key["key"]: key["state"] for key in listed.json["keys"]} == {
        made["key"]: "introduced",
        replaced["key"]: "introduced",
    }


def test_without_a_key_there_is_none_to_replace(run):
    assert run("key", "--rater", "ann", "--replace").status == 1
