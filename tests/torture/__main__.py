"""`make torture`: a thousand kills, a few hundred failing disks and power cuts; a table, and `build/torture.json`.

`TORTURE_KILLS=100 make torture` for a quick look. Exit status 1 where anything was lost or is not as it should be.
"""

import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue

import msgspec

from bench.machine import machine
from desktop_rater.format.values import format_time, utc_now
from tests.torture import endings
from tests.torture.campaign import OPERATIONS, VICTIMS, Campaign, Tally
from tests.torture.destroyed_pages import PAGES, destroy_pages
from tests.torture.displacing import ROUNDS, displace
from tests.torture.endings import Nursery
from tests.torture.power_cuts import CUTS, cut_power

KILLS = 1_200
# Of 1,200 kills, and of the failures of a disk: how many each kind of work gets.
SHARES = {
    "creating": (60, 25),
    "answering": (240, 50),
    "importing": (160, 25),
    "exporting": (140, 25),
    "backing up": (100, 25),
    "restoring": (80, 25),
    "migrating": (60, 25),
    "indexing": (60, 0),
    "window": (100, 0),
    "window importing": (60, 0),
    "typing": (200, 0),
}
COUNTED = ("kills", "at_calls", "failures", "power_cuts", "displacements", "acknowledged", "lost", "wrong")
CHUNK = 20  # kills of one campaign
WORKERS = 2
OUT = Path(__file__).parents[2] / "build" / "torture.json"


def main() -> int:
    """Run it all; the exit status."""
    if endings.NO_FORK:
        sys.stderr.write(f"Not run: {endings.NO_FORK}.\n")
        return 1
    started, wanted = time.monotonic(), int(os.environ.get("TORTURE_KILLS", KILLS))
    jobs = list(_jobs(wanted))
    tallies = {name: Tally() for name in SHARES}
    with tempfile.TemporaryDirectory() as place, ExitStack() as stack:
        nurseries: SimpleQueue[Nursery] = SimpleQueue()
        for number in range(WORKERS):
            home = Path(place) / f"nursery {number}"
            home.mkdir()
            nurseries.put(stack.enter_context(Nursery(home, *VICTIMS)))

        def run(job: tuple[int, str, int, int]) -> tuple[str, Tally]:
            number, name, kills, failures = job
            nursery = nurseries.get()
            campaign = Campaign(OPERATIONS[name], nursery, Path(place) / f"{number}", number)
            try:
                campaign.kill(kills)
                campaign.fail(failures)
            finally:
                nurseries.put(nursery)
            return name, campaign.tally

        with ThreadPoolExecutor(WORKERS) as pool:
            for name, tally in pool.map(run, jobs):
                tallies[name].add(tally)
                done = sum(one.kills for one in tallies.values())
                sys.stderr.write(f"{done} kills after {time.monotonic() - started:.0f} s\n")
        nursery = nurseries.get()
        tallies["destroyed pages"] = destroy_pages(nursery, Path(place) / "pages", max(1, PAGES * wanted // KILLS))
        tallies["power cuts"] = cut_power(nursery, Path(place) / "power", max(1, CUTS * wanted // KILLS))
        tallies["displaced files"] = displace(nursery, Path(place) / "displaced", max(1, ROUNDS * wanted // KILLS))
    return _report(tallies, time.monotonic() - started)


def _jobs(wanted: int) -> Iterator[tuple[int, str, int, int]]:
    number = 0
    for name, (kills, failures) in SHARES.items():
        left, fail = max(1, round(kills * wanted / KILLS)), round(failures * wanted / KILLS)
        while left > 0:
            number += 1
            yield number, name, min(CHUNK, left), fail
            left, fail = left - CHUNK, 0


def _report(tallies: dict[str, Tally], seconds: float) -> int:
    rows = [{"operation": name, **vars(tally)} for name, tally in tallies.items()]
    whole = Tally()
    for tally in tallies.values():
        whole.add(tally)
    sys.stdout.write(f"{'':18}" + "".join(f"{name.replace('_', ' '):>14}" for name in COUNTED) + "\n")
    for name, tally in {**tallies, "all": whole}.items():
        counted = (value if isinstance(value := getattr(tally, one), int) else len(value) for one in COUNTED)
        sys.stdout.write(f"{name:18}" + "".join(f"{count:14,}" for count in counted) + "\n")
    for text in (*whole.lost, *whole.wrong):
        sys.stdout.write(f"{text}\n")
    OUT.parent.mkdir(exist_ok=True)
    said = {
        "machine": msgspec.to_builtins(machine()),
        "date": format_time(utc_now()),
        "seconds": round(seconds),
        "operations": rows,
    }
    OUT.write_text(json.dumps({**said, "kills": whole.kills, "lost": len(whole.lost)}, indent=1), encoding="utf-8")
    return 1 if whole.lost or whole.wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
