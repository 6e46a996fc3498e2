"""Commands around a hub whose lead signs: what waits for the rater's word, and a lead's key that changes."""

import pytest

from desktop_rater.format.hub_names import fingerprint
from desktop_rater.operations.hub.keys import PASS_PHRASE_VARIABLE
from tests.operations.bundles import make, rating, task, write_lines

PHRASE = "correct horse battery staple"


@pytest.fixture
def of(run, tmp_path, monkeypatch):
    """Run a command on somebody's own store; keys lie in files."""
    monkeypatch.setenv(PASS_PHRASE_VARIABLE, PHRASE)
    return lambda who, *words: run("--store", tmp_path / who, *words)


def new_key(of, who):
    made = of(who, "key", "--rater", who, "--make", "--file", "--json")
    assert made.status == 0, made.err
    return made.json["key"]


@pytest.fixture
def lead(of):
    return new_key(of, "lena")


@pytest.fixture
def url(of, lead, tmp_path):
    url = f"folder:{tmp_path / 'hub'}"
    made = of("lena", "hub", "init", url, "--project", "kelp", "--title", "Kelp", "--lead", "lena", "--json")
    assert (made.status, made.json["lead_key"], made.err) == (0, lead, "")
    return url


def publish(of, url, path, *more, who="lena"):
    lead = ("--lead", who) if who else ()
    return of(who or "nobody", "hub", "publish", url, path, "--to", "ana", *lead, *more)


def synced(of, *more):
    return of("ana", "sync", "--rater", "ana", "--patience", "0", *more)


def test_a_rater_imports_what_the_lead_signed_and_is_asked_about_the_rest(of, url, lead, tmp_path):
    signed = publish(of, url, make(tmp_path / "good.zip", [task("t-1")]), "--json")
    assert (signed.status, signed.json["signed_with"], signed.err) == (0, lead, "")
    bare = publish(of, url, make(tmp_path / "bare.zip", [task("t-1")]), who="")
    assert bare.status == 1
    assert "not signed" in bare.err
    assert "--lead" in bare.err
    first = synced(of, url)
    assert first.status == 1
    assert fingerprint(lead) in first.err
    again = synced(of, "--json")
    (held,) = again.json["held"]
    assert (again.status, held["bundle"], held["signed"]) == (1, "bare", "unsigned")
    assert again.json["lead"] == {"key": lead, "named": lead, "pinned_now": False}
    refused = of("ana", "hub", "take", held["name"], "--rater", "ana")
    assert refused.status == 2
    assert f"hub take {held['name']} --unsigned" in refused.err
    taken = of("ana", "hub", "take", "bare", "--rater", "ana", "--unsigned", "--json")
    assert (taken.status, [one["id"] for one in taken.json["imported"]]) == (0, ["bare"])
    assert synced(of).status == 0


def test_a_download_that_is_not_there_is_named(of, url):
    synced(of, url)
    missing = of("ana", "hub", "take", "dunes", "--rater", "ana", "--unsigned")
    assert missing.status == 2
    assert "dunes" in missing.err
    assert "No hub is connected" in of("ben", "hub", "take", "dunes", "--rater", "ben").err


def test_a_revision_that_would_hide_work_waits_though_the_lead_signed_it(of, run, url, tmp_path):
    publish(of, url, make(tmp_path / "b.zip", [task("t-1")]))
    synced(of, url)
    (tmp_path / "later").mkdir()
    leap = make(tmp_path / "later" / "b.zip", [task("t-1")], revision=20261122)
    publish(of, url, leap)
    done = synced(of, "--json")
    (held,) = done.json["held"]
    assert (done.status, held["revision"], held["signed"]) == (1, 20261122, "lead")
    assert "20261122" in held["why"]
    assert of("ana", "hub", "take", "b", "--rater", "ana", "--unsigned").status == 2
    taken = of("ana", "hub", "take", "b", "--rater", "ana", "--replace", "--json")
    assert (taken.status, taken.json["imported"][0]["revision"]) == (0, 20261122)


def test_a_hub_that_names_nobody_says_so_and_works(of, tmp_path):
    url = f"folder:{tmp_path / 'hub'}"
    made = of("lena", "hub", "init", url, "--project", "kelp")
    assert (made.status, "names no lead's key" in made.err) == (0, True)
    publish(of, url, make(tmp_path / "b.zip", [task("t-1")]), who="")
    done = synced(of, url)
    assert (done.status, "Nobody vouches" in done.err) == (0, True)
    assert "Nobody vouches" not in synced(of).err  # nothing came


def test_another_leads_key_is_shown_and_trusted_by_hand(of, url, lead, tmp_path):
    assert synced(of, url).status == 0
    (tmp_path / "hub" / "hub.json").unlink()
    other = new_key(of, "mia")
    of("mia", "hub", "init", url, "--project", "kelp", "--lead", "mia")
    publish(of, url, make(tmp_path / "b.zip", [task("t-1")]), who="mia")
    done = synced(of)
    assert (done.status, fingerprint(lead) in done.err, fingerprint(other) in done.err) == (1, True, True)
    shown = of("ana", "hub", "lead-key", url, "--json")
    assert (shown.status, shown.json) == (1, {"project": "kelp", "key": lead, "named": other})
    for wrong in (fingerprint(lead), other[:12], ""):
        assert of("ana", "hub", "lead-key", url, "--trust", wrong).status == 2
    assert of("ana", "hub", "lead-key", url, "--trust", fingerprint(other).upper()).status == 0
    assert [one["id"] for one in synced(of, "--json").json["imported"]] == ["b"]


def test_who_sets_up_or_publishes_with_another_key_is_told(of, url, lead, tmp_path):
    new_key(of, "mia")
    again = of("mia", "hub", "init", url, "--project", "kelp", "--lead", "mia", "--json")
    assert (again.status, again.json["lead_key"], "does not name your key" in again.err) == (0, lead, True)
    told = publish(of, url, make(tmp_path / "b.zip", [task("t-1")]), who="mia")
    assert (told.status, fingerprint(lead) in told.err) == (1, True)
    assert of("ben", "hub", "lead-key", url, "--trust", lead).status == 2
    assert not (tmp_path / "ben").exists()


def test_results_of_raters_to_whom_the_lead_assigned_nothing_wait_for_a_lead_of_commands_too(of, url, tmp_path):
    """Five sock puppets with keys of their own outvoted the raters of a lead who never opens the window."""
    bundle = make(tmp_path / "b.zip", [task("t-1")])
    assert publish(of, url, bundle).status == 0
    for who in ("ana", "sock"):
        new_key(of, who)
        of(who, "import", bundle)
        ratings = write_lines(tmp_path / "ratings.jsonl", [rating("t-1")])
        assert of(who, "rate", "b", "--from", ratings, "--rater", who).status == 0
        sent = of(who, "sync", url, "--rater", who, "--bundle", "b", "--patience", "0")
        assert sent.status in {0, 1}
    collected = tmp_path / "collected"
    assert of("lena", "hub", "collect", url, "--out", collected).status == 0
    assert of("lena", "hub", "collect", url, "--out", collected, "--json").json["there"] == 4
    opened = of("lena", "audit", "open", collected)
    assert opened.status == 1
    assert "the signed assignments of the bundle do not name this rater" in opened.err
    report = of("lena", "audit", "report", "b", "--json")
    assert ([row["rater"] for row in report.json["raters"]], report.json["raters_from"]) == (["ana"], "assignments")
