"""The command that keeps the password of a hub."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from desktop_rater.cli.answer import DONE, REFUSED, WORDS, say, show
from desktop_rater.cli.hub_options import address_of
from desktop_rater.work.hub_secrets import PASSWORD, HubSecrets

if TYPE_CHECKING:
    from pathlib import Path

_MOST = 4_001  # characters: one more than a password may have, so that none is cut off


@click.command("sign-in")
@click.argument("url")
@click.option("--user", type=WORDS, help="Who you are to the hub; without it, it is a token.")
@click.option("--forget", is_flag=True, help="Take it out of the keyring.")
@click.pass_obj
def sign_in(_folder: Path, url: str, user: str | None, *, forget: bool, **_given: Any) -> int:
    """Keep the password or token for a hub in the system's keyring: there and nowhere else.

    It is asked for unseen, or read from standard input. Of S3 the user is the access key's id.
    """
    address, user = address_of(url), user or ""
    kept = HubSecrets({}) if forget else HubSecrets(os.environ)
    who = f"{user} at {address}" if user else address
    if forget:
        was_there = kept.forget(address, user)
        words = f"The password for {who} is forgotten." if was_there else f"There was no password for {who}."
        show(None, [words], as_json=False)
        return DONE
    where = kept.keep(address, user, _typed())
    if where:
        show(None, [f"The password for {who} is kept by {where}."], as_json=False)
        return DONE
    say("There is no keyring here that keeps a secret safely.", "  The password was not stored anywhere.")
    say(f"  Give it to each run in the environment variable {PASSWORD}.")
    return REFUSED


def _typed() -> str:
    """The password: typed unseen, or from a pipe. Never from the command line, which others can read."""
    if sys.stdin.isatty():
        return str(click.prompt("Password", hide_input=True, err=True))
    return sys.stdin.read(_MOST).rstrip("\r\n")
