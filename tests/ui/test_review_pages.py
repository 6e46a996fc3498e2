"""The lead sees whose claim a stored page is, fetches the page again, and sees what differs."""

import hashlib

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel

from desktop_rater.operations.pages.stored_pages import find_stored_copy
from desktop_rater.pages import warc
from desktop_rater.pages.response import WebResponse
from tests.operations import bundles
from tests.readers import reader_of
from tests.ui.reviews import BUNDLE, OPINION, PAGE, QUOTE, RIGHT, T1, reviewing, sent, three_raters
from tests.ui.rooms import part, press, press_until


def picture():
    """A PNG of two pixels."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image = QImage(2, 1, QImage.Format.Format_RGB32)
    image.fill(0)
    image.save(buffer, "PNG")  # ty: ignore[no-matching-overload] - the stub wants bytes
    return bytes(data.data())


PICTURE = picture()


def wait(rooms, there):
    rooms.qtbot.waitUntil(there)


def forged(url, text, date="2099-01-01T00:00:00Z", **more):
    body = f"<html lang=en><title>Canberra</title><article><h1>Canberra</h1>{text}</article></html>".encode()
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    page = WebResponse(url=url, final_url=url, status=200, headers=headers, raw=body, body=body, fetched=date, **more)
    return warc.write_snapshot(page)


def results_with(folder, url, page):
    """Results of two raters, of whom the first brings this page for evidence of that URL."""
    folder.mkdir()
    bundles.make(folder / f"{BUNDLE}.zip", [bundles.task("t1", *T1)], title="Kelp, November")
    name = hashlib.sha256(page).hexdigest()
    piece = {"id": "e1", "target": "s1", "stance": "supporting", "url": url, "snapshot": name}
    supported = {"factual": "yes", "accuracy": "accurate"}
    first = bundles.rating("t1", supported, RIGHT, OPINION, evidence=[piece])
    bare = {key: value for key, value in piece.items() if key != "snapshot"}
    second = bundles.rating("t1", supported, RIGHT, OPINION, evidence=[bare])
    return [sent(folder, "ana", first, page=page), sent(folder, "ben", second)]


def test_a_page_says_whose_results_brought_it(rooms, tmp_path):
    room, review = reviewing(rooms, three_raters(tmp_path / "in"))
    press_until(rooms.qtbot, lambda: review.compare.stored.reader.page is not None, "3", "O")
    said = part(room, "stored_page_origin").text()
    assert said.startswith("From the results of cy, as the rater states. Dated 18 Nov 2026")
    assert said.endswith("Only these results have a page of this address.")
    assert "as the rater saw it" not in said


def test_a_page_of_one_rater_stands_in_for_no_other_raters_address(rooms, tmp_path, server):
    page = forged(server.url(), "<p>Sydney is the capital.</p>")
    room, review = reviewing(rooms, results_with(tmp_path / "in", server.url(), page))
    stored = review.compare.stored
    press("2", "O")
    wait(rooms, lambda: "No page is stored for this address" in part(room, "stored_page_why").text())
    press_until(rooms.qtbot, lambda: stored.reader.page is not None, "Esc", "1", "O")
    assert "Without a date that can be true" in part(room, "stored_page_origin").text()
    assert "2099" not in part(room, "stored_page_origin").text()


def test_the_lead_fetches_the_page_again_and_sees_the_sentences_that_differ(rooms, tmp_path, server):
    page = forged(server.url(), "<p>Canberra is the capital city of Australia.</p><p>Sydney lies on the moon.</p>")
    room, review = reviewing(rooms, results_with(tmp_path / "in", server.url(), page))
    stored = review.compare.stored
    press("Shift+O")
    assert server.total == 0, "nothing is fetched before a page is open"
    press_until(rooms.qtbot, lambda: stored.reader.page is not None, "1", "O")
    assert server.total == 0
    press("Shift+O")
    wait(rooms, lambda: "Sentences of the stored page that are not on the page now: " in outcome(room))
    assert server.total == 1
    part(room, "stored_page_difference").click()
    text = stored.reader.text
    assert text.startswith("Only on the stored page\n")
    assert "Sydney lies on the moon." in text
    assert "Griffin" in text[text.index("Only on the page now") :]
    part(room, "stored_page_difference").click()
    assert stored.reader.text.endswith("Sydney lies on the moon.")
    wait(rooms, lambda: fetched_here(rooms, server.url()))
    press("Esc", "2", "O")
    origin = part(room, "stored_page_origin")
    wait(rooms, lambda: origin.isVisible() and origin.text().startswith("Fetched here on "))
    press_until(rooms.qtbot, lambda: outcome(room) == "The page has the same text now.", "Shift+O")
    assert not part(room, "stored_page_difference").isVisible()


def test_a_page_that_can_not_be_fetched_again_says_why(rooms, tmp_path, server):
    url = server.url("/missing")
    room, review = reviewing(rooms, results_with(tmp_path / "in", url, forged(url, f"<p>{QUOTE}</p>")))
    press_until(rooms.qtbot, lambda: review.compare.stored.reader.page is not None, "1", "O")
    press_until(rooms.qtbot, lambda: outcome(room).startswith("There is no such page"), "Shift+O")
    assert QUOTE in review.compare.stored.reader.text


def test_a_stored_page_of_another_address_is_named(rooms, tmp_path):
    page = forged("https://x.example/", "<p>Kelp is a fish.</p>", date="2026-11-18T08:14:00Z")
    room, review = reviewing(rooms, results_with(tmp_path / "in", PAGE, page))
    press_until(rooms.qtbot, lambda: review.compare.stored.reader.page is not None, "1", "O")
    assert "The file is of another address, on x.example" in part(room, "stored_page_origin").text()


def test_a_page_that_a_raters_live_view_rendered_says_so_and_has_its_picture(rooms, tmp_path):
    date = "2026-11-18T08:14:00Z"
    page = forged(PAGE, "<p>Kelp is brown.</p>", date=date, rendered=True, picture=PICTURE)
    room, review = reviewing(rooms, results_with(tmp_path / "in", PAGE, page))
    press_until(rooms.qtbot, lambda: review.compare.stored.reader.page is not None, "1", "O")
    said = part(room, "stored_page_origin").text()
    assert said.startswith("As a live view rendered it: its text may come from scripts. From the results of ana")
    part(room, "stored_page_picture").click()
    wait(rooms, lambda: room.window.findChild(QLabel, "page_picture_shown") is not None)
    shown = room.window.findChild(QLabel, "page_picture_shown")
    assert (shown.pixmap().width(), shown.isVisible()) == (2, True)
    shown.window().close()


def outcome(room):
    return part(room, "stored_page_outcome").text()


def fetched_here(rooms, url):
    with reader_of(rooms.folder / "store") as reader:
        copy = find_stored_copy(reader, url, bundle=BUNDLE)
    return copy is not None and copy.origin.kind == "fetched"
