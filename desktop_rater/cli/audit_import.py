"""Command that imports what people answered in other tools."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import click
from msgspec.structs import replace

from desktop_rater.bundle.annotations import FORMATS, AnnotationFiles
from desktop_rater.bundle.annotations.mapped import parse_rating_columns
from desktop_rater.bundle.convert.maps.record_map import RatingMap, RecordMap, TargetUnit
from desktop_rater.cli.audit import import_json
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    FILE,
    RATER,
    TEXT,
    json_option,
    limited_lines,
    pick,
    print_always,
    print_message,
    print_result,
    terminal_progress,
)
from desktop_rater.cli.stored_bundles import record_lead, writer
from desktop_rater.cli.streams import OUTPUT
from desktop_rater.cli.summaries import broken_rules
from desktop_rater.model.opened_files import is_zip_name
from desktop_rater.model.values import utc_now
from desktop_rater.work.audit.audit_status import audit_status
from desktop_rater.work.audit.import_annotations import AnnotationImport, ImportedAnnotations, import_annotations
from desktop_rater.work.bundles.make import BundleOptions, parse_delimiter
from desktop_rater.work.bundles.maps import find_map

_NO_LOSSES = {"file", "prediction"}


@click.command("import")
@click.option("--bundle", metavar="BUNDLE", help="The bundle that was rated: its zip, or its id if it is in the store.")
@click.option("--make", type=OUTPUT, help="Or make the bundle from the texts in the files, and write it here.")
@click.option("--from", "tool", type=click.Choice(FORMATS), help="The tool that wrote the files; default: found.")
@click.option(
    "--map", "map_name", metavar="MAP", help="A map with [ratings]: columns, and answers to the tool's labels."
)
@click.option("--columns", metavar="MAP", help="For tables: task=…,rater=…,question=…,value=… or value.QUESTION=….")
@click.option(
    "--marked", metavar="QUESTION=VALUE", multiple=True, help="What a span without a label answers; repeatable."
)
@click.option(
    "--unmarked", metavar="QUESTION=VALUE", multiple=True, help="What a target without a span answers; repeatable."
)
@click.option("--delimiter", help="For tables: the separator, such as ; or tab; default: detected.")
@click.option("--rubric", help="With --make: a built-in rubric or a TOML file; default: that of the map.")
@click.option("--id", "bundle_id", type=TEXT, help="With --make: the bundle's id; default: the file's name.")
@click.option("--title", type=TEXT, help="With --make: the title.")
@click.option("--language", type=TEXT, help="With --make: a BCP 47 tag such as en or pt-BR.")
@click.option(
    "--units",
    type=click.Choice([unit for unit in get_args(TargetUnit) if unit]),
    help="With --make: what the targets are; default: that of the map, or sentences.",
)
@click.option("--lead", type=RATER, help="Your name, for reviews of the bundle; it makes you the QA lead.")
@click.argument("files", nargs=-1, required=True, type=FILE)
@json_option
@click.pass_obj
def import_(
    folder: Path,
    files: tuple[Path, ...],
    bundle: str | None,
    make: Path | None,
    tool: str | None,
    lead: str | None,
    *,
    as_json: bool,
    **options: Any,
) -> int:
    """Import annotations made elsewhere: a table, or the export of another tool, of all its annotators.

    Each rater's answers become results, which are checked and audited like those of this program. Importing the same
    annotations again changes nothing; newer ones of a rater replace the older. What is not taken is counted and named.
    """
    if (bundle is None) == (make is None):
        raise click.UsageError("Give either --bundle or --make.")
    record_map = _record_map(options)
    delimiter = parse_delimiter(options["delimiter"])
    wanted = AnnotationImport(
        files=AnnotationFiles(paths=files, tool=tool or "", record_map=record_map, delimiter=delimiter),
        units=options["units"] or "",
    )
    if make is not None:
        wanted = replace(wanted, bundle=make, make=_bundle_options(options, record_map))
    elif bundle is not None:
        given = Path(bundle)
        is_file = is_zip_name(given) or given.is_file()
        wanted = replace(wanted, bundle=given) if is_file else replace(wanted, audit=bundle)
    record_lead(folder, lead)
    with writer(folder, "audit import") as store:
        progress = terminal_progress("Importing")
        imported = import_annotations(store, wanted, lead=lead or "", now=utc_now(), progress=progress)
        status = audit_status(store, imported.bundle)
    rules = Counter(problem["rule"] for results in imported.took for problem in broken_rules(results.broken))
    fields = ("tool", "bundle", "made", "raters", "ratings", "answers", "same", "losses")
    plain = {**pick(imported, *fields), "broken_rules": dict(rules), **import_json(imported)}
    print_result(plain, _lines(imported, make), as_json=as_json)
    for loss in imported.losses.values():
        print_always(f"Not taken: {loss['count']:,} {loss['why']}.")
        print_message(*(f"  {example}" for example in loss["examples"]))
    print_message(*limited_lines([f"Broken: {rule}, {count:,} times" for rule, count in rules.most_common()]))
    for refused in imported.refused:
        print_always(f"{refused.file}: {refused.title} {refused.message}".rstrip())
    held = sum(bool(entry.held) for entry in status.held)
    if held:
        print_always(f"{held:,} results wait for your decision.")
    lost = imported.losses.keys() - _NO_LOSSES
    return EXIT_ATTENTION if lost or rules or imported.refused or held else EXIT_OK


def _record_map(options: dict[str, Any]) -> RecordMap | None:
    """Return the map, with the columns, and what marks answer, in the place of its own."""
    columns, name = options["columns"], options["map_name"]
    record_map = find_map(name) if name is not None else None
    if record_map is not None and record_map.ratings is None:
        raise click.UsageError(f"--map: {name} has no [ratings].")
    own = (record_map.ratings if record_map is not None else None) or RatingMap()
    if columns is not None:
        given = parse_rating_columns(columns)
        kept = {field: getattr(own, field) for field in ("answers", "marked", "unmarked", "units", "only")}
        own = replace(given.ratings or own, **kept)
        record_map = replace(given, rubric=record_map.rubric if record_map is not None else "")
    for option in ("marked", "unmarked"):
        pairs = [text.partition("=") for text in options[option]]
        if not all(question and value for question, _, value in pairs):
            raise click.UsageError(f"--{option} is written like QUESTION=VALUE.")
        answers = {question.strip(): value.strip() for question, _, value in pairs}
        own = replace(own, **{option: {**getattr(own, option), **answers}})
    if record_map is None and own == RatingMap():
        return None
    return replace(record_map or RecordMap(fields={}), ratings=own)


def _bundle_options(options: dict[str, Any], record_map: RecordMap | None) -> BundleOptions:
    rubric = options["rubric"] or (record_map.rubric if record_map is not None else "")
    if not rubric:
        raise click.UsageError("--make needs --rubric: the questions that were answered.")
    return BundleOptions(
        rubric=rubric, id=options["bundle_id"], title=options["title"], language=options["language"] or ""
    )


def _lines(imported: ImportedAnnotations, make: Path | None) -> Iterator[str]:
    if make is not None:
        yield f"{make}: {imported.made:,} tasks"
    yield (
        f"{imported.bundle}: {imported.ratings:,} ratings of {imported.raters:,} raters, {imported.answers:,} answers, "
        f"from {imported.tool}"
    )
    if imported.same:
        yield f"Already in the store: {imported.same:,}"
