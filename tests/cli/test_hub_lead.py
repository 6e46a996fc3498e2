"""A lead's commands around a hub: publish, collect, and send back by it; what they answer, and with which status."""

import socket

import pytest

from desktop_rater.operations.self_test import sample_bundle_path, sample_ratings_path
from tests.operations.bundles import write, write_lines

BUNDLE = "sample-factuality"


@pytest.fixture
def url(run, tmp_path):
    address = f"folder:{tmp_path}/hub"
    assert run("hub", "init", address, "--project", "kelp", "--title", "Kelp").status == 0
    return address


@pytest.fixture
def of(run, tmp_path):
    """Run a command on somebody's own store."""
    return lambda who, *words: run("--store", tmp_path / who, *words)


def rated(of, url, who):
    """A rater gets the sample by the hub, rates all of it, and syncs."""
    assert of(who, "sync", url, "--rater", who).status == 0
    assert of(who, "rate", BUNDLE, "--from", sample_ratings_path(), "--rater", who).status in {0, 1}
    assert of(who, "sync", "--rater", who).status == 0


def test_publishing_says_who_got_it_and_who_had_it(run, url, tmp_path):
    raters = write(tmp_path / "raters.csv", "ana\nben\n")
    first = run("hub", "publish", url, sample_bundle_path(), "--to-file", raters, "--json", status=0)
    said = first.json
    assert (said["project"], said["bundle"], said["assigned"], said["already"]) == ("kelp", BUNDLE, ["ana", "ben"], [])
    again = run("hub", "publish", url, sample_bundle_path(), "--to", "ana", "--to", "cy", "--json").json
    assert (again["assigned"], again["already"], again["there"], again["name"]) == (["cy"], ["ana"], True, said["name"])
    assert "It is not assigned yet" in run("hub", "publish", url, sample_bundle_path()).out


def test_a_published_bundle_is_the_copy_that_its_results_are_compared_with(run, of, url):
    assert run("hub", "publish", url, sample_bundle_path(), "--lead", "Lena", "--to", "ana").status == 0
    (bundle,) = run("audit", "status", "--json").json["bundles"]
    assert (bundle["bundle"], bundle["known"], bundle["cautions"]) == (BUNDLE, True, [])


@pytest.mark.parametrize(
    ("text", "raters"),
    [("\ufeffana\r\nben\r\n", ["ana", "ben"]), ('"ana"\n"Roe, Ben"\n', ["ana", "Roe, Ben"]), (" ana \n\n", ["ana"])],
)
def test_a_table_of_one_column_names_raters(run, url, tmp_path, text, raters):
    named = write(tmp_path / "raters.csv", text)
    assert run("hub", "publish", url, sample_bundle_path(), "--to-file", named, "--json").json["assigned"] == raters


@pytest.mark.parametrize("text", ["ana\nben,ben@example.org\n", "ana;ana@example.org\n", ",ana\n"])
def test_a_table_of_more_columns_makes_no_raters_of_whole_lines(run, url, tmp_path, text):
    named = write(tmp_path / "raters.csv", text)
    assert "2 columns" in run("hub", "publish", url, sample_bundle_path(), "--to-file", named, status=2).err
    assert not (tmp_path / "hub" / "assignments").exists()


def test_blanks_around_a_name_make_no_second_rater_and_unseen_signs_none(run, url):
    said = run("hub", "publish", url, sample_bundle_path(), "--to", " ana ", "--to", "ana", "--json").json
    assert said["assigned"] == ["ana"]
    assert run("hub", "publish", url, sample_bundle_path(), "--to", "\u200b").status == 2


def test_collecting_twice_brings_nothing_twice_and_the_audit_takes_it(run, of, url, tmp_path):
    run("hub", "publish", url, sample_bundle_path(), "--to", "ana", "--to", "ben")
    for who in ("ana", "ben"):
        rated(of, url, who)
    first = run("hub", "collect", url, "--out", tmp_path / "out", "--json", status=0)
    results = [name for name in first.json["fetched"] if name.startswith("results/")]
    assert [name.split("/")[1] for name in results] == ["ana", "ben"]
    again = run("hub", "collect", url, "--out", tmp_path / "out", "--json").json
    assert (again["fetched"], again["there"], again["failed"]) == ([], len(first.json["fetched"]), [])
    opened = run("audit", "open", tmp_path / "out", "--json")
    assert opened.status in {0, 1}
    assert sorted(one["rater"] for one in opened.json["results"]) == ["ana", "ben"]


def test_a_script_that_collects_before_anybody_has_rated_goes_on(run, url, tmp_path):
    assert run("hub", "collect", url, "--out", tmp_path / "out").status == 0
    opened = run("audit", "open", tmp_path / "out", "--json")
    assert (opened.status, opened.json["results"], opened.json["refused"]) == (0, [], [])


def test_a_command_does_not_promise_to_try_again_by_itself(run, tmp_path):
    with socket.socket() as busy:  # nobody listens there
        busy.bind(("127.0.0.1", 0))
        url = f"webdav://127.0.0.1:{busy.getsockname()[1]}/kelp"
        for words in (
            ("publish", url, sample_bundle_path()),
            ("collect", url, "--out", tmp_path / "out"),
            ("init", url),
        ):
            refused = run("hub", *words, "--allow-loopback", status=2)
            assert "by itself" not in refused.err
            assert "again later" in refused.err


def test_torn_results_are_named_and_the_status_says_look(run, of, url, tmp_path):
    run("hub", "publish", url, sample_bundle_path(), "--to", "ana")
    rated(of, url, "ana")
    (there,) = (tmp_path / "hub" / "results").rglob("*.zip")
    there.write_bytes(there.read_bytes()[:100])
    collected = run("hub", "collect", url, "--out", tmp_path / "out", status=1)
    assert there.name in collected.err
    assert "by itself" not in collected.err


def test_what_is_sent_back_goes_with_the_leads_next_sync(run, of, url, tmp_path):
    run("hub", "publish", url, sample_bundle_path(), "--to", "ana")
    rated(of, url, "ana")
    run("hub", "collect", url, "--out", tmp_path / "out")
    run("audit", "open", tmp_path / "out")
    verdict = {"task": "t-0002", "where": "targets/s5", "rater": "ana", "kind": "returned"}
    said = [{**verdict, "reason": "search-too-thin", "comment": "Look again."}]
    verdicts = write_lines(tmp_path / "verdicts.jsonl", said)
    assert run("audit", "verdicts", BUNDLE, "--from", verdicts, "--lead", "lena").status == 0
    assert "No hub is connected" in run("audit", "return", BUNDLE, "--hub", status=2).err
    run("sync", url, "--rater", "lena")
    back = run("audit", "return", BUNDLE, "--hub", "--json", status=0)
    assert [(one["rater"], one["hub"], one["tasks"]) for one in back.json["raters"]] == [("ana", True, ["t-0002"])]
    sent = run("sync", "--rater", "lena", "--json")
    assert any(one["name"].startswith("returned/ana/") for one in sent.json["uploaded"])
    came = of("ana", "sync", "--rater", "ana", "--json")
    assert [one["id"] for one in came.json["imported"]] == [back.json["raters"][0]["id"]]


@pytest.mark.parametrize(
    "words", [("--hub", "--out", "x.zip"), ("--hub", "--out-dir", "x"), ("--rater", "ana"), ("--out", "x.zip")]
)
def test_sending_back_wants_one_way(run, words):
    assert run("audit", "return", BUNDLE, *words).status == 2
