"""The options by which a command asks a language model, and what is made of them."""

from __future__ import annotations

import os
import random
import secrets
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from desktop_rater.cli.answer import WORDS
from desktop_rater.model.limits import now
from desktop_rater.oracle.asking import Asking
from desktop_rater.oracle.cost import Budget, Prices
from desktop_rater.oracle.recorded import Recorded
from desktop_rater.paths import settings_file
from desktop_rater.work.ask_oracle import need, prices_of, prompts
from desktop_rater.work.keep_secrets import Secrets
from desktop_rater.work.keep_settings import settings_as_they_are
from desktop_rater.work.kept_replies import KeptReplies, Unkept, read_recording
from desktop_rater.work.open_endpoint import Means, Server, asking_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.settings import Settings
    from desktop_rater.store.store import Store

F = TypeVar("F", bound="Callable[..., Any]")

_COUNT = click.IntRange(min=1)
_OPTIONS = (
    click.option("--endpoint", type=WORDS, metavar="URL", help="The base address; else the one that is set."),
    click.option("--model", type=WORDS, help="The model; else the one that is set."),
    click.option("--allow-loopback", is_flag=True, help="Let http through to a model that runs on this computer."),
    click.option("--certificates", default="", metavar="FILE.pem", help="Further roots of certificates to trust."),
    click.option("--replies", type=click.Path(path_type=Path), help="The recording to play, for --oracle recorded."),
    click.option("--record", type=click.Path(path_type=Path), help="Write every reply of this run, to play it again."),
    click.option("--most-calls", type=_COUNT, help="Ask no more often than this."),
    click.option("--most-tokens", type=_COUNT, help="Send and get no more than this, by the estimate."),
    click.option("--at-once", type=click.IntRange(1, 16), default=4, show_default=True, help="Calls side by side."),
    click.option(
        "--patience", type=click.IntRange(1, 3600), default=300, show_default=True, help="Seconds for a call."
    ),
    click.option("--estimate", is_flag=True, help="Say what it would cost, and ask nothing."),
    click.option("--yes", is_flag=True, help="Agree to the cost."),
)


def oracle_options(command: F) -> F:
    """All of them; they arrive as the keywords that `Chosen.of` takes."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


class Chosen(NamedTuple):
    """What the options and the settings say together."""

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
    def of(cls, folder: Path, given: dict[str, Any]) -> Chosen:
        """Of what click passed on."""
        settings = settings_as_they_are(settings_file(folder))
        return cls(
            settings=settings,
            endpoint=given["endpoint"] or settings.endpoint,
            model=given["model"] or settings.model,
            budget=Budget(given["most_calls"], given["most_tokens"]),
            **{
                name: given[name]
                for name in (
                    *("allow_loopback", "certificates", "replies", "record"),
                    *("at_once", "patience", "estimate", "yes"),
                )
            },
        )

    @property
    def prices(self) -> Prices:
        """What tokens cost."""
        return prices_of(self.settings)


class Asked(NamedTuple):
    """Something to ask with; `host` is empty for a recording."""

    asking: Asking
    model: str
    host: str


def endpoint_of(chosen: Chosen, store: Store | None, bundle: str) -> Asked:
    """An endpoint, with the key that is kept for it. Raises `RaterError`."""
    server = Server(
        need(chosen.endpoint, "endpoint", "--endpoint"),
        need(chosen.model, "model", "--model"),
        chosen.allow_loopback,
        chosen.certificates,
        chosen.patience,
        chosen.at_once,
    )
    replies = KeptReplies(store, bundle, chosen.settings.rater, now)
    means = Means(time.monotonic, now, random.random, lambda: secrets.token_hex(16))
    asking, host = asking_of(server, Secrets(os.environ), replies, means, chosen.budget)
    return Asked(asking, server.model, host)


def recording_of(chosen: Chosen) -> Asked:
    """A recording. Raises `RaterError`."""
    if chosen.replies is None:
        raise click.UsageError("--oracle recorded needs --replies.")
    model, replies = read_recording(chosen.replies)
    completer = Recorded(model, replies, prompts())
    asking = Asking(completer, prompts(), Unkept(), nonce=lambda: secrets.token_hex(16), now=now)
    return Asked(asking, model, "")
