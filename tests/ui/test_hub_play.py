"""A lead and two raters with a hub between them, played in real windows from publishing to the report."""

import hashlib

import pytest

from desktop_rater.format import hub_names
from tests.ui.hub_plays import HubPlay, OnAServer, OnAStick
from tests.ui.rooms import Text, part, press, type_text

USER, PASSWORD = "team", "kelp & dunes: 42"
WHY = "The Seine, not the Loire. Have another look."


@pytest.fixture(params=["folder", "apache"])
def play(request, qtbot, tmp_path, clock):
    if request.param == "folder":
        place = OnAStick(tmp_path)
    else:
        apache = request.getfixturevalue("own_apache")(users={USER: PASSWORD})
        place = OnAServer(apache, USER, PASSWORD)
    played = HubPlay(qtbot, tmp_path, clock, place)
    yield played
    played.close()


def test_from_publishing_to_the_report(play):
    """Publish to two, rate offline, come online, collect, return one task, get it again, report."""
    the_lead_connects_and_publishes_to_two_raters(play)
    both_raters_connect_and_import(play)
    play.place.away()
    they_work_offline_and_nothing_is_lost(play)
    play.place.back()
    online_again_everything_goes_and_is_read_back(play)
    the_lead_collects(play)
    one_task_goes_back(play)
    the_rater_gets_it_and_answers_anew(play)
    the_lead_gets_it_again(play)
    and_reports(play)
    everything_on_the_hub_is_what_its_name_says(play)


def the_lead_connects_and_publishes_to_two_raters(play):
    lead = play.window("Lena", role="lead")
    play.connect("Lena")
    play.press_until(lead.window.isActiveWindow, "Escape")
    play.rooms["Lena"].files.to_import = play.bundle
    press("Ctrl+K", Text("publish a bundle"), "Return")
    dialog = lead.hub.lead.dialog
    play.wait(dialog.isActiveWindow)
    press("Space")
    assert part(lead, "publish_file").text() == "kelp.zip"
    type_text("ana", "Return")
    type_text("ben", "Ctrl+Return")
    play.wait(lambda: not dialog.isVisible())
    assert play.says("Lena", "hub_published") == "Kelp, revision 1, is on the hub. Newly assigned to: 2."


def both_raters_connect_and_import(play):
    for who in ("ana", "ben"):
        room = play.window(who)
        play.connect(who)
        found = room.hub.joining.dialog.found_page
        play.wait(lambda found=found: found.arrivals_label.text() == "1 bundle is available:")
        play.press_until(lambda room=room: room.session.task is not None and room.session.bundle == "kelp", "Return")
        assert play.came(who) == [("assignment", "taken")]


def they_work_offline_and_nothing_is_lost(play):
    for who in ("ana", "ben"):
        play.rate_all(who)
        synced = play.sync(who)
        assert synced.stopped is not None
        assert ("results", "verified") not in play.outgoing(who)
    assert play.look("ana", lambda store: store.db.execute("SELECT count(*) FROM ratings").fetchone())[0] > 0


def online_again_everything_goes_and_is_read_back(play):
    for who in ("ana", "ben"):
        synced = play.sync(who)
        assert synced.whole, synced
        assert {state for _, state in play.outgoing(who)} == {"verified"}
        assert ("results", "verified") in play.outgoing(who)


def the_lead_collects(play):
    room = play.to_front("Lena")
    results = room.lead_screens.context.results
    with play.qtbot.waitSignal(results.ended, timeout=30_000):
        play.sync("Lena")
    assert play.says("Lena", "results") == "Results received from the hub: 2."
    assert sorted(play.came("Lena")) == [("assignment", "seen")] * 2 + [("results", "taken")] * 2
    press("Ctrl+2")
    review = room.screens.screen("review")
    play.wait(lambda: review.desk.audit is not None and review.desk.audit.raters == ("ana", "ben"))
    last = results.last
    play.sync("Lena")
    assert results.last is last, "nothing is fetched twice"
    assert not results.is_running


def one_task_goes_back(play):
    room = play.to_front("Lena")
    review = room.screens.screen("review")
    review.show_review()
    play.wait(lambda: bool(review.desk.items))
    press("/", Text("t1 targets/s2"), "Return")
    play.wait(lambda: review.desk.name == ("t1", "targets/s2") == review.compare.grid.comparison.name)
    play.press_until(lambda: review.compare.grid.chosen == "ben", "2")
    play.press_until(lambda: play.verdict("ben") == "returned", "B", "5", Text(WHY), "Ctrl+Return")
    with play.qtbot.waitSignal(room.hub.exchange.ended, timeout=30_000):
        press("Ctrl+Shift+B")
    assert "1 task to" in review.banners.text("returning")
    play.wait(lambda: ("returned", "verified") in play.outgoing("Lena"))


def the_rater_gets_it_and_answers_anew(play):
    assert play.sync("ana").fetched == 0, "it is nobody else's"
    room = play.to_front("ben")
    assert play.sync("ben").fetched == 1
    play.wait(lambda: bool(play.says("ben", "arrivals")))
    room.hub.banners.banner("arrivals").buttons[0].click()
    play.wait(lambda: ("returned", "taken") in play.came("ben"))
    back = play.look("ben", lambda store: [one for (one,) in store.db.execute("SELECT id FROM bundles")])
    (back,) = [one for one in back if one != "kelp"]
    room.desk.open_bundle(back)
    play.wait(lambda: room.session.bundle == back and room.session.task is not None)
    assert part(room, "returned_words").text() == f"“{WHY}”"
    assert room.session.place.target == "s2"
    play.press_until(lambda: room.session.rating.status == "complete", "N", "Return")
    play.rooms["ben"].wait_until_saved(room)
    assert play.sync("ben").whole


def the_lead_gets_it_again(play):
    room = play.to_front("Lena")
    with play.qtbot.waitSignal(room.lead_screens.context.results.ended, timeout=30_000):
        play.sync("Lena")
    assert play.says("Lena", "results") == "Results received from the hub: 1."
    review = room.screens.screen("review")
    play.wait(lambda: review.desk.item is not None and review.desk.item.entry("ben").outdated)


def and_reports(play):
    room = play.to_front("Lena")
    press("Ctrl+3")
    report = room.screens.screen("report")
    play.wait(lambda: report.figures.report is not None and not report.figures.is_running)
    page = play.rooms["Lena"].files.to_write = play.folder / "report.html"
    play.press_until(page.exists, "Ctrl+S")
    assert "ben" in page.read_text(encoding="utf-8")


def everything_on_the_hub_is_what_its_name_says(play):
    there = [one for one in play.place.files.rglob("*") if one.is_file() and not one.name.startswith(".")]
    names = {one.relative_to(play.place.files).as_posix(): one for one in there}
    ours = {name: one for name, one in names.items() if hub_names.is_hub_name(name)}
    assert set(names) - set(ours) <= {"hub.json"} | {name for name in names if name.startswith("probe/")}
    for name, one in ours.items():
        assert hashlib.sha256(one.read_bytes()).hexdigest() == hub_names.hash_in_name(name), name
    kinds = sorted(name.partition("/")[0] for name in ours)
    assert kinds == ["assignments"] * 2 + ["bundles"] + ["keys"] * 3 + ["results"] * 3 + ["returned"] * 2
