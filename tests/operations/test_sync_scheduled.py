"""A sync that nobody asked for costs a hub next to nothing, and all that was sent is looked for once a day."""

import pytest

from desktop_rater.format.values import format_time
from desktop_rater.store import hubs

from .bundles import make, task
from .hubs import Around

DAY = 24 * 60 * 60


def scheduled(laptop):
    """What it came to, and the folders of sent things that were listed."""
    listed = []

    def through(hub):
        return Around(hub, list=lambda folder, *given: listed.append(folder) or hub.list(folder, *given))

    done = laptop.sync(through, scheduled=True)
    return done, [folder for folder in listed if folder.startswith(("results", "keys"))]


def test_what_was_seen_on_the_hub_today_is_not_looked_for_again_by_the_schedule(tmp_path, laptop):
    laptop.get(make(tmp_path / "a.zip", [task("t-1")]), "t-1")
    laptop.sync()
    laptop.clock.seconds = 60
    again, looked = scheduled(laptop)
    assert (again.whole, looked) == (True, [])
    assert laptop.row.verified == format_time(laptop.clock())


def test_new_results_are_looked_for_and_no_others(tmp_path, laptop):
    laptop.get(make(tmp_path / "a.zip", [task("t-1")]), "t-1")
    laptop.sync()
    laptop.get(make(tmp_path / "b.zip", [task("t-1")]), "t-1")
    done, looked = scheduled(laptop)
    assert ([one.bundle for one in done.uploaded], looked) == (["b"], ["results/r-17/b"])


@pytest.mark.parametrize("why", ["asked", "next day", "connected", "paused"])
def test_what_the_hub_lost_is_found_as_soon_as_all_is_looked_for(tmp_path, laptop, why):
    laptop.get(make(tmp_path / "a.zip", [task("t-1")]), "t-1")
    (sent,) = laptop.sync().uploaded
    (tmp_path / "hub" / sent.name).unlink()
    laptop.clock.seconds = 60
    assert scheduled(laptop)[0].missing == ()
    laptop.clock.seconds = 120
    if why == "next day":
        laptop.clock.seconds = DAY / 2  # midnight, by UTC
    elif why == "connected":
        row = laptop.row
        hubs.set_current_hub(
            laptop.store, project=row.project, title="", url=row.url, user=row.user, now=laptop.clock()
        )
    elif why == "paused":
        hubs.pause_hub(laptop.store, laptop.row.project, "gone", "There was no marker.")
    done = laptop.sync() if why == "asked" else scheduled(laptop)[0]
    assert done.missing == (sent.name,)
    laptop.clock.seconds += 10
    again, _ = scheduled(laptop)
    assert [one.name for one in again.uploaded] == [sent.name]
    assert again.whole
