"""A lead chooses how final labels are decided, lists the least certain first, and decides a list in one step."""

import pytest
from msgspec.structs import replace

from desktop_rater.audit.results import LeadDecision
from desktop_rater.store import reviews
from tests.readers import reader_of
from tests.ui.leads import results_of
from tests.ui.reviews import reviewing
from tests.ui.rooms import part, press, press_until


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Five raters who differ a lot."""
    made = results_of(tmp_path_factory.mktemp("raters") / "in", raters=5, noise=0.5, tasks=4)
    return [made.bundle, *made.files]


def decisions(rooms):
    with reader_of(rooms.folder / "store") as reader:
        found = [one.read(LeadDecision) for one in reviews.latest_reviews(reader, "facts", "final")]
    return [one for one in found if one.value is not None]


def test_a_model_of_the_raters_decides_and_the_lead_takes_over_what_is_listed(rooms, results):
    room, review = reviewing(rooms, results)
    desk, panel = review.desk, review.list_pane.labels
    sample = {item.method for item in desk.items}
    assert sample == {"majority"}
    press("Shift+L")
    assert panel.isVisible()
    assert not review.compare.verdict.isVisible()
    press("3")
    assert not part(room, "labels_decide").isEnabled(), "the list does not show that method yet"
    part(room, "labels_threshold_6").click()
    press_until(rooms.qtbot, lambda: {item.method for item in desk.items} == {"dawid-skene"}, "Ctrl+Return")
    assert not panel.isVisible()
    assert review.status_text.endswith("Dawid–Skene, at least 99 %")
    open_items = [item for item in desk.items if item.tied]
    assert open_items
    assert all(item.certainty[0] < 0.99 for item in open_items if item.final is None)

    rooms.files.to_write = rooms.folder / "final.jsonl"
    with rooms.qtbot.waitSignal(review.final_labels.ended, timeout=15_000):
        press("Ctrl+S")
    refused = f"Nothing was saved. Without a final label: {len(open_items)} target"
    assert review.banners.text("final").startswith(refused)

    filters = review.list_pane.filters
    filters.set_filter(replace(filters.filter, order="certainty"))
    certainties = [desk.item_of(key).certainty for key in review.list_pane.model.keys]
    assert certainties == sorted(certainties)
    assert part(room, "review_order").label == "Least certain first"

    review.navigator.go(review.list_pane.model.keys[0])
    rooms.qtbot.waitUntil(lambda: desk.task is not None)
    assert part(room, "verdict_stands").text().startswith("Open: ")
    press("L")
    likeliest, share = desk.item.posterior[0]
    shown = next(button.label for button, value in review.compare.decide._buttons if value == likeliest)
    assert shown.endswith(f"{round(share * 100)} %")
    press("Esc", "Shift+L")
    part(room, "labels_threshold_2").click()
    decided = sum(item.certainty[0] >= 0.5 for item in desk.items)
    assert part(room, "labels_decide").label == f"Decide {decided} places"
    press_until(rooms.qtbot, lambda: sum(item.decided for item in desk.items) == decided, "D")
    assert review.compare.banners.text("all") == f"{decided} places were decided."
    assert all(item.in_bulk and item.reviewed == "none" for item in desk.items if item.decided), "nobody looked at them"
    stored = decisions(rooms)
    assert {(one.task, one.where) for one in stored} == {(one.task, one.where) for one in desk.items if one.decided}
    assert {one.by for one in stored} == {"dawid-skene"}

    press_until(rooms.qtbot, lambda: not any(item.decided for item in desk.items), "Ctrl+Z")
    assert decisions(rooms) == []
    press_until(rooms.qtbot, lambda: {item.method for item in desk.items} == {"majority"}, "Ctrl+Z")
