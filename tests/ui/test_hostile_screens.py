"""Every screen of the tour, with what would like to be HTML in every field: it is text wherever it is met."""

from __future__ import annotations

import pytest

from desktop_rater import app
from desktop_rater.ui import tour, tour_stage, transfer
from tests.ui.hostile_sample import PICTURE, HostileSaves, HostileWeb, Lures, hostile_bundle, hostile_ratings, mark
from tests.ui.literal import MARKED, everything_shown
from tests.ui.test_hostile_page import Watch
from tests.work.bundles import noon


@pytest.fixture(scope="module")
def walked(qapp, tmp_path_factory, make_httpserver):
    folder = tmp_path_factory.mktemp("hostile")
    picture = folder / PICTURE
    picture.write_bytes(b"GIF89a\x01\x00\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x00;")
    lures = Lures(picture, make_httpserver.url_for("").rstrip("/"))
    screens = {}

    def walk(stage, out, only, scenes):
        for name, _frame in tour._shots(stage, only, scenes):
            screens[name] = list(everything_shown())
        stage.window.close()
        stage.wait(lambda: not stage.window.isVisible())
        return []

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(tour, "tour", walk)
        patch.setattr(app, "SAMPLE_RATER", mark("rater"))
        patch.setattr(app, "SampleWeb", HostileWeb)
        patch.setattr(tour_stage, "Saves", HostileSaves)
        bundle, ratings = hostile_bundle(folder, lures), hostile_ratings(folder, lures)
        patch.setattr(transfer, "sample_bundle", lambda: bundle)
        patch.setattr(tour_stage, "sample_ratings", lambda: ratings)
        watch = Watch(picture)
        app.take_tour(folder, folder / "out", now=noon)
        opened = watch.opened()
        watch.close()
    return screens, opened


def test_x(walked):
    screens, opened = walked
    faults = {}
    for name, shown in screens.items():
        for one in shown:
            for f in one.faults:
                faults.setdefault(f, name)
    fields = {}
    for name, shown in screens.items():
        s = {m for one in shown for m in MARKED.findall(one.text)}
        fields[name] = s
        print(name, len(shown), sorted(s))
    print(sorted(set().union(*fields.values())))
    print(opened)
    for f, n in list(faults.items())[:60]:
        print("FAULT", n, f[:600])
    assert 0
