"""A rater's key is kept by what keeps it safely, used again, and never in the way of results that want to leave."""

import os
import stat
import threading

import pytest

from desktop_rater.format.errors import RaterError
from desktop_rater.format.hub_names import Secret
from desktop_rater.operations.credentials import NoKeyring, SecretStore
from desktop_rater.operations.hub.keys import PASS_PHRASE_VARIABLE, SIGNING_KEY, RaterKeys, open_rater_keys
from tests.operations.test_keep_secrets import keyring

PHRASE = Secret("kelp grows fast in spring")


@pytest.fixture
def safe():
    return keyring("keyring.backends.SecretService.Keyring")


def keys_of(folder, *keyrings, pass_phrase=None, patience=5.0):
    kept = SecretStore({}, lambda: list(keyrings), patience, SIGNING_KEY)
    return RaterKeys(kept, folder / "keys", os.urandom, pass_phrase)


def test_the_first_use_makes_a_key_and_every_later_one_has_the_same(safe, tmp_path):
    first = keys_of(tmp_path, safe).for_use("ann")
    assert (first.made, first.where) == (True, "keyring")
    again = keys_of(tmp_path, safe).for_use("ann")
    assert (again.made, again.key.public) == (False, first.key.public)
    assert list(safe.held) == [("desktop-rater signing", "ann")]
    assert not (tmp_path / "keys").exists()


def test_every_rater_has_a_key_of_their_own(safe, tmp_path):
    keys = keys_of(tmp_path, safe)
    assert keys.for_use("ann").key.public != keys.for_use("Ann").key.public


def test_who_must_not_make_one_finds_what_is_there(safe, tmp_path):
    keys = keys_of(tmp_path, safe)
    assert keys.for_use("ann", make=False).key is None
    assert safe.held == {}
    made = keys.for_use("ann")
    assert keys.for_use("ann", make=False).key.public == made.key.public


@pytest.mark.parametrize("name", ["keyrings.alt.file.PlaintextKeyring", "keyring.backends.null.Keyring", "x.Keyring"])
def test_without_a_safe_keyring_results_leave_unsigned_and_no_key_is_written(tmp_path, name):
    unsafe = keyring(name)
    found = keys_of(tmp_path, unsafe).for_use("ann")
    assert (found.key, found.failed) == (None, False)
    assert "no secure keyring" in found.why
    assert unsafe.held == {}
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(NoKeyring):
        keys_of(tmp_path, unsafe).make("ann")


def test_a_keyring_that_does_not_answer_or_breaks_keeps_no_results_here(tmp_path):
    released = threading.Event()

    def hanging():
        released.wait()
        return []

    def broken():
        raise RuntimeError("the secret is kelp")

    hangs = RaterKeys(SecretStore({}, hanging, 0.05, SIGNING_KEY), tmp_path, os.urandom)
    breaks = RaterKeys(SecretStore({}, broken, 5.0, SIGNING_KEY), tmp_path, os.urandom)
    try:
        for keys in (hangs, breaks):
            found = keys.for_use("ann")
            assert (found.key, found.failed) == (None, True)
            assert "kelp" not in found.why
    finally:
        released.set()


def test_a_keyring_that_forgets_at_once_is_noticed(tmp_path):
    forgetful = keyring("keyring.backends.kwallet.DBusKeyring")
    forgetful.set_password = lambda *_given: None
    found = keys_of(tmp_path, forgetful).for_use("ann")
    assert found.key is None
    assert "did not store" in found.why


def test_what_stands_in_the_keyring_and_is_no_key_is_said_and_not_quoted(safe, tmp_path):
    safe.set_password("desktop-rater signing", "ann", "planted")
    found = keys_of(tmp_path, safe).for_use("ann")
    assert found.failed
    assert "planted" not in found.why
    assert safe.held["desktop-rater signing", "ann"] == "planted"  # nothing is written over what may be a key


@pytest.mark.posix("Windows has access control lists, not modes")
def test_a_key_file_is_for_the_user_alone_goes_first_and_wants_its_pass_phrase(safe, tmp_path):
    in_keyring = keys_of(tmp_path, safe).make("bo")
    made = keys_of(tmp_path).make_file("ann", PHRASE)
    path = tmp_path / "keys" / "ann.pem"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert made.key.text().reveal() not in path.read_bytes().decode()
    locked = keys_of(tmp_path, safe).for_use("ann")
    assert (locked.key, locked.locked) == (None, True)
    assert list(safe.held) == [("desktop-rater signing", "bo")]  # no second key beside the locked one
    keys = keys_of(tmp_path, safe)
    with pytest.raises(RaterError, match="pass phrase is wrong"):
        keys.open_file("ann", Secret("another pass phrase"), make=False)
    assert keys.for_use("ann").locked
    assert keys.open_file("ann", PHRASE, make=False).key.public == made.key.public
    assert keys.for_use("ann") == keys.latest("ann")
    assert keys.latest("ann").key.public == made.key.public
    assert keys.for_use("bo").key.public == in_keyring.key.public
    wrong = keys_of(tmp_path, safe, pass_phrase=Secret("another pass phrase")).for_use("ann")
    assert (wrong.key, wrong.failed) == (None, True)


def test_a_name_that_no_file_may_have_stays_below_its_folder(tmp_path):
    for rater in ("../../etc/passwd", "nul", "r/17", "Zoë", "a" * 300, ".."):
        keys_of(tmp_path).make_file(rater, PHRASE)
        assert keys_of(tmp_path, pass_phrase=PHRASE).find(rater).key is not None
    assert len(list((tmp_path / "keys").iterdir())) == 6
    assert [one.name for one in tmp_path.iterdir()] == ["keys"]


def test_a_second_key_is_refused_until_the_first_is_forgotten(safe, tmp_path):
    keys = keys_of(tmp_path, safe)
    first = keys.make("ann")
    for make in (keys.make, lambda rater: keys.make_file(rater, PHRASE)):
        with pytest.raises(RaterError, match="already"):
            make("ann")
    assert keys.forget("ann")
    assert not keys.forget("ann")
    assert safe.held == {}
    assert keys.make_file("ann", PHRASE).key.public != first.key.public


def test_where_the_disk_takes_no_file_nothing_is_left(tmp_path):
    (tmp_path / "keys").write_text("in the way")
    with pytest.raises(RaterError, match="can't be stored"):
        keys_of(tmp_path).make_file("ann", PHRASE)
    assert [one.name for one in tmp_path.iterdir()] == ["keys"]


def test_two_who_want_the_first_key_at_once_get_the_same(safe, tmp_path):
    keys, found = keys_of(tmp_path, safe), []
    threads = [threading.Thread(target=lambda: found.append(keys.for_use("ann").key.public)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1


def test_keys_lie_beside_the_settings_and_never_in_the_database(tmp_path):
    keys = open_rater_keys(tmp_path / "store", {"DESKTOP_RATER_KEY_PASS_PHRASE": PHRASE.reveal()}, list)
    assert keys.file_of("ann") == tmp_path / "store" / "keys" / "ann.pem"


def test_a_pass_phrase_from_a_file_that_ends_as_a_line_does_opens_what_was_made_without(tmp_path):
    """Else results would leave unsigned from the day on which a script took over."""
    found = open_rater_keys(tmp_path / "store", {PASS_PHRASE_VARIABLE: f"{PHRASE.reveal()}\r\n"}, list)
    made = found.make_file("ann", PHRASE)
    later = open_rater_keys(tmp_path / "store", {PASS_PHRASE_VARIABLE: f"{PHRASE.reveal()}\n"}, list)
    used = later.for_use("ann")
    assert used.key is not None, used.why
    assert made.key is not None
    assert used.key.public == made.key.public


@pytest.mark.posix("what is typed is text on Windows")
def test_a_pass_phrase_in_another_encoding_keeps_no_results_here(tmp_path):
    keys_of(tmp_path).make_file("ann", PHRASE)
    found = keys_of(tmp_path, pass_phrase=Secret(os.fsdecode(b"Tang w\xe4chst im Fr\xfchling"))).for_use("ann")
    assert (found.key, found.failed) == (None, True)
    assert "not UTF-8" in found.why
    assert "Tang" not in found.why
