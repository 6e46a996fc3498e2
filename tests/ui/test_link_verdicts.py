"""A rater says of each link whether its page shows what the text says, and what was only counted as opened."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt

from desktop_rater.format.edit import with_answer
from desktop_rater.format.values import Place
from desktop_rater.text.urls import page_key
from desktop_rater.ui.pages.evidence_fields import ChoiceRow, verdict_names
from desktop_rater.ui.pages.page_views import VERDICT_KEYS
from desktop_rater.ui.window.window_place import PREVIEW
from tests.operations.bundles import make, task
from tests.ui.articles import PATIENT
from tests.ui.rooms import banner, part, press, settle

DEAD = "http://127.0.0.1:9/nobody"


@pytest.fixture
def room(rooms, page):
    """A pair whose first response has a link that answers, and one that does not in the output of its tool."""
    tool = {"name": "search", "status": "ok", "output": {"url": DEAD}}
    first = {"id": "a", "text": f"See {page}.", "tools": [tool]}
    plain = {"id": "t1", "prompt": {"text": "?"}, "responses": [first, {"id": "b", "text": "No."}]}
    return rooms.with_bundle(make(rooms.folder / "bundle.zip", [plain], rubric="side-by-side"))


def open_next(room, qtbot):
    before = room.browsing.page
    press("Shift+O")
    qtbot.waitUntil(lambda: room.browsing.page is not before and not room.browsing.is_loading, timeout=PATIENT)


def lines(room):
    links = room.window.preview.links
    return [(links._line(row).mark, links._line(row).detail) for row in range(len(links.links))]


def warnings(room):
    return {problem.rule for problem in room.session.outcome.problems if problem.level == "warn"}


def test_a_verdict_under_an_earlier_spelling_is_shown_and_replaced(room, qtbot, page):
    earlier = page.replace("article", "%61rticle")
    assert page_key(earlier) == page != earlier
    room.session.change(replace(room.session.rating, link_verdicts={earlier: "dead"}), "judge link")
    open_next(room, qtbot)
    assert part(room, "link_verdict_dead").isChecked()
    assert lines(room)[0][0] == "dead"
    press("Shift+M")
    assert room.session.rating.link_verdicts == {page: "matches"}


def test_one_key_judges_the_link_that_is_open_and_the_same_key_takes_it_back(room, rooms, qtbot, page):
    open_next(room, qtbot)
    assert part(room, "link_verdicts").isVisible()

    press("Shift+V")

    assert room.session.rating.link_verdicts == {page: "differs"}
    assert lines(room)[0] == ("differs", "differs")
    assert part(room, "link_verdict_differs").isChecked()
    press("Shift+M")
    assert room.session.rating.link_verdicts == {page: "matches"}
    press("Ctrl+Z")
    assert room.session.rating.link_verdicts == {page: "differs"}
    press("Shift+V")
    assert room.session.rating.link_verdicts == {}
    rooms.press_and_save(room, "Shift+G")
    assert rooms.stored("t1").link_verdicts == {page: "sign_in"}


def test_the_verdicts_take_one_line_in_the_page_of_a_notebook(qtbot):
    row = ChoiceRow("row", "This link", verdict_names(), keys=VERDICT_KEYS)
    qtbot.addWidget(row)
    row.resize(PREVIEW - 24, 40)
    row.show()
    settle()
    assert {button.y() for button in row.buttons.values()} == {0}
    assert max(button.geometry().right() for button in row.buttons.values()) < row.width()


def test_a_link_is_judged_in_the_list_too(room, qtbot, page):
    open_next(room, qtbot)
    links = room.window.preview.links
    links.list.setFocus()
    links.list.setCurrentIndex(links.model.index(1))
    press("Shift+X")
    assert room.session.rating.link_verdicts == {DEAD: "dead"}
    index = links.model.index(1)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole).startswith("Dead, ")


def test_digits_answer_the_form_wherever_the_focus_is_and_a_link_is_judged_from_the_form_too(room, qtbot, page):
    open_next(room, qtbot)
    room.window.preview.focus_page()
    press("1")
    assert room.session.rating.answers.responses["a"] == {"punt": "none"}
    room.window.form_pane.form.setFocus()
    press("Shift+M")
    assert room.session.rating.link_verdicts == {page: "matches"}


def test_no_link_is_judged_where_none_is_shown_or_while_it_is_loading(room, qtbot):
    press("Shift+M")
    assert banner(room, "hint") == "No link of the task is shown."
    room.commands.actions["next_link"].trigger()
    press("Shift+M")
    assert banner(room, "hint") == "The page is still loading. Judge the link once it is shown."
    assert room.session.rating.link_verdicts == {}


def test_a_dead_page_suggests_its_verdict_and_stays_unjudged_until_the_rater_confirms(room, qtbot):
    open_next(room, qtbot)
    open_next(room, qtbot)
    assert room.browsing.page.state == "unreachable"
    button = part(room, "link_verdict_dead")
    assert not button.isChecked()
    assert "suggested" in button.accessibleName()
    assert room.session.rating.link_verdicts == {}


def test_completely_accurate_beside_a_link_that_differs_is_a_warning(room, qtbot):
    session = room.session
    open_next(room, qtbot)
    press("Shift+V")
    place = Place(response="a")
    for question, answer in (("punt", "none"), ("factuality", "completely_accurate")):
        session.change(with_answer(session.rating, place, question, answer), "test")
    assert "accurate-despite-links" in warnings(room)
    press("Shift+M")
    assert "accurate-despite-links" not in warnings(room)


def test_a_link_that_is_only_counted_says_so_until_its_page_is_seen(rooms, qtbot, page):
    room = rooms.with_bundle(make(rooms.folder / "bundle.zip", [task("t1", f"{page} {DEAD}")]))
    session = room.session
    session.record_opened_link(page, "2026-11-20T12:00:00Z", seen=False)
    session.record_opened_link(DEAD, "2026-11-20T12:00:00Z", seen=False)
    assert (session.rating.links_opened, session.rating.links_counted) == ((page, DEAD), (page, DEAD))
    qtbot.waitUntil(lambda: [mark for mark, _detail in lines(room)] == ["counted", "counted"])
    room.browsing.open(page)
    qtbot.waitUntil(lambda: session.rating.links_counted == (DEAD,), timeout=PATIENT)
    assert session.rating.links_opened == (page, DEAD)
    press("Y", "Ctrl+Z")
    assert session.rating.links_counted == (DEAD,), "undo does not take back what was opened or counted"
    rooms.wait_until_saved(room)
    assert rooms.stored("t1").links_counted == (DEAD,)
