"""A response under the rater's hands: clicks, links, and choosing words by the keys."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop_rater.format.task import Target
from desktop_rater.text.urls import find_links
from tests.operations.bundles import task
from tests.ui.responses import ARABIC, ENGLISH, point_at, sentences, target
from tests.ui.rooms import part, press


def test_a_click_goes_to_the_smallest_target(view):
    text = "A long sentence with a small part."
    view.show_response(
        text, [Target(id="all", response="a", start=0, end=34), Target(id="part", response="a", start=21, end=33)]
    )
    clicked = []
    view.target_clicked.connect(clicked.append)
    for offset in (3, 25):
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=point_at(view, offset))
    assert clicked == ["all", "part"]


def test_a_double_click_selects_a_word(view):
    view.show_response(ENGLISH, sentences(ENGLISH))
    QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=point_at(view, ENGLISH.index("wave")))
    assert ENGLISH[slice(*view.selected_stretch())] == "wave"


def test_a_link_leads_where_the_rules_say_that_it_ends(view):
    text = "[这里](https://example.org/a。b) 见（https://example.org/c）。See https://example.org/d... [x](/e) <https://example.org/f”>"
    wanted = []
    view.page_wanted.connect(wanted.append)
    view.show_response(text, [], plain=False)
    for word in ("这里", "org/c", "org/d", "org/f"):
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=point_at(view, text.index(word)))
    assert wanted == [f"https://example.org/{page}" for page in "acdf"] == find_links(text)


def test_a_click_or_o_opens_a_link_and_its_address_is_shown_before(view):
    text = "See [the page](https://example.org/a) or https://example.org/b."
    for plain in (True, False):
        view.show_response(text, [], plain=plain)
        wanted = []
        view.page_wanted.connect(wanted.append)
        for offset, where in ((text.index("page"), "/a"), (text.index("org/b"), "/b")):
            spot = text.index("example.org/a") if plain and where == "/a" else offset
            alt = Qt.KeyboardModifier.AltModifier
            QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, alt, pos=point_at(view, spot))
            assert wanted == [], "this click is for the target"
            QTest.keyClick(view, Qt.Key.Key_O)
            QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=point_at(view, spot))
            assert wanted == [f"https://example.org{where}"] * 2
            wanted.clear()
        assert f"https://example.org/{'b' if plain else 'a'}" in view._tip(
            point_at(view, text.index("org/b" if plain else "page"))
        )
        view.page_wanted.disconnect()


def test_words_are_chosen_by_the_keys(view):
    text = "First of all. The cook, Albert Gitchell, fell ill."
    view.show_response(text, [target("s1", text, "The cook, Albert Gitchell, fell ill.")])
    view.show_states({}, "s1")
    chosen, ended = [], []
    view.words_chosen.connect(lambda: chosen.append(text[slice(*view.selected_stretch())]))
    view.choosing_ended.connect(lambda: ended.append(True))
    assert view.choose_words()
    assert text[slice(*view.selected_stretch())] == "The"
    for key, shift in ((Qt.Key.Key_Right, 0), (Qt.Key.Key_Right, 1), (Qt.Key.Key_Right, 1), (Qt.Key.Key_Left, 1)):
        QTest.keyClick(view, key, Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert chosen == ["cook, Albert"]
    assert view.choose_words()
    QTest.keyClick(view, Qt.Key.Key_End, Qt.KeyboardModifier.ShiftModifier)
    assert text[slice(*view.selected_stretch())] == "The cook, Albert Gitchell, fell ill"
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert view.selected_stretch() is None
    assert ended


def test_words_go_the_way_the_text_runs(view):
    view.show_response(ARABIC, sentences(ARABIC))
    view.show_states({}, "s2")
    assert view.choose_words()
    QTest.keyClick(view, Qt.Key.Key_Left)
    assert ARABIC[slice(*view.selected_stretch())] == "فاطمة"


def test_a_claim_is_recorded_by_keys_alone(room):
    session, form = room.session, room.window.form_pane.form
    form.setFocus()
    press("Y", "L")
    assert "Select words with the arrow keys" in room.window.form_pane.banners.text("hint")
    press("Right", "Right", "Shift+End", "Return")
    assert [(one.text, one.ranges) for one in session.claims] == [("the capital of France", ((9, 30),))]
    assert session.place.target == "s1", "Enter recorded the claim and did not go on"
    assert form.hasFocus(), "the keys go where they went before"
    press("L", "Esc")
    assert len(session.claims) == 1
    assert form.hasFocus()
    assert room.window.form_pane.banners.text("hint") is None


def test_markdown_can_be_shown_as_its_source(rooms):
    plain = task("t1", "**Paris** is the capital.", "It lies on the Loire.")
    plain["responses"][0]["format"] = "markdown"
    room = rooms.with_tasks(plain, task("t2"))
    view = room.window.text_pane.panes[0].view
    assert view.document().toPlainText().startswith("Paris is")
    assert "Markdown" in part(room, "size_a").text()
    room.commands.actions["markdown_source"].trigger()
    assert view.document().toPlainText().startswith("**Paris** is")
    assert "Markdown source" in part(room, "size_a").text()
    room.commands.actions["markdown_source"].trigger()
    assert view.is_rendered
