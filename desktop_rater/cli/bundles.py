"""Commands that make, look at and import bundles."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from desktop_rater.bundle.convert import FORMATS, RUBRICS
from desktop_rater.cli import left_out
from desktop_rater.cli.answer import (
    DONE,
    LOOK,
    REFUSED,
    WORDS,
    json_option,
    print_json,
    say,
    say_trouble,
    show,
    terminal_progress,
    updating,
    visible,
)
from desktop_rater.cli.bundle_tools import TOOLS
from desktop_rater.model.limits import now
from desktop_rater.model.trouble import RaterError
from desktop_rater.store.opening import open_writer
from desktop_rater.work.convert_bundle import convert_files
from desktop_rater.work.import_bundle import Imported, import_bundle
from desktop_rater.work.inspect_bundle import inspect_bundle
from desktop_rater.work.make_bundle import Wanted, make_from_file
from desktop_rater.work.map_columns import CSV, MAPPED, mapped

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.work.convert_bundle import Converter

_FILE = click.Path(path_type=Path)
_SOURCES = sorted((*FORMATS, *MAPPED))
_MAKING = (
    click.option("--rubric", help="A built-in rubric or a TOML file; without it what suits, else span-factuality."),
    click.option("--out", required=True, type=_FILE, help="The bundle to write."),
    click.option("--id", "bundle_id", type=WORDS, help="The bundle's id; the file's name without it."),
    click.option("--revision", type=int, default=1, show_default=True),
    click.option("--title", type=WORDS, help="What raters see."),
    click.option("--language", type=WORDS, help="A BCP 47 tag such as en or pt-BR."),
    click.option("--created", help="Like 2026-11-20T08:00:00Z; the newest input's time without it."),
    click.option("--guidelines", type=_FILE, help="Markdown that is shown beside the task."),
    click.option("--snapshots", type=_FILE, help="A folder of pages, *.warc.gz, that travel along."),
)


def _making(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of the commands that write a bundle."""
    for option in reversed(_MAKING):
        command = option(command)
    return command


def _wanted(given: dict[str, Any], rubric: str = "span-factuality") -> Wanted:
    return Wanted(
        rubric=given["rubric"] or rubric,
        id=given["bundle_id"],
        revision=given["revision"],
        title=given["title"],
        language=given["language"] or "",
        created=given["created"],
        guidelines=given["guidelines"],
        snapshots=given["snapshots"],
        gold=given.get("gold"),
        practice=given.get("practice", False),
    )


@click.group()
def bundle() -> None:
    """Make bundles, look into them, and make others of them."""


for _tool in TOOLS:
    bundle.add_command(_tool)


@bundle.command()
@_making
@click.option("--gold", type=_FILE, help="Ratings to compare with. Raters never see them, but for --practice.")
@click.option("--practice", is_flag=True, help="After each task the rater sees its gold answer.")
@click.argument("tasks", type=_FILE)
@json_option
def make(tasks: Path, out: Path, *, as_json: bool, **given: Any) -> int:
    """Build a bundle from TASKS.jsonl, one task a line."""
    made = make_from_file(out, tasks, _wanted(given), terminal_progress("Making"))
    manifest = made.manifest
    result = {
        "id": manifest.id,
        "revision": manifest.revision,
        "tasks": manifest.tasks,
        "out": str(out),
        "left_out": left_out.plain(made.left_out),
        "practice": manifest.practice,
        "gold": made.gold,
        "ignored": list(made.ignored),
    }
    words = f"{out}: {manifest.tasks:,} tasks, {manifest.id} revision {manifest.revision}"
    show(result, [f"{words}{_gold_words(manifest.practice, made.gold)}"], as_json=as_json)
    return max(left_out.told(made.left_out), _told(made.ignored))


@bundle.command()
@click.option("--from", "source", required=True, type=click.Choice(_SOURCES), help="What the files are.")
@click.option("--ratings", type=_FILE, help="Also write the ratings that the source holds.")
@click.option("--columns", metavar="MAP", help="Of csv and jsonl: prompt=…,response.a=…,meta.x=…, or a TOML file.")
@click.option("--delimiter", help="Of csv: what stands between cells, such as ; or tab; found out without it.")
@_making
@click.argument("files", nargs=-1, required=True, type=_FILE)
@json_option
def convert(
    files: tuple[Path, ...], source: str, ratings: Path | None, out: Path, *, as_json: bool, **given: Any
) -> int:
    """Build a bundle from files of a public format."""
    if ratings is not None and source in MAPPED:
        raise click.UsageError(f"--ratings: {source} holds none.")
    columns, delimiter = given.pop("columns"), given.pop("delimiter")
    read, suits = _reading(source, files, columns, delimiter)
    done = convert_files(read, files, out, _wanted(given, suits), ratings, terminal_progress("Converting"))
    counts = done.counts
    counted = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in counts.items())
    lines = [f"{out}: {counted}"]
    named = {"unplaced": list(done.unplaced), "left_out": list(done.left_out), "notes": list(done.notes)}
    show({"out": str(out), **counts, **named}, lines, as_json=as_json)
    for line in (*done.notes, *done.unplaced, *(f"Left out: {one}" for one in done.left_out)):
        say(line)
    return LOOK if done.unplaced or done.left_out else DONE


def _reading(
    source: str, files: tuple[Path, ...], columns: str | None, delimiter: str | None
) -> tuple[str | Converter, str]:
    """What reads the files, and the rubric that suits them."""
    if columns is not None and source not in MAPPED:
        raise click.UsageError(f"--columns goes with {' and '.join(MAPPED)}.")
    if delimiter is not None and source != CSV:
        raise click.UsageError(f"--delimiter goes with {CSV}.")
    if source not in MAPPED:
        return source, RUBRICS[source]
    found = mapped(source, files, columns, delimiter)
    return found.convert, found.rubric


@bundle.command()
@click.option("--accept-close", is_flag=True, help="Take a place that is 95 % like a target's quote.")
@click.argument("path", type=_FILE)
@json_option
def inspect(path: Path, *, accept_close: bool, as_json: bool) -> int:
    """Say what an import would bring. Nothing is changed."""
    found = inspect_bundle(path, terminal_progress("Reading"), accept_close=accept_close)
    result = {
        "id": found.id,
        "revision": found.revision,
        "title": found.title,
        "rubric": found.rubric,
        "tasks": found.tasks,
        "targets": found.targets,
        "aligned": found.aligned,
        "snapshots": found.snapshots,
        "left_out": left_out.plain(found.left_out),
        "practice": found.practice,
        "gold": found.gold,
        "ignored": list(found.ignored),
    }
    words = f"{found.id} revision {found.revision}, {found.title}, {found.rubric}"
    counts = f"{found.tasks:,} tasks, {found.targets:,} targets, {found.aligned:,} aligned"
    show(result, [words, f"{counts}{_gold_words(found.practice, found.gold)}"], as_json=as_json)
    return max(left_out.told(found.left_out), _told(found.ignored))


@click.command("import")
@click.option("--accept-close", is_flag=True, help="Take a place that is 95 % like a target's quote.")
@click.argument("bundles", nargs=-1, required=True, type=_FILE)
@json_option
@click.pass_obj
def import_bundles(folder: Path, bundles: tuple[Path, ...], *, accept_close: bool, as_json: bool) -> int:
    """Import bundles into the store, each on its own."""
    worst = DONE
    results = []
    with open_writer(folder, command="import", updating=updating) as store:
        for path in bundles:
            try:
                done = import_bundle(
                    store, path, accept_close=accept_close, progress=terminal_progress(path.name), now=now
                )
            except RaterError as error:
                say_trouble(error)
                results.append({"path": str(path), "outcome": "refused", "why": str(error)})
                worst = REFUSED
                continue
            results.append(_imported(path, done))
            if not as_json:
                click.echo(visible(done.words))
            worst = max(worst, left_out.told(done.left_out), _told(done.ignored))
    if as_json:
        print_json(results)
    return worst


def _imported(path: Path, done: Imported) -> dict[str, Any]:
    return {
        "path": str(path),
        "outcome": done.outcome,
        "id": done.id,
        "revision": done.revision,
        "tasks": done.imported,
        "left_out": left_out.plain(done.left_out),
        "ignored": list(done.ignored),
    }


def _gold_words(practice: bool, gold: int) -> str:
    return f", {'practice, ' if practice else ''}{gold:,} with a gold answer" if practice or gold else ""


def _told(ignored: tuple[str, ...]) -> int:
    for one in ignored:
        say(f"Ignored: {one}")
    return LOOK if ignored else DONE
