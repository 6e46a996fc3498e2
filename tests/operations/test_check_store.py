"""What the doctor says of the world around a store, however the world behaves."""

import sys
import threading

import pytest

from desktop_rater import __version__
from desktop_rater.operations.credentials import TRUSTED_BACKENDS
from desktop_rater.operations.store.backup import check_store, keyring_backends

SECRET_SERVICE = "keyring.backends.SecretService.Keyring"
PLAIN_FILE = "keyrings.alt.file.PlaintextKeyring"
NOTHING = "keyring.backends.fail.Keyring"


def said(folder, backends, patience=5.0):
    (note,) = [
        one.text for one in check_store(folder, backends=backends, timeout=patience).notes if one.check == "keyring"
    ]
    return note


@pytest.mark.parametrize(
    ("backends", "words"),
    [
        ([SECRET_SERVICE], "stored in the system's Secret Service"),
        ([PLAIN_FILE, SECRET_SERVICE], "stored in the system's Secret Service"),
        ([PLAIN_FILE], f"{PLAIN_FILE}, which is not known to be secure"),
        ([NOTHING], "This system has no keyring"),
        (["keyring.backends.null.Keyring"], "This system has no keyring"),
        ([], "This system has no keyring"),
    ],
)
def test_the_keyring_is_named_and_only_a_known_one_is_trusted(tmp_path, backends, words):
    assert words in said(tmp_path, lambda: backends)


def test_a_keyring_that_never_answers_does_not_hold_up_the_doctor(tmp_path):
    released = threading.Event()
    try:
        assert "did not answer" in said(tmp_path, lambda: released.wait() and [], patience=0.05)
    finally:
        released.set()


def test_a_keyring_that_breaks_is_a_note_and_says_nothing_of_what_it_holds(tmp_path):
    def broken():
        raise RuntimeError("token=hunter2")

    note = said(tmp_path, broken)
    assert "RuntimeError" in note
    assert "hunter2" not in note


def test_the_real_keyring_of_this_machine_can_be_named(tmp_path):
    names = keyring_backends()
    assert names
    assert all(name in TRUSTED_BACKENDS or "." in name for name in names)


def test_the_versions_are_named_without_loading_qt(tmp_path):
    before = "PySide6.QtWidgets" in sys.modules
    (note,) = [one.text for one in check_store(tmp_path, backends=list).notes if one.check == "versions"]
    assert f"Desktop Rater {__version__}" in note
    assert "Qt by PySide6 6." in note
    assert ("PySide6.QtWidgets" in sys.modules) is before
