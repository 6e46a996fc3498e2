"""Commands that make, inspect, derive and import bundles, and that use a rubric on its own."""

from pathlib import Path
from typing import Any

import click
import msgspec

from desktop_rater.cli import summaries
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    EXIT_REFUSED,
    FILE,
    INPUT,
    OUTPUT,
    TEXT,
    ExtensibleGroup,
    F,
    add_options,
    escape_control_characters,
    json_option,
    pick,
    print_error,
    print_json,
    print_message,
    print_result,
    seed_option,
    terminal_progress,
)
from desktop_rater.cli.stored_bundles import bring_back, put_away, remove, revision, writer
from desktop_rater.format.errors import RaterError
from desktop_rater.format.manifests import Assistance
from desktop_rater.format.opened_files import zip_suffix
from desktop_rater.format.values import utc_now
from desktop_rater.format.write import refuse_same_file, refuse_unwritable
from desktop_rater.operations.bundles.assign import assign_tasks
from desktop_rater.operations.bundles.import_bundle import (
    LARGEST_USUAL_REVISION,
    HidesWork,
    LeftOut,
    import_bundle,
    index_bundles,
)
from desktop_rater.operations.bundles.inspect_bundle import BundleDifferences, diff_bundles, inspect_bundle
from desktop_rater.operations.bundles.make import BundleOptions, build_bundle
from desktop_rater.operations.bundles.subsets import (
    NUMBER_PLACEHOLDER,
    BundleSampleOptions,
    merge_bundles,
    sample_bundle,
    split_bundle,
)
from desktop_rater.operations.rubrics import check_rating_files, outcome_object

_LONGEST = 80  # characters of a value that are shown
_ACCEPT_CLOSE = click.option(
    "--accept-close", is_flag=True, help="Accept a passage that is 95 % similar to a target's quote."
)
_BUNDLE = click.argument("path", metavar="B.zip", type=FILE)
_OUT = click.option("--out", required=True, type=OUTPUT, help="The bundle to write.")
_OUT_DIR = click.option("--out-dir", type=FILE, help="The folder to write to; default: that of B.zip.")
_ID = click.option("--id", "bundle_id", type=TEXT, help="The new bundle's id; default: the file's name.")
_SHARE = click.FloatRange(0, 1)
_TITLE = click.option("--title", type=TEXT, help="The title shown to raters.")


@click.command()
@click.argument("count", metavar="N", type=click.IntRange(min=1))
@_BUNDLE
@_OUT_DIR
@click.option(
    "--out", "pattern", type=FILE, help=f"How the files are called, with {NUMBER_PLACEHOLDER} for the number."
)
@json_option
def split(count: int, path: Path, out_dir: Path | None, pattern: Path | None, *, as_json: bool) -> int:
    """Split B.zip into N bundles, keeping the order of the tasks."""
    if pattern is not None and out_dir is not None:
        raise click.UsageError("Give --out-dir or --out, not both.")
    folder = pattern.parent if pattern is not None else out_dir or path.parent
    name = pattern.name if pattern is not None else f"{path.stem}-part-{NUMBER_PLACEHOLDER}{zip_suffix(path)}"
    written, left_out = split_bundle(path, count, folder, name, terminal_progress("Splitting"))
    parts = [{"out": str(out), **pick(manifest, "id", "tasks")} for out, manifest in written]
    result = {"parts": parts, "left_out": summaries.left_out_json(left_out)}
    print_result(result, [f"{part['out']}: {part['tasks']:,} tasks, {part['id']}" for part in parts], as_json=as_json)
    return summaries.print_left_out(left_out)


@click.command()
@_OUT
@_ID
@_TITLE
@click.argument("paths", metavar="BUNDLES...", nargs=-1, required=True, type=INPUT)
@json_option
def merge(paths: tuple[Path, ...], out: Path, bundle_id: str | None, title: str | None, *, as_json: bool) -> int:
    """Merge bundles of the same rubric into one. Identical tasks are included once."""
    merged = merge_bundles(out, paths, terminal_progress("Merging"), bundle_id=bundle_id, title=title)
    manifest = merged.manifest
    result = {
        "out": str(out),
        **pick(manifest, "id", "revision", "tasks"),
        **pick(merged, "equal", "dropped"),
        "left_out": summaries.left_out_json(merged.left_out),
    }
    text = f"{out}: {manifest.tasks:,} tasks, {manifest.id} revision {manifest.revision}"
    print_result(result, [f"{text}; {merged.equal:,} were in more than one bundle"], as_json=as_json)
    for key in merged.dropped:
        print_message(f"Left out: the manifests do not agree on {key!r}.")
    return max(summaries.print_left_out(merged.left_out), EXIT_ATTENTION if merged.dropped else EXIT_OK)


@click.command()
@click.option("--count", type=click.IntRange(min=1), help="How many tasks.")
@click.option("--share", type=float, help="The share of all tasks, such as 0.1.")
@seed_option
@click.option("--by", metavar="meta.FIELD", type=TEXT, help="Sample each value of this field in proportion.")
@_OUT
@_ID
@_TITLE
@click.argument("path", metavar="B.zip", type=INPUT)
@json_option
def sample(path: Path, out: Path, bundle_id: str | None, title: str | None, *, as_json: bool, **options: Any) -> int:
    """Draw some tasks of B.zip, the same ones for the same seed."""
    if (options["count"] is None) == (options["share"] is None):
        raise click.UsageError("Give either --count or --share.")
    draw = BundleSampleOptions(
        count=options["count"], share=options["share"], seed=options["seed"], by=options["by"] or ""
    )
    sampled = sample_bundle(out, path, draw, terminal_progress("Sampling"), bundle_id=bundle_id, title=title)
    manifest = sampled.manifest
    strata = sampled.strata if draw.by else []
    result = {
        "out": str(out),
        "id": manifest.id,
        "tasks": manifest.tasks,
        "of": sampled.of,
        "seed": draw.seed,
        "strata": strata,
        "left_out": summaries.left_out_json(sampled.left_out),
    }
    lines = [f"{out}: {manifest.tasks:,} of {sampled.of:,} tasks, {manifest.id}"]
    lines += [f"  {_value(stratum['value'])}: {stratum['taken']:,} of {stratum['tasks']:,}" for stratum in strata]
    print_result(result, lines, as_json=as_json)
    return summaries.print_left_out(sampled.left_out)


@click.command()
@click.option("--raters", required=True, type=INPUT, help="A text file with one rater per line.")
@click.option("--overlap", type=click.IntRange(min=1), default=1, show_default=True, help="Raters of each task.")
@seed_option
@click.option("--swap-order", is_flag=True, help="Show half of the raters two responses in the reverse order.")
@_OUT_DIR
@_BUNDLE
@json_option
def assign(
    path: Path, raters: Path, overlap: int, seed: int, out_dir: Path | None, *, swap_order: bool, as_json: bool
) -> int:
    """Make a bundle for each rater, and a table of the assignment.

    Bundle sizes differ by at most one task, and every two raters share about the same number of tasks. With
    --swap-order, half of the raters of each task, and each rater in half of the tasks, see two responses in the
    reverse order. Their answers are stored as if they had seen the order of the file, with the key display_order.
    """
    assignment = assign_tasks(
        path,
        raters,
        out_dir or path.parent,
        overlap=overlap,
        seed=seed,
        swap_order=swap_order,
        progress=terminal_progress("Assigning"),
    )
    parts = [
        {"rater": rater, "out": str(out), "id": manifest.id, "tasks": manifest.tasks}
        for rater, out, manifest in assignment.parts
    ]
    result = {
        "raters": parts,
        "table": str(assignment.table),
        "tasks": assignment.tasks,
        "overlap": overlap,
        "seed": seed,
        "met": {"least": assignment.met[0], "most": assignment.met[1]},
        "left_out": summaries.left_out_json(assignment.left_out),
    }
    lines = [f"{part['rater']}: {part['tasks']:,} tasks, {part['out']}" for part in parts]
    lines.append(f"{assignment.table}: {assignment.tasks:,} tasks, each by {overlap:,}")
    swapped = assignment.swap_order
    if swapped is not None:
        result["swap_order"] = msgspec.to_builtins(swapped)
        mirrored = ", ".join(swapped.mirrored) or "none"
        counts = f"{swapped.exchanged:,} of {swapped.pairs:,} pairs are shown in the reverse order"
        lines.append(f"{counts}; answers mirrored for them: {mirrored}")
    print_result(result, lines, as_json=as_json)
    return summaries.print_left_out(assignment.left_out)


@click.command()
@click.argument("a", metavar="A.zip", type=INPUT)
@click.argument("b", metavar="B.zip", type=INPUT)
@json_option
def diff(a: Path, b: Path, *, as_json: bool) -> int:
    """Compare two bundles. Exit status 0: identical, 1: different."""
    differences = diff_bundles(a, b, terminal_progress("Comparing"))
    result = {"same": differences.same, **msgspec.to_builtins(differences)}
    print_result(result, _difference_lines(differences), as_json=as_json)
    return EXIT_OK if differences.same else EXIT_ATTENTION


def _difference_lines(differences: BundleDifferences) -> list[str]:
    lines = [f"{change.field}: {_value(change.a)} became {_value(change.b)}" for change in differences.manifest]
    lines += [f"{name} is not the same" for name in differences.files]
    lines += [f"only in A: {task}" for task in differences.only_in_a]
    lines += [f"only in B: {task}" for task in differences.only_in_b]
    lines += [
        f"changed: {change.task}: {', '.join(change.fields) or 'only the formatting'}" for change in differences.changed
    ]
    lines += ["the common tasks are in a different order"] if differences.order else []
    lines += [f"other gold: {task}" for task in differences.gold]
    return lines or ["The bundles are identical."]


def _value(value: Any) -> str:
    if value is None:
        return "nothing"
    text = value if isinstance(value, str) and value else msgspec.json.encode(value).decode()
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


_BUNDLE_OPTIONS = (
    click.option("--rubric", help="A built-in rubric or a TOML file; default: the format's own, else span-factuality."),
    click.option("--id", "bundle_id", type=TEXT, help="The bundle's id; default: the file's name."),
    click.option("--revision", type=int, default=1, show_default=True),
    click.option("--title", type=TEXT, help="The title shown to raters."),
    click.option("--language", type=TEXT, help="A BCP 47 tag such as en or pt-BR."),
    click.option("--created", help="Like 2026-11-20T08:00:00Z; default: the time of the newest input."),
    click.option("--due", type=TEXT, help="When it should be done, like 2026-11-27 or 2026-11-27T16:00:00Z."),
    click.option(
        "--library",
        "libraries",
        multiple=True,
        type=TEXT,
        help="A library that raters should have: its name, or what `library publish` prints. Repeatable.",
    ),
    click.option(
        "--precedents",
        type=click.Choice(["answered", "decided", "never"]),
        help="When raters see decided cases like a place: after its first answer there, or once its label is decided; "
        "default: answered.",
    ),
    click.option(
        "--precedents-held-out", type=_SHARE, help="The share of places that never show decided cases; default: 0.1."
    ),
    click.option(
        "--suggestions-held-out", type=_SHARE, help="The share of places that never show suggested answers; default: 0."
    ),
    click.option("--guidelines", type=FILE, help="Markdown shown next to the task; its pictures are beside it."),
    click.option(
        "--cases", type=FILE, help="Cases of the rubric, a .jsonl file: examples that its rules must decide so."
    ),
    click.option("--snapshots", type=FILE, help="A folder of pages, *.warc.gz, to include."),
)


def bundle_options(command: F) -> F:
    """Add the options of a new bundle to a command."""
    return add_options(command, _BUNDLE_OPTIONS)


def bundle_settings(options: dict[str, Any], rubric: str = "span-factuality") -> BundleOptions:
    """Return the settings of a new bundle from the options of a command."""
    if options["revision"] > LARGEST_USUAL_REVISION:
        print_message(f"Revision {options['revision']} is unusually high: raters are asked before it is imported.")
    assistance = {name: options[name] for name in Assistance.__struct_fields__ if options.get(name) is not None}
    return BundleOptions(
        rubric=options["rubric"] or rubric,
        id=options["bundle_id"],
        revision=options["revision"],
        title=options["title"],
        language=options["language"] or "",
        created=options["created"],
        due=options["due"],
        libraries=options["libraries"],
        assistance=Assistance(**assistance) if assistance else None,
        guidelines=options["guidelines"],
        cases=options["cases"],
        snapshots=options["snapshots"],
        gold=options.get("gold"),
        practice=options.get("practice", False),
        accept_close=options.get("accept_close", False),
    )


def check_report(report: Path | None, *others: Path) -> None:
    """Refuse a report that can't be written or would replace another file of the command, before any work."""
    if report is not None:
        refuse_same_file(report, *others)
        refuse_unwritable(report)


@click.group(cls=ExtensibleGroup)
def bundle() -> None:
    """Make bundles, inspect them, and derive others from them."""


for _tool in (split, merge, sample, assign, diff, put_away, bring_back, remove, revision):
    bundle.add_command(_tool)


@bundle.command()
@_OUT
@bundle_options
@click.option("--gold", type=INPUT, help="Ratings to compare with. Raters see them only with --practice.")
@click.option("--practice", is_flag=True, help="After each task the rater sees its gold answer.")
@_ACCEPT_CLOSE
@summaries.report_option
@click.argument("tasks", type=INPUT)
@json_option
def make(tasks: Path, out: Path, *, report: Path | None, as_json: bool, **options: Any) -> int:
    """Build a bundle from TASKS.jsonl, one task per line."""
    check_report(report, out, tasks)
    made = build_bundle(out, tasks, bundle_settings(options), terminal_progress("Making"))
    manifest = made.manifest
    result = {
        **pick(manifest, "id", "revision"),
        "lines": manifest.tasks,
        **pick(made, "tasks", "targets", "aligned"),
        "out": str(out),
        "left_out": summaries.left_out_json(made.left_out),
        "practice": manifest.practice,
        **pick(made, "gold", "partial_gold", "ignored"),
    }
    text = f"{out}: {made.tasks:,} tasks, {manifest.id} revision {manifest.revision}"
    summaries.write_report(report, made.left_out, ("ignored", made.ignored))
    print_result(result, [f"{text}{_gold_words(manifest.practice, made.gold, made.partial_gold)}"], as_json=as_json)
    if made.missing_headings:
        names = ", ".join(f'"{name}"' for name in made.missing_headings)
        print_message(
            f"The rubric names headings that the guidelines lack; these rules count as the project's: {names}"
        )
    return max(summaries.print_left_out(made.left_out, can_report=True), _print_ignored(made.ignored))


@bundle.command()
@_ACCEPT_CLOSE
@summaries.report_option
@click.argument("path", type=INPUT)
@json_option
def inspect(path: Path, *, accept_close: bool, report: Path | None, as_json: bool) -> int:
    """Report what an import would add. Nothing is changed."""
    check_report(report, path)
    inspection = inspect_bundle(path, terminal_progress("Reading"), accept_close=accept_close)
    heading = f"{inspection.id} revision {inspection.revision}, {inspection.title}, {inspection.rubric}"
    counts = f"{inspection.tasks:,} tasks, {inspection.targets:,} targets, {inspection.aligned:,} aligned"
    gold = _gold_words(inspection.practice, inspection.gold, inspection.partial_gold)
    summaries.write_report(report, inspection.left_out, ("ignored", inspection.ignored))
    due = f", due {inspection.due}" if inspection.due else ""
    due += f", libraries: {', '.join(inspection.libraries)}" if inspection.libraries else ""
    print_result(msgspec.to_builtins(inspection), [heading, f"{counts}{gold}{due}"], as_json=as_json)
    return max(summaries.print_left_out(inspection.left_out, can_report=True), _print_ignored(inspection.ignored))


@click.command("import")
@_ACCEPT_CLOSE
@click.option(
    "--replace", is_flag=True, help="Import also if rated tasks would go out of sight, or revisions are missing."
)
@summaries.report_option
@click.argument("bundles", nargs=-1, required=True, type=INPUT)
@json_option
@click.pass_obj
def import_bundles(
    folder: Path,
    bundles: tuple[Path, ...],
    *,
    accept_close: bool,
    replace: bool,
    report: Path | None,
    as_json: bool,
) -> int:
    """Import bundles into the store, independently of each other.

    A bundle that would put rated tasks out of sight, or whose revision is not the next one, is refused without
    --replace; the message says how many tasks.
    """
    check_report(report, *bundles)
    left_out: list[LeftOut] = []
    ignored: list[str] = []
    worst = EXIT_OK
    results: list[dict[str, Any]] = []
    with writer(folder, "import") as store:
        for path in bundles:
            try:
                imported = import_bundle(
                    store,
                    path,
                    accept_close=accept_close,
                    replace=replace,
                    progress=terminal_progress(path.name),
                    now=utc_now,
                )
            except RaterError as error:
                print_error(error)
                hidden: dict[str, Any] = {}
                if isinstance(error, HidesWork):
                    hidden = pick(error.effect, "finished", "begun")
                    way_back = f"; `bundle revision {error.bundle} {error.effect.current}` then goes back"
                    print_message(f"  --replace imports it all the same{way_back if error.effect.current else ''}.")
                results.append({"path": str(path), "outcome": "refused", "why": str(error), **hidden})
                worst = EXIT_REFUSED
                continue
            results.append(
                {
                    "path": str(path),
                    **pick(imported, "outcome", "id", "revision"),
                    "tasks": imported.imported,
                    "left_out": summaries.left_out_json(imported.left_out),
                    "ignored": imported.ignored,
                }
            )
            if not as_json:
                click.echo(escape_control_characters(imported.message))
            left_out += imported.left_out
            ignored += imported.ignored
            printed = summaries.print_left_out(imported.left_out, can_report=True)
            worst = max(worst, printed, _print_ignored(imported.ignored))
        index_bundles(store, progress=terminal_progress("search index"))
    summaries.write_report(report, left_out, ("ignored", ignored))
    if as_json:
        print_json(results)
    return worst


def _gold_words(practice: bool, gold: int, partial: int) -> str:
    if not (practice or gold):
        return ""
    some = f" ({partial:,} of them partial)" if partial else ""
    return f", {'practice, ' if practice else ''}{gold:,} with a gold answer{some}"


def _print_ignored(ignored: tuple[str, ...]) -> int:
    print_message(*(f"Ignored: {name}" for name in ignored))
    return EXIT_ATTENTION if ignored else EXIT_OK


@click.group(cls=ExtensibleGroup)
def rubric() -> None:
    """Write a rubric, and use it on its own."""


@rubric.command("check")
@click.argument("rubric_ref", metavar="RUBRIC")
@click.argument("tasks", type=INPUT)
@click.argument("ratings", type=INPUT)
@click.option("--json", is_flag=True, expose_value=False, help="The output is always JSON.")
def rubric_check(rubric_ref: str, tasks: Path, ratings: Path) -> int:
    """Decide and check RATINGS of TASKS by RUBRIC, a built-in id or a TOML file.

    A task and its ratings have the same id. A .json file contains one object, a .jsonl file one per line.
    """
    blocked = False
    for outcome in check_rating_files(rubric_ref, tasks, ratings):
        print_json(outcome_object(outcome))
        blocked = blocked or outcome.blocking > 0
    return EXIT_ATTENTION if blocked else EXIT_OK
