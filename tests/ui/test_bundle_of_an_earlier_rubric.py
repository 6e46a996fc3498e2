"""A store with a bundle of a rubric version that the program no longer has opens with the bundles that it can read."""

from PySide6.QtWidgets import QLabel

from desktop_rater.ui.window.screens import REVIEW
from tests.audit.results import GOOD, Desk
from tests.operations.bundles import take_in, writer
from tests.store.older import lay


def test_the_other_bundle_opens_to_rate_and_to_review(rooms, tmp_path):
    (tmp_path / "raters").mkdir()
    desk = Desk(tmp_path / "raters")
    results = desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD)
    store = lay(rooms.folder / "store" / "store.sqlite3", 7)
    with writer(store) as opened:
        take_in(opened, desk.bundle)
    desk.opened(results, store=store)
    room = rooms.empty()
    rooms.wait_for_task(room, "t-1")
    assert room.desk.bundle == "kelp"
    shown = [label.text() for label in room.window.banners.findChildren(QLabel)]
    assert any("does not include the rubric 'span-factuality@1'" in text for text in shown)
    room.preferences.set("role", "lead")
    room.screens.go(REVIEW)
    review = room.screens.screen(REVIEW)
    rooms.qtbot.waitUntil(lambda: review.desk.bundle == "kelp" and bool(review.desk.items))
    assert room.lead_screens.context.audited.bundles == ("b", "kelp"), "both stay listed"
