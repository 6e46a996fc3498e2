"""The page beside the task: how it opens, how it stands, how it goes, and what becomes of the panes."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rater.format.page import Page
from desktop_rater.store import snapshots
from desktop_rater.ui.pages.browser import MAX_LOADED_PAGES, PageHistory, PageVisit, split_url
from desktop_rater.ui.pages.page_states import PageStateLine
from desktop_rater.ui.review import comparison, rater_view
from desktop_rater.ui.review.cells import ComparisonCell, PooledPage
from tests.ui.rooms import Text, banner, part, press, press_and_settle, settle, type_text

WIDE, FOLDED, SHARED, SMALL = (1440, 900), (1280, 720), (1024, 700), (720, 450)
PATIENT = 15_000


def resize(room, size):
    room.window.resize(*size)
    settle()
    assert (room.window.width(), room.window.height()) == size


def arrived(room, qtbot):
    qtbot.waitUntil(lambda: room.browsing.page is not None and not room.browsing.is_loading, timeout=PATIENT)
    settle()
    return room.browsing.page


def read(room, qtbot, url):
    room.browsing.open(url)
    return arrived(room, qtbot)


def evidence_for(room, url):
    """A piece of evidence with that address at the first target, selected."""
    press("Y")
    QApplication.clipboard().setText(url)
    press("E")
    return room.session.rating.evidence[-1].id


def said(room):
    line = part(room, "page_state")
    return part(room, "page_state_words").text() if line.isVisible() else ""


def test_notes_on_a_page_take_the_lines_that_they_need(room, qtbot):
    line = PageStateLine(room.browsing)
    line.setWindowTitle("State")
    qtbot.addWidget(line)
    page = Page(url="https://example.org/a", final_url="https://example.org/a", state="login", text="Sign in")
    line.show_page(page, None, offline=False, live=False, whole=False)
    assert line.heightForWidth(240) > line.heightForWidth(700) > 0


# -- opening and closing


def test_o_opens_the_page_of_the_evidence_beside_the_task(room, qtbot, server, rooms):
    resize(room, WIDE)
    evidence_for(room, server.url("/page"))
    press("O")
    page = arrived(room, qtbot)
    preview = part(room, "preview")
    assert preview.isVisible()
    assert "Canberra is the capital city" in part(room, "reader").toPlainText()
    assert part(room, "page_title").text() == page.title
    assert part(room, "status_keys").text() == "Keys navigate the page"
    (piece,) = room.session.rating.evidence
    assert piece.opened is not None, "it was opened when it stood there"
    assert room.session.rating.links_opened == (server.url("/page"),)
    assert snapshots.snapshot_path(rooms.folder / "store", page.snapshot) is not None, "what is read is kept"
    assert rooms.pages == [], "nothing went to the browser of the system"


def test_esc_closes_the_page_and_the_keys_answer_again(room, qtbot, server):
    resize(room, WIDE)
    before = [room.window.task_list.width(), room.window.form_pane.width()]
    press("Y")
    focus = QApplication.focusWidget()
    read(room, qtbot, server.url("/page"))
    assert room.window.preview.has_focus
    press("N")
    assert room.session.rating.answers.targets["s1"]["factual"] == "no", "the rubric's keys answer from the page too"
    press_and_settle("Esc")
    assert not part(room, "preview").isVisible()
    assert QApplication.focusWidget() is focus
    assert part(room, "status_keys").text() == "Keys answer"
    assert [room.window.task_list.width(), room.window.form_pane.width()] == before
    press("Esc")
    assert room.window.isVisible()


def test_the_next_task_begins_without_the_page_of_the_one_before(room, rooms, qtbot, server):
    read(room, qtbot, server.url("/page"))
    rooms.press_for_task(room, "t2", "Ctrl+PgDown")
    settle()
    assert not part(room, "preview").isVisible()
    assert part(room, "reader").toPlainText() == ""
    assert room.session.rating.links_opened == ()


def test_a_page_that_comes_after_the_rater_has_gone_on_opens_nothing(room, rooms, qtbot, server):
    room.browsing.open(server.url("/slow/1"))
    qtbot.waitUntil(lambda: server.hits["/slow/1"] == 1)
    rooms.press_for_task(room, "t2", "Ctrl+PgDown")
    read(room, qtbot, server.url("/text"))
    assert room.session.rating.links_opened == (server.url("/text"),)


def test_what_was_opened_is_not_taken_back_with_an_answer(room, qtbot, server):
    evidence_for(room, server.url("/page"))
    press("S", "O")
    arrived(room, qtbot)
    press("Esc", "Ctrl+Z")
    (piece,) = room.session.rating.evidence
    assert (piece.stance, piece.opened) == (None, room.session.rating.evidence[0].opened)
    assert piece.opened is not None
    assert room.session.rating.links_opened == (server.url("/page"),)


def test_an_address_is_typed_without_its_scheme_and_what_is_none_is_said(room, qtbot, server):
    press("Alt+D")
    assert part(room, "address_field").hasFocus()
    assert part(room, "status_keys").text() == "Typing (Esc to leave)"
    type_text("no address", "Return")
    assert banner(room, "hint") == "This is not a valid web address."
    press("Alt+D", "Ctrl+A", Text(server.url("/page")), "Return")
    assert arrived(room, qtbot).shows
    assert room.window.preview.has_focus
    press("Alt+D", "Ctrl+A", Text("example.org/a"), "Return")
    assert arrived(room, qtbot).url == "https://example.org/a"
    press("Alt+D", "Esc")
    assert not part(room, "address_field").isVisible()
    assert room.window.preview.has_focus, "Esc leaves the field first"
    press("Esc")
    assert not part(room, "preview").isVisible()


def test_without_a_page_esc_closes_the_empty_preview_too(room):
    press("Alt+D", "Esc", "Esc")
    assert not part(room, "preview").isVisible()


# -- back, forward, another one


def test_javascript_has_a_key_that_says_where_it_works(room, qtbot, server):
    evidence_for(room, server.url("/page"))
    press("O")
    arrived(room, qtbot)
    press("Shift+R")
    assert banner(room, "hint") == "JavaScript is only for the live page. Press R to show it."


def test_back_and_forward_go_through_what_was_read(room, qtbot, server):
    for path in ("/page", "/text", "/json"):
        read(room, qtbot, server.url(path))
    asked = server.total
    press("Alt+Left")
    assert arrived(room, qtbot).url == server.url("/text")
    press("Alt+Left")
    assert arrived(room, qtbot).url == server.url("/page")
    assert not part(room, "page_back").isEnabled()
    press("Alt+Right")
    assert arrived(room, qtbot).url == server.url("/text")
    assert server.total == asked, "nothing was fetched for it"
    read(room, qtbot, server.url("/csv"))
    assert not part(room, "page_forward").isEnabled(), "what lay ahead is forgotten"


def test_another_page_gives_up_the_one_that_was_on_its_way(room, qtbot, server):
    room.browsing.open(server.url("/silent"))
    qtbot.waitUntil(lambda: server.hits["/silent"] == 1)
    assert read(room, qtbot, server.url("/page")).url == server.url("/page")
    assert room.session.rating.links_opened == (server.url("/page"),)


def test_a_page_that_is_slow_says_so_and_the_one_before_stays_until_it_comes(room, qtbot, server):
    read(room, qtbot, server.url("/page"))
    room.browsing.open(server.url("/silent"))
    qtbot.waitUntil(lambda: said(room).startswith("Fetching 127.0.0.1"))
    assert part(room, "page_state_way").label == "Cancel"
    assert "Canberra" in part(room, "reader").toPlainText()
    assert room.window.preview.dimming_layer.isVisible()
    press("Escape")
    assert not room.browsing.is_loading
    assert not room.window.preview.dimming_layer.isVisible()
    assert not said(room).startswith("Fetching")
    assert room.browsing.page.url == server.url("/page")


def test_cancelling_the_first_page_closes_the_preview(room, qtbot, server):
    room.browsing.open(server.url("/silent"))
    qtbot.waitUntil(lambda: part(room, "page_state").isVisible())
    QTest.mouseClick(part(room, "page_state_way"), Qt.MouseButton.LeftButton)
    assert not part(room, "preview").isVisible()


def test_of_many_pages_only_the_nearest_are_held():
    visits = PageHistory()
    for number in range(20):
        url = f"https://example.org/{number}"
        visits.add(PageVisit(url, page=Page(url=url, final_url=url, state="ok")))
    for _ in range(10):
        visits.move(-1)
    assert sum(visits.move(1).page is not None for _ in range(10)) <= MAX_LOADED_PAGES


# -- how a page stands


def test_a_redirect_is_said(room, qtbot, server):
    read(room, qtbot, server.url("/to?url=/page"))
    assert said(room).startswith("Redirected on the same site")
    assert part(room, "address_line").text() == server.url("/page")
    read(room, qtbot, server.url("/pdf"))
    assert said(room) == "PDF as text"


def test_characters_that_could_not_be_read_are_counted_on_the_page_and_at_its_quote(room, qtbot, server):
    press("Y")
    read(room, qtbot, server.url("/wrong-charset"))
    assert said(room) == "4 characters of the page could not be read"
    room.window.preview.focus_page()
    press("Down", "S")
    (piece,) = room.session.evidence
    room.window.form_pane.form.evidence.select(piece.id)
    assert piece.quote == "Caf\ufffd"
    assert part(room, "evidence_warning").text() == "1 character of this quote could not be read."
    for cell in (
        ComparisonCell(tuple(rater_view._evidence_parts(piece))),
        ComparisonCell(tuple(comparison._page_parts(PooledPage(piece.url, 2, "ana", piece)))),
    ):
        assert "1 character of this quote could not be read" in cell.spoken


def test_a_page_that_is_gone_counts_as_looked_at(room, qtbot, server):
    assert read(room, qtbot, server.url("/missing")).state == "not_found"
    assert part(room, "no_page_title").text() == "There is no such page"
    assert room.session.rating.links_opened == (server.url("/missing"),)
    assert not part(room, "count_as_opened").isVisible()
    assert part(room, "try_again").hasFocus(), "the keys go to the first way out"


def test_a_host_that_nobody_knows_counts_only_when_the_rater_says_so(room, qtbot):
    assert read(room, qtbot, "https://nobody.example/a").state == "unreachable"
    assert part(room, "no_page_title").text() == "nobody.example cannot be reached"
    assert room.session.rating.links_opened == ()
    part(room, "count_as_opened").click()
    assert room.session.rating.links_opened == ("https://nobody.example/a",)
    assert not part(room, "count_as_opened").isVisible()


def test_a_private_address_is_refused_without_a_way_round(room, qtbot):
    assert read(room, qtbot, "http://10.0.0.1/admin").state == "blocked"
    assert not part(room, "try_again").isVisible()
    assert not room.window.findChild(type(part(room, "try_again")), "open_outside").isVisible()


def test_without_the_network_the_stored_page_is_shown_and_says_so(room, qtbot, server):
    page = read(room, qtbot, server.url("/page"))
    server.close()
    press("Ctrl+R")
    qtbot.waitUntil(lambda: said(room).startswith("Offline. Fetched here on "), timeout=PATIENT)
    assert room.browsing.page.stored
    assert room.browsing.page.snapshot == page.snapshot
    assert part(room, "page_sha").text() == f"sha256 {page.snapshot[:4]}…{page.snapshot[-4:]}"
    assert "Canberra is the capital city" in part(room, "reader").toPlainText()


def test_a_page_that_is_gone_by_now_can_be_read_as_it_was_stored(room, qtbot, server):
    read(room, qtbot, server.url("/text"))
    room.browsing.close()
    room.browsing.open_stored(server.url("/text"))
    assert arrived(room, qtbot).stored
    assert said(room).startswith("Fetched here on ")
    asked = server.total
    part(room, "page_state_way").click()
    assert not arrived(room, qtbot).stored
    assert server.total == asked + 1, "it was fetched again"


def test_what_was_never_stored_is_fetched(room, qtbot, server):
    room.browsing.open_stored(server.url("/page"))
    assert not arrived(room, qtbot).stored


def test_a_page_that_cant_be_kept_is_shown_and_names_no_snapshot(room, rooms, qtbot, server):
    folder = snapshots.snapshot_folder(rooms.folder / "store")
    folder.mkdir(exist_ok=True)
    folder.rmdir()
    folder.write_text("a file is in the way", encoding="utf-8")
    page = read(room, qtbot, server.url("/page"))
    assert page.shows
    assert page.snapshot is None
    assert "is not stored" in room.window.preview.banners.text("not_kept")


# -- in the browser of the system


def test_the_browser_of_the_system_is_opened_only_after_asking(room, rooms, qtbot, server):
    press("Alt+O")
    assert banner(room, "hint") == "No page is open, and no evidence with an address is selected."
    evidence_for(room, "https://xn--mnchen-3ya.example/a")
    press("Alt+O")
    assert rooms.pages == []
    assert "xn--mnchen-3ya.example (münchen.example)" in banner(room, "outside")
    press("Esc")
    assert banner(room, "outside") is None
    press("Alt+O", "Alt+O")
    assert rooms.pages == ["https://xn--mnchen-3ya.example/a"]
    read(room, qtbot, server.url("/to?url=/page"))
    press("Alt+O")
    assert banner(room, "outside") is None
    room.window.preview.banners.banner("outside").buttons[0].click()
    assert rooms.pages[1:] == [server.url("/page")]


@pytest.mark.parametrize(
    ("url", "pieces"),
    [
        ("https://example.org/a?b#c", ("", "example.org", "", "/a?b#c")),
        ("http://example.org/", ("http://", "example.org", "", "")),
        ("https://xn--mnchen-3ya.example/a", ("", "münchen.example", "xn--mnchen-3ya.example", "/a")),
        ("https://example.org:8443/a", ("", "example.org:8443", "", "/a")),
        ("http://[::1]:80/a", ("http://", "[::1]:80", "", "/a")),
        ("https://example.org/wiki/%E9%95%B7%E5%9F%8E", ("", "example.org", "", "/wiki/長城")),
        ("not a url", ("", "", "", "not a url")),
        ("https://example.org:99999/", ("", "", "", "https://example.org:99999/")),
    ],
)
def test_the_pieces_of_an_address(url, pieces):
    shown = split_url(url)
    assert (shown.scheme, shown.host, shown.ascii_host, shown.rest) == pieces


# -- who hears it


def test_what_has_come_is_heard(room, qtbot, server):
    heard = []
    room.companions.announcer.announced.connect(heard.append)
    page = read(room, qtbot, server.url("/pdf"))
    assert heard[-1] == f"{page.title or '127.0.0.1'}. PDF as text".replace("127.0.0.1.", f"127.0.0.1:{server.port}.")
    read(room, qtbot, server.url("/missing"))
    assert heard[-1].startswith("There is no such page. ")


def test_every_control_of_the_preview_has_a_name(room, qtbot, server):
    read(room, qtbot, server.url("/page"))
    names = ("page_back", "page_forward", "close_preview", "address_line", "page_title", "reader", "preview")
    for name in names:
        widget = part(room, name)
        assert widget.accessibleName() or widget.text(), name
    assert part(room, "page_back").accessibleName() == "Back, Alt ←"
