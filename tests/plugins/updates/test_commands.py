"""Looking for a release and downloading it, from a stick, a web server and a team's hub; and what is refused."""

import json
from datetime import timedelta

import pytest

from desktop_rater import __version__
from desktop_rater.format.strict_json import canonical_json, sha256, to_plain
from desktop_rater.format.values import format_time
from desktop_rater.plugins.updates import release
from desktop_rater.plugins.updates.release import INDEX_NAME, MAX_INDEX_BYTES, sign_index
from tests.operations.bundles import make, task
from tests.plugins.updates.releases import CONTENT, KEY, NOW, OTHER_KEY, PROGRAM, an_index, lay, serving


@pytest.fixture(autouse=True)
def trusted(monkeypatch):
    monkeypatch.setattr(release, "release_keys", lambda: (KEY.public,))


@pytest.fixture
def stick(tmp_path):
    return lay(tmp_path / "stick")


def names(folder):
    return [path.name for path in folder.iterdir()]


def checked(run, place, *more):
    return run("update", "check", "--from", place, "--json", *more)


def downloaded(run, place, out, *more):
    return run("update", "download", "--from", place, "--out", out, "--json", *more)


def test_a_rater_finds_a_release_on_a_stick_and_takes_its_file(run, stick, tmp_path):
    found = checked(run, stick)
    assert (found.status, found.json["newer"], found.json["release"]) == (1, True, "9.9.0")
    assert [file["name"] for file in found.json["files"]] == [PROGRAM]
    assert "Faster." in run("update", "check", "--from", stick).out
    out = tmp_path / "new"
    first = downloaded(run, stick / INDEX_NAME, out)
    assert (first.status, first.json["new"], names(out)) == (0, True, [PROGRAM])
    assert (out / PROGRAM).read_bytes() == CONTENT
    assert downloaded(run, stick, out).json["new"] is False
    (out / PROGRAM).write_bytes(b"mine")
    assert "A different file" in downloaded(run, stick, out).err
    assert (out / PROGRAM).read_bytes() == b"mine"
    assert downloaded(run, stick, tmp_path / "more", "--file", "other.exe").status == 0
    assert PROGRAM in downloaded(run, stick, out, "--file", "../passwd").err


def test_the_place_comes_from_the_settings_and_a_current_version_is_enough(run, stick, tmp_path):
    assert "No place of updates is set" in run("update", "check").err
    settings = {"format": "desktop-rater-settings", "update_place": str(stick)}
    (tmp_path / "store").mkdir(exist_ok=True)
    (tmp_path / "store" / "settings.json").write_text(json.dumps(settings), "utf-8")
    assert run("update", "check").status == 1
    lay(stick, release=__version__, number=8)
    (tmp_path / "store" / "updates.json").unlink()
    assert (run("update", "check").status, run("update", "download", "--out", tmp_path / "x").status) == (0, 1)
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("ranges", [True, False], ids=["ranges", "no-ranges"])
def test_a_download_from_a_server_that_broke_off_is_continued(run, stick, tmp_path, ranges):
    with serving(stick) as server:
        server.cut, server.ranges = 100_000, ranges
        cut = downloaded(run, server.url, tmp_path / "new", "--allow-loopback")
        assert cut.status == 2
        (partial,) = (tmp_path / "new").iterdir()
        assert partial.stat().st_size == 100_000
        server.cut = None
        assert downloaded(run, server.url, tmp_path / "new", "--allow-loopback").status == 0
        left = len(CONTENT) - 100_000 if ranges else len(CONTENT)
        assert [sent for name, sent in server.sent if name == PROGRAM] == [100_000, left]
    assert names(tmp_path / "new") == [PROGRAM]
    assert (tmp_path / "new" / PROGRAM).read_bytes() == CONTENT


def test_a_place_that_can_not_be_looked_at_is_named(run, stick, tmp_path):
    """As a share whose server is away, and a path of the settings that is too long for the system."""
    for place in ("k" * 300, tmp_path / ("k" * 300) / INDEX_NAME, tmp_path / "stick" / INDEX_NAME / "more"):
        assert "is not at" in checked(run, place).err


def test_a_release_without_a_file_for_this_computer_names_its_files(run, stick, tmp_path):
    lay(stick, files=an_index().files[:1])
    assert "has no file for this computer.\n  Its files are other.exe." in downloaded(run, stick, tmp_path / "x").err
    assert "has no such file." in downloaded(run, stick, tmp_path / "x", "--file", PROGRAM).err


def test_a_server_that_is_wrong_or_away_is_named(run, stick):
    assert "https://" in checked(run, "http://127.0.0.1:1/x").err
    assert "https://" in checked(run, "http://example.org/x", "--allow-loopback").err
    with serving(stick) as server:
        url = server.url
        (stick / INDEX_NAME).unlink()
        assert "404" in checked(run, url, "--allow-loopback").err
    assert "can't be reached" in checked(run, url, "--allow-loopback").err


def test_a_lead_puts_a_release_on_the_hub_and_a_rater_takes_it(run, stick, tmp_path):
    hub = f"folder:{tmp_path / 'hub'}"
    assert run("hub", "init", hub, "--project", "kelp").status == 0
    assert "is not at" in checked(run, hub).err
    (stick / "other.exe").write_bytes(b"half")
    assert "not complete" in run("hub", "release", hub, stick).err
    lay(stick)
    shared = run("hub", "release", hub, stick, "--json")
    assert (shared.status, shared.json["sent"]) == (0, ["other.exe", PROGRAM])
    assert run("hub", "release", hub, stick, "--json").json["there"] == ["other.exe", PROGRAM]
    releases = tmp_path / "hub" / "releases"
    for number, content in ((999_999_998, b"{}"), (999_999_999, sign_index(an_index(), OTHER_KEY))):
        (releases / f"{number}-{sha256(content)}.json").write_bytes(content)
    (releases / f"999999997-{'0' * 64}.json").write_bytes(b"torn")
    assert "No hub is connected" in checked(run, "hub").err
    assert run("sync", hub, "--rater", "ana", "--patience", "0").status == 0
    taken = downloaded(run, "hub", tmp_path / "new")
    assert (taken.status, (tmp_path / "new" / PROGRAM).read_bytes()) == (0, CONTENT)
    (releases / f"7-{sha256((stick / INDEX_NAME).read_bytes())}.json").unlink()
    assert "refused" in checked(run, "hub").err


def changed_after_signing(index):
    return sign_index(index, KEY).replace(b"Faster.", b"Slower.")


HOSTILE = {
    "a key that the program does not know": (lambda: sign_index(an_index(), OTHER_KEY), "unknown key"),
    "changed": (lambda: changed_after_signing(an_index()), "signature is invalid"),
    "another's signature under our key": (
        lambda: sign_index(an_index(), OTHER_KEY).replace(OTHER_KEY.public.encode(), KEY.public.encode()),
        "signature is invalid",
    ),
    "cut": (lambda: sign_index(an_index(), KEY)[:-300], "can't be read"),
    "empty": (lambda: b"", "can't be read"),
    "huge": (lambda: b" " * MAX_INDEX_BYTES + sign_index(an_index(), KEY), "more than"),
    "deep": (lambda: b"[" * 100_000, "can't be read"),
    "no signature": (lambda: b'{"format": "desktop-rater/releases"}', "no signed"),
    "a later format": (lambda: sign_index(an_index(version=2), KEY), "version 2"),
    "expired": (lambda: sign_index(an_index(expires=format_time(NOW - timedelta(days=3_650))), KEY), "expired"),
    "an older program": (lambda: sign_index(an_index(release="0.0.9"), KEY), "older"),
}


@pytest.mark.parametrize(("content", "why"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_index_is_refused(run, stick, tmp_path, content, why):
    (stick / INDEX_NAME).write_bytes(content())
    refused = downloaded(run, stick, tmp_path / "new")
    assert (refused.status, (tmp_path / "new").exists()) == (2, False)
    assert why in refused.err
    assert not (tmp_path / "store" / "updates.json").exists()


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "a\\evil", "C:evil", ".bashrc", "nul.exe", "a" * 121, "x."])
def test_a_file_name_that_leads_elsewhere_is_refused_even_if_it_is_signed(run, stick, name):
    plain = to_plain(an_index())
    plain["files"][1]["name"] = name
    (stick / INDEX_NAME).write_bytes(signed(plain))
    assert "`name`" in checked(run, stick).err


def signed(plain):
    content = {key: value for key, value in plain.items() if key != "signature"}
    return json.dumps({**content, "signature": KEY.sign_release(canonical_json(content))}).encode()


def test_an_index_older_than_one_seen_is_refused(run, stick):
    assert checked(run, stick).status == 1
    lay(stick, number=6)
    assert "outdated" in checked(run, stick).err
    lay(stick, number=8, release="9.8.0")
    assert "outdated" in checked(run, stick).err
    lay(stick, number=8, release="9.10")
    assert checked(run, stick).json["release"] == "9.10"


def test_a_file_that_is_not_the_signed_one_leaves_nothing(run, stick, tmp_path):
    (stick / PROGRAM).write_bytes(CONTENT[:-1] + b"!")
    assert "refused" in downloaded(run, stick, tmp_path / "new").err
    assert names(tmp_path / "new") == []
    (stick / PROGRAM).write_bytes(CONTENT + b"more")  # what follows is never read
    assert downloaded(run, stick, tmp_path / "new").status == 0
    (stick / PROGRAM).write_bytes(CONTENT[:10])
    assert "10 of" in downloaded(run, stick, tmp_path / "short").err
    lay(stick)
    assert downloaded(run, stick, tmp_path / "short").status == 0


def test_a_store_too_old_for_the_release_is_told(run, stick, tmp_path):
    lay(stick, oldest_store=900)
    assert checked(run, stick).json["store_supported"] is True
    assert run("import", make(tmp_path / "kelp.zip", [task("t-1")])).status == 0
    told = checked(run, stick)
    assert (told.status, told.json["store_supported"]) == (1, False)
    assert "a release in between" in told.err
