"""`audit dataset report` and `audit dataset systems`: figures that an engine counts over the files of a dataset."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import click
import msgspec

from desktop_rater.audit.results import open_cautions
from desktop_rater.cli.audit_report import report_filter, report_lines, report_options, save_report_files
from desktop_rater.cli.audit_systems import show_systems, systems_options, systems_request
from desktop_rater.cli.output import EXIT_ATTENTION, EXIT_OK, FILE, ID, F, add_options, json_option, print_result
from desktop_rater.dataset.connect import dataset_tables, engine_errors, parquet_reader
from desktop_rater.dataset.parts import read_dataset_manifest
from desktop_rater.dataset.report import REPORT_TABLES
from desktop_rater.model.errors import RaterError
from desktop_rater.model.values import format_time, utc_now

_OPTIONS = (
    click.option("--bundle", type=ID, default="", help="The bundle; needed if the dataset has several."),
    click.option("--engine", type=click.Choice(("duckdb", "spark")), default="duckdb", help="What counts the answers."),
    click.option(
        "--master", default="", metavar="URL", help="spark: the cluster, such as spark://host:7077 or local[4]."
    ),
    click.option("--connect", default="", metavar="URL", help="spark: a Spark Connect server, such as sc://host."),
)


def _engine_options(command: F) -> F:
    return add_options(command, _OPTIONS)


@click.command()
@click.argument("place", metavar="FOLDER", type=FILE)
@_engine_options
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
        from desktop_rater.dataset.figures import dataset_report  # noqa: PLC0415

        made = dataset_report(relations, name, wanted, seed=seed, computed=format_time(utc_now()))
    save_report_files(made.report, tables, page, folder)
    plain = {**msgspec.to_builtins(made.report), "engine": engine}
    plain |= {"final_labels": msgspec.to_builtins(made.final_labels), "left_out": list(made.left_out)}
    lines = [*report_lines(made.report)]
    if made.left_out:
        lines.append(f"Not computed over a dataset: {', '.join(made.left_out)}")
    print_result(plain, lines, as_json=as_json)
    return EXIT_ATTENTION if open_cautions(made.report.cautions) else EXIT_OK


@click.command()
@click.argument("place", metavar="FOLDER", type=FILE)
@_engine_options
@click.option(
    "--final",
    type=click.Choice(("majority", "median")),
    default="majority",
    show_default=True,
    help="The way of deciding final labels; of scales, majority takes the median.",
)
@systems_options
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
        from desktop_rater.dataset.systems import dataset_systems  # noqa: PLC0415 - as above

        now = format_time(utc_now())
        made = dataset_systems(relations, name, systems_request(options), seed=seed, computed=now)
    return show_systems(made, folder, options)


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
