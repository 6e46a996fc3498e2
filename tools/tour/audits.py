"""Scenes of the QA lead: results of simulated raters on tasks made by repeating the sample's."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from desktop_rater.format.change import Progress
from desktop_rater.operations.bundles.make import BundleOptions, build_bundle
from desktop_rater.operations.self_test import sample_bundle_path, sample_ratings_path
from desktop_rater.ui.review.list_pane import ReviewListPane
from desktop_rater.ui.review.results_page import ResultsPage
from desktop_rater.ui.window.screens import LEAD, RATE, REVIEW
from tools.simulate import SimulationOptions, simulate_results
from tools.tour.stage import Stage, rest

BUNDLE, TITLE, RUBRIC = "long-answers", "Long answers, November", "span-factuality"
TASKS, RATERS, SEED, NOISE, GOLD = 94, 20, 20261118, 0.15, 8
SYSTEMS = ("Heron", "Kestrel", "Plover")
MADE_AT = "2026-11-02T08:00:00Z"


def write_results(
    folder: Path, *, tasks: int = TASKS, raters: int = RATERS, bundle_id: str = BUNDLE, noise: float = NOISE
) -> tuple[Path, Path]:
    """Write a bundle of `tasks` tasks and a folder with the results of the raters; the same bytes each time."""
    folder.mkdir(parents=True)
    lines, ratings = _lines_by_systems(tasks), _sample_ratings(tasks)
    files = {name: folder / f"{name}.jsonl" for name in ("tasks", "ratings", "gold")}
    write_lines(files["tasks"], lines)
    write_lines(files["ratings"], ratings)
    write_lines(files["gold"], ratings[:GOLD])
    bundle, results = folder / f"{bundle_id}.zip", folder / "results"
    wanted = BundleOptions(rubric=RUBRIC, id=bundle_id, title=TITLE, language="en", created=MADE_AT, gold=files["gold"])
    build_bundle(bundle, files["tasks"], wanted, _unheard())
    simulate_results(
        bundle, files["ratings"], results, SimulationOptions(raters=raters, seed=SEED, noise=noise), _unheard()
    )
    return bundle, results


def enter(stage: Stage, room: str) -> None:
    """Become a QA lead with these results, on one of the lead's screens."""
    stage.preferences.set("role", LEAD)
    stage.screens.go(room)
    audited = stage.lead_screens.context.audited
    if not audited.audit:
        stage.window.banners.drop("transfer")
        stage.lead_screens.context.results.import_files(write_results(stage.folder / "audit"))
        stage.wait(lambda: audited.audit is not None and len(audited.audit.raters) == RATERS)


def leave(stage: Stage) -> None:
    """Become a rater again."""
    stage.screens.go(RATE)
    stage.preferences.set("role", "rater")


def _unheard() -> Progress:
    return Progress(lambda _done, _total: None)


def _sample_ratings(count: int) -> list[dict[str, Any]]:
    return _named_anew(map(json.loads, sample_ratings_path().read_text(encoding="utf-8").splitlines()), "task", count)


def _lines_of(path: Path, name: str) -> Iterator[dict[str, Any]]:
    with zipfile.ZipFile(path) as archive:
        yield from map(json.loads, archive.read(name).decode().split("\n")[:-1])


def repeated_tasks(path: Path, count: int) -> list[dict[str, Any]]:
    """Return a number of tasks, repeating those of a bundle with new ids."""
    return _named_anew(_lines_of(path, "tasks.jsonl"), "id", count)


def _lines_by_systems(count: int) -> list[dict[str, Any]]:
    """Return tasks whose responses are by three systems in two versions, each with all prompts of the sample."""
    sample = list(_lines_of(sample_bundle_path(), "tasks.jsonl"))
    lines = _named_anew(sample, "id", count)
    for at, line in enumerate(lines):
        again = at // len(sample)
        version = "2.1" if again // len(SYSTEMS) % 2 else "2.0"
        line["meta"] = {**line.get("meta", {}), "system": SYSTEMS[again % len(SYSTEMS)], "version": version}
    return lines


def _named_anew(lines: Iterable[dict[str, Any]], key: str, count: int) -> list[dict[str, Any]]:
    """Yield a number of tasks, repeating the sample's with new ids."""
    known = list(lines)
    return [{**known[at % len(known)], key: f"t-{at + 1:04d}"} for at in range(count)]


def write_lines(path: Path, lines: Iterable[dict[str, Any]]) -> None:
    """Write a `.jsonl` file of objects."""
    path.write_text("".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in lines), encoding="utf-8")


def play_results(stage: Stage) -> None:
    """Show received results, one file of which is damaged."""
    enter(stage, REVIEW)
    whole = next(iter(sorted((stage.folder / "audit" / "results").iterdir())))
    damaged = stage.folder / "audit" / "made-up-21.zip"
    raw = whole.read_bytes()
    damaged.write_bytes(raw[: len(raw) // 2])
    listed = stage.window.findChild(ReviewListPane)
    stage.wait(lambda: listed is not None and listed.model.rowCount() > 0)
    page = stage.window.findChild(ResultsPage)
    assert page is not None
    said: list[object] = []
    stage.lead_screens.context.results.ended.connect(said.append)
    stage.lead_screens.context.results.import_files([damaged])
    stage.wait(lambda: bool(said) and page.status is not None and not page.refused.isHidden())
    rest(stage.app)
    if not page.isVisible():
        stage.act("review_results")
