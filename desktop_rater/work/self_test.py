"""The main job, on the sample, in a store of its own: for a package that was just built or installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.model.trouble import RaterError
from desktop_rater.paths import resources
from desktop_rater.store.doctor import examine
from desktop_rater.store.opening import open_writer
from desktop_rater.store.snapshots import listed
from desktop_rater.work import rubrics
from desktop_rater.work.browse import bundle_list
from desktop_rater.work.check_results import check_results
from desktop_rater.work.export_results import export_results
from desktop_rater.work.import_bundle import import_bundle
from desktop_rater.work.inspect_bundle import inspect_bundle
from desktop_rater.work.rate import rate_from_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path

    from desktop_rater.model.page import Page
    from desktop_rater.model.progress import Progress

RATER = "sample"


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was tried."""

    name: str
    passed: bool
    detail: str = ""


def sample_bundle() -> Path:
    """The sample that comes with the program."""
    return resources() / "samples" / "span-factuality-sample.zip"


def practice_bundle() -> Path:
    """The small bundle with gold answers that comes with the program."""
    return resources() / "samples" / "practice-sample.zip"


def sample_ratings() -> Path:
    """Ratings of the sample that break no blocking rule."""
    return resources() / "samples" / "span-factuality-sample.ratings.jsonl"


def run_self_test(folder: Path, progress: Progress, now: Callable[[], datetime]) -> tuple[Step, ...]:
    """Import, read, rate, export, check and examine in `folder`; stops at the first step that fails."""
    steps = []
    try:
        for name, passed, detail in _steps(folder, progress, now):
            steps.append(Step(name=name, passed=passed, detail=detail))
            if not passed:
                break
    except RaterError as error:
        steps.append(Step(name="self-test", passed=False, detail=str(error)))
    return tuple(steps)


def _steps(folder: Path, progress: Progress, now: Callable[[], datetime]) -> Iterator[tuple[str, bool, str]]:
    known = [rubrics.builtin(name).ref for name in rubrics.builtin_ids()]
    yield "built-in rubrics", bool(known), ", ".join(known)
    found = inspect_bundle(sample_bundle(), progress)
    yield "inspect the sample", not found.left_out, f"{found.tasks} tasks, {found.targets} targets"
    results = folder / "results.zip"
    with open_writer(folder / "store", command="self-test") as store:
        imported = import_bundle(store, sample_bundle(), progress=progress, now=now)
        yield "import", imported.outcome == "imported", imported.words
        pages = _read_pages(listed(folder / "store"), progress)
        broken = next((page.why for page in pages if not page.shows), "")
        yield "read the pages", bool(pages) and not broken, broken or f"{len(pages)} pages"
        (bundle,) = bundle_list(store)
        rated = rate_from_file(store, bundle.id, sample_ratings(), RATER, progress=progress, now=now)
        done = rated.complete + rated.skipped
        yield "rate", done == found.tasks, f"{rated.complete} complete, {rated.skipped} skipped"
        exported = export_results(store, bundle.id, RATER, results, progress=progress)
        yield "export", exported.written, f"{exported.complete} complete, {exported.skipped} skipped"
    checked = check_results(results, progress)
    yield "check the results", not checked.broken, f"{checked.complete} complete, {checked.skipped} skipped"
    report = examine(folder / "store", progress)
    yield "examine the store", not report.faults, "; ".join(one.text for one in report.faults)


def _read_pages(stored: list[Path], progress: Progress) -> list[Page]:
    """Stored pages, taken apart in the process that does that: nothing is fetched."""
    from desktop_rater.web import warc  # noqa: PLC0415 - the window knows this module for the sample's sake alone
    from desktop_rater.web.limits import LIMITS  # noqa: PLC0415
    from desktop_rater.web.read import Reader  # noqa: PLC0415

    reader = Reader(LIMITS)
    try:
        return [reader.read(warc.read(path), progress=progress) for path in stored]
    finally:
        reader.close()
