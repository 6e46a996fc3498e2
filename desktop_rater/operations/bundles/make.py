"""Build a bundle from a file of tasks."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from desktop_rater.files import is_stream
from desktop_rater.format.archive import PICTURE_FOLDER, check_picture_list, check_pictures, named_pictures
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import BundleError, bundle_errors
from desktop_rater.format.jsonl import read_small_text, task_lines
from desktop_rater.format.make import BundleDraft, make_bundle
from desktop_rater.format.manifests import (
    ASSISTANCE_KEY,
    DUE_KEY,
    LIBRARIES_KEY,
    Assistance,
    BundleManifest,
    is_due,
)
from desktop_rater.format.opened_files import refuse_binary_lines
from desktop_rater.format.safe_zip import LIMITS
from desktop_rater.format.strict_json import to_plain
from desktop_rater.format.targets import line_with_places
from desktop_rater.format.values import format_time, parse_time
from desktop_rater.format.write import NOTHING_WRITTEN, file_sha256, refuse_same_file
from desktop_rater.operations import rubrics
from desktop_rater.operations.bundles.import_bundle import BundleNotes, LeftOut, bundle_lines, refuse_empty
from desktop_rater.operations.rating.gold import read_gold_file
from desktop_rater.rubric.provenance import missing_headings

_STEP = 200
_NOT_IN_AN_ID = re.compile("[^a-z0-9]+")


class BundleOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options of the new bundle; `None` means the default.

    `rubric`: a built-in id or a TOML file. `created`: a timestamp. `due`: a date or a timestamp. `libraries`: names of
    wanted libraries, or JSON objects as in a manifest. `assistance`: what raters are shown of the decisions of others.
    `snapshots`: a folder of `*.warc.gz`. `cases`: a file with the
    cases of the rubric. `gold`: a file of ratings, shown to raters after each task if `practice`. `accept_close`: a
    target without an exact place gets that of a passage that is 95 % similar to its quote, written into its task.
    """

    rubric: str
    id: str | None = None
    revision: int = 1
    title: str | None = None
    language: str = ""
    created: str | None = None
    due: str | None = None
    libraries: tuple[str, ...] = ()
    assistance: Assistance | None = None
    guidelines: Path | None = None
    cases: Path | None = None
    snapshots: Path | None = None
    gold: Path | None = None
    practice: bool = False
    accept_close: bool = False


class BuiltBundle(msgspec.Struct, frozen=True, kw_only=True):
    """A bundle that was written, with the `tasks` and `targets` that a rater gets.

    `left_out`: tasks and targets a rater would not get; `aligned`: number of targets located elsewhere than at their
    offsets; `ignored`: messages about unusable suggestions; `gold`: number of gold answers in it,
    and `partial_gold` of those that answer only some questions; `missing_headings`: those that the rubric names and
    the guidelines of the bundle lack.
    """

    manifest: BundleManifest
    tasks: int
    targets: int
    aligned: int
    left_out: tuple[LeftOut, ...]
    gold: int = 0
    partial_gold: int = 0
    ignored: tuple[str, ...] = ()
    missing_headings: tuple[str, ...] = ()


def build_bundle(out: Path, tasks: Path, options: BundleOptions, progress: Progress) -> BuiltBundle:
    """Bundle the lines of a `.jsonl` file. Raises `RaterError`; nothing is written then.

    A line is stored to the byte unless one of its targets was located by similarity.
    """
    new = new_bundle(out, options, [tasks])
    for path in (tasks, options.gold):
        if path is not None and not is_stream(path):
            with bundle_errors(path, "read", NOTHING_WRITTEN):
                refuse_binary_lines(path)
    rubric = rubrics.find_rubric(options.rubric)
    left_out: list[LeftOut] = []
    remarks = BundleNotes()
    gold = read_gold_file(options.gold, practice=options.practice)

    counts = Counter[str]()

    def lines() -> Iterator[bytes]:
        for line in bundle_lines(
            given, rubric, lang=new.language, called=tasks.name, accept_close=options.accept_close
        ):
            left_out.extend(line.left_out)
            remarks.add(line.strange)
            raw = line.raw
            if line.task is not None:
                counts.update(tasks=1, targets=len(line.task.targets or ()), aligned=len(line.aligned))
                gold.judge(rubric, line.task)
                raw = line_with_places(raw, line.task, line.aligned)
            if line.number % _STEP == 0:
                progress(line.number, 0)
            yield raw
        refuse_empty(tasks, counts["tasks"], left_out)
        gold.refuse_faults()

    with closing(task_lines(tasks)) as given:  # Windows removes no open file
        manifest = make_bundle(out, new, lines(), called=tasks.name, gold=gold.lines())
    return BuiltBundle(
        manifest=manifest,
        tasks=counts["tasks"],
        targets=counts["targets"],
        aligned=counts["aligned"],
        left_out=tuple(left_out),
        gold=len(gold.good),
        partial_gold=gold.partial,
        ignored=remarks.named,
        missing_headings=() if new.guidelines is None else missing_headings(rubric.file, new.guidelines),
    )


def new_bundle(out: Path, options: BundleOptions, inputs: Iterable[Path]) -> BundleDraft:
    """Return the new bundle's metadata: by default the id from the name of `out`, the time from the newest input."""
    inputs = tuple(inputs)
    read = (*inputs, rubrics.custom_rubric_file(options.rubric), options.guidelines, options.gold, options.cases)
    refuse_same_file(out, *(path for path in read if path is not None))
    if options.revision < 1:
        raise BundleError(f"{out.name} can't be written", f"A revision is 1 or more, not {options.revision}.")
    if options.due is not None and not is_due(options.due):
        why = f"{options.due!r} is neither a date like 2026-11-27 nor a time like 2026-11-27T16:00:00Z."
        raise BundleError(f"{out.name} can't be written", why)
    bundle_id = options.id or default_id(out)
    guidelines = _guidelines(options.guidelines)
    rubric, rubric_toml = rubrics.find_rubric(options.rubric), rubrics.custom_rubric_text(options.rubric)
    rubrics.incoming_rubric(rubric.ref, rubric_toml, Path(options.rubric).name)
    return BundleDraft(
        id=bundle_id,
        revision=options.revision,
        title=bundle_id if options.title is None else options.title,
        language=options.language,
        created=_created(out, options.created, inputs),
        rubric=rubric.ref,
        rubric_toml=rubric_toml,
        guidelines=guidelines,
        cases=None if options.cases is None else read_small_text(options.cases, LIMITS.guidelines_bytes),
        pictures=guideline_pictures(options.guidelines, guidelines),
        snapshots=_snapshots(options.snapshots),
        practice=options.practice,
        unknown={
            **({DUE_KEY: options.due} if options.due is not None else {}),
            **_libraries(out, options.libraries),
            **({ASSISTANCE_KEY: to_plain(options.assistance)} if options.assistance is not None else {}),
        },
    )


def _libraries(out: Path, libraries: Iterable[str]) -> dict[str, Any]:
    try:
        wanted = [msgspec.json.decode(text) if text.startswith("{") else {"name": text} for text in libraries]
    except msgspec.DecodeError as error:
        raise BundleError(f"{out.name} can't be written", f"A library is no valid JSON: {error}.") from error
    return {LIBRARIES_KEY: wanted} if wanted else {}


def default_id(out: Path) -> str:
    """Return a file's name without its extensions, in `[a-z0-9-]`. Raises `BundleError` for a stream."""
    if is_stream(out):
        raise BundleError(
            f"{out} has no file name that could be an id", NOTHING_WRITTEN, "Name a file, or give an id with --id."
        )
    stem = out.name.lstrip(".").split(".")[0].lower()
    return _NOT_IN_AN_ID.sub("-", stem).strip("-") or "bundle"


def _created(out: Path, created: str | None, inputs: Iterable[Path]) -> str:
    if created is not None:
        try:
            return format_time(parse_time(created))
        except ValueError:
            raise BundleError(
                f"{out.name} can't be written", f"{created!r} is not a time like 2026-11-20T08:00:00Z."
            ) from None
    try:
        newest = max(path.stat().st_mtime for path in inputs)
    except OSError as error:
        raise BundleError(f"{error.filename} can't be read", f"{error.strerror}.") from None
    return format_time(datetime.fromtimestamp(newest, UTC))


def _guidelines(path: Path | None) -> str | None:
    if path is None:
        return None
    text = read_small_text(path, LIMITS.guidelines_bytes)
    if "\0" in text:
        raise BundleError(f"{path.name} can't be used", "It contains the character U+0000.")
    return text


def guideline_pictures(path: Path | None, text: str | None) -> dict[str, bytes]:
    """Return the pictures that guidelines name, read from the folder of their file. Raises `BundleError`."""
    names = named_pictures(text or "")
    if path is None or not names:
        return {}
    hint = f"Its pictures are PNG, JPEG or WebP files in a folder {PICTURE_FOLDER} beside it."
    with bundle_errors(path, "used", hint):
        files = {name: path.parent / name for name in names}
        sizes = {name: file.stat().st_size for name, file in files.items() if file.is_file()}
        check_picture_list(names, sizes, LIMITS)
        pictures = {name: files[name].read_bytes() for name in names}
        check_pictures(text, pictures, LIMITS)
        return pictures


def _snapshots(folder: Path | None) -> dict[str, Path]:
    """Return each stored page by the SHA-256 of its bytes, independent of its file name."""
    if folder is None:
        return {}
    try:
        paths = sorted(path for path in folder.iterdir() if path.name.endswith(".warc.gz"))
        by_hash = {file_sha256(path): path for path in paths}
    except OSError as error:
        raise BundleError(f"{error.filename} can't be read", f"{error.strerror}.") from None
    if not by_hash:
        raise BundleError(f"{folder.name} can't be used", "It contains no .warc.gz files.")
    return by_hash
