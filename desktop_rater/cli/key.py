"""The command that looks after the key that a rater signs results with."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from desktop_rater.bundle.put import put_in_place
from desktop_rater.bundle.trouble import named
from desktop_rater.cli.answer import DONE, LOOK, WORDS, json_option, say, show
from desktop_rater.model.secret import Secret
from desktop_rater.model.signature import fingerprint
from desktop_rater.work.published_keys import key_file
from desktop_rater.work.rater_key import pass_phrase_in, rater_keys

if TYPE_CHECKING:
    from desktop_rater.work.rater_key import Found, RaterKeys

_FILE = click.Path(path_type=Path)
_MOST = 4_000


@click.command()
@click.option("--rater", required=True, type=WORDS, help="Whose key.")
@click.option("--make", is_flag=True, help="Make one, if there is none, and keep it in the system's keyring.")
@click.option("--file", "in_file", is_flag=True, help="With --make: keep it in a file, with a pass phrase.")
@click.option("--public", type=_FILE, metavar="FILE", help="Write the public half, for the QA lead.")
@click.option("--forget", is_flag=True, help="Do away with the private half.")
@json_option
@click.pass_obj
def key(
    folder: Path, rater: str, public: Path | None, *, make: bool, in_file: bool, forget: bool, as_json: bool
) -> int:
    """Show, make or forget the key that a rater signs results with.

    Without --make or --forget it says whether there is one: 1 where there is none. The pass phrase of a file comes
    from the environment variable DESKTOP_RATER_KEY_PASS_PHRASE, is asked for unseen, or is read from standard input.
    """
    if forget and (make or public is not None):
        raise click.UsageError("--forget goes alone.")
    if in_file and not make:
        raise click.UsageError("--file goes with --make.")
    keys = rater_keys(folder, os.environ)
    if forget:
        was_there = keys.forget(rater)
        words = f"The signing key of {rater} is forgotten." if was_there else f"There was no signing key of {rater}."
        show({"rater": rater, "forgotten": was_there}, [words], as_json=as_json)
        return DONE
    found = _opened(keys, rater)
    if found.key is None and make:
        found = keys.make_file(rater, _pass_phrase(new=True)) if in_file else keys.make(rater)
    if found.key is not None and public is not None:
        with named(public, "written", "Nothing was written."), put_in_place(public) as beside:
            beside.write_bytes(key_file(rater, found.key.public))
    show(_plain(rater, found), [_words(rater, found)], as_json=as_json)
    if found.key is None:
        say("`--make` makes one.")
    return DONE if found.key is not None else LOOK


def _opened(keys: RaterKeys, rater: str) -> Found:
    """The key, with its pass phrase asked for where only that is missing."""
    found = keys.find(rater)
    if not found.locked:
        return found
    return keys.open_file(rater, _pass_phrase(new=False), make=False)


def _pass_phrase(*, new: bool) -> Secret:
    """Never from the command line, which others can read."""
    given = pass_phrase_in(os.environ)
    if given:
        return given
    if sys.stdin.isatty():
        return Secret(str(click.prompt("Pass phrase", hide_input=True, confirmation_prompt=new, err=True)))
    return Secret(sys.stdin.read(_MOST).strip("\r\n"))


def _plain(rater: str, found: Found) -> dict[str, object]:
    there = found.key is not None
    return {
        "rater": rater,
        "key": found.key.public if found.key is not None else None,
        "where": found.where if there else None,
        "made": found.made,
    }


def _words(rater: str, found: Found) -> str:
    if found.key is None:
        return found.why
    new = "A new signing key" if found.made else "The signing key"
    where = "a file" if found.where == "file" else "the keyring"
    return f"{new} of {rater} is in {where}: {fingerprint(found.key.public)}"
