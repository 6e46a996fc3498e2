"""Commands: convert files to a bundle, propose a map, and import what people answered in other tools."""

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

import click
import msgspec
from msgspec.structs import replace

from desktop_rater.cli import summaries
from desktop_rater.cli.audit import import_json
from desktop_rater.cli.bundles import bundle_options, bundle_settings, check_report
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    FILE,
    ID,
    INPUT,
    OUTPUT,
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
from desktop_rater.cli.stored_bundles import existing_reader, record_lead, writer
from desktop_rater.cli.summaries import broken_rules
from desktop_rater.files import replaced_file
from desktop_rater.format.jsonl import write_lines
from desktop_rater.format.opened_files import is_zip_name
from desktop_rater.format.safe_zip import LIMITS
from desktop_rater.format.values import utc_now
from desktop_rater.format.write import refuse_same_file, refuse_unwritable
from desktop_rater.hooks import hook
from desktop_rater.operations.audit.audit_status import audit_status
from desktop_rater.operations.bundles.make import BundleOptions
from desktop_rater.plugins.convert.annotations import FORMATS as ANNOTATION_FORMATS
from desktop_rater.plugins.convert.annotations import AnnotationFiles, detect_tool
from desktop_rater.plugins.convert.annotations.import_annotations import (
    AnnotationImport,
    ImportedAnnotations,
    import_annotations,
)
from desktop_rater.plugins.convert.annotations.mapped import TABLE, chosen_rating_map
from desktop_rater.plugins.convert.chat import CHAT, DIALECTS
from desktop_rater.plugins.convert.chat import FORMATS as TEXT_FORMATS
from desktop_rater.plugins.convert.chat.turns import TurnChoice, parse_turn
from desktop_rater.plugins.convert.formats.azure_records import azure_records
from desktop_rater.plugins.convert.formats.azure_test_sets import attacked_twin, read_attacks
from desktop_rater.plugins.convert.maps import apply_map, texts_without_field, write_map
from desktop_rater.plugins.convert.maps.map_source import CSV, MAPPED_FORMATS, parse_delimiter
from desktop_rater.plugins.convert.maps.record_map import LabelUse, RecordMap, TargetUnit
from desktop_rater.plugins.convert.out.stored_results import write_stored_results
from desktop_rater.plugins.convert.own_reader import CODE
from desktop_rater.plugins.convert.run import (
    CONVERSATIONS,
    FORMATS,
    ConvertedBundle,
    best_reader,
    convert_files,
    find_map,
    propose_map_for,
    reader_of,
    sample_records,
    try_conversion,
)
from desktop_rater.plugins.convert.source import SourceRecords

_LONGEST = 300  # characters of a text in a preview
_MOST = 12  # lines of a list in a preview
_HOW_TO_NAME_RESPONSES = 'add response = "KEY", or for two a table [response] with a = "KEY" and b = "KEY"'


@click.command("map")
@click.option("--out", type=OUTPUT, help="The file to write; default: the map is printed.")
@click.argument("file", type=INPUT)
@json_option
def propose(file: Path, out: Path | None, *, as_json: bool) -> int:
    """Propose a map for FILE, from its first records. Check it with `bundle convert --map … --dry-run`."""
    if out is not None:
        refuse_same_file(out, file)
        refuse_unwritable(out)
    record_map = propose_map_for([file])
    records = sample_records([file], RecordMap(fields={}, records=record_map.records))
    mapped = [apply_map(record_map, record) for record in records]
    tasks = sum(task.task is not None for task in mapped)
    text = write_map(record_map)
    if out is not None:
        with replaced_file(out) as path:
            path.write_text(text, encoding="utf-8")
    whys = list(dict.fromkeys(task.why for task in mapped if task.why))
    result = {"map": text, "fields": record_map.fields, "records": len(records), "tasks": tasks, "why": whys}
    lines = text.splitlines() if out is None else [f"{out}: {', '.join(record_map.fields)}"]
    print_result(result, lines, as_json=as_json)
    if not ({"messages", "response", "response.a"} & record_map.fields.keys()):
        keys = ", ".join(texts_without_field(records, record_map.fields)[:_MOST]) or "none"
        whys.append(f"no key is called a response; {_HOW_TO_NAME_RESPONSES}; keys with texts of their own: {keys}")
    whys = [f"Not: {why.removeprefix(', ')}" for why in whys]
    tool = detect_tool(file)
    hints = [f"`audit import --from {tool}` reads the annotations in this file."] if tool != TABLE else []
    if tasks < len(records) and (option := best_reader([file], tasks)):
        hints.append(f"`bundle convert {option}` reads this file.")
    print_message(f"Of the first {len(records):,} records, {tasks:,} become tasks.", *whys, *hints)
    return EXIT_OK if records and tasks == len(records) else EXIT_ATTENTION


def print_trial(
    task: dict[str, Any],
    rating: dict[str, Any] | None,
    converted: ConvertedBundle,
    rubric: str,
    *,
    as_json: bool,
) -> None:
    """Print the first task of a conversion and its counts."""
    found = {"task": task, "rating": rating, "rubric": rubric}
    result = {**found, **converted.counts, **pick(converted, "unplaced", "left_out", "notes")}
    print_result(result, [*_task_lines(task, rating), "", f"Nothing was written: {converted.summary}"], as_json=as_json)


def _task_lines(task: dict[str, Any], rating: dict[str, Any] | None) -> list[str]:
    lines = [f"Task {task['id']}", "", "Prompt", _short(task["prompt"]["text"])]
    lines += _listed("Conversation", [f"{turn['role']}: {_short(turn['text'])}" for turn in task.get("history", ())])
    for response in task["responses"]:
        lines += ["", f"Response {response['id']}", _short(response["text"])]
        calls = [
            f"{call['name']}: {call['status']} {_short(json.dumps(call.get('input')))}"
            for call in response.get("tools", ())
        ]
        lines += _listed("Tool calls", calls)
    answers = (rating or {}).get("answers", {})
    suggested = task.get("suggestions", {})
    targets = answers.get("targets") or suggested.get("targets", {})
    claims = (rating or {}).get("claims") or suggested.get("claims", {})
    marked = []
    for target in task.get("targets", ()):
        place = f"{target.get('start')}-{target.get('end')}"
        marked.append(f"{target['id']} [{place}] {_short(target.get('quote', ''))}{_given(targets.get(target['id']))}")
        of_target = claims.get(target["id"], ())
        marked.extend(f"  {claim['id']} {_short(claim['text'])}{_given(claim.get('answers'))}" for claim in of_target)
    lines += _listed("Targets", marked)
    lines += _listed("Labels", [f"{place}{_given(given)}" for place, given in answers.get("responses", {}).items()])
    lines += _listed("Context", [_short(document.get("text", "")) for document in task.get("context", ())])
    if task.get("reference"):
        lines += ["", "Reference", _short(task["reference"])]
    return [*lines, "", f"Meta: {', '.join(task['meta'])}"]


def _listed(title: str, entries: list[str]) -> list[str]:
    more = [f"… and {len(entries) - _MOST:,} more"] if len(entries) > _MOST else []
    return ["", f"{title} ({len(entries):,})", *entries[:_MOST], *more] if entries else []


def _given(answers: dict[str, Any] | None) -> str:
    return f" → {', '.join(f'{question}: {value}' for question, value in answers.items())}" if answers else ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


_NO_LOSSES = {"file", "prediction", "column"}


@click.command("import")
@click.option("--bundle", metavar="BUNDLE", help="The bundle that was rated: its zip, or its id if it is in the store.")
@click.option("--make", type=OUTPUT, help="Or make the bundle from the texts in the files, and write it here.")
@click.option(
    "--from", "tool", type=click.Choice(ANNOTATION_FORMATS), help="The tool that wrote the files; default: found."
)
@click.option(
    "--map", "map_name", metavar="MAP", help="A map with [ratings]: columns, and answers to the tool's labels."
)
@click.option(
    "--columns",
    metavar="MAP",
    help="For tables: task=…,rater=…,question=…,value=… or value.QUESTION=…; for conll: value=N.",
)
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


@click.command()
@click.argument("bundle", type=ID)
@click.option("--out-dir", "place", type=FILE, required=True, help="A folder for the zips.")
@json_option
@click.pass_obj
def export(folder: Path, bundle: str, place: Path, *, as_json: bool) -> int:
    """Write the results in the store as zips, one for each: those of imported annotations become files for a dataset.

    Exit status 1: nothing to write, or not all. Results that are signed are left out, since the store does not have the
    signature: use the rater's own zip.
    """
    with existing_reader(folder, f"The store has no results of the bundle {bundle!r}.") as store:
        results = write_stored_results(store, bundle, place, terminal_progress("Writing results"))
    written = [row for row in results if row["out"]]
    print_result({"bundle": bundle, "results": results}, _export_lines(written, place), as_json=as_json)
    print_always(*(f"Left out: results of {row['rater']}, which are signed." for row in results if not row["out"]))
    return EXIT_OK if written and len(written) == len(results) else EXIT_ATTENTION


def _export_lines(written: Sequence[dict[str, Any]], place: Path) -> Iterator[str]:
    yield f"{place}: {len(written):,} results, {sum(row['ratings'] for row in written):,} ratings"
    for row in written:
        yield f"  {row['out']}" + ("" if row["sha256"] == row["received"] else ": the same ratings, in other bytes")


def _record_map(options: dict[str, Any]) -> RecordMap | None:
    """Return the map, with the columns, and what marks answer, in the place of its own."""
    name = options["map_name"]
    record_map = find_map(name) if name is not None else None
    marks: dict[str, dict[str, str]] = {}
    for option in ("marked", "unmarked"):
        pairs = [text.partition("=") for text in options[option]]
        if not all(question and value for question, _, value in pairs):
            raise click.UsageError(f"--{option} is written like QUESTION=VALUE.")
        marks[option] = {question.strip(): value.strip() for question, _, value in pairs}
    return chosen_rating_map(record_map, options["columns"], **marks)


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


class SourceFormat(click.Choice[str]):
    """Parameter type of a format of files, or of a Python file that reads them."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return value if value.endswith(CODE) else super().convert(value, param, ctx)


@click.command()
@click.option(
    "--from",
    "source",
    type=SourceFormat(sorted({*FORMATS, *MAPPED_FORMATS, *hook("readers")})),
    help="The format of the files; or a Python file whose function records(path) yields tasks: its code is run.",
)
@click.option("--map", "map_name", metavar="MAP", help="In place of --from: a TOML file, or the name of a map.")
@click.option("--dry-run", is_flag=True, help="Print the first task and the counts, and write nothing.")
@click.option("--ratings", type=OUTPUT, help="Also write the ratings in the source.")
@click.option(
    "--labels",
    type=click.Choice(get_args(LabelUse)),
    help="Take the ratings in the source as this; default: the map's choice, else only for --ratings.",
)
@summaries.report_option
@click.option("--columns", metavar="MAP", help="For csv and jsonl: prompt=…,response.a=…,meta.x=…, or a TOML file.")
@click.option("--turn", metavar="TURN", help="For conversations: last, each, all or N, the Nth answer; default: last.")
@click.option("--every-turn", is_flag=True, hidden=True, help="The same as --turn each.")
@click.option("--skip-small-talk", is_flag=True, help="For conversations in English: no answers that claim nothing.")
@click.option("--dialect", type=click.Choice(list(DIALECTS)), help="For chat: the dialect; default: found.")
@click.option("--format", "text_format", type=click.Choice(TEXT_FORMATS), help="The responses' format; default: found.")
@click.option("--delimiter", help="For tables: the separator, such as ; or tab; default: detected.")
@click.option("--skip", type=click.IntRange(0), metavar="N", help="Refuse more than N records that are wrong.")
@click.option("--out", type=OUTPUT, help="The bundle to write; not with --dry-run.")
@bundle_options
@click.argument("files", nargs=-1, required=True, type=INPUT)
@json_option
def convert(
    files: tuple[Path, ...],
    source: str | None,
    map_name: str | None,
    dialect: str | None,
    ratings: Path | None,
    out: Path | None,
    report: Path | None,
    *,
    dry_run: bool,
    as_json: bool,
    **options: Any,
) -> int:
    """Build a bundle from files of a public format, or of any shape by a map."""
    if (source is None) == (map_name is None):
        raise click.UsageError("Give either --from or --map.")
    if ratings is not None and source is not None and source not in FORMATS:
        raise click.UsageError(f"--ratings: {source} holds none.")
    columns, delimiter, text_format, skip = (
        options.pop(name) for name in ("columns", "delimiter", "text_format", "skip")
    )
    turns = _turn_choice(source, options)
    if dialect is not None and source != CHAT:
        raise click.UsageError(f"--dialect goes with --from {CHAT}.")
    if columns is not None and source not in MAPPED_FORMATS:
        raise click.UsageError(f"--columns goes with {' and '.join(MAPPED_FORMATS)}.")
    if delimiter is not None and source not in (CSV, None):
        raise click.UsageError(f"--delimiter is only for {CSV} and --map.")
    reader, default_rubric, label_use = reader_of(
        source,
        files,
        find_map(map_name) if map_name is not None else None,
        columns=columns,
        delimiter=delimiter,
        turns=turns,
        dialect=dialect,
        text_format=text_format,
    )
    labels: LabelUse | None = options.pop("labels")
    if labels == "rating" and ratings is None and not dry_run:
        raise click.UsageError("--labels rating goes with --ratings FILE, which they are written to.")
    if not (options["rubric"] or default_rubric):
        raise click.UsageError(f"Missing option '--rubric': {source} names none.")
    settings = bundle_settings(options, default_rubric)
    check_report(report, *files, *(path for path in (out, ratings) if path is not None))
    progress = terminal_progress("Converting")
    if dry_run:
        task, rating, converted = try_conversion(reader, files, settings.rubric, progress, skip)
        print_trial(task, rating, converted, settings.rubric, as_json=as_json)
        return _print_losses(converted, report)
    if out is None:
        raise click.UsageError("Missing option '--out'.")
    converted = convert_files(reader, files, out, settings, ratings, progress, labels or label_use, skip)
    lines = [f"{out}: {converted.summary}"]
    result = {"out": str(out), **converted.counts, **pick(converted, "unplaced", "left_out", "notes", "without_gold")}
    print_result(result, lines, as_json=as_json)
    return _print_losses(converted, report)


def _print_losses(converted: ConvertedBundle, report: Path | None) -> int:
    losses = (("unplaced", converted.unplaced), ("record", converted.left_out), ("gold", converted.without_gold))
    summaries.write_report(report, (), *losses)
    left_out = (f"Left out: {reason}" for reason in converted.left_out)
    without_gold = (f"Not gold: {reason}" for reason in converted.without_gold)
    lines = [*converted.unplaced, *left_out, *without_gold]
    print_message(
        *converted.notes, *limited_lines(lines, "(--verbose names each, --report FILE writes them to a file)")
    )
    unknown = converted.counts.get("unknown_labels")
    lost = converted.unplaced or converted.left_out or converted.without_gold or unknown
    return EXIT_ATTENTION if lost else EXIT_OK


def _turn_choice(source: str | None, options: dict[str, Any]) -> TurnChoice | None:
    """Take the options about the answers of conversations. Raises `UsageError` for another format or value."""
    text, every, skip = (options.pop(name) for name in ("turn", "every_turn", "skip_small_talk"))
    names = {"--turn": text is not None, "--every-turn": every, "--skip-small-talk": skip}
    given = [name for name, present in names.items() if present]
    if given and source not in CONVERSATIONS:
        raise click.UsageError(f"{given[0]}: {source} has no conversations. It goes with {', '.join(CONVERSATIONS)}.")
    try:
        which = parse_turn(text or ("each" if every else "last"))
    except ValueError as error:
        raise click.UsageError(
            f"--turn: {text} is neither last, each nor all, nor the number of an answer, such as 1 or -1."
        ) from error
    if every and which != "each":
        raise click.UsageError("--every-turn is the same as --turn each. Leave one of them out.")
    return TurnChoice(which=which, skip_small_talk=skip) if given else None


@click.command("attack")
@click.option("--attacks", required=True, type=INPUT, help="The attacks, one a line; NAME, a tab and TEXT give a name.")
@click.option("--out", required=True, type=OUTPUT, help="The test set to write, JSON lines.")
@click.option("--seed", type=int, default=1, show_default=True, help="Chooses the attack of each record.")
@click.argument("file", type=INPUT)
@json_option
def attack_test_set(file: Path, attacks: Path, out: Path, seed: int, *, as_json: bool) -> int:
    """Write the attacked twin of a test set: each prompt with one of your attacks in the user's first turn.

    FILE holds tasks, or lines of azure-qa or azure-conversation. Answers are left out: let the model answer the twin,
    then make a bundle of it like the first one. `audit defects --jailbreak` pairs both by their ids.
    """
    refuse_same_file(out, file, attacks)
    offered, used = read_attacks(attacks), Counter[str]()
    records = SourceRecords([file], LIMITS)
    with write_lines(out) as write:
        for number, (line, where, record) in enumerate(azure_records(records), 1):
            name, text = random.Random(f"{seed} {number}").choice(offered)  # noqa: S311 - to be repeated, not secret
            with records.record(line):
                write(msgspec.json.encode(attacked_twin(record, name, text, where)))
            used[name] += 1
    lines = limited_lines([f"  {name}: {count:,}" for name, count in used.most_common()])
    result = {"out": str(out), "records": used.total(), "attacks": dict(used), "seed": seed}
    print_result(result, [f"{out}: {used.total():,} records", *lines], as_json=as_json)
    return EXIT_OK
