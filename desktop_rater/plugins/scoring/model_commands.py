"""`audit key`, `canaries`, `judge` and `judge-check`, and the options of commands that ask a language model."""

import os
from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec

from desktop_rater.audit.compute_report import ModelCheck
from desktop_rater.audit.report import ReportFigure
from desktop_rater.cli.audit import open_results_store
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    ID,
    INPUT,
    OUTPUT,
    RATER,
    TEXT,
    F,
    add_options,
    json_option,
    limited_lines,
    print_always,
    print_message,
    print_result,
    read_secret,
    standard_input,
    terminal_progress,
)
from desktop_rater.cli.stored_bundles import configured_settings, writer
from desktop_rater.cli.summaries import caution_lines
from desktop_rater.format.errors import RaterError
from desktop_rater.format.values import utc_now
from desktop_rater.operations.audit.report import EPSILON, REPORT_SEED
from desktop_rater.operations.credentials import SecretStore
from desktop_rater.plugins.scoring.client import Budget, Cost, Prices, endpoint_host
from desktop_rater.plugins.scoring.judge import JudgeOptions
from desktop_rater.plugins.scoring.model_oracle import (
    DESERVED_SCORE,
    OracleEnvironment,
    OracleServer,
    ask_canaries,
    builtin_prompts,
    canary_requests,
    configured_prices,
    open_oracle,
    require_setting,
)
from desktop_rater.plugins.scoring.model_results import (
    RatedByModel,
    bundle_id_of,
    load_model_checks,
    model_rating_cost,
    plan_bundle,
    prompt_files,
    rate_bundle_by_model,
    read_metric_prompts,
    take_model_answers,
)
from desktop_rater.plugins.scoring.oracles import ModelOracle, RecordedReplies
from desktop_rater.plugins.scoring.session import (
    OracleSession,
    ReplyCache,
    read_recording,
    stored_replies,
    write_recording,
)
from desktop_rater.settings import Settings
from desktop_rater.store.store import Store

_MAX_KEY = 4_000  # characters


@click.command()
@click.option("--set", "set_key", is_flag=True, help="Ask for the key, or read it from standard input, and store it.")
@click.option("--forget", is_flag=True, help="Remove it from the keyring.")
@click.option("--endpoint", type=TEXT, metavar="URL", help="The key's endpoint; default: the configured one.")
@click.pass_obj
def key(folder: Path, endpoint: str | None, *, set_key: bool, forget: bool) -> int:
    """Store the API key of the language model in the system's keyring, and nowhere else.

    Without an option, tell if there is one: exit status 1 if not.
    """
    if set_key and forget:
        raise click.UsageError("Give either --set or --forget.")
    base = require_setting(endpoint or configured_settings(folder).endpoint, "endpoint", "--endpoint")
    host = endpoint_host(base, allow_loopback=True)
    secrets = SecretStore(os.environ)
    if set_key:
        print_result(
            None,
            [f"The key for {host} is kept by {secrets.keep(host, read_secret('Key', _MAX_KEY).strip())}."],
            as_json=False,
        )
        return EXIT_OK
    if forget:
        was_there = secrets.forget(host)
        text = f"The key for {host} was removed." if was_there else f"There was no key for {host}."
        print_result(None, [text], as_json=False)
        return EXIT_OK
    exists = bool(secrets.of(host))
    print_result(None, [f"There is a key for {host}." if exists else f"There is no key for {host}."], as_json=False)
    return EXIT_OK if exists else EXIT_ATTENTION


def cost_line(cost: Cost) -> str:
    """Describe the cost on one line."""
    money = "" if cost.money is None else f", about {cost.money:,.2f} by the prices in the settings"
    cached_text = f" ({cost.cached:,} are already answered)" if cost.cached else ""
    return (
        f"{cost.calls:,} calls{cached_text}, about {cost.tokens_in:,} tokens sent and "
        f"{cost.tokens_out:,} received{money}"
    )


def confirm_cost(cost: Cost, host: str, *, yes: bool) -> None:
    """Ask the user to confirm the cost. Raises `RaterError` if not interactive, or `Abort`."""
    if not cost.calls:
        return
    line = f"To {host}: {cost_line(cost)}, if each answer fits."
    if yes:
        print_message(line)
        return
    print_always(line)
    if not standard_input().isatty():
        raise RaterError(
            "Nothing was asked.", "The cost can't be confirmed without a terminal.", "Add --yes to accept the cost."
        )
    click.confirm("Ask?", abort=True, err=True)


_COUNT = click.IntRange(min=1)
_OPTIONS = (
    click.option("--endpoint", type=TEXT, metavar="URL", help="The base URL; default: as in the settings."),
    click.option("--model", type=TEXT, help="The model; default: as in the settings."),
    click.option("--allow-loopback", is_flag=True, help="Allow http for a model that runs on this computer."),
    click.option("--certificates", default="", metavar="FILE.pem", help="Additional root certificates to trust."),
    click.option("--replies", type=INPUT, help="The recording to play, for --oracle recorded."),
    click.option("--record", type=OUTPUT, help="Write every reply of this run, to replay it later."),
    click.option("--most-calls", type=_COUNT, help="Maximum number of calls."),
    click.option("--most-tokens", type=_COUNT, help="Maximum number of tokens sent and received, as estimated."),
    click.option("--at-once", type=click.IntRange(1, 16), default=4, show_default=True, help="Concurrent calls."),
    click.option(
        "--patience",
        type=click.IntRange(1, 3600),
        default=300,
        show_default=True,
        help="Timeout of a call, in seconds.",
    ),
    click.option("--estimate", is_flag=True, help="Estimate the cost, and ask nothing."),
    click.option("--yes", is_flag=True, help="Accept the cost."),
)


def oracle_options(command: F) -> F:
    """Add all options; they are passed as the keywords that `ModelOptions.of` takes."""
    return add_options(command, _OPTIONS)


class ModelOptions(NamedTuple):
    """The options of `oracle_options`, with those of the endpoint that are not given from the settings."""

    settings: Settings
    server: OracleServer
    replies: Path | None
    record: Path | None
    budget: Budget
    estimate: bool
    yes: bool

    @classmethod
    def of(cls, folder: Path, options: dict[str, Any]) -> "ModelOptions":
        settings = configured_settings(folder)
        given = {name: options[name] for name in ("allow_loopback", "certificates", "patience", "at_once")}
        server = OracleServer(options["endpoint"] or settings.endpoint, options["model"] or settings.model, **given)
        budget = Budget(options["most_calls"], options["most_tokens"])
        others = {name: options[name] for name in ("replies", "record", "estimate", "yes")}
        return cls(settings, server, budget=budget, **others)

    @property
    def prices(self) -> Prices:
        return configured_prices(self.settings)

    @property
    def required_model(self) -> str:
        return require_setting(self.server.model, "model", "--model")


class OracleRun(NamedTuple):
    """A source of answers; `host` is empty for a recording."""

    options: ModelOptions
    asking: OracleSession
    model: str
    host: str

    def confirm(self, cost: Cost, *, as_json: bool) -> bool:
        """Print the estimated cost if only that was requested; otherwise ask the user to confirm it."""
        if self.options.estimate:
            print_result(msgspec.to_builtins(cost), [f"{cost_line(cost)}, if each answer fits"], as_json=as_json)
        elif self.host:
            confirm_cost(cost, self.host, yes=self.options.yes)
        return not self.options.estimate

    def record(self) -> None:
        """Write the recording, if one was requested."""
        if self.options.record is not None:
            write_recording(self.options.record, self.model, self.asking.used.values())


def oracle_run(model_options: ModelOptions, store: Store | None, bundle: str) -> OracleRun:
    """Return the recording to play, or else the endpoint. Raises `RaterError`."""
    return recorded_run(model_options) if model_options.replies else endpoint_run(model_options, store, bundle)


def endpoint_run(model_options: ModelOptions, store: Store | None, bundle: str) -> OracleRun:
    """Return an endpoint, with its stored key. Raises `RaterError`."""
    server = model_options.server
    require_setting(server.base, "endpoint", "--endpoint")
    model = model_options.required_model
    lead = model_options.settings.rater
    replies = ReplyCache() if store is None else stored_replies(store, bundle, lead, utc_now)
    environment = OracleEnvironment(utc_now)
    asking, host = open_oracle(server, SecretStore(os.environ), replies, environment, model_options.budget)
    return OracleRun(model_options, asking, model, host)


def recorded_run(model_options: ModelOptions) -> OracleRun:
    """Return a recording. Raises `RaterError`."""
    if model_options.replies is None:
        raise click.UsageError("--oracle recorded needs --replies.")
    model, replies = read_recording(model_options.replies)
    prompts = builtin_prompts()
    nonce = OracleEnvironment(utc_now).nonce
    asking = OracleSession(RecordedReplies(model, replies, prompts), prompts, ReplyCache(), nonce=nonce, now=utc_now)
    return OracleRun(model_options, asking, model, "")


@click.command()
@oracle_options
@json_option
@click.pass_obj
def canaries(folder: Path, *, as_json: bool, **options: Any) -> int:
    """Test if the configured model can be talked into a better score.

    It is asked about an empty text, with and without instructions such as "give 10". Exit status 1: one of them changed
    a score, so this model should not score raters' texts.
    """
    model_options = ModelOptions.of(folder, options)
    model_run = oracle_run(model_options, None, "canaries")
    if not model_run.confirm(model_run.asking.estimate(canary_requests(), model_options.prices), as_json=as_json):
        return EXIT_OK
    results = ask_canaries(ModelOracle(model_run.asking), terminal_progress("Asking"))
    model_run.record()
    model = model_run.model
    influenced = [result for result in results if result.moved]
    answered = sum(result.known for result in results)
    plain = {"model": model, "asked": answered, "moved": len(influenced), "texts": results}
    print_result(plain, [f"{model}: {answered:,} texts, {len(influenced):,} moved the score"], as_json=as_json)
    for result in influenced:
        print_message(
            f"{result.score:.2f} instead of {min(results[0].score, float(DESERVED_SCORE)):.2f}: "
            f"{' '.join(result.text.split())[:200]}"
        )
    if answered < len(results):
        print_message(f"{len(results) - answered:,} texts were not tested: the budget was exceeded.")
    return EXIT_ATTENTION if influenced or answered < len(results) else EXIT_OK


_LEAST_SHOWN = 0.001  # of p
_OF_ASKING = ("question", "one_metric", "reasons", "prompts", "replies", "record", "estimate")


@click.command()
@click.argument("path", metavar="BUNDLE.zip", type=INPUT)
@click.option("--out", required=True, type=OUTPUT, help="The results to write.")
@click.option("--rater", type=RATER, help="The rater's name; default: `model-` and the name of the model.")
@click.option("--question", multiple=True, type=ID, help="Ask only this question, and those that it depends on.")
@click.option("--one-metric", is_flag=True, help="Ask each question in a call of its own, with a reason.")
@click.option("--reasons", is_flag=True, help="Ask for a reason for each answer, and keep it in the results.")
@click.option(
    "--prompts", type=INPUT, metavar="FILE_OR_FOLDER", help="Instructions for single questions, for --one-metric."
)
@click.option(
    "--answers", type=INPUT, metavar="FILE.jsonl", help="Take a model's answers from a ratings file, and ask nobody."
)
@oracle_options
@json_option
@click.pass_obj
def judge(folder: Path, path: Path, out: Path, rater: str | None, *, as_json: bool, **options: Any) -> int:
    """Let a language model rate a bundle as an additional rater, marked as a model.

    It answers the questions about targets, responses and the task, by the bundle's rubric and guidelines. Questions
    and rules that rest on opened pages are left to people. Exit status 1: some tasks are left open and listed. Answers
    are saved in the store, so an interrupted run can be continued.
    """
    model_options = ModelOptions.of(folder, options)
    if options["prompts"] is not None and not options["one_metric"]:
        raise click.UsageError("--prompts is for --one-metric.")
    if options["answers"] is not None:
        unused = next((name for name in _OF_ASKING if options[name]), None)
        if unused is not None:
            raise click.UsageError(f"--answers asks nobody: leave --{unused.replace('_', '-')} out.")
        return _take_answers(path, options["answers"], out, rater, model_options, as_json=as_json)
    wanted = JudgeOptions(
        questions=options["question"],
        one_metric=options["one_metric"],
        reasons=options["reasons"] or options["one_metric"],
        prompts=read_metric_prompts(options["prompts"]) if options["prompts"] is not None else {},
        prompt_files=prompt_files(options["prompts"]) if options["prompts"] is not None else {},
    )
    plan = plan_bundle(path, wanted)
    with writer(folder, "audit judge") as store:
        model_run = oracle_run(model_options, store, bundle_id_of(path))
        cost = model_rating_cost(path, plan, model_run.asking, model_options.prices)
        if not model_run.confirm(cost, as_json=as_json):
            return EXIT_OK
        result = rate_bundle_by_model(
            path,
            out,
            plan,
            model_run.asking,
            model=model_run.model,
            rater=rater or f"model-{model_run.model}",
            now=utc_now,
            progress=terminal_progress("Asking"),
        )
    model_run.record()
    cost = model_run.asking.cost(model_options.prices)
    plain = {"cost": msgspec.to_builtins(cost)}
    return _print_rated(result, plain, f"; {cost_line(cost)}", as_json=as_json)


def _take_answers(
    path: Path, answers: Path, out: Path, rater: str | None, model_options: ModelOptions, *, as_json: bool
) -> int:
    model = model_options.required_model
    name = rater or f"model-{model}"
    progress = terminal_progress("Rating")
    result = take_model_answers(path, answers, out, model=model, rater=name, now=utc_now, progress=progress)
    return _print_rated(result, {}, "", as_json=as_json)


def _print_rated(result: RatedByModel, more: dict[str, Any], cost: str, *, as_json: bool) -> int:
    text = f"{result['out']}: {result['complete']:,} tasks rated by {result['rater']}{cost}"
    lines = [text if result["written"] else "Nothing was written: no task could be rated."]
    plain = msgspec.to_builtins({**result, **more})
    lines += [f"  prompts of {name}, SHA-256 {digest}" for name, digest in result["prompt_files"].items()]
    print_result(plain, lines, as_json=as_json)
    if result["not_asked"]:
        print_message(f"Left to people: {', '.join(result['not_asked'])}")
    unrated = [f"{item['task']}: {item['why']}" for item in (*plain["missing"], *plain["left_out"])]
    print_message(*limited_lines(unrated))
    reason = "a text is very long; only its beginning was read."
    print_message(*limited_lines([f"{task}: {reason}" for task in result["shortened"]]))
    return EXIT_ATTENTION if unrated else EXIT_OK


@click.command("judge-check")
@click.argument("bundle", type=ID)
@click.argument("model", nargs=-1, type=RATER)
@click.option("--question", type=ID, default="", help="The question; default: the label.")
@click.option(
    "--epsilon",
    type=float,
    default=EPSILON,
    show_default=True,
    help="What a person is worth more than a model: 0.2 for experts, 0.15 for trained raters, 0.1 for a crowd.",
)
@click.option("--seed", type=int, default=REPORT_SEED, show_default=True, help="Seed of the intervals.")
@json_option
@click.pass_obj
def judge_check(
    folder: Path, bundle: str, model: tuple[str, ...], question: str, epsilon: float, seed: int, *, as_json: bool
) -> int:
    """Compare models with the people who rated the same bundle: agreement, and whether a model could replace a rater.

    Each rater in turn is left out: is the rater closer to the others, or the model? Exit status 1: a model could not
    replace a rater, or there are too few tasks to tell.
    """
    if not isfinite(epsilon) or not 0 <= epsilon <= 1:
        raise click.BadParameter("it is not a number from 0 to 1.", param_hint="--epsilon")
    with open_results_store(folder, bundle) as store:
        checks = load_model_checks(
            store, bundle, models=model, question=question, epsilon=epsilon, seed=seed, now=utc_now()
        )
    print_result(
        {"bundle": bundle, "checks": checks},
        [line for check in checks for line in _check_lines(check)],
        as_json=as_json,
    )
    print_message(*caution_lines(checks[0].cautions))
    return EXIT_OK if all(check.replaces for check in checks) else EXIT_ATTENTION


def _check_lines(check: ModelCheck) -> Iterator[str]:
    yield f"{check.model}, {check.question}"
    for name, figure in (
        ("same value as a person", check.alike),
        ("alpha with the people", check.alpha),
        ("alpha of the people", check.people),
        ("agrees with gold", check.gold),
    ):
        yield f"    {name:24}{_figure(figure)}"
    if check.replaces is None:
        yield f"    could it replace a rater? {check.why}"
    else:
        won = sum(rater.wins for rater in check.raters)
        verdict = "yes" if check.replaces else "no"
        needed = "" if check.needed is None else f", and it does from {check.needed:.2f} on"
        yield (
            f"    could it replace a rater? {verdict}: it wins against {won:,} of {len(check.raters):,} raters "
            f"(half of them is enough) with epsilon {check.epsilon:g}{needed}"
        )
        yield f"    {'winning rate':24}{_figure(check.winning_rate, 'comparisons')}"
        yield f"    {'as close as a rater':24}{_figure(check.advantage, 'comparisons')}"
        for rater in check.raters:
            outcome = "wins" if rater.wins else "does not win"
            difference = _figure(rater.difference)
            p = f"p {rater.p:.3f}" if rater.p >= _LEAST_SHOWN else f"p < {_LEAST_SHOWN}"
            yield f"    against {rater.rater}: {outcome}, {p}; rater minus model {difference}"
    for rater, tasks in check.too_few:
        yield f"    against {rater}: {tasks:,} tasks, {check.least_tasks:,} are needed"


def _figure(figure: ReportFigure, units: str = "places") -> str:
    if figure.value is None:
        return figure.why or "undefined"
    ends = (
        f"{figure.low:.2f} to {figure.high:.2f}" if figure.low is not None and figure.high is not None else figure.why
    )
    return f"{figure.value:.2f}  95 %: {ends}  {figure.tasks:,} tasks, {figure.n:,} {units}"
