"""Audit commands that ask a language model: score, canaries and key; and the options that such commands share."""

from __future__ import annotations

import os
import random
import secrets
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec

from desktop_rater.cli.audit import open_results_store, open_results_writer
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    ID,
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
from desktop_rater.cli.stored_bundles import configured_settings
from desktop_rater.cli.streams import INPUT, OUTPUT
from desktop_rater.model.errors import RaterError
from desktop_rater.model.values import utc_now
from desktop_rater.oracle.client import Budget, Cost, Prices, endpoint_host
from desktop_rater.oracle.oracles import ModelOracle, Oracle, RecordedReplies
from desktop_rater.oracle.session import OracleSession
from desktop_rater.settings import Settings
from desktop_rater.stats.scores import ScoringRule
from desktop_rater.store.store import Store
from desktop_rater.work.audit.report import REPORT_SEED
from desktop_rater.work.credentials import SecretStore
from desktop_rater.work.scoring.cache import (
    StoredReplies,
    TransientReplies,
    read_recording,
    write_recording,
)
from desktop_rater.work.scoring.justifications import (
    FLAT_NOTE,
    JustificationScores,
    JustificationTexts,
    ScoringOptions,
    gather_justifications,
    save_scores,
    score_justifications,
    single_gold,
)
from desktop_rater.work.scoring.manual_scoring import import_points_form, manual_oracle, write_points_form
from desktop_rater.work.scoring.oracle import (
    DESERVED_SCORE,
    ManualPointsOracle,
    OracleEnvironment,
    OracleServer,
    ask_canaries,
    builtin_prompts,
    canary_requests,
    configured_prices,
    estimate_cost,
    open_oracle,
    require_setting,
)

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
    """The combined options and settings."""

    settings: Settings
    endpoint: str
    model: str
    allow_loopback: bool
    certificates: str
    replies: Path | None
    record: Path | None
    budget: Budget
    at_once: int
    patience: int
    estimate: bool
    yes: bool

    @classmethod
    def of(cls, folder: Path, options: dict[str, Any]) -> ModelOptions:
        settings = configured_settings(folder)
        return cls(
            settings=settings,
            endpoint=options["endpoint"] or settings.endpoint,
            model=options["model"] or settings.model,
            budget=Budget(options["most_calls"], options["most_tokens"]),
            **{name: options[name] for name in cls._fields[3:] if name != "budget"},
        )

    @property
    def prices(self) -> Prices:
        return configured_prices(self.settings)


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
    server = OracleServer(
        require_setting(model_options.endpoint, "endpoint", "--endpoint"),
        require_setting(model_options.model, "model", "--model"),
        model_options.allow_loopback,
        model_options.certificates,
        model_options.patience,
        model_options.at_once,
    )
    replies = StoredReplies(store, bundle, model_options.settings.rater, utc_now)
    environment = OracleEnvironment(time.monotonic, utc_now, random.random, lambda: secrets.token_hex(16))
    asking, host = open_oracle(server, SecretStore(os.environ), replies, environment, model_options.budget)
    return OracleRun(model_options, asking, server.model, host)


def recorded_run(model_options: ModelOptions) -> OracleRun:
    """Return a recording. Raises `RaterError`."""
    if model_options.replies is None:
        raise click.UsageError("--oracle recorded needs --replies.")
    model, replies = read_recording(model_options.replies)
    completer = RecordedReplies(model, replies, builtin_prompts())
    asking = OracleSession(
        completer, builtin_prompts(), TransientReplies(), nonce=lambda: secrets.token_hex(16), now=utc_now
    )
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
    plain = {"model": model, "asked": answered, "moved": len(influenced), "texts": msgspec.to_builtins(results)}
    print_result(plain, [f"{model}: {answered:,} texts, {len(influenced):,} moved the score"], as_json=as_json)
    for result in influenced:
        print_message(
            f"{result.score:.2f} instead of {min(results[0].score, float(DESERVED_SCORE)):.2f}: "
            f"{' '.join(result.text.split())[:200]}"
        )
    if answered < len(results):
        print_message(f"{len(results) - answered:,} texts were not tested: the budget was exceeded.")
    return EXIT_ATTENTION if influenced or answered < len(results) else EXIT_OK


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
        return _ScoringRun(store, bundle, gathered, model_options, options).run(as_json=as_json)


def _refuse_unused_options(options: dict[str, Any], model_options: ModelOptions, *, looks_only: bool) -> None:
    """Refuse options without effect: the user expects something else, such as that no model is asked."""
    if looks_only and options["points"] is not None:
        raise click.UsageError("--points can't be combined with --form or --estimate.")
    if options["kind"] != "recorded" and model_options.replies is not None:
        raise click.UsageError("--replies is for --oracle recorded.")
    if options["kind"] == "hand" and model_options.record is not None:
        raise click.UsageError("--record is not for --oracle hand.")


class _ScoringRun:
    """One scoring run with its parameters."""

    def __init__(
        self,
        store: Store,
        bundle: str,
        gathered: JustificationTexts,
        model_options: ModelOptions,
        options: dict[str, Any],
    ) -> None:
        self._store = store
        self._bundle = bundle
        self._gathered = gathered
        self._model_options = model_options
        self._options = options
        self._twice = not options["one_order"]

    def run(self, *, as_json: bool) -> int:
        kind = self._options["kind"]
        if kind == "hand":
            if self._model_options.estimate:
                raise click.UsageError("--estimate is for an endpoint: scoring by hand costs nothing.")
            return self._show(self._scores(manual_oracle(self._store, self._bundle), ""), None, as_json=as_json)
        if kind == "recorded":
            model_run = recorded_run(self._model_options)
        else:
            model_run = endpoint_run(self._model_options, self._store, self._bundle)
        hand = manual_oracle(self._store, self._bundle) if self._options["own_points"] else None
        prices, rule = self._model_options.prices, self._gathered.rule
        cost = estimate_cost(self._gathered, model_run.asking, prices, hand=hand, twice=self._twice, rule=rule)
        if not model_run.confirm(cost, as_json=as_json):
            return EXIT_OK
        model: Oracle = ModelOracle(model_run.asking, twice=self._twice)
        oracle = ManualPointsOracle(hand, model) if hand is not None else model
        scores = self._scores(oracle, model_run.model)
        model_run.record()
        return self._show(scores, model_run, as_json=as_json)

    def _scores(self, oracle: Oracle, model: str) -> JustificationScores:
        options, progress = self._options, terminal_progress("Asking")
        scores = score_justifications(self._gathered, oracle, options["kind"], seed=options["seed"], progress=progress)
        # Means of only some raters or questions would mislead in the report.
        if not (options["rater"] or options["question"]):
            lead = self._model_options.settings.rater
            save_scores(self._store, self._gathered.audit, scores, model, lead, now=utc_now())
        return scores

    def _show(self, scores: JustificationScores, model_run: OracleRun | None, *, as_json: bool) -> int:
        plain = msgspec.to_builtins(scores)
        if model_run is not None:
            replies = model_run.asking.used.values()
            prompts = {item.about: item.prompt for item in replies}
            cost = model_run.asking.cost(self._model_options.prices)
            plain["run"] = {"model": model_run.model, "prompts": prompts, "cost": cost}
            plain["replies"] = list(replies)
        print_result(plain, _score_lines(scores), as_json=as_json)
        noted: dict[str, list[str]] = {}
        for cluster in scores.clusters:
            for note in cluster.notes:
                noted.setdefault(note, []).append(cluster.cluster)
        for note, names in noted.items():
            print_message(f"{names[0] if len(names) == 1 else f'{len(names):,} clusters'}: {note}")
        notes = [
            f"{item.task}, {item.where}, {item.rater}: {' '.join(item.notes)}" for item in scores.texts if item.notes
        ]
        print_message(*limited_lines(notes, "texts"))
        return EXIT_ATTENTION if scores.unscored or not scores.texts else EXIT_OK


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
