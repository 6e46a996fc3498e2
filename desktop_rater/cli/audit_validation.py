"""`audit validate`: how well text scores follow a lead's grades."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
import msgspec

from desktop_rater.audit.html_report import PageColors
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.validation import BASELINE, AnswerErrors, ScoreCorrelations, ScoreValidation
from desktop_rater.audit.validation_panels import ValidationTexts
from desktop_rater.cli.audit import audit_lead, lead_option, open_results_store, open_results_writer
from desktop_rater.cli.audit_models import ModelOptions, endpoint_run, oracle_options, rule_options
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    ID,
    RATER,
    json_option,
    limited_lines,
    print_message,
    print_result,
    terminal_progress,
)
from desktop_rater.cli.streams import INPUT, OUTPUT
from desktop_rater.model.values import utc_now
from desktop_rater.stats.scores import ScoringRule
from desktop_rater.store.store import Store
from desktop_rater.ui.report.texts_and_colors import ink_colors
from desktop_rater.ui.widgets.theme_tokens import DARK, LIGHT
from desktop_rater.work.audit.report import REPORT_SEED
from desktop_rater.work.scoring.cache import read_recording
from desktop_rater.work.scoring.grades import import_grades, load_grades, texts_to_grade, write_grades_table
from desktop_rater.work.scoring.justifications import JustificationTexts, ScoringOptions, gather_justifications
from desktop_rater.work.scoring.validation import ValidationRequest, grade_requests, load_validation
from desktop_rater.work.scoring.validation_files import save_validation_page, save_validation_tables


@click.command()
@click.argument("bundle", type=ID)
@click.option("--form", type=OUTPUT, help="Write a table of the texts to grade, without authors, and do nothing else.")
@click.option("--grades", type=INPUT, help="Import a table of grades: task, where, question, grade, text or rater.")
@click.option(
    "--oracle",
    "kind",
    type=click.Choice(["endpoint", "recorded"]),
    help="Ask a model to grade the graded texts too, as the baseline; or use the replies of a recording.",
)
@click.option("--trust", multiple=True, type=RATER, metavar="RATER", help="A rater whose texts count as gold too.")
@click.option("--question", multiple=True, type=ID, help="Validate only texts that answer this question.")
@rule_options
@click.option(
    "--unit", type=click.Choice(["task", "text"]), default="task", show_default=True, help="What the intervals draw."
)
@click.option("--seed", type=int, default=REPORT_SEED, show_default=True, help="Seed of the intervals.")
@click.option("--csv", "tables", type=OUTPUT, metavar="FOLDER", help="Write the figures as CSV files into a folder.")
@click.option("--html", type=OUTPUT, help="Write the figures as one HTML page.")
@oracle_options
@lead_option
@json_option
@click.pass_obj
def validate(folder: Path, bundle: str, *, as_json: bool, **options: Any) -> int:
    """Compare text scores with a lead's grades of the same texts.

    For each way of scoring and each model that has answered: Spearman, Pearson and Kendall correlations with the
    grades, beside a model that is asked for a grade. The model's answers to points are compared with the lead's. Exit
    status 1: there is nothing to compare.
    """
    model_options = ModelOptions.of(folder, options)
    selection = ScoringOptions(
        by=options["cluster"],
        rule=ScoringRule(options["priors"], options["oracle_values"]),
        trusted=options["trust"],
        questions=options["question"],
    )
    if (options["kind"] == "recorded") is not (model_options.replies is not None):
        raise click.UsageError("--oracle recorded and --replies belong together.")
    changes = options["grades"] is not None or (options["kind"] == "endpoint" and not model_options.estimate)
    with ExitStack() as stack:
        opened = (
            open_results_writer(folder, bundle, "audit validate") if changes else open_results_store(folder, bundle)
        )
        store = stack.enter_context(opened)
        gathered = gather_justifications(store, bundle, selection, terminal_progress("Reading"))
        if options["form"] is not None:
            texts = texts_to_grade(gathered, load_grades(store, bundle))
            write_grades_table(texts, options["form"])
            plain = {"form": str(options["form"]), "texts": len(texts)}
            print_result(plain, [f"{options['form']}: {len(texts):,} texts"], as_json=as_json)
            return EXIT_OK
        if options["grades"] is not None:
            lead = audit_lead(folder, options["lead"]).name
            imported = import_grades(store, gathered, options["grades"], lead, now=utc_now())
            print_message(f"{options['grades']}: {imported.grades:,} grades.")
        if options["kind"] == "endpoint" and not _ask_grades(store, gathered, model_options, as_json=as_json):
            return EXIT_OK
        replies = read_recording(model_options.replies)[1] if model_options.replies is not None else {}
        wanted = ValidationRequest(options=selection, unit=options["unit"], seed=options["seed"], replies=replies)
        validation = load_validation(store, bundle, wanted, now=utc_now())
    if options["tables"] is not None:
        save_validation_tables(validation, options["tables"])
    if options["html"] is not None:
        colors = PageColors(ink_colors(LIGHT), ink_colors(DARK))
        lead = model_options.settings.rater
        save_validation_page(validation, options["html"], ValidationTexts(), colors, lead=lead, language="en")
    print_result(msgspec.to_builtins(validation), list(_lines(validation)), as_json=as_json)
    return EXIT_OK if validation.rows else EXIT_ATTENTION


def _ask_grades(store: Store, gathered: JustificationTexts, model_options: ModelOptions, *, as_json: bool) -> bool:
    """Ask the model for the grades; return whether they were asked for, not only estimated."""
    run = endpoint_run(model_options, store, gathered.audit.bundle)
    requests = list(grade_requests(gathered, load_grades(store, gathered.audit.bundle)).values())
    if not run.confirm(run.asking.estimate(requests, model_options.prices), as_json=as_json):
        return False
    answers = run.asking.ask(requests, terminal_progress("Asking"))
    run.record()
    print_message(*limited_lines([f"no grade: {answer.why}" for answer in answers if answer.value is None]))
    return True


def _lines(validation: ScoreValidation) -> Iterator[str]:
    yield (
        f"{len(validation.texts):,} of {validation.to_grade:,} texts graded, {validation.tasks:,} tasks, "
        f"{validation.raters:,} raters"
    )
    if validation.rows:
        yield f"{'':34}{'Spearman':24}{'Pearson':24}{'Kendall tau-b':24}above the baseline"
    flat: dict[str, list[str]] = {}
    for row in validation.rows:
        if row.figures["spearman"].value is None:
            flat.setdefault(_source(row), []).append(row.rule)
            continue
        figures = "".join(f"{_figure_text(row.figures[name]):24}" for name in ("spearman", "pearson", "kendall"))
        above = _figure_text(row.above) if row.above is not None else "baseline" if row.rule == BASELINE else ""
        yield f"{f'{_source(row)}: {row.rule}':34}{figures}{above}".rstrip()
    yield from (f"{source}: {', '.join(rules)} are the same for each text" for source, rules in flat.items())
    whys = {figure.why for row in validation.rows for figure in row.figures.values() if figure.value is not None}
    yield from (f"no interval: {why}" for why in sorted(whys - {""}))
    for answers in validation.answers:
        yield f"{answers.model}: {_answers_text(answers)}"


def _source(row: ScoreCorrelations) -> str:
    return {"hand": "by hand", "own_points": f"{row.model}, your points"}.get(row.source, row.model)


def _figure_text(figure: ReportFigure) -> str:
    if figure.value is None:
        return "undefined"
    ends = f" ({figure.low:.2f} to {figure.high:.2f})" if figure.low is not None and figure.high is not None else ""
    return f"{figure.value:.2f}{ends}"


def _answers_text(answers: AnswerErrors) -> str:
    parts = [
        f"{name} {100 * figure.value:.1f} %"
        + (f" ({100 * figure.low:.1f} to {100 * figure.high:.1f})" if figure.low is not None and figure.high else "")
        + f" of {figure.n:,} answers"
        for name, figure in (("errors", answers.errors), ("inversions", answers.inversions))
        if figure.value is not None
    ]
    return f"{', '.join(parts)}; {answers.texts:,} texts, {answers.errors.tasks:,} tasks"
