"""A team's hub by commands: set up, looked at, given bundles, and synced with, also by script and without a network."""

import io
import json
import sys

import pytest

from desktop_rater.operations.hub.connect import HUB_PASSWORD_VARIABLE, HUB_USER_VARIABLE
from desktop_rater.store import hubs
from tests.hub.servers.apache import PASSWORD, USER
from tests.operations.bundles import make, rating, task, write_lines
from tests.readers import reader_of


@pytest.fixture
def url(tmp_path, run):
    """A hub in a folder, with a bundle for r-17."""
    url = f"folder:{tmp_path / 'hub'}"
    assert run("hub", "init", url, "--project", "kelp", "--title", "Kelp").status == 0
    make_and_publish(run, url, tmp_path / "b.zip")
    return url


def make_and_publish(run, url, path, *options):
    run("hub", "publish", url, make(path, [task("t-1"), task("t-2")]), "--to", "r-17", *options, status=0)


def rate(run, tmp_path, *names, bundle="b"):
    lines = write_lines(tmp_path / "r.jsonl", [rating(name) for name in names])
    assert run("rate", bundle, "--from", lines, "--rater", "r-17").status == 0


def synced(run, *more):
    return run("sync", "--rater", "r-17", "--patience", "0", "--json", *more)


def test_a_whole_round_by_script(run, tmp_path, url):
    first = synced(run, url)
    assert (first.status, first.json["project"]) == (0, "kelp")
    assert first.json["imported"] == [{"id": "b", "revision": 1, "outcome": "imported", "tasks": 2}]
    rate(run, tmp_path, "t-1")
    half = synced(run)
    assert (half.status, [one["open"] for one in half.json["not_sent"]]) == (0, [1])
    rate(run, tmp_path, "t-2")
    done = synced(run)
    (sent,) = done.json["uploaded"]
    assert (done.status, sent["bundle"], sent["revision"]) == (0, "b", 1)
    assert (tmp_path / "hub" / sent["name"]).is_file()
    again = synced(run)
    assert (again.status, again.json["uploaded"], again.json["waiting"]) == (0, [], [])


def test_setting_up_a_hub_twice_changes_nothing_and_another_project_is_refused(run, tmp_path):
    url = f"folder:{tmp_path / 'hub'}"
    first = run("hub", "init", url, "--project", "kelp", "--title", "Kelp", "--json")
    was = (tmp_path / "hub" / "hub.json").read_bytes()
    second = run("hub", "init", url, "--json")
    assert (first.json["made"], second.json["made"], second.json["project"]) == (True, False, "kelp")
    assert second.json["created"] == first.json["created"]
    assert "kelp" in run("hub", "init", url, "--project", "moss", status=2).err
    assert (tmp_path / "hub" / "hub.json").read_bytes() == was


def test_two_hubs_that_were_given_no_id_are_two_projects(run, tmp_path):
    made = [run("hub", "init", f"folder:{tmp_path / name}", "--json").json["project"] for name in ("one", "two")]
    assert made[0].startswith("one-")
    assert made[1].startswith("two-")


def test_a_folder_without_a_place_is_no_hub(run, tmp_path):
    run("hub", "init", f"folder:{tmp_path / 'stick' / 'hub'}", status=2)
    assert not (tmp_path / "stick").exists()


def test_a_probe_says_what_a_hub_can_do_and_whether_it_is_set_up(run, tmp_path, url):
    found = run("hub", "probe", url, "--json")
    assert (found.status, found.json["usable"], found.json["project"], found.json["title"]) == (0, True, "kelp", "Kelp")
    assert all(one["passed"] and one["words"] for one in found.json["findings"])
    (tmp_path / "new").mkdir()
    empty = run("hub", "probe", f"folder:{tmp_path / 'new'}", "--json")
    assert (empty.status, empty.json["project"]) == (1, None)
    assert "hub init" in run("hub", "probe", f"folder:{tmp_path / 'new'}").out
    assert run("hub", "probe", f"folder:{tmp_path / 'nowhere'}").status == 2


def test_without_a_hub_a_sync_says_how_to_name_one(run, tmp_path):
    answer = synced(run)
    assert answer.status == 2
    assert "sync URL" in answer.err
    assert not (tmp_path / "store").exists()


@pytest.mark.parametrize(
    "url", ["https://hub.example/x", "webdav://hub.example/x", "ftp://x", "s3://", "webdavs://u:p@h/"]
)
def test_an_address_that_is_none_is_refused_before_there_is_a_store(run, tmp_path, url):
    answer = synced(run, url)
    assert answer.status == 2
    assert "u:p" not in answer.err
    assert not (tmp_path / "store").exists()


def test_what_is_no_hub_makes_no_store(run, tmp_path):
    (tmp_path / "hub").mkdir()
    assert synced(run, f"folder:{tmp_path / 'hub'}").status == 2
    assert not (tmp_path / "store").exists()


def test_a_hub_that_moved_is_the_same_hub(run, tmp_path, url):
    synced(run, url)
    rate(run, tmp_path, "t-1", "t-2")
    (tmp_path / "hub").rename(tmp_path / "elsewhere")
    away = synced(run)
    assert (away.status, away.json["stopped"]["kind"]) == (2, "place")
    moved = synced(run, f"folder:{tmp_path / 'elsewhere'}")
    assert (moved.status, len(moved.json["uploaded"])) == (0, 1)
    assert "new address" in moved.err
    reader = reader_of(tmp_path / "store")
    assert [row.url for row in hubs.list_hubs(reader)] == [f"folder:{tmp_path / 'elsewhere'}"]
    reader.close()


def test_a_hub_that_was_swapped_gets_nothing(run, tmp_path, url):
    synced(run, url)
    rate(run, tmp_path, "t-1", "t-2")
    marker = tmp_path / "hub" / "hub.json"
    marker.write_text(json.dumps({**json.loads(marker.read_text("utf-8")), "project": "moss"}), "utf-8")
    for words in ((), (url,)):
        answer = synced(run, *words)
        assert (answer.status, answer.json["stopped"]["kind"]) == (2, "swapped")
    assert not (tmp_path / "hub" / "results").exists()


def test_the_name_in_the_settings_is_who_syncs(run, tmp_path, url):
    assert run("sync", url).status == 2
    (tmp_path / "store").mkdir(exist_ok=True)
    (tmp_path / "store" / "settings.json").write_text(
        json.dumps({"format": "desktop-rater-settings", "rater": "r-17"}), "utf-8"
    )
    assert run("sync", url, "--json").json["imported"]


def test_what_comes_can_be_left_in_the_inbox(run, tmp_path, url):
    assert synced(run, url, "--no-import").json["imported"] == []
    assert run("status", "--json").json["bundles"] == []
    assert synced(run).json["imported"]


def test_a_bundle_from_elsewhere_is_named_and_goes_by_its_name(run, tmp_path, url):
    synced(run, url)
    run("import", make(tmp_path / "other.zip", [task("t-1")]))
    rate(run, tmp_path, "t-1", bundle="other")
    assert "--bundle other" in run("sync", "--rater", "r-17", "--patience", "0", status=1).err
    named = synced(run, "--bundle", "other")
    assert (named.status, [one["bundle"] for one in named.json["uploaded"]]) == (0, ["other"])


def test_a_bundle_that_nobody_knows_is_not_passed_over_in_silence(run, url):
    answer = synced(run, url, "--bundle", "nope")
    assert (answer.status, [one["bundle"] for one in answer.json["not_sent"]]) == (1, ["nope"])


def test_part_of_a_bundle_goes_where_that_is_asked_for(run, tmp_path, url):
    synced(run, url)
    rate(run, tmp_path, "t-1")
    assert len(synced(run, "--partial").json["uploaded"]) == 1


def test_by_a_real_server_with_tls_and_a_password(run, tmp_path, apache_tls, monkeypatch):
    url = apache_tls.url("cli-sync")
    with_tls = ("--certificates", apache_tls.certificates)
    assert run("hub", "probe", url).status == 2  # nobody has said that these certificates are trusted
    refused = run("hub", "init", url, "--project", "kelp", *with_tls)
    assert (refused.status, "sign" in refused.err.lower()) == (2, True)
    monkeypatch.setenv(HUB_USER_VARIABLE, USER)
    monkeypatch.setenv(HUB_PASSWORD_VARIABLE, PASSWORD)
    assert run("hub", "init", url, "--project", "kelp", *with_tls).status == 0
    assert run("hub", "probe", url, *with_tls).status == 0
    make_and_publish(run, url, tmp_path / "b.zip", *with_tls)
    assert synced(run, url, *with_tls).json["imported"]
    rate(run, tmp_path, "t-1", "t-2")
    done = synced(run, *with_tls)
    assert (done.status, len(done.json["uploaded"])) == (0, 1)
    monkeypatch.setenv(HUB_PASSWORD_VARIABLE, "another one")
    out = synced(run, *with_tls)
    assert (out.status, out.json["stopped"]["kind"]) == (2, "sign_in")
    for file in (tmp_path / "store").rglob("*"):
        assert not file.is_file() or PASSWORD.encode() not in file.read_bytes()


def test_a_server_that_is_not_there_is_waited_for_as_long_as_said(run, tmp_path, own_apache, monkeypatch):
    monkeypatch.setenv(HUB_USER_VARIABLE, USER)
    monkeypatch.setenv(HUB_PASSWORD_VARIABLE, PASSWORD)
    server = own_apache()
    url = server.url("away")
    run("hub", "init", url, "--project", "kelp", "--allow-loopback")
    make_and_publish(run, url, tmp_path / "b.zip", "--allow-loopback")
    synced(run, url, "--allow-loopback")
    rate(run, tmp_path, "t-1", "t-2")
    server.stop()
    away = synced(run, "--allow-loopback")
    assert (away.status, away.json["stopped"]["kind"]) == (1, "away")
    server.start()
    assert len(synced(run, "--allow-loopback", "--patience", "30").json["uploaded"]) == 1


def test_a_title_that_nobody_could_read_is_refused_before_the_hub_is_spoilt(run, tmp_path):
    url = f"folder:{tmp_path / 'new'}"
    assert run("hub", "init", url, "--project", "kelp", "--title", "x" * 70_000).status == 2
    assert run("hub", "init", url, "--project", "kelp").status == 0


def test_a_hub_that_was_swapped_does_not_become_the_one_that_syncs_go_to(run, tmp_path, url):
    first = f"folder:{tmp_path / 'first'}"
    run("hub", "init", first, "--project", "first")
    synced(run, first)
    synced(run, url)
    (tmp_path / "first" / "hub.json").unlink()
    run("hub", "init", first, "--project", "somebody-else's")
    assert synced(run, first).status == 2
    assert (synced(run).status, synced(run).json["project"]) == (0, "kelp")


def test_a_token_needs_no_user(run, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("a token\n"))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    assert HUB_PASSWORD_VARIABLE in run("hub", "sign-in", "webdavs://hub.example/team").err
    assert run("hub", "sign-in", "webdavs://hub.example/team", "--forget").status == 0


def test_a_password_is_kept_nowhere_but_in_a_keyring(tmp_path, run, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("a canary\n"))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    answer = run("hub", "sign-in", "webdavs://hub.example/team", "--user", "r-17", status=2)
    assert HUB_PASSWORD_VARIABLE in answer.err
    assert "canary" not in answer.out + answer.err
    assert not (tmp_path / "store").exists()


@pytest.mark.parametrize(("given", "words"), [("", "The password is empty"), ("a" * 4_100, "at most 4,000")])
def test_a_pipe_that_broke_or_brought_too_much_keeps_no_password(run, monkeypatch, given, words):
    """A good one would be gone, or one cut off would be kept, and the hub would say no to both."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(given))
    answer = run("hub", "sign-in", "webdavs://hub.example/team", "--user", "r-17")
    assert (answer.status, answer.out, words in answer.err) == (2, "", True)


def test_who_is_named_on_the_command_line_goes_before_the_environment(run, own_apache, monkeypatch):
    server = own_apache()
    monkeypatch.setenv(HUB_USER_VARIABLE, "somebody-else")
    monkeypatch.setenv(HUB_PASSWORD_VARIABLE, PASSWORD)
    url = (server.url("named"), "--project", "kelp", "--allow-loopback")
    assert run("hub", "init", *url).status == 2
    assert run("hub", "init", *url, "--user", USER).status == 0
