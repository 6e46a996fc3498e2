"""`python -m bench.hub_load`: what raters cost a hub, in requests and bytes, counted by a real Apache's own log.

The table is the one of the page on hubs. Requests and bytes are the same on each machine; milliseconds are those of
Apache's processes alone, so what else the machine does changes them little.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.workload import tasks
from desktop_rater.format.change import Progress
from desktop_rater.operations.hub.connect import init_hub
from tests.hub.grounds import Files, Ground, make_ground
from tests.hub.servers import apache as server
from tests.hub.servers.certificates import Authority
from tests.hub.servers.fixtures import open_folder
from tests.operations.bundles import NOON, make
from tests.operations.hubs import PROJECT, Laptop, Team

if TYPE_CHECKING:
    from collections.abc import Callable

_TASKS = 20
_MANY = 40  # bundles, as after some months
_TIMES = 100
_TICKS = os.sysconf("SC_CLK_TCK")


class Cost(NamedTuple):
    """Of one exchange: `sent` and `received` as the server sees it, `milliseconds` of its processor."""

    what: str
    requests: int
    received: int
    sent: int
    milliseconds: float | None = None


def main() -> None:
    """Measure, and print the table."""
    if server.MISSING:
        raise SystemExit(server.MISSING)
    print(f"{'what a rater does':<48}{'requests':>10}{'kB up':>10}{'kB down':>10}{'ms of Apache':>14}")
    for tls in (False, True):
        print("over TLS" if tls else "without TLS")
        with open_folder() as folder, tempfile.TemporaryDirectory() as place:
            certificate = Authority(Path(place)).certificate() if tls else None
            with server.Apache(folder, certificate) as apache:
                for cost in _costs(apache, Path(place)):
                    print(_line(cost), flush=True)


def _line(cost: Cost) -> str:
    spent = "" if cost.milliseconds is None else f"{cost.milliseconds:,.1f}"
    kilobytes = f"{cost.received / 1000:>10,.1f}{cost.sent / 1000:>10,.1f}"
    return f"  {cost.what:<46}{cost.requests:>10,}{kilobytes}{spent:>14}"


def _costs(apache: server.Apache, place: Path) -> list[Cost]:
    ground = make_ground("apache", lambda _: apache, place)
    team = Team(ground.url, ground.means)
    with team.opened() as hub:
        init_hub(hub, PROJECT, "Bench", NOON, Progress())
    laptop = Laptop(place / "store", "r-17", team)
    meter = _Meter(apache)
    try:
        return [*_first(meter, laptop, place), *_later(meter, laptop, ground, place)]
    finally:
        laptop.close()
        ground.close()


def _first(meter: _Meter, laptop: Laptop, place: Path) -> list[Cost]:
    bundle, names = _bundle(place, 0)
    size = bundle.stat().st_size
    laptop.team.publish(bundle, laptop.rater)
    fetched = meter.once(f"a bundle of {_TASKS} tasks comes ({size / 1000:,.0f} kB)", laptop.sync)
    laptop.take()
    laptop.rate("bench-0", *names)
    sent = meter.once("its results go", laptop.sync)
    (results,) = laptop.team.results(laptop.rater).values()
    sent = sent._replace(what=f"its results go ({results / 1000:,.0f} kB)")
    return [fetched, sent, *_idle(meter, laptop, "1 bundle was done")]


def _later(meter: _Meter, laptop: Laptop, ground: Ground, place: Path) -> list[Cost]:
    assert isinstance(ground.there, Files)
    made = [_bundle(place, number) for number in range(1, _MANY)]
    laptop.get_all([bundle for bundle, _ in made])
    for bundle, names in made:
        laptop.rate(bundle.stem, *names)
    laptop.sync()
    return _idle(meter, laptop, f"{_MANY} bundles were done")


def _idle(meter: _Meter, laptop: Laptop, what: str) -> list[Cost]:
    """Nothing is new: as the schedule asks, after the first sync of a day, and as a rater asks."""
    return [
        _many(meter, f"the schedule, {what}", lambda: laptop.sync(scheduled=True)),
        _many(meter, f"by key, {what}", laptop.sync),
    ]


def _many(meter: _Meter, what: str, sync: Callable[[], object]) -> Cost:
    """Many times the same, since a processor's time is counted in hundredths of a second."""
    whole = meter.cost("", lambda: [sync() for _ in range(_TIMES)])
    return Cost(
        what,
        whole.requests // _TIMES,
        whole.received // _TIMES,
        whole.sent // _TIMES,
        (whole.milliseconds or 0) / _TIMES,
    )


def _bundle(place: Path, number: int) -> tuple[Path, list[str]]:
    lines = [{**line, "targets": []} for line in tasks(_TASKS)]
    for line in lines:
        line.pop("meta", None)
    return make(place / f"bench-{number}.zip", lines), [str(line["id"]) for line in lines]


class _Meter:
    """Looks at a server before and after."""

    def __init__(self, apache: server.Apache) -> None:
        self._apache = apache

    def once(self, what: str, do: Callable[[], object]) -> Cost:
        """What one exchange costs; too short for the processor's clock."""
        return self.cost(what, do)._replace(milliseconds=None)

    def cost(self, what: str, do: Callable[[], object]) -> Cost:
        before, spent = self._settled(0), self._spent()
        do()
        after = self._settled(before)
        rows = self._apache.requests()[before:after]
        return Cost(
            what,
            len(rows),
            sum(row.received for row in rows),
            sum(row.sent for row in rows),
            1_000 * (self._spent() - spent),
        )

    def _settled(self, least: int) -> int:
        """A line is written after its answer, so the last one may come a moment late."""
        seen = -1
        while seen != (found := len(self._apache.requests())) or found < least:
            seen = found
            time.sleep(0.1)
        return seen

    def _spent(self) -> float:
        """Seconds of the processor that the server's processes have had."""
        parent = self._apache.process.pid
        stats = (process / "stat" for process in Path("/proc").iterdir() if process.name.isdecimal())
        fields = (stat.read_text("utf-8").rpartition(")")[2].split() for stat in stats if stat.exists())
        return sum(int(one[11]) + int(one[12]) for one in fields if int(one[1]) == parent) / _TICKS


if __name__ == "__main__":
    main()
