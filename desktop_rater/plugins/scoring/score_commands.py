"""`audit score` and `audit validate`: scores of justifications, and how well they follow a lead's grades."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from desktop_rater.audit.report import ReportFigure
from desktop_rater.cli.audit import audit_lead, lead_option, open_results_store, open_results_writer
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    ID,
    INPUT,
    OUTPUT,
    RATER,
    F,
    add_options,
    as_plain,
    json_option,
    limited_lines,
    print_message,
    print_result,
    terminal_progress,
)
from desktop_rater.format.values import utc_now
from desktop_rater.operations.audit.report import REPORT_SEED
from desktop_rater.plugins.scoring.justifications import (
    FLAT_NOTE,
    JustificationScores,
    JustificationTexts,
    ScoringOptions,
    gather_justifications,
    save_scores,
    score_justifications,
    single_gold,
)
from desktop_rater.plugins.scoring.manual_scoring import (
    import_grades,
    import_points_form,
    load_grades,
    manual_oracle,
    read_criterion,
    texts_to_grade,
    write_grades_table,
    write_points_form,
)
from desktop_rater.plugins.scoring.model_commands import (
    ModelOptions,
    OracleRun,
    endpoint_run,
    oracle_options,
    recorded_run,
)
from desktop_rater.plugins.scoring.model_oracle import estimate_cost
from desktop_rater.plugins.scoring.oracles import ModelOracle, Oracle
from desktop_rater.plugins.scoring.session import read_recording
from desktop_rater.plugins.scoring.validation import (
    BASELINE,
    AnswerErrors,
    RaterCriterion,
    ScoreCorrelations,
    ScoreValidation,
    grade_requests,
    load_validation,
)
from desktop_rater.plugins.scoring.validation_report import (
    Wording,
    save_validation_page,
    save_validation_tables,
)
from desktop_rater.stats.scores import ScoringRule
from desktop_rater.store.store import Store

_SHOWN_RULES = ("AV", "AMV", "AFV", "AFMV", "RC")
_RULE_OPTIONS = (
    click.option(
        "--cluster",
        type=click.Choice(["bundle", "place"]),
        default="bundle",
        show_default=True,
        help="Scope of a set of points: a question in the whole bundle, or at one item.",
    ),
    click.option(
        "--priors",
        type=click.Choice(["observed", "smoothed"]),
        default="observed",
        show_default=True,
        help="Prior of a point: the share of gold texts that agree, or one that is never 0 or 1.",
    ),
    click.option(
        "--oracle-values",
        type=click.Choice(["ternary", "binary"]),
        default="ternary",
        show_default=True,
        help="binary: a gold text that is silent on a point disagrees, as in ElicitationGPT.",
    ),
)


def rule_options(command: F) -> F:
    """Add the options of scoring rules to a command."""
    return add_options(command, _RULE_OPTIONS)


@click.command()
@click.argument("bundle", type=ID)
@click.option(
    "--oracle",
    "kind",
    type=click.Choice(["hand", "endpoint", "recorded"]),
    default="hand",
    show_default=True,
    help="Source of the answers about a text.",
)
@click.option("--points", type=INPUT, help="A completed form: the lead's points, and agree, disagree or silent.")
@click.option("--form", type=OUTPUT, help="Write a form to fill in, and score nothing.")
@click.option("--own-points", is_flag=True, help="Let a model answer the lead's points, if there are any.")
@click.option("--trust", multiple=True, type=RATER, metavar="RATER", help="A rater whose texts count as gold too.")
@click.option("--rater", multiple=True, type=RATER, help="Score only this rater's texts.")
@click.option("--question", multiple=True, type=ID, help="Score only texts that answer this question.")
@rule_options
@click.option("--one-order", is_flag=True, help="Ask once instead of in two orders of the points. Half the cost.")
@click.option("--one-summary", is_flag=True, help="Ask once for topics and points, not first for topics. Cheaper.")
@click.option("--seed", type=int, default=REPORT_SEED, show_default=True, help="Seed of the intervals.")
@oracle_options
@json_option
@click.pass_obj
def score(folder: Path, bundle: str, *, as_json: bool, **options: Any) -> int:
    """Score raters' justifications, by a rule that rewards no padding, flattery or instructions to the judge.

    The oracle only tells if a text agrees with a point, disagrees or is silent; it never gives a number. Scoring by
    hand needs no network. Exit status 1: some texts have no score.
    """
    model_options = ModelOptions.of(folder, options)
    selection = ScoringOptions(
        by=options["cluster"],
        rule=ScoringRule(options["priors"], options["oracle_values"]),
        trusted=options["trust"],
        questions=options["question"],
        raters=options["rater"],
    )
    looks_only = options["form"] is not None or model_options.estimate
    _refuse_unused_options(options, model_options, looks_only=looks_only)
    with ExitStack() as stack:
        store = stack.enter_context(
            open_results_store(folder, bundle) if looks_only else open_results_writer(folder, bundle, "audit score")
        )
        if options["points"] is not None and not looks_only:
            form = import_points_form(store, bundle, options["points"], model_options.settings.rater, now=utc_now())
            counts = f"points of {form.points:,} clusters, answers for {form.answers:,} texts."
            print_message(f"{options['points']}: {counts}")
        progress = terminal_progress("Reading")
        gathered = gather_justifications(store, bundle, selection, progress)
        alone = single_gold(gathered)
        if alone:
            print_message(f"{len(alone):,} of {len(gathered.clusters):,} clusters have one gold text. {FLAT_NOTE}")
        if options["form"] is not None:
            texts = write_points_form(store, bundle, gathered.clusters, options["form"], gathered.language)
            result = {"form": str(options["form"]), "texts": texts}
            print_result(result, [f"{options['form']}: {texts:,} texts"], as_json=as_json)
            return EXIT_OK
        return _score(store, gathered, model_options, options, as_json=as_json)


def _refuse_unused_options(options: dict[str, Any], model_options: ModelOptions, *, looks_only: bool) -> None:
    """Refuse options without effect: the user expects something else, such as that no model is asked."""
    if looks_only and options["points"] is not None:
        raise click.UsageError("--points can't be combined with --form or --estimate.")
    if options["kind"] != "recorded" and model_options.replies is not None:
        raise click.UsageError("--replies is for --oracle recorded.")
    if options["kind"] == "hand" and model_options.record is not None:
        raise click.UsageError("--record is not for --oracle hand.")


def _score(
    store: Store, gathered: JustificationTexts, model_options: ModelOptions, options: dict[str, Any], *, as_json: bool
) -> int:
    """Score by the lead's answers or by a model's, and print the scores."""
    kind, bundle = options["kind"], gathered.audit.bundle
    twice, one_request = not options["one_order"], options["one_summary"]
    model_run: OracleRun | None = None
    if kind == "hand":
        if model_options.estimate:
            raise click.UsageError("--estimate is for an endpoint: scoring by hand costs nothing.")
        oracle: Oracle = manual_oracle(store, bundle)
    else:
        model_run = recorded_run(model_options) if kind == "recorded" else endpoint_run(model_options, store, bundle)
        hand = manual_oracle(store, bundle) if options["own_points"] else None
        asking, prices = model_run.asking, model_options.prices
        cost = estimate_cost(gathered, asking, prices, hand=hand, twice=twice, one_request=one_request)
        if not model_run.confirm(cost, as_json=as_json):
            return EXIT_OK
        oracle = ModelOracle(asking, twice=twice, hand=hand, one_request=one_request)
    progress = terminal_progress("Asking")
    scores = score_justifications(gathered, oracle, kind, seed=options["seed"], progress=progress)
    # Means of only some raters or questions would mislead in the report.
    if not (options["rater"] or options["question"]):
        name = "" if model_run is None else model_run.model
        save_scores(store, gathered.audit, scores, name, model_options.settings.rater, now=utc_now())
    plain = as_plain(scores)
    if model_run is not None:
        model_run.record()
        replies = model_run.asking.used.values()
        prompts = {item.about: item.prompt for item in replies}
        plain["run"] = {
            "model": model_run.model,
            "prompts": prompts,
            "cost": model_run.asking.cost(model_options.prices),
        }
        plain["replies"] = list(replies)
    _print_scores(scores, plain, as_json=as_json)
    return EXIT_ATTENTION if scores.unscored or not scores.texts else EXIT_OK


def _print_scores(scores: JustificationScores, plain: dict[str, Any], *, as_json: bool) -> None:
    print_result(plain, _score_lines(scores), as_json=as_json)
    noted: dict[str, list[str]] = {}
    for cluster in scores.clusters:
        for note in cluster.notes:
            noted.setdefault(note, []).append(cluster.cluster)
    for note, names in noted.items():
        print_message(f"{names[0] if len(names) == 1 else f'{len(names):,} clusters'}: {note}")
    notes = [f"{item.task}, {item.where}, {item.rater}: {' '.join(item.notes)}" for item in scores.texts if item.notes]
    print_message(*limited_lines(notes, "texts"))


def _score_lines(scores: JustificationScores) -> list[str]:
    heads = "".join(f"{rule:>6}  " for rule in _SHOWN_RULES)
    lines = [f"{'rater':20}  {'texts':>6}  {'tasks':>6}  {heads}{scores.main}, 95 %"]
    for rater in scores.raters:
        name = f"{rater.rater} (model)" if rater.model else rater.rater
        if not rater.scored:
            lines.append(f"{name:20}  {rater.scored:>6,}  nothing was scored of {rater.written:,} texts")
            continue
        values = "".join(f"{rater.scores[rule]:6.3f}  " for rule in _SHOWN_RULES)
        ends = rater.intervals.get(scores.main)
        interval = f"{ends[0]:.3f} to {ends[1]:.3f}" if ends else rater.why
        lines.append(f"{name:20}  {rater.scored:>6,}  {rater.tasks:>6,}  {values}{interval}")
    return lines


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
@click.option(
    "--criterion", type=INPUT, help="A table of rater and value, such as an exam, to compare raters' scores with."
)
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
        table = options["criterion"]
        validation = load_validation(
            store,
            bundle,
            selection,
            unit=options["unit"],
            seed=options["seed"],
            replies=replies,
            criterion=(table.stem, read_criterion(table)) if table is not None else None,
            now=utc_now(),
        )
    if options["tables"] is not None:
        save_validation_tables(validation, options["tables"])
    if options["html"] is not None:
        from desktop_rater.ui.report.texts_and_colors import page_colors  # noqa: PLC0415 - loads Qt, for the page alone

        colors = page_colors()
        lead = model_options.settings.rater
        save_validation_page(validation, options["html"], Wording(), colors, lead=lead, language="en")
    print_result(validation, list(_lines(validation)), as_json=as_json)
    return EXIT_OK if validation.rows or validation.criterion is not None else EXIT_ATTENTION


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
    if validation.criterion is not None:
        yield from _criterion_lines(validation.criterion)


def _criterion_lines(criterion: RaterCriterion) -> Iterator[str]:
    yield f"{criterion.criterion}, of {len(criterion.raters):,} raters:"
    for row in criterion.rows:
        figures = "".join(f"{_figure_text(row.figures[name]):24}" for name in ("spearman", "pearson", "kendall"))
        is_lead = row.name == ("hand", "") and row.rule == BASELINE
        name = "the lead's grades" if is_lead else f"{_source(row)}: {row.rule}"
        yield f"{name:34}{figures}{len(row.values):,} raters"
    if criterion.missing:
        yield f"without a value or a text: {', '.join(criterion.missing)}"


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
