"""`audit dataset report`: the figures of `audit report`, counted by an engine over the files of a dataset."""

from pathlib import Path
from typing import Literal

import click
import msgspec

from desktop_rater.audit.results import open_cautions
from desktop_rater.cli.audit_report import report_filter, report_lines, report_options, save_report_files
from desktop_rater.cli.output import EXIT_ATTENTION, EXIT_OK, FILE, ID, json_option, print_result
from desktop_rater.dataset.connect import compute_report, parquet_reader
from desktop_rater.dataset.parts import read_dataset_manifest
from desktop_rater.model.errors import RaterError
from desktop_rater.model.values import format_time, utc_now


@click.command()
@click.argument("place", metavar="FOLDER", type=FILE)
@click.option("--bundle", type=ID, default="", help="The bundle; needed if the dataset has several.")
@click.option("--engine", type=click.Choice(("duckdb", "spark")), default="duckdb", help="What counts the answers.")
@click.option("--master", default="", metavar="URL", help="spark: the cluster, such as spark://host:7077 or local[4].")
@click.option("--connect", default="", metavar="URL", help="spark: a Spark Connect server, such as sc://host.")
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
    if engine != "spark" and (master or connect):
        raise click.UsageError("--master and --connect are options of --engine spark.")
    wanted = report_filter(raters, filters)
    manifest = read_dataset_manifest(place)
    if not bundle and len(manifest.bundles) != 1:
        names = ", ".join(manifest.bundles) or "none"
        raise RaterError("Which bundle?", f"The dataset has: {names}.", "Name it with --bundle.")
    read = parquet_reader(engine, master, connect)
    now = format_time(utc_now())
    made = compute_report(read, place, manifest, bundle or manifest.bundles[0], wanted, seed=seed, computed=now)
    save_report_files(made.report, tables, page, folder)
    plain = {**msgspec.to_builtins(made.report), "engine": engine}
    plain |= {"final_labels": msgspec.to_builtins(made.final_labels), "left_out": list(made.left_out)}
    lines = [*report_lines(made.report), f"Not computed over a dataset: {', '.join(made.left_out)}"]
    print_result(plain, lines, as_json=as_json)
    return EXIT_ATTENTION if open_cautions(made.report.cautions) else EXIT_OK
