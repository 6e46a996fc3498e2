"""A lead's window on 500,000 judged places of 50 raters: opening review and report, verdicts, gaps, memory."""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from bench.audits import take
from bench.child import measured, peak
from bench.figures import Samples
from bench.lead_work import give_verdicts, open_report, open_review
from bench.window_stage import Stage
from bench.workload import BUNDLE, RATER, Workload
from desktop_rater.audit.digest import Digest
from desktop_rater.format.change import Progress
from desktop_rater.format.strict_json import sha256
from desktop_rater.operations.audit.listed_places import refresh_listing
from desktop_rater.store import received
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.received import NewReceivedRating, NewReceivedResults
from tests.ui.loop_gap import IdleLoop, Watched
from tools.simulate import SimulationOptions, simulate_results

if TYPE_CHECKING:
    from desktop_rater.store.store import Store

_TASKS, RATERS, _COPIES = 1_000, 10, 5  # of ten sentences: 500,000 judged places
_OPENINGS = 3
_COLUMNS = "task, text, revision, sha256, digest, history, body"


def lead(workload: Workload) -> dict[str, Samples]:
    """Measure milliseconds to the painted review and report, of a verdict, of the longest gap, and the peak memory."""
    part = Workload(workload.folder, _TASKS)
    store = part.folder / f"{_TASKS}-{RATERS * _COPIES}-raters"
    if not store.exists():
        with tempfile.TemporaryDirectory(dir=part.folder) as folder:
            make_store(part, Path(folder), _COPIES).rename(store)
    figures: dict[str, Samples] = {}
    with tempfile.TemporaryDirectory(dir=part.folder) as folder:
        for number in range(_OPENINGS):
            own = shutil.copytree(store, Path(folder) / f"store-{number}")
            for name, one in measured("bench.many_raters:measure", str(own)).result.items():
                known = figures.setdefault(name, Samples([], []))
                known.ours.extend(one["ours"])
                known.floor.extend(one.get("floor", ()))
            shutil.rmtree(own)
    return figures


def make_store(part: Workload, folder: Path, copies: int) -> Path:
    """Make a lead's store with the results of ten simulated raters, each under as many names."""
    store, inbox = folder / "store", folder / "inbox"
    shutil.copytree(part.imported, store)
    options = SimulationOptions(raters=RATERS, seed=1, noise=0.15)
    simulate_results(part.bundle, part.ratings, inbox, options, Progress())
    take(str(store), str(inbox))
    with open_writer(store, command="bench") as opened:
        received.finish_results(opened, [_copy(opened, *row, n) for row in _results(opened) for n in range(1, copies)])
        refresh_listing(opened, BUNDLE, Progress())
    settings = {"format": "desktop-rater-settings", "version": 1, "rater": RATER, "open_with": "place"}
    (store / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    return store


def _results(store: Store) -> list[tuple[int, str, str]]:
    with store.reading("The results can't be read.") as db:
        return db.execute("SELECT key, rater, manifest FROM received WHERE supersedes IS NULL").fetchall()


def _copy(store: Store, key: int, rater: str, manifest: str, number: int) -> int:
    """Add results once more under another name; their key."""
    name = f"{rater}-{number}"
    new = NewReceivedResults(
        sha256=sha256(name.encode()),
        bundle=BUNDLE,
        rater=name,
        supersedes=None,
        manifest=json.dumps(json.loads(manifest) | {"rater": name}),
        rubric_toml=None,
        file=f"{name}.zip",
        arrived="2026-11-20T12:00:00Z",
    )
    with store.reading("The results can't be read.") as db:
        rows = db.execute(f"SELECT {_COLUMNS} FROM received_ratings WHERE results = ?", (key,)).fetchall()  # noqa: S608
    added = received.begin_results(store, new)
    received.add_received_ratings(store, added, [_rating(*row) for row in rows], {})
    return added


def _rating(
    task: str, text: str, revision: int, digest_of: str, digest: bytes, history: str, body: bytes
) -> NewReceivedRating:
    return NewReceivedRating(
        task=task,
        text=text,
        revision=revision,
        sha256=digest_of,
        digest=msgspec.msgpack.decode(digest, type=Digest),
        history=history,
        body=body,
    )


def measure(store: str) -> dict[str, dict[str, list[float]]]:
    """Enter the review of a store of one's own, give verdicts, and enter the report."""
    with Stage(Path(store)) as stage, IdleLoop() as idle:
        stage.settle()
        stage.room.preferences.set("role", "lead")
        stage.rest(3)  # the lead's modules are loaded while the window is idle
        with Watched(idle) as watched:
            review = open_review(stage)
            stage.rest(1)
        shown = {"review": {"ours": [review]}, "megabytes": {"ours": [peak()]}}
        gap, floor = watched.longest, max(0.0, watched.longest - watched.beyond)
        shown["gap"] = {"ours": [gap * 1_000], "floor": [floor * 1_000]}
        shown["verdict"] = give_verdicts(stage)
        started = time.perf_counter()
        open_report(stage)
        shown["report"] = {"ours": [(time.perf_counter() - started) * 1_000]}
    return shown
