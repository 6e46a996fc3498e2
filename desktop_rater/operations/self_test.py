"""Test the main workflow with the sample in a store of its own, for a package just built or installed."""

from collections.abc import Callable, Iterator
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path

import msgspec

from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.page import Page
from desktop_rater.hooks import Plugin, hook, installed_plugins
from desktop_rater.operations import rubrics
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.operations.bundles.import_bundle import import_bundle
from desktop_rater.operations.bundles.inspect_bundle import inspect_bundle
from desktop_rater.operations.rating.export import export_results
from desktop_rater.operations.rating.open_task import bundle_list
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.paths import resources, sample_bundle_path
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.snapshots import list_snapshots

SELF_TEST_RATER = "sample"


class SelfTestStep(msgspec.Struct, frozen=True, kw_only=True):
    """One tested step."""

    name: str
    passed: bool
    detail: str = ""


def sample_ratings_path() -> Path:
    """Return the path of ratings of the sample that break no blocking rule."""
    return resources() / "samples" / "span-factuality-sample.ratings.jsonl"


def run_self_test(folder: Path, progress: Progress, now: Callable[[], datetime]) -> tuple[SelfTestStep, ...]:
    """Import, read, rate, export and check in `folder`; stop at the first failed step."""
    steps = []
    try:
        for name, passed, detail in _steps(folder, progress, now):
            steps.append(SelfTestStep(name=name, passed=passed, detail=detail))
            if not passed:
                break
    except RaterError as error:
        steps.append(SelfTestStep(name="self-test", passed=False, detail=str(error)))
    return tuple(steps)


def _steps(folder: Path, progress: Progress, now: Callable[[], datetime]) -> Iterator[tuple[str, bool, str]]:
    refs = [rubrics.builtin_rubric(name).ref for name in rubrics.builtin_ids()]
    yield "built-in rubrics", bool(refs), ", ".join(refs)
    plugins = installed_plugins()
    # Looked for, not loaded: what computes figures loads libraries that only figures need.
    modules = {place.partition(":")[0] for name in Plugin.__annotations__ for place in hook(name).values()}
    faults = [*plugins.faults, *(f"{name} is missing" for name in sorted(modules) if find_spec(name) is None)]
    yield "find the plug-ins", bool(plugins.loaded) and not faults, ", ".join(faults or plugins.loaded)
    inspection = inspect_bundle(sample_bundle_path(), progress)
    yield "inspect the sample", not inspection.left_out, f"{inspection.tasks} tasks, {inspection.targets} targets"
    results = folder / "results.zip"
    with open_writer(folder / "store", command="self-test") as store:
        imported = import_bundle(store, sample_bundle_path(), progress=progress, now=now)
        yield "import", imported.outcome == "imported", imported.message
        pages = _read_pages(list_snapshots(folder / "store"), progress)
        broken = next((page.why for page in pages if not page.shows), "")
        yield "read the pages", bool(pages) and not broken, broken or f"{len(pages)} pages"
        (bundle,) = bundle_list(store)
        rated = rate_from_file(store, bundle.id, sample_ratings_path(), SELF_TEST_RATER, progress=progress, now=now)
        count = rated.complete + rated.skipped
        yield "rate", count == inspection.tasks, f"{rated.complete} complete, {rated.skipped} skipped"
        exported = export_results(store, bundle.id, SELF_TEST_RATER, results, progress=progress)
        yield "export", exported.written, f"{exported.complete} complete, {exported.skipped} skipped"
    checked = check_results(results, progress)
    yield "check the results", not checked.broken, f"{checked.complete} complete, {checked.skipped} skipped"
    report = examine_store(folder / "store", progress)
    yield "examine the store", not report.faults, "; ".join(fault.text for fault in report.faults)


def _read_pages(stored: list[Path], progress: Progress) -> list[Page]:
    """Parse stored pages in the child process for pages, without fetching."""
    from desktop_rater.pages import warc  # noqa: PLC0415 - the window imports this module only for the sample's path
    from desktop_rater.pages.page_reader import PageReader  # noqa: PLC0415
    from desktop_rater.pages.response import WEB_LIMITS  # noqa: PLC0415

    reader = PageReader(WEB_LIMITS)
    try:
        return [reader.read(warc.read_snapshot(path), progress=progress) for path in stored]
    finally:
        reader.close()
