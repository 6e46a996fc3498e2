"""`audit dataset`: results as Parquet tables, for work on one machine or on a cluster, and their reports."""

import os
import random
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any, Literal

import click
import msgspec

from desktop_rater.audit.results import open_cautions
from desktop_rater.cli.audit_report import explained, report_filter, report_lines, report_options, save_report_files
from desktop_rater.cli.hub import hub_opener, hub_options, without_retry_hints
from desktop_rater.cli.label_figures import label_figures
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    FILE,
    ID,
    RATER,
    ExtensibleGroup,
    add_options,
    as_plain,
    json_option,
    limited_lines,
    pick,
    print_message,
    print_result,
    terminal_progress,
)
from desktop_rater.cli.stored_bundles import existing_reader, record_lead, writer
from desktop_rater.cli.summaries import passed_over_line
from desktop_rater.format.errors import RaterError
from desktop_rater.format.values import format_time, utc_now
from desktop_rater.hub.errors import HubError
from desktop_rater.hub.interface import Hub
from desktop_rater.operations.hub.collect import collect_results
from desktop_rater.plugins.dataset.build import BuildOptions, build_dataset
from desktop_rater.plugins.dataset.connect import dataset_tables, engine_errors, parquet_reader
from desktop_rater.plugins.dataset.engines import BatchRunner, in_processes, on_spark, spark_session
from desktop_rater.plugins.dataset.open_dataset import open_dataset
from desktop_rater.plugins.dataset.parts import (
    REPORT_TABLES,
    TABLES,
    DatasetManifest,
    check_dataset,
    read_dataset_manifest,
    read_rows,
)

_Engine = Literal["process", "spark"]


@click.group(cls=ExtensibleGroup)
def dataset() -> None:
    """Turn results into Parquet tables for DuckDB, pandas, Spark and others; needs pyarrow.

    `pip install 'desktop-rater[dataset]'` installs what is needed.
    """


@click.command()
@click.argument("paths", metavar="RESULTS...", nargs=-1, type=FILE)
@click.option("--out", type=FILE, required=True, help="The folder of the dataset; it may hold one already.")
@click.option("--bundle", type=ID, help="Accept results of this bundle alone.")
@click.option("--from-hub", "hubs", metavar="URL", multiple=True, help="Add the results of a hub; may be repeated.")
@click.option("--reviews", is_flag=True, help="Add the lead's bundles, keys, decisions and verdicts of this store.")
@click.option("--engine", type=click.Choice(("process", "spark")), default="process", help="What judges the results.")
@click.option("--workers", type=click.IntRange(1, 256), help="process: how many processes; default: one for each core.")
@click.option("--master", metavar="URL", help="spark: the cluster, such as spark://host:7077 or local[4].")
@click.option("--connect", metavar="URL", help="spark: a Spark Connect server, such as sc://host.")
@hub_options
@json_option
@click.pass_obj
def build(
    folder: Path,
    paths: tuple[Path, ...],
    out: Path,
    bundle: str | None,
    hubs: tuple[str, ...],
    *,
    engine: _Engine,
    workers: int | None,
    master: str | None,
    connect: str | None,
    reviews: bool,
    as_json: bool,
    **options: Any,
) -> int:
    """Judge results from scratch and write them as a dataset. Exit status 1: some were refused.

    RESULTS are zips and folders of them, with the lead's bundle and raters' keys as for `audit open`. A second run adds
    only what is new. What was refused stands in the table `refusals`. A run that was stopped leaves the dataset as it
    was.
    """
    if not paths and not hubs and not reviews:
        raise click.UsageError("There are no results: give files, folders or --from-hub.")
    if engine != "spark" and (master or connect):
        raise click.UsageError("--master and --connect are options of --engine spark.")
    number = workers or os.cpu_count() or 1
    run: BatchRunner = in_processes(number)
    if engine == "spark":
        session = spark_session(master or "", connect or "")
        run = on_spark(session)
        number = workers or 64
    with without_retry_hints(), ExitStack() as opened:
        connected = [opened.enter_context(closing(hub_opener(url, folder, options)())) for url in hubs]
        missing = "There are no reviews to add."
        built = build_dataset(
            out,
            paths,
            run=run,
            now=utc_now(),
            progress=terminal_progress("Judging"),
            options=BuildOptions(bundle=bundle or "", workers=number),
            store=opened.enter_context(existing_reader(folder, missing)) if reviews else None,
            hubs=[partial(_collect, hub) for hub in connected],
        )
    result = {**_manifest_json(built.manifest), "added": built.added, "known": built.judged_before}
    result |= {"refused_now": msgspec.to_builtins(built.refused), "passed_over": list(built.passed_over)}
    counts = f"{built.added:,} results added, {built.judged_before:,} already judged, {len(built.refused):,} refused"
    print_result(result, [counts, *_info_lines(built.manifest)], as_json=as_json)
    print_message(*limited_lines([f"{file.file}: {file.title}. {file.message}" for file in built.refused]))
    print_message(*limited_lines([passed_over_line(name) for name in built.passed_over]))
    return EXIT_ATTENTION if built.refused else EXIT_OK


def _collect(hub: Hub, place: Path, known: Collection[str]) -> tuple[tuple[str, HubError], ...]:
    progress = terminal_progress("Collecting")
    return collect_results(hub, place, chance=random.random, progress=progress, known=known).failed


@click.command()
@click.argument("folder", type=FILE)
@json_option
def info(folder: Path, *, as_json: bool) -> int:
    """Show the tables of a dataset, its bundles, and how many of the results count."""
    manifest = read_dataset_manifest(folder)
    audits = list(read_rows(folder, manifest.of_table("raters")))
    lines = [*_info_lines(manifest)]
    for bundle in manifest.bundles:
        raters = [row for row in audits if row["bundle"] == bundle]
        lines.append(f"{bundle}: {len(raters):,} raters, {sum(row['ratings'] for row in raters):,} ratings that count")
    print_result({**_manifest_json(manifest), "raters": audits}, lines, as_json=as_json)
    return EXIT_OK


@click.command()
@click.argument("folder", type=FILE)
@json_option
def check(folder: Path, *, as_json: bool) -> int:
    """Compare each file of a dataset with the manifest. Exit status 1: a file is damaged or missing."""
    checked = check_dataset(folder, terminal_progress("Checking"))
    lines = [f"{path}: {reason}" for path, reason in checked["faults"]]
    lines += [f"{path}: not in the manifest, and not part of the dataset" for path in checked["extra"]]
    print_result(checked, lines or [f"{checked['files']:,} files are as written."], as_json=as_json)
    return EXIT_ATTENTION if checked["faults"] else EXIT_OK


@click.command("open")
@click.argument("place", metavar="FOLDER", type=FILE)
@click.option("--bundle", type=ID, help="Open this bundle alone; default: all of the dataset.")
@click.option("--lead", type=RATER, help="Your name, for reviews of a bundle that you open; it makes you the QA lead.")
@json_option
@click.pass_obj
def open_(folder: Path, place: Path, bundle: str | None, lead: str | None, *, as_json: bool) -> int:
    """Open a dataset as an audit in this store, without judging its results again.

    Open datasets that you have built yourself: as in the store, what was judged is taken as it is. Pages kept as
    evidence are not in a dataset. Keys, decisions and verdicts stay those of the store; `audit dataset build --reviews`
    brings them into the dataset.
    """
    record_lead(folder, lead)
    with writer(folder, "audit dataset open") as store:
        progress = terminal_progress("Opening")
        opened = open_dataset(store, place, lead=lead or "", now=utc_now(), progress=progress, bundle=bundle or "")
    new = [results for results in opened.took if not results.known]
    result = {"results": len(new), "known": len(opened.took) - len(new), "bundles": sorted(opened.audits)}
    lines = [f"{len(new):,} results opened, {result['known']:,} already in the store"]
    print_result(result, lines, as_json=as_json)
    return EXIT_OK


def _manifest_json(manifest: DatasetManifest) -> dict[str, Any]:
    fields = ("schema", "program", "engine", "built", "bundles", "results", "refused")
    tables = {table.name: manifest.rows(table.name) for table in TABLES}
    return {**pick(manifest, *fields), "bytes": sum(file.bytes for file in manifest.files), "tables": tables}


def _info_lines(manifest: DatasetManifest) -> Iterator[str]:
    size = sum(file.bytes for file in manifest.files)
    yield f"{manifest.results:,} results, {manifest.refused:,} refused; {len(manifest.files):,} files, {size:,} bytes"
    for table in TABLES:
        if rows := manifest.rows(table.name):
            yield f"  {table.name}: {rows:,} rows"


_OPTIONS = (
    click.option("--bundle", type=ID, default="", help="The bundle; needed if the dataset has several."),
    click.option("--engine", type=click.Choice(("duckdb", "spark")), default="duckdb", help="What counts the answers."),
    click.option(
        "--master", default="", metavar="URL", help="spark: the cluster, such as spark://host:7077 or local[4]."
    ),
    click.option("--connect", default="", metavar="URL", help="spark: a Spark Connect server, such as sc://host."),
)


_SYSTEMS = label_figures("systems")


@click.command()
@click.argument("place", metavar="FOLDER", type=FILE)
@partial(add_options, options=_OPTIONS)
@report_options
@json_option
@click.pass_obj
def report(
    folder: Path,
    place: Path,
    bundle: str,
    tables: Path | None,
    page: Path | None,
    seed: int,
    raters: tuple[str, ...],
    *,
    engine: Literal["duckdb", "spark"],
    master: str,
    connect: str,
    as_json: bool,
    **filters: str | int | bool | None,
) -> int:
    """Report on a dataset as `audit report` does on a store: the same figures, computed where the data is.

    The engine counts the answers by task; the figures and intervals are computed from the counts, and are the same on
    every engine. What a dataset has no figures of is named. Exit status 1: as for `audit report`.
    """
    wanted = report_filter(raters, filters)
    # It loads numpy, scipy and ibis, which no other command waits for.
    with engine_errors():
        name, relations = _tables_of(place, bundle, engine, master, connect)
        from desktop_rater.plugins.dataset.figures import dataset_report  # noqa: PLC0415

        made = dataset_report(relations, name, wanted, seed=seed, computed=format_time(utc_now()))
    save_report_files(made.report, tables, page, folder)
    plain = {**as_plain(explained(made.report)), "engine": engine}
    plain |= {"final_labels": made.final_labels, "left_out": list(made.left_out)}
    lines = [*report_lines(made.report)]
    if made.left_out:
        lines.append(f"Not computed over a dataset: {', '.join(made.left_out)}")
    print_result(plain, lines, as_json=as_json)
    return EXIT_ATTENTION if open_cautions(made.report.cautions) else EXIT_OK


@click.command()
@click.argument("place", metavar="FOLDER", type=FILE)
@partial(add_options, options=_OPTIONS)
@click.option(
    "--final",
    type=click.Choice(("majority", "median")),
    default="majority",
    show_default=True,
    help="The way of deciding final labels; of scales, majority takes the median.",
)
@partial(add_options, options=_SYSTEMS.options)
@json_option
@click.pass_obj
def systems(
    folder: Path,
    place: Path,
    bundle: str,
    seed: int,
    *,
    engine: Literal["duckdb", "spark"],
    master: str,
    connect: str,
    **options: Any,
) -> int:
    """Report what the systems did, as `audit systems` does on a store: the same figures by the votes of the raters.

    Decisions of the lead are not applied. Exit status 1: as for `audit systems`.
    """
    with engine_errors():
        name, relations = _tables_of(place, bundle, engine, master, connect)
        from desktop_rater.plugins.dataset.figures import dataset_labels  # noqa: PLC0415 - as above

        labels = dataset_labels(relations, name, options["final"], options["threshold"])
        made = _SYSTEMS.compute(options, *labels, seed=seed, computed=format_time(utc_now()))
    return _SYSTEMS.show(made, folder, options)


def _tables_of(
    place: Path, bundle: str, engine: Literal["duckdb", "spark"], master: str, connect: str
) -> tuple[str, Mapping[str, Any]]:
    """Return the bundle that is meant, and the tables of a dataset on the engine."""
    if engine != "spark" and (master or connect):
        raise click.UsageError("--master and --connect are options of --engine spark.")
    manifest = read_dataset_manifest(place)
    if not bundle and len(manifest.bundles) != 1:
        names = ", ".join(manifest.bundles) or "none"
        raise RaterError("Which bundle?", f"The dataset has: {names}.", "Name it with --bundle.")
    read = parquet_reader(engine, master, connect)
    return bundle or manifest.bundles[0], dataset_tables(read, place, manifest, REPORT_TABLES)
