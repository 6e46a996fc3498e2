"""What a QA lead sees in the tour: the results of made-up raters, who rate the sample's tasks over and over."""

from __future__ import annotations

import json
import zipfile
from typing import TYPE_CHECKING, Any

from desktop_rater.model.progress import Progress
from desktop_rater.ui.review.list_pane import ListPane
from desktop_rater.ui.review.results_page import ResultsPage
from desktop_rater.ui.rooms import LEAD, RATE, REVIEW
from desktop_rater.ui.tour.stage import rest
from desktop_rater.work.make_bundle import Wanted, make_from_file
from desktop_rater.work.rehearse import Rehearsal, rehearse
from desktop_rater.work.self_test import sample_bundle, sample_ratings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from desktop_rater.ui.tour.stage import Stage

BUNDLE, TITLE, RUBRIC = "long-answers", "Long answers, November", "span-factuality"
TASKS, RATERS, SEED, NOISE, GOLD = 94, 20, 20261118, 0.15, 8
MADE_AT = "2026-11-02T08:00:00Z"


def write_results(folder: Path, *, tasks: int = TASKS, raters: int = RATERS) -> tuple[Path, Path]:
    """A bundle of so many tasks, and the folder of the results of so many raters; the same ones each time."""
    folder.mkdir(parents=True)
    lines, ratings = _named_anew(_lines_of(sample_bundle(), "tasks.jsonl"), "id", tasks), _sample_ratings(tasks)
    files = {name: folder / f"{name}.jsonl" for name in ("tasks", "ratings", "gold")}
    _write(files["tasks"], lines)
    _write(files["ratings"], ratings)
    _write(files["gold"], ratings[:GOLD])
    bundle, results = folder / f"{BUNDLE}.zip", folder / "results"
    wanted = Wanted(rubric=RUBRIC, id=BUNDLE, title=TITLE, language="en", created=MADE_AT, gold=files["gold"])
    make_from_file(bundle, files["tasks"], wanted, _unheard())
    rehearse(bundle, files["ratings"], results, Rehearsal(raters=raters, seed=SEED, noise=NOISE), _unheard())
    return bundle, results


def enter(stage: Stage, room: str) -> None:
    """Be a QA lead who has the results, in one of the rooms."""
    stage.preferences.set("role", LEAD)
    stage.rooms.go(room)
    audited = stage.rooms.around.audited
    if not audited.audit:
        stage.window.banners.drop("transfer")
        stage.rooms.around.results.take(write_results(stage.folder / "audit"))
        stage.wait(lambda: audited.audit is not None and len(audited.audit.raters) == RATERS)


def leave(stage: Stage) -> None:
    """Be a rater again."""
    stage.rooms.go(RATE)
    stage.preferences.set("role", "rater")


def _unheard() -> Progress:
    return Progress(lambda _done, _total: None)


def _sample_ratings(count: int) -> list[dict[str, Any]]:
    return _named_anew(map(json.loads, sample_ratings().read_text(encoding="utf-8").splitlines()), "task", count)


def _lines_of(path: Path, name: str) -> Iterator[dict[str, Any]]:
    with zipfile.ZipFile(path) as archive:
        yield from map(json.loads, archive.read(name).decode().split("\n")[:-1])


def _named_anew(lines: Iterable[dict[str, Any]], key: str, count: int) -> list[dict[str, Any]]:
    """So many of them: after the last one the first again, each time with names of their own."""
    known = list(lines)
    return [{**known[at % len(known)], key: f"t-{at + 1:04d}"} for at in range(count)]


def _write(path: Path, lines: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in lines), encoding="utf-8")


def play_results(stage: Stage) -> None:
    """All that came, and a file that was damaged on its way."""
    enter(stage, REVIEW)
    whole = next(iter(sorted((stage.folder / "audit" / "results").iterdir())))
    damaged = stage.folder / "audit" / "made-up-21.zip"
    raw = whole.read_bytes()
    damaged.write_bytes(raw[: len(raw) // 2])
    listed = stage.window.findChild(ListPane)
    stage.wait(lambda: listed is not None and listed.model.rowCount() > 0)
    page = stage.window.findChild(ResultsPage)
    assert page is not None
    said: list[object] = []
    stage.rooms.around.results.ended.connect(said.append)
    stage.rooms.around.results.take([damaged])
    stage.wait(lambda: bool(said) and page.status is not None and not page.refused.isHidden())
    rest(stage.app)
    if not page.isVisible():
        stage.act("review_results")
