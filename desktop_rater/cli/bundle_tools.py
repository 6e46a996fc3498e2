"""Commands that make bundles of bundles, and the one that compares two."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from desktop_rater.cli import left_out
from desktop_rater.cli.answer import DONE, LOOK, WORDS, json_option, say, show, terminal_progress
from desktop_rater.work.assign_tasks import assign_tasks
from desktop_rater.work.diff_bundles import Differences, diff_bundles
from desktop_rater.work.merge_bundles import merge_bundles
from desktop_rater.work.sample_bundle import Draw, sample_bundle
from desktop_rater.work.split_bundle import PLACE, split_bundle

_LONGEST = 80  # characters of a value that is told in words
_FILE = click.Path(path_type=Path)
_BUNDLE = click.argument("path", metavar="B.zip", type=_FILE)
_OUT = click.option("--out", required=True, type=_FILE, help="The bundle to write.")
_OUT_DIR = click.option("--out-dir", type=_FILE, help="The folder to write to; that of B.zip without it.")
_ID = click.option("--id", "bundle_id", type=WORDS, help="The new bundle's id; the file's name without it.")
_TITLE = click.option("--title", type=WORDS, help="What raters see.")
_SEED = click.option(
    "--seed", type=click.IntRange(-(2**53), 2**53), default=0, show_default=True, help="Another one draws otherwise."
)


@click.command()
@click.argument("count", metavar="N", type=click.IntRange(min=1))
@_BUNDLE
@_OUT_DIR
@click.option("--out", "pattern", type=_FILE, help=f"How the files are called, with {PLACE} for the number.")
@json_option
def split(count: int, path: Path, out_dir: Path | None, pattern: Path | None, *, as_json: bool) -> int:
    """Split B.zip into N bundles, its tasks in their order."""
    if pattern is not None and out_dir is not None:
        raise click.UsageError("Give --out-dir or --out, not both.")
    folder = pattern.parent if pattern is not None else out_dir or path.parent
    name = pattern.name if pattern is not None else f"{path.stem}-part-{PLACE}.zip"
    done = split_bundle(path, count, folder, name, terminal_progress("Splitting"))
    parts = [{"out": str(part.out), "id": part.manifest.id, "tasks": part.manifest.tasks} for part in done.parts]
    result = {"parts": parts, "left_out": left_out.plain(done.left_out)}
    show(result, [f"{part['out']}: {part['tasks']:,} tasks, {part['id']}" for part in parts], as_json=as_json)
    return left_out.told(done.left_out)


@click.command()
@_OUT
@_ID
@_TITLE
@click.argument("paths", metavar="BUNDLES...", nargs=-1, required=True, type=_FILE)
@json_option
def merge(paths: tuple[Path, ...], out: Path, bundle_id: str | None, title: str | None, *, as_json: bool) -> int:
    """Merge bundles of the same rubric into one. Tasks that are equal come in once."""
    done = merge_bundles(out, paths, terminal_progress("Merging"), bundle_id=bundle_id, title=title)
    manifest = done.manifest
    result = {
        "out": str(out),
        "id": manifest.id,
        "revision": manifest.revision,
        "tasks": manifest.tasks,
        "equal": done.equal,
        "dropped": list(done.dropped),
        "left_out": left_out.plain(done.left_out),
    }
    words = f"{out}: {manifest.tasks:,} tasks, {manifest.id} revision {manifest.revision}"
    show(result, [f"{words}; {done.equal:,} stood in more than one bundle"], as_json=as_json)
    for key in done.dropped:
        say(f"Left out: the manifests do not agree on {key!r}.")
    return max(left_out.told(done.left_out), LOOK if done.dropped else DONE)


@click.command()
@click.option("--count", type=click.IntRange(min=1), help="How many tasks.")
@click.option("--share", type=float, help="How many of all, such as 0.1.")
@_SEED
@click.option("--by", metavar="meta.FIELD", type=WORDS, help="As many of each value of this field as its share.")
@_OUT
@_ID
@_TITLE
@_BUNDLE
@json_option
def sample(path: Path, out: Path, bundle_id: str | None, title: str | None, *, as_json: bool, **draw: Any) -> int:
    """Draw some tasks of B.zip, the same ones for the same seed."""
    if (draw["count"] is None) == (draw["share"] is None):
        raise click.UsageError("Give either --count or --share.")
    wanted = Draw(count=draw["count"], share=draw["share"], seed=draw["seed"], by=draw["by"] or "")
    done = sample_bundle(out, path, wanted, terminal_progress("Sampling"), bundle_id=bundle_id, title=title)
    manifest = done.manifest
    strata = [msgspec.to_builtins(one) for one in done.strata] if wanted.by else []
    result = {
        "out": str(out),
        "id": manifest.id,
        "tasks": manifest.tasks,
        "of": done.of,
        "seed": wanted.seed,
        "strata": strata,
        "left_out": left_out.plain(done.left_out),
    }
    lines = [f"{out}: {manifest.tasks:,} of {done.of:,} tasks, {manifest.id}"]
    lines += [f"  {_value(one['value'])}: {one['taken']:,} of {one['tasks']:,}" for one in strata]
    show(result, lines, as_json=as_json)
    return left_out.told(done.left_out)


@click.command()
@click.option("--raters", required=True, type=_FILE, help="A text file, one rater a line.")
@click.option("--overlap", type=click.IntRange(min=1), default=1, show_default=True, help="Raters of each task.")
@_SEED
@_OUT_DIR
@_BUNDLE
@json_option
def assign(path: Path, raters: Path, overlap: int, seed: int, out_dir: Path | None, *, as_json: bool) -> int:
    """Make a bundle for each rater, and a table of who rates what.

    Parts differ by one task at most, and every two raters share about as many tasks.
    """
    done = assign_tasks(
        path, raters, out_dir or path.parent, overlap=overlap, seed=seed, progress=terminal_progress("Assigning")
    )
    parts = [
        {"rater": part.rater, "out": str(part.out), "id": part.manifest.id, "tasks": part.manifest.tasks}
        for part in done.parts
    ]
    result = {
        "raters": parts,
        "table": str(done.table),
        "tasks": done.tasks,
        "overlap": overlap,
        "seed": seed,
        "met": {"least": done.met[0], "most": done.met[1]},
        "left_out": left_out.plain(done.left_out),
    }
    lines = [f"{part['rater']}: {part['tasks']:,} tasks, {part['out']}" for part in parts]
    show(result, [*lines, f"{done.table}: {done.tasks:,} tasks, each by {overlap:,}"], as_json=as_json)
    return left_out.told(done.left_out)


@click.command()
@click.argument("a", metavar="A.zip", type=_FILE)
@click.argument("b", metavar="B.zip", type=_FILE)
@json_option
def diff(a: Path, b: Path, *, as_json: bool) -> int:
    """Compare two bundles: 0 they are the same, 1 they differ."""
    found = diff_bundles(a, b, terminal_progress("Comparing"))
    show({"same": found.same, **msgspec.to_builtins(found)}, _words(found), as_json=as_json)
    return DONE if found.same else LOOK


TOOLS = (split, merge, sample, assign, diff)


def _words(found: Differences) -> list[str]:
    lines = [f"{one.field}: {_value(one.a)} became {_value(one.b)}" for one in found.manifest]
    lines += [f"{name} is not the same" for name in found.files]
    lines += [f"only in A: {task}" for task in found.only_in_a]
    lines += [f"only in B: {task}" for task in found.only_in_b]
    lines += [f"changed: {one.task}: {', '.join(one.fields) or 'only how it is written'}" for one in found.changed]
    lines += ["their common tasks come in another order"] if found.order else []
    lines += [f"other gold: {task}" for task in found.gold]
    return lines or ["They are the same."]


def _value(value: Any) -> str:
    if value is None:
        return "nothing"
    words = value if isinstance(value, str) and value else msgspec.json.encode(value).decode()
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]}…"
