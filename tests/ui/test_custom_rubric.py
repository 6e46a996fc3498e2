"""A rubric of one's own goes the whole way: written, put into a bundle, rated in the window, sent, checked."""

import json
import zipfile
from pathlib import Path

from PySide6.QtWidgets import QLabel

from desktop_rater.cli.root import main
from desktop_rater.format.strict_json import to_plain
from desktop_rater.ui.window.screens import REVIEW
from tests.audit.results import GOOD, Desk
from tests.operations.bundles import RATER, rating, take_in, task, write_lines, writer
from tests.store.older import lay
from tests.ui.rooms import Text, part, press

SENTENCES = ("Garlic is planted in autumn.", "It smells wonderful.", "It came with the railways.")
BY_HAND = {
    "s1": {"checkable": "yes", "verdict": "right"},
    "s2": {"checkable": "no"},
    "s3": {"checkable": "yes", "verdict": "wrong", "harm": 2, "comment": "It is far older."},
}


def bundle_of_ones_own(folder: Path) -> Path:
    rubric, tasks, out = folder / "kitchen.toml", folder / "tasks.jsonl", folder / "bundle.zip"
    assert main(["rubric", "new", str(rubric)]) == 0
    write_lines(tasks, [task("t1", *SENTENCES), task("t2", *SENTENCES)])
    assert main(["bundle", "make", "--rubric", str(rubric), "--out", str(out), str(tasks)]) == 0
    return out


def test_a_bundle_with_its_own_rubric_is_rated_by_keyboard_and_by_command_and_sent(rooms, qtbot, tmp_path, capsys):
    room = rooms.with_bundle(bundle_of_ones_own(tmp_path))
    assert room.session.rubric.ref == "kitchen@1"
    press("Y", "A", "Return", "N", "Return", "Y", "I", "2", "W", Text("It is far older."))
    room.session.pause_typing()
    assert {name: dict(given) for name, given in room.session.rating.answers.targets.items()} == BY_HAND
    assert room.session.outcome.problems == ()
    rooms.press_for_task(room, "t2", "Escape", "Return")
    rooms.wait_until_saved(room)
    assert rooms.stored("t1").status == "complete"
    rooms.shut(room)

    # The command judges as the form does: what breaks a rule stays.
    store, results = tmp_path / "store", tmp_path / "results.zip"
    lines = [rating("t2", *BY_HAND.values()), rating("t2", {"checkable": "yes", "verdict": "wrong", "harm": 3})]
    for name, status in (("wrong.jsonl", 1), ("right.jsonl", 0)):
        write_lines(tmp_path / name, [lines.pop()])
        words = ["--store", str(store), "rate", "bundle", "--from", str(tmp_path / name), "--rater", RATER]
        assert main(words) == status
    assert main(["--store", str(store), "export", "bundle", "--rater", RATER, "--out", str(results)]) == 0
    capsys.readouterr()
    assert main(["check", str(results), "--json"]) == 1, "only the results bring its rules"
    capsys.readouterr()
    assert main(["check", str(results), "--bundle", str(tmp_path / "bundle.zip"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["complete"] == 2
    with zipfile.ZipFile(results) as there:
        assert there.read("rubric.toml") == (tmp_path / "kitchen.toml").read_bytes()
        sent = [json.loads(line) for line in there.read("ratings.jsonl").splitlines()]
    assert [one["answers"]["targets"] for one in sent] == [BY_HAND, BY_HAND]
    assert {one["rubric"] for one in sent} == {"kitchen@1"}


def test_a_choice_is_drawn_in_the_look_that_the_rubric_gives_it(rooms, tmp_path):
    room = rooms.with_bundle(bundle_of_ones_own(tmp_path))
    press("Y")
    button = part(room, "choice_verdict_wrong")
    assert (button._tone, button._shape) == ("inaccurate", "square-cross")
    assert to_plain(room.session.rating)["answers"]["targets"] == {"s1": {"checkable": "yes"}}


def test_the_other_bundle_opens_to_rate_and_to_review(rooms, tmp_path):
    (tmp_path / "raters").mkdir()
    desk = Desk(tmp_path / "raters")
    results = desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD)
    store = lay(rooms.folder / "store" / "store.sqlite3", 7)
    with writer(store) as opened:
        take_in(opened, desk.bundle)
    desk.opened(results, store=store)
    room = rooms.at_task("t-1")
    assert room.desk.bundle == "kelp"
    shown = [label.text() for label in room.window.banners.findChildren(QLabel)]
    assert any("does not include the rubric 'span-factuality@1'" in text for text in shown)
    room.preferences.set("role", "lead")
    room.screens.go(REVIEW)
    review = room.screens.screen(REVIEW)
    rooms.qtbot.waitUntil(lambda: review.desk.bundle == "kelp" and bool(review.desk.items))
    assert room.lead_screens.context.audited.bundles == ("b", "kelp"), "both stay listed"
