"""Results that leave the window are signed without a question where that can be; where not, it is said once."""

import hashlib
import os

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit

from desktop_rater.audit.results import ResultsDecision
from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import Secret, fingerprint
from desktop_rater.format.results import open_results
from desktop_rater.format.signing import SigningKey
from desktop_rater.operations.audit.decide_results import decide_results
from desktop_rater.operations.audit.import_results import import_results
from desktop_rater.operations.audit.load_audit import load_audit
from desktop_rater.operations.audit.review import Lead
from desktop_rater.operations.credentials import SecretStore
from desktop_rater.operations.hub.keys import SIGNING_KEY, RaterKeys, key_file_bytes
from desktop_rater.store.open_store import open_writer
from desktop_rater.ui.hub.exchange import HubAccess
from desktop_rater.ui.window.signing import PassPhraseDialog
from tests.audit.results import GOOD, Desk
from tests.operations.bundles import NOON, RATER, noon
from tests.operations.test_keep_secrets import keyring
from tests.ui.leads import lead_window, take_in
from tests.ui.rooms import part, press, press_until

PHRASE = "kelp grows fast in spring"
ANN, BO = SigningKey(b"a" * 32), SigningKey(b"b" * 32)


def keys_of(rooms, *keyrings):
    return RaterKeys(SecretStore({}, lambda: list(keyrings), 5.0, SIGNING_KEY), rooms.folder / "keys", os.urandom)


def finished(rooms, keys):
    """A window whose bundle is finished, with those keys."""
    rooms.reach = HubAccess(rooms.folder / "store", noon, keys=keys)
    room = rooms.with_tasks()
    rooms.press_for_task(room, "t2", "N", "J", "N", "J", "N", "Return")
    press_until(rooms.qtbot, lambda: room.window.banners.text("all_done") is not None, "N", "Return")
    return room


def exported(room, rooms, name="results.zip"):
    rooms.files.to_write = rooms.folder / name
    with rooms.qtbot.waitSignal(room.transfer.export_ended, timeout=15_000):
        press("Ctrl+Shift+E")
    with open_results(rooms.files.to_write) as results:
        return results.signature


def asked(room, rooms):
    """The dialog for the pass phrase, opened from the banner."""
    room.window.banners.banner("signing").buttons[0].click()
    dialog = room.window.findChild(PassPhraseDialog)
    rooms.qtbot.waitUntil(lambda: QApplication.focusWidget() is dialog.field)
    return dialog


def typed(rooms, *words):
    """Into each field in turn, by keys, and on with Enter."""
    for at, one in enumerate(words):
        rooms.qtbot.keyClicks(QApplication.focusWidget(), one)
        if at < len(words) - 1:
            rooms.qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    rooms.qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)


def test_with_a_safe_keyring_the_first_export_makes_a_key_and_asks_nothing(rooms):
    safe = keyring("keyring.backends.macOS.Keyring")
    room = finished(rooms, keys_of(rooms, safe))
    first = exported(room, rooms)
    assert first.state == "signed"
    words = f"Exported 2 ratings to results.zip in {rooms.folder}. Signed with your key {fingerprint(first.key)}."
    assert room.window.banners.text("transfer") == words
    assert room.window.banners.text("signing") is None
    assert exported(room, rooms, "again.zip").key == first.key
    assert (rooms.folder / "results.zip").read_bytes() == (rooms.folder / "again.zip").read_bytes()
    assert list(safe.held) == [("desktop-rater signing", RATER)]


def test_without_a_keyring_results_leave_unsigned_and_it_is_said_once(rooms):
    room = finished(rooms, keys_of(rooms))
    assert exported(room, rooms).state == "unsigned"
    assert room.window.banners.text("transfer") == f"Exported 2 ratings to results.zip in {rooms.folder}."
    assert "no secure keyring" in room.window.banners.text("signing")
    room.window.banners.drop("signing")
    assert exported(room, rooms).state == "unsigned"
    assert room.window.banners.text("signing") is None


def test_a_key_is_made_in_a_file_by_keyboard_and_signs_from_then_on(rooms):
    keys = keys_of(rooms)
    room = finished(rooms, keys)
    exported(room, rooms)
    dialog = asked(room, rooms)
    assert all(one.echoMode() == QLineEdit.EchoMode.Password for one in dialog.findChildren(QLineEdit))
    typed(rooms, PHRASE, "something else")
    assert dialog.error_label.text() == "The pass phrases do not match. Try again."
    typed(rooms, "short", "short")
    rooms.qtbot.waitUntil(lambda: "can't be used" in dialog.error_label.text())
    assert not keys.file_of(RATER).exists()
    typed(rooms, PHRASE, PHRASE)
    rooms.qtbot.waitUntil(
        lambda: "Results are now signed" in (room.window.banners.text("signing") or ""), timeout=15_000
    )
    signed = exported(room, rooms)
    assert signed.state == "signed"
    assert fingerprint(signed.key) in room.window.banners.text("transfer")
    assert keys.file_of(RATER).exists()


def test_a_key_in_a_file_waits_for_its_pass_phrase(rooms):
    before = keys_of(rooms).open_file(RATER, Secret(PHRASE), make=True).key
    room = finished(rooms, keys_of(rooms, keyring("keyring.backends.macOS.Keyring")))
    assert exported(room, rooms).state == "unsigned"
    dialog = asked(room, rooms)
    typed(rooms, "another pass phrase")
    rooms.qtbot.waitUntil(lambda: "is wrong" in dialog.error_label.text(), timeout=15_000)
    typed(rooms, PHRASE)
    rooms.qtbot.waitUntil(
        lambda: "Results are now signed" in (room.window.banners.text("signing") or ""), timeout=15_000
    )
    assert exported(room, rooms).key == before.public


@pytest.fixture
def received(tmp_path):
    """Ann signs, and one who has not published that key signs in Bo's name; Cem does not sign."""
    desk = Desk(tmp_path)
    folder = tmp_path / "in"
    folder.mkdir()
    for rater, key in (("ann", ANN), ("bo", ANN), ("cem", None)):
        desk.sent(rater, key=key, t1=GOOD, t2=GOOD, t3=GOOD).rename(folder / f"{rater}.zip")
    for rater, key in (("ann", ANN), ("bo", BO)):
        raw = key_file_bytes(rater, key.public)
        place = folder / "keys" / rater
        place.mkdir(parents=True)
        (place / f"{hashlib.sha256(raw).hexdigest()}.json").write_bytes(raw)
    return folder


def test_a_lead_sees_at_once_whose_signature_is_not_right(rooms, received):
    room = lead_window(rooms)
    take_in(rooms, room, [received])
    words = part(room, "results_words")
    rooms.qtbot.waitUntil(lambda: "The signature of 1 rater needs attention." in words.text(), timeout=15_000)
    model = part(room, "results_raters").model()
    said = [model.index(at, 0).data(Qt.ItemDataRole.DisplayRole) for at in range(model.rowCount())]
    rows = {row.partition(", ")[0]: row for row in said}
    key = fingerprint(ANN.public)
    assert next(iter(rows)) == "bo"
    assert f"signed with a key that this rater has not published, {key}" in rows["bo"]
    assert f"signed, {key}" in rows["ann"]
    assert "waits for your decision" in rows["cem"]


def test_the_comparison_says_who_signed(rooms, received):
    admitted = ResultsDecision(kind="admitted", reason="I asked them.")
    with open_writer(rooms.folder / "store", command="audit admit") as store:
        import_results(store, [received], lead="Ana", now=NOON, progress=Progress())
        held = [entry.results.sha256 for entry in load_audit(store, "kelp").held]
        decide_results(store, load_audit(store, "kelp"), held, admitted, Lead("Ana", noon))
    room = lead_window(rooms)
    take_in(rooms, room, [received])
    grid = part(room, "comparison")
    model = grid.model()
    rooms.qtbot.waitUntil(lambda: model.rowCount() > 0 and model.columnCount() == 3, timeout=15_000)
    shown = model.comparison
    at = next(at for at, row in enumerate(shown.rows) if row.id == "signature")
    key = fingerprint(ANN.public)
    assert [one.cells[at].spoken for one in shown.columns] == [
        f"ann, {key}",
        f"Signed with a key that this rater has not published: {key}",
        "Unsigned",
    ]
