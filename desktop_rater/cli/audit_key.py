"""The command that keeps the key of a language model."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from desktop_rater.cli.answer import DONE, LOOK, WORDS, show
from desktop_rater.oracle.endpoint import host_of
from desktop_rater.paths import settings_file
from desktop_rater.work.ask_oracle import need
from desktop_rater.work.keep_secrets import Secrets
from desktop_rater.work.keep_settings import settings_as_they_are

if TYPE_CHECKING:
    from pathlib import Path

_MOST = 4_001  # characters: one more than a key may have, so that none is cut off


@click.command()
@click.option("--set", "put", is_flag=True, help="Ask for the key, or read it from standard input, and keep it.")
@click.option("--forget", is_flag=True, help="Take it out of the keyring.")
@click.option("--endpoint", type=WORDS, metavar="URL", help="Whose key; else of the one that is set.")
@click.pass_obj
def key(folder: Path, endpoint: str | None, *, put: bool, forget: bool) -> int:
    """Keep the key of the language model in the system's keyring: there and nowhere else.

    Without an option it says whether there is one: 1 where there is none.
    """
    if put and forget:
        raise click.UsageError("Either --set or --forget.")
    base = need(endpoint or settings_as_they_are(settings_file(folder)).endpoint, "endpoint", "--endpoint")
    host = host_of(base, allow_loopback=True)
    kept = Secrets(os.environ)
    if put:
        show(None, [f"The key for {host} is kept by {kept.keep(host, _typed())}."], as_json=False)
        return DONE
    if forget:
        was_there = kept.forget(host)
        words = f"The key for {host} is forgotten." if was_there else f"There was no key for {host}."
        show(None, [words], as_json=False)
        return DONE
    there = bool(kept.of(host))
    show(None, [f"There is a key for {host}." if there else f"There is no key for {host}."], as_json=False)
    return DONE if there else LOOK


def _typed() -> str:
    """The key: typed unseen, or from a pipe. Never from the command line, which others can read."""
    if sys.stdin.isatty():
        return str(click.prompt("Key", hide_input=True, err=True)).strip()
    return sys.stdin.read(_MOST).strip()
