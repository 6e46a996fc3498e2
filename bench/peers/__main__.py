"""`python -m bench.peers [NAME...]`: measure other annotation tools and ours in turn, and print one table.

`--write` puts it into docs/performance.md and the README. BENCH_TASKS=1000 takes fewer tasks than 10,000. A peer that
can't be installed is skipped.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import msgspec

from bench.figures import Samples, ServerMissing, figure
from bench.machine import Watch
from bench.peers.doccano import Doccano
from bench.peers.label_studio import LabelStudio
from bench.peers.ours import Ours, TurnTimes, one_target
from bench.peers.page import Comparison, PeerFigures, shown, write_pages
from bench.peers.peer import Peer, Tasks, environment_of
from bench.peers.potato import Potato
from bench.workload import Workload, tasks

_BUILD = Path(__file__).resolve().parents[2] / "build"
_PEERS: tuple[type[Peer], ...] = (LabelStudio, Doccano, Potato)
_REPEATS, _TURNS, _WORDS = 5, 20, 10
_PAUSE = 0.2  # seconds between two turns, as on our side
_RATERS, _JUDGED = 10, 1_000


class Recorder:
    """Samples of both sides by row, added in pairs."""

    def __init__(self) -> None:
        self.samples: dict[str, Samples] = {}

    def add(self, row: str, theirs: float | None, ours: float) -> None:
        """Add what was measured in one turn; nothing where the peer does not offer it."""
        if theirs is not None:
            samples = self.samples.setdefault(row, Samples(ours=[], floor=[]))
            samples.ours.append(theirs)
            samples.floor.append(ours)


def main(words: list[str]) -> None:
    """Measure the peers of these names, or all."""
    names = [word for word in words if word != "--write"]
    workload = Workload(_BUILD / "bench", int(os.environ.get("BENCH_TASKS", "10000")))
    workload.folder.mkdir(parents=True, exist_ok=True)
    measured = []
    with tempfile.TemporaryDirectory(dir=workload.folder) as folder:
        ours = Ours(workload, Path(folder), _RATERS, min(_JUDGED, workload.tasks))
        for kind in _PEERS:
            if names and kind.name not in names:
                continue
            try:
                environment = environment_of(kind, _BUILD / "peers")
            except ServerMissing as missing:
                print(f"skipped: {missing}", flush=True)
                continue
            print(f"{kind.title}…", flush=True)
            with Watch() as watch, kind(environment, Path(folder) / kind.name) as peer:
                samples = measure(peer, ours, workload)
            figures = {row: figure(pairs, "median", "ratio") for row, pairs in samples.items()}
            others = (watch.disturbance.others or 0) + (watch.disturbance.steal or 0)
            measured.append(PeerFigures(title=peer.title, version=peer.version, figures=figures, others=others))
    comparison = Comparison(moment=time.strftime("%Y-%m-%d", time.gmtime()), tasks=workload.tasks, peers=measured)
    (_BUILD / "bench-peers.json").write_bytes(msgspec.json.format(msgspec.json.encode(comparison)) + b"\n")
    print(shown(comparison))
    if "--write" in words:
        write_pages(comparison)


def measure(peer: Peer, ours: Ours, workload: Workload) -> dict[str, Samples]:
    """Return the samples of a peer as ours and of our program as the floor, measured in turn."""
    given = list(tasks(workload.tasks))
    words = [task["responses"][0]["text"].partition(". ")[0].split()[-1].lower() for task in given[:_WORDS]]
    record = Recorder()
    peer.prepare(given)
    for repeat in range(_REPEATS):
        record.add("start", peer.start(), ours.start())
        if repeat < _REPEATS - 1:
            peer.stop()
    own_peaks = _measure_turns(peer, ours, words, record)
    record.add("memory at work", peer.megabytes, max(own_peaks))
    own_peaks = []
    for _ in range(_REPEATS):
        theirs, run = peer.import_tasks(given), ours.import_tasks()
        record.add("import", theirs, run.seconds)
        own_peaks.append(run.megabytes)
    for _ in range(_REPEATS):
        theirs, run = peer.export(given), ours.export()
        record.add("export", theirs, run.seconds)
        record.add("export of labels", theirs, ours.export_labels().seconds)
        own_peaks.append(run.megabytes)
    record.add("memory in and out", peer.megabytes, max(own_peaks))
    judged: Tasks = [one_target(task) for task in given[: len(ours.labels[0])]]
    for _ in range(_REPEATS):
        record.add("agreement", peer.agreement(judged, ours.labels), ours.agreement().seconds)
    return record.samples


def _measure_turns(peer: Peer, ours: Ours, words: list[str], record: Recorder) -> list[float]:
    """Measure turns and searches, and return the peaks of our memory. A sample is the median of a repetition."""
    peaks = []
    for repeat in range(_REPEATS):
        times = TurnTimes()
        for number in range(_TURNS):
            time.sleep(_PAUSE)
            turn = peer.turn(repeat * _TURNS + number)
            times.answer.append(turn.answer)
            times.following.append(turn.following)
        for word in words:
            time.sleep(_PAUSE)
            times.search.append(peer.search(word))
        run = ours.turns(_TURNS, words)
        peaks.append(run.megabytes)
        own = msgspec.convert(run.result, TurnTimes)
        for row in ("answer", "following", "search"):
            record.add(row, median(getattr(times, row)), median(getattr(own, row)))
        both = (map(sum, zip(side.answer, side.following, strict=True)) for side in (times, own))
        record.add("turn", *(median(turns) for turns in both))
    return peaks


if __name__ == "__main__":
    main(sys.argv[1:])
