"""A lead saves the final labels from the review room: all of them, or those that are decided so far."""

import json

import pytest

from tests.ui.reviews import reviewing
from tests.ui.rooms import part, press


@pytest.fixture
def review(rooms, results):
    _room, review = reviewing(rooms, results)
    return review


def saved(rooms, review, name, do=lambda: press("Ctrl+S")):
    rooms.files.to_write = rooms.folder / name
    with rooms.qtbot.waitSignal(review.final_labels.ended, timeout=15_000):
        do()
    return review.banners.text("final")


def way(review, words):
    """Press a button of the banner."""
    next(one for one in review.banners.banner("final").buttons if one.text() == words).click()


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_while_a_tie_is_open_nothing_is_saved_and_one_step_leads_to_it(rooms, review):
    said = saved(rooms, review, "final.jsonl")
    assert said == "Nothing was saved. Without a final label: 1 target."
    assert not (rooms.folder / "final.jsonl").exists()
    way(review, "Show")
    assert part(rooms.open_now[0], "review_chips").text == "without a final label"
    assert review.list_pane.model.keys == [("t1", "targets/s1")]


def test_what_is_decided_so_far_can_be_saved(rooms, review):
    saved(rooms, review, "final.jsonl")
    said = saved(rooms, review, "final.jsonl", lambda: way(review, "Save decided labels"))
    assert f"decisions were saved to {rooms.folder / 'final.jsonl'}." in said
    assert said.endswith("Without a final label: 1 target.")
    labels = [one for one in lines(rooms.folder / "final.jsonl") if one["is_label"]]
    assert {(one["task"], one["target"]) for one in labels if one["source"] != "open"} == {
        ("t1", "s2"),
        ("t1", "s3"),
        ("t2", "s1"),
    }
    (left,) = [one for one in labels if one["source"] == "open"]
    assert (left["task"], left["target"], left["value"]) == ("t1", "s1", None)


def test_what_was_decided_a_moment_ago_is_in_it(rooms, review):
    press("L", "A")
    assert not review.recorder.is_idle, "it is on its way to the store"
    saved(rooms, review, "final.jsonl")
    label = next(one for one in lines(rooms.folder / "final.jsonl") if one["target"] == "s1" and one["task"] == "t1")
    assert (label["value"], label["how"]) == ("accurate", "decided")


def test_an_ending_that_means_nothing_is_refused_and_writes_nothing(rooms, review):
    said = saved(rooms, review, "final.docx")
    assert said == "final.docx was not saved. Use one of these file extensions: .zip, .jsonl, .csv, .parquet."
    assert not (rooms.folder / "final.docx").exists()


def test_a_folder_that_is_gone_is_trouble_with_a_name(rooms, review):
    press("L", "A")
    assert "final.csv" in saved(rooms, review, "nowhere/final.csv")


def test_without_a_file_nothing_happens(rooms, review):
    rooms.files.to_write = None
    press("Ctrl+S")
    assert review.banners.text("final") is None
