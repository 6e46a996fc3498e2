"""Turn a file of tasks into a bundle."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.bundle.limits import LIMITS
from desktop_rater.bundle.make import NewBundle, make_bundle
from desktop_rater.bundle.plain_files import task_lines, text_of
from desktop_rater.bundle.trouble import BundleError, named
from desktop_rater.model.limits import format_time, parse_time
from desktop_rater.model.manifests import BundleManifest
from desktop_rater.work import rubrics
from desktop_rater.work.gold_answers import gold_of_file
from desktop_rater.work.incoming import LeftOut, Remarks, incoming, refuse_empty

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop_rater.model.progress import Progress

_STEP = 200
_NOT_IN_AN_ID = re.compile("[^a-z0-9]+")


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What the engineer says of the new bundle; what is `None` has a default.

    `rubric`: a built-in id or a TOML file. `created`: a time of the formats. `snapshots`: a folder of `*.warc.gz`.
    `gold`: a file of ratings, which raters see after each task where it is `practice`.
    """

    rubric: str
    id: str | None = None
    revision: int = 1
    title: str | None = None
    language: str = ""
    created: str | None = None
    guidelines: Path | None = None
    snapshots: Path | None = None
    gold: Path | None = None
    practice: bool = False


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """A bundle that was written. `left_out`: what a rater would not get of it, since it finds no place.

    `ignored`: suggestions that a rater would not see, in words; `gold` counts the gold answers in it.
    """

    manifest: BundleManifest
    left_out: tuple[LeftOut, ...]
    gold: int = 0
    ignored: tuple[str, ...] = ()


def make_from_file(out: Path, tasks: Path, wanted: Wanted, progress: Progress) -> Made:
    """Bundle the lines of a `.jsonl` file to the byte. Raises `RaterError`, and then nothing was written."""
    new = new_bundle(out, wanted, [tasks])
    rubric = rubrics.named(wanted.rubric)
    left_out: list[LeftOut] = []
    remarks = Remarks()
    gold = gold_of_file(wanted.gold, practice=wanted.practice)

    def lines() -> Iterator[bytes]:
        kept = 0
        for one in incoming(task_lines(tasks), rubric, lang=new.language, called=tasks.name):
            kept += one.task is not None
            left_out.extend(one.left_out)
            remarks.add(one.strange)
            if one.task is not None:
                gold.judge(rubric, one.task)
            if one.number % _STEP == 0:
                progress(one.number, 0)
            yield one.raw
        refuse_empty(out, kept, left_out)
        gold.refuse_faults()

    manifest = make_bundle(out, new, lines(), called=tasks.name, gold=gold.lines())
    return Made(manifest=manifest, left_out=tuple(left_out), gold=len(gold.good), ignored=remarks.named)


def new_bundle(out: Path, wanted: Wanted, inputs: Iterable[Path]) -> NewBundle:
    """The new bundle's first page: the id from the name of `out`, the time from the newest input."""
    inputs = tuple(inputs)
    read = (*inputs, rubrics.own_file(wanted.rubric), wanted.guidelines, wanted.gold)
    refuse_same_file(out, *(path for path in read if path is not None))
    bundle_id = wanted.id or default_id(out)
    return NewBundle(
        id=bundle_id,
        revision=_revision(out, wanted.revision),
        title=bundle_id if wanted.title is None else wanted.title,
        language=wanted.language,
        created=_created(out, wanted.created, inputs),
        rubric=rubrics.named(wanted.rubric).ref,
        rubric_toml=rubrics.own_text(wanted.rubric),
        guidelines=_guidelines(wanted.guidelines),
        snapshots=_snapshots(wanted.snapshots),
        practice=wanted.practice,
    )


def refuse_same_file(out: Path, *others: Path) -> None:
    """Raise `BundleError` where a file that is about to be written is one of the others."""
    with named(out, "made", "Nothing was written."):
        for other in others:
            if out.resolve() == other.resolve() or (out.exists() and other.exists() and out.samefile(other)):
                raise BundleError(f"{out.name} can't be made", "It is named twice: it would be written over.")


def default_id(out: Path) -> str:
    """The name of a file without its endings, in `[a-z0-9-]`."""
    stem = out.name.lstrip(".").split(".")[0].lower()
    return _NOT_IN_AN_ID.sub("-", stem).strip("-") or "bundle"


def _revision(out: Path, revision: int) -> int:
    if revision < 1:
        raise BundleError(f"{out.name} can't be made", f"A revision is 1 or more, not {revision}.")
    return revision


def _created(out: Path, created: str | None, inputs: Iterable[Path]) -> str:
    if created is not None:
        try:
            return format_time(parse_time(created))
        except ValueError:
            raise BundleError(
                f"{out.name} can't be made", f"{created!r} is not a time like 2026-11-20T08:00:00Z."
            ) from None
    try:
        newest = max(path.stat().st_mtime for path in inputs)
    except OSError as error:
        raise BundleError(f"{error.filename} can't be read", f"{error.strerror}.") from None
    return format_time(datetime.fromtimestamp(newest, UTC))


def _guidelines(path: Path | None) -> str | None:
    if path is None:
        return None
    text = text_of(path, LIMITS.guidelines_bytes)
    if "\0" in text:
        raise BundleError(f"{path.name} can't be used", "It holds U+0000.")
    return text


def _snapshots(folder: Path | None) -> dict[str, Path]:
    """Each stored page under the SHA-256 of its bytes, whatever the file is called."""
    if folder is None:
        return {}
    try:
        found = sorted(path for path in folder.iterdir() if path.name.endswith(".warc.gz"))
        by_hash = {_sha256(path): path for path in found}
    except OSError as error:
        raise BundleError(f"{error.filename} can't be read", f"{error.strerror}.") from None
    if not by_hash:
        raise BundleError(f"{folder.name} can't be used", "It holds no file whose name ends in .warc.gz.")
    return by_hash


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
