"""Who signed results is said by command: signed by whom, unsigned, or altered; and what it rests on."""

import hashlib
import stat
import zipfile

import pytest

from desktop_rater.format.hub_names import Secret, fingerprint
from desktop_rater.format.signing import SigningKey
from desktop_rater.operations.hub.keys import PASS_PHRASE_VARIABLE, key_file_bytes
from tests.audit.results import GOOD, WRONG

ALL = {"t1": GOOD, "t2": GOOD, "t3": GOOD}
ANN, BO = SigningKey(b"a" * 32), SigningKey(b"b" * 32)
PHRASE = "kelp grows fast in spring"


def with_signature(path, raw):
    """The same results with another file in the place of the signature, or none."""
    out = path.with_name(f"other-{path.name}")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            if name != "signature.json":
                new.writestr(name, old.read(name))
        if raw:
            new.writestr("signature.json", raw)
    return out


def published(folder, rater, key, *, under=""):
    """A rater's key as it lies in a folder that was fetched from a hub."""
    raw = key_file_bytes(rater, key.public)
    place = folder / "keys" / (under or rater)
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{hashlib.sha256(raw).hexdigest()}.json").write_bytes(raw)


def signing_of(run, rater):
    bundles = run("audit", "status", "--json").json["bundles"]
    (found,) = next(one["signings"] for one in bundles[0]["raters"] if one["rater"] == rater)
    return found["state"], found["known"], found["signs"]


@pytest.mark.posix("Windows has access control lists, not modes")
def test_a_key_is_made_in_a_file_used_and_forgotten(desk, run, tmp_path, monkeypatch):
    assert run("key", "--rater", "ann").status == 1
    assert run("key", "--rater", "ann", "--make").status == 2  # no keyring is safe here
    monkeypatch.setenv(PASS_PHRASE_VARIABLE, PHRASE)
    made = run("key", "--rater", "ann", "--make", "--file", "--public", tmp_path / "ann.json", "--json")
    assert (made.status, made.json["made"], made.json["where"]) == (0, True, "file")
    key = made.json["key"]
    assert (tmp_path / "ann.json").read_bytes() == key_file_bytes("ann", key)
    (file,) = (tmp_path / "store" / "keys").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    desk.rated("ann", **ALL)
    run("import", desk.bundle)
    lines = max(desk.folder.glob("ratings-*.jsonl"))
    run("rate", "kelp", "--from", lines, "--rater", "ann")
    out = tmp_path / "ann.zip"
    exported = run("export", "kelp", "--rater", "ann", "--out", out, "--json")
    assert (exported.status, exported.json["key"], exported.err) == (0, key, "")
    again = run("export", "kelp", "--rater", "ann", "--out", tmp_path / "again.zip", "--json")
    assert again.json["sha256"] == exported.json["sha256"]
    assert run("check", out, "--json").json["signature"]["key"] == key
    monkeypatch.delenv(PASS_PHRASE_VARIABLE)
    unsigned = run("export", "kelp", "--rater", "ann", "--out", out, status=0)
    assert "signed" not in unsigned.out
    assert unsigned.err.startswith("Not signed: The signing key is in a file")
    assert PASS_PHRASE_VARIABLE in unsigned.err
    assert run("check", out, "--json").json["signature"]["state"] == "unsigned"
    secret = SigningKey.of_file(file.read_bytes(), Secret(PHRASE)).text().reveal()
    everything = [one for one in tmp_path.rglob("*") if one.is_file()]
    assert len(everything) > 10
    for one in everything:
        content = one.read_bytes()
        assert not {name for name in (secret.encode(), bytes.fromhex(secret), PHRASE.encode()) if name in content}, one
    assert run("key", "--rater", "ann", "--forget").status == 0
    assert not list((tmp_path / "store" / "keys").iterdir())
    assert run("key", "--rater", "ann").status == 1


def test_a_second_key_does_not_take_the_place_of_the_first(run, monkeypatch):
    monkeypatch.setenv(PASS_PHRASE_VARIABLE, PHRASE)
    first = run("key", "--rater", "ann", "--make", "--file", "--json").json
    again = run("key", "--rater", "ann", "--make", "--file", "--json").json
    assert (again["key"], again["made"]) == (first["key"], False)
    monkeypatch.setenv(PASS_PHRASE_VARIABLE, "another pass phrase")
    wrong = run("key", "--rater", "ann", "--make", "--file")
    assert (wrong.status, "pass phrase" in wrong.err) == (2, True)
    assert PHRASE not in wrong.err


def test_check_says_signed_by_whom_as_far_as_it_is_known(desk, run):
    path = desk.sent("ann", key=ANN, **ALL)
    answer = run("check", path, "--json")
    said = {"state": "signed", "rater": "ann", "key": ANN.public, "known": None, "why": None}
    assert (answer.status, answer.json["signature"]) == (0, said)
    assert "no key of ann is known to compare it with" in run("check", path).out
    published(desk.folder, "ann", ANN)
    assert run("audit", "open", desk.folder, "--json").json["keys"][0]["rater"] == "ann"
    assert run("check", path, "--json").json["signature"]["known"] is True
    assert run("check", path).out.splitlines()[1] == f"Signed by ann, key {fingerprint(ANN.public)}."


def test_check_refuses_what_was_altered_since_it_was_signed(desk, run):
    path = desk.sent("ann", key=ANN, **ALL)
    with zipfile.ZipFile(desk.sent("bo", key=BO, **ALL)) as other:
        foreign = other.read("signature.json")
    answer = run("check", with_signature(path, foreign), "--json")
    assert (answer.status, answer.json["signature"]["state"]) == (2, "altered")
    words = run("check", with_signature(path, foreign), status=2)
    assert words.out.splitlines()[1] == "Altered: the signature names another rater than the manifest."


def test_check_finds_unsigned_results_good(desk, run):
    answer = run("check", desk.sent("ann", **ALL), "--json")
    said = {"state": "unsigned", "rater": None, "key": None, "known": None, "why": None}
    assert (answer.status, answer.json["signature"]) == (0, said)


def test_results_that_another_made_in_a_raters_name_are_told_apart(desk, run):
    """Bo can write anything but Ann's signature."""
    published(desk.folder, "ann", ANN)
    published(desk.folder, "bo", BO)
    run("audit", "open", desk.folder)
    forged = desk.sent("ann", key=BO, **ALL)
    checked = run("check", forged, "--json")
    assert (checked.status, checked.json["signature"]["known"]) == (1, False)
    assert "they are not signed with a known key of the rater" in run("audit", "open", forged, status=1).err
    assert signing_of(run, "ann") == ("signed", False, True)
    status = run("audit", "status", status=1)
    assert f"signed with a key that this rater has not published, {fingerprint(BO.public)}" in status.out


def test_a_rater_who_never_signed_is_not_blamed_for_it(desk, run):
    run("audit", "open", desk.bundle, desk.sent("ann", key=ANN, **ALL), desk.sent("bo", **ALL))
    status = run("audit", "status")
    lines = {line.split(":")[0].strip(): line for line in status.out.splitlines()}
    assert status.status == 0
    assert "signed" in lines["ann"]
    assert "sign" not in lines["bo"]


def test_stripping_the_signature_of_a_rater_with_a_known_key_shows(desk, run):
    stripped = with_signature(desk.sent("ann", key=ANN, **ALL), None)
    run("audit", "open", desk.bundle, stripped)
    assert signing_of(run, "ann") == ("unsigned", None, False)
    assert run("audit", "status").status == 0
    (desk.folder / "ann.key.json").write_bytes(key_file_bytes("ann", ANN.public))
    assert run("audit", "open", desk.folder / "ann.key.json").out == "Public keys of raters: 1\n"
    assert signing_of(run, "ann") == ("unsigned", None, True)
    status = run("audit", "status")
    assert (status.status, "unsigned, although this rater signs results" in status.out) == (1, True)


def test_altered_signatures_come_in_and_are_named(desk, run):
    path = desk.sent("ann", key=ANN, **ALL)
    bad = with_signature(path, b"{}")
    opened = run("audit", "open", bad, "--json", status=1)
    assert opened.json["results"][0]["signature"] == "altered"
    assert "altered since it was signed" in opened.err
    assert signing_of(run, "ann") == ("altered", None, False)
    assert "altered since it was signed" in run("audit", "status").out


def test_while_no_key_of_anybody_is_known_any_results_count(desk, run):
    first = desk.sent("ann", "first", key=ANN, **ALL)
    second = desk.sent("ann", "second", t1=WRONG)
    run("audit", "open", first, second)
    bundle = run("audit", "status", "--json").json["bundles"][0]
    assert (bundle["earlier"], bundle["forks"]) == (3, [])
    assert signing_of(run, "ann") == ("unsigned", None, True)


def test_the_same_ratings_exported_unsigned_and_then_signed_are_no_fork(desk, run):
    unsigned = desk.sent("ann", "unsigned", **ALL)
    signed = desk.exported("ann", "signed", key=ANN)
    later = desk.sent("ann", "later", key=ANN, t1=WRONG)
    run("audit", "open", unsigned, later)
    run("audit", "open", signed)
    bundle = run("audit", "status", "--json").json["bundles"][0]
    assert bundle["forks"] == []
    assert signing_of(run, "ann") == ("signed", None, True)


@pytest.mark.parametrize("hostile", ["another's folder", "another name", "no JSON", "huge", "odd digits", "later"])
def test_a_key_that_is_not_what_its_place_says_is_refused(desk, run, hostile):
    raw = key_file_bytes("ann", ANN.public)
    match hostile:
        case "another's folder":  # bo may write below keys/bo alone, and must not speak for ann
            published(desk.folder, "ann", BO, under="bo")
        case "another name":
            published(desk.folder, "ann", ANN)
            (file,) = (desk.folder / "keys" / "ann").iterdir()
            file.rename(file.with_name(f"{'0' * 64}.json"))
        case _:
            other = {
                "no JSON": b"{",
                "huge": raw + b" " * 70_000,
                "odd digits": raw.replace(ANN.public[:2].encode(), b"0X"),
                "later": raw.replace(b'"version":1', b'"version":2'),
            }[hostile]
            place = desk.folder / "keys" / "ann"
            place.mkdir(parents=True)
            (place / f"{hashlib.sha256(other).hexdigest()}.json").write_bytes(other)
    answer = run("audit", "open", desk.bundle, desk.folder, "--json")
    assert (answer.json["keys"], len(answer.json["refused"])) == ([], 1)
    assert answer.json["refused"][0]["file"].startswith("keys/")


def test_a_bundle_holds_no_signature(desk, run):
    out = desk.folder / "signed-bundle.zip"
    with zipfile.ZipFile(desk.bundle) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
        new.writestr("signature.json", ANN.sign("ann", b"{}"))
    assert "signature.json is not allowed in this file" in run("import", out, status=2).err


def test_json_of_the_formats_holds_the_two_new_files(run):
    for name, rest in (("signature", {"key", "manifest", "signature"}), ("key", {"key"})):
        schema = run("schema", name).json
        part = schema["$defs"][schema["$ref"].rpartition("/")[2]]
        assert set(part["required"]) == {"format", "version", "rater"} | rest
