"""Write the results that the store has of a bundle as results zips, such as those of imported annotations."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from desktop_rater.audit.results import ReceivedResults
from desktop_rater.files import temporary_folder
from desktop_rater.format.archive import snapshot_name
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import bundle_errors
from desktop_rater.format.manifests import ResultsManifest
from desktop_rater.format.results import ResultLines, ResultsDraft, write_results
from desktop_rater.format.write import HINT_UNCHANGED, Spool, refuse_inside_store
from desktop_rater.store import received, snapshots
from desktop_rater.store.keys import signature_of
from desktop_rater.store.store import Store
from desktop_rater.text.untrusted import file_name_part


def write_stored_results(store: Store, bundle: str, folder: Path, progress: Progress) -> list[dict[str, Any]]:
    """Write a zip for each results of a bundle into a folder, named by their raters; return a row for each.

    `out` and `sha256` are empty for signed results, whose signature the store does not have. `received` is the SHA-256
    of the zip that came in: that of `sha256` for imported annotations, while a rater's zip may have its tasks with
    other white space. Results that follow others name the zip that was written of those. Raises `RaterError` and
    `Cancelled`; zips that were completed stay.
    """
    refuse_inside_store(store.folder, folder)
    with bundle_errors(folder, "written", HINT_UNCHANGED):
        folder.mkdir(parents=True, exist_ok=True)
    written: dict[str, dict[str, Any]] = {}
    names: set[str] = set()
    toml = {digest: rubric.toml for digest, rubric in received.rubrics_by_results(store, bundle).items()}
    stored = list(_in_order(received.list_results(store, bundle)))
    for number, results in enumerate(stored):
        progress(number, len(stored))
        manifest = received.results_manifest(store, results.sha256)
        signature = signature_of(store, results.sha256)
        ratings, out, digest = results.complete + results.skipped, "", ""
        if signature is None or signature.state == "unsigned":
            part = file_name_part(results.rater)
            name = part if part.casefold() not in names else f"{part}-{results.sha256[:12]}"
            names.add(name.casefold())
            path = folder / f"{name}.zip"
            now = {earlier: row["sha256"] for earlier, row in written.items() if row["out"]}
            draft = _draft(store, manifest, toml[results.sha256], now)
            out, digest = str(path), _write(store, results.sha256, draft, path, progress)
        row = {"rater": results.rater, "received": results.sha256, "ratings": ratings, "out": out, "sha256": digest}
        written[results.sha256] = row
    return list(written.values())


def _in_order(stored: list[ReceivedResults]) -> Iterator[ReceivedResults]:
    """Yield results after those that they follow; forged ones that follow each other come last."""
    waiting = {results.sha256: results for results in stored}
    while waiting:
        ready = [
            results
            for results in waiting.values()
            if results.supersedes not in waiting and results.sent_back_from not in waiting
        ]
        for results in ready or list(waiting.values()):
            yield waiting.pop(results.sha256)


def _draft(store: Store, manifest: ResultsManifest, toml: str | None, written: dict[str, str]) -> ResultsDraft:
    """Return the results without their lines. `written`: SHA-256 of zips that came in → that of those written."""
    derived, before = manifest.bundle.derived, manifest.supersedes
    if derived is not None and derived.results is not None:
        derived = replace(derived, results=written.get(derived.results, derived.results))
    pages = ((file.sha256, snapshots.snapshot_path(store.folder, file.sha256)) for file in manifest.files.values())
    return ResultsDraft(
        bundle=replace(manifest.bundle, derived=derived),
        rater=manifest.rater,
        rubric=manifest.rubric,
        counts=manifest.counts,
        moment="",
        partial=manifest.partial,
        practice=manifest.practice,
        adjudicated=manifest.adjudicated,
        supersedes=written.get(before, before) if before is not None else None,
        model=manifest.model,
        imported_from=manifest.imported_from,
        rubric_toml=toml,
        snapshots={digest: path for digest, path in pages if path and snapshot_name(digest) in manifest.files},
    )


def _write(store: Store, results: str, draft: ResultsDraft, path: Path, progress: Progress) -> str:
    moment = ""
    with temporary_folder() as folder, Spool(Path(folder)) as spool:
        lines = ResultLines(spool)
        for text, form, history in received.received_lines(store, results):
            progress(0, 0)
            lines.add([form], [received.task_text(store, text)], history)
            moment = max(moment, history[-1].changed)
        return write_results(path, replace(draft, moment=moment), lines, progress=progress)
