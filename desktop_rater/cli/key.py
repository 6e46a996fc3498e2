"""`key`: manage the key that a rater signs results with."""

import os
from pathlib import Path

import click

from desktop_rater.bundle.errors import bundle_errors
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    RATER,
    json_option,
    print_message,
    print_result,
    read_secret,
)
from desktop_rater.cli.streams import OUTPUT
from desktop_rater.files import replaced_file
from desktop_rater.model.signature import Secret, fingerprint
from desktop_rater.work.hub.keys import key_file_bytes, open_rater_keys, pass_phrase_from
from desktop_rater.work.output_files import NOTHING_WRITTEN

_MOST = 4_000


@click.command()
@click.option("--rater", required=True, type=RATER, help="The rater's name.")
@click.option("--make", is_flag=True, help="Make a key, if there is none, and store it in the system's keyring.")
@click.option("--file", "in_file", is_flag=True, help="With --make: store it in a file, with a pass phrase.")
@click.option("--public", type=OUTPUT, metavar="FILE", help="Write the public key, for the QA lead.")
@click.option("--replace", is_flag=True, help="Make a new key that the present one signs for, in its place.")
@click.option("--forget", is_flag=True, help="Delete the private key.")
@json_option
@click.pass_obj
def key(
    folder: Path,
    rater: str,
    public: Path | None,
    *,
    make: bool,
    in_file: bool,
    replace: bool,
    forget: bool,
    as_json: bool,
) -> int:
    """Show, make, replace or forget the key that a rater signs results with.

    Without --make or --forget, tell if there is one: exit status 1 if not. The pass phrase of a key file is taken from
    the environment variable DESKTOP_RATER_KEY_PASS_PHRASE, typed invisibly, or read from standard input.
    """
    if forget and (make or replace or public is not None):
        raise click.UsageError("--forget can't be combined with other options.")
    if make and replace:
        raise click.UsageError("Give --make or --replace, not both.")
    if in_file and not make:
        raise click.UsageError("--file requires --make.")
    keys = open_rater_keys(folder, os.environ)
    if forget:
        was_there = keys.forget(rater)
        text = f"The signing key of {rater} was deleted." if was_there else f"There was no signing key of {rater}."
        print_result({"rater": rater, "forgotten": was_there}, [text], as_json=as_json)
        return EXIT_OK
    lookup = keys.find(rater)
    if lookup.locked:
        lookup = keys.open_file(rater, _pass_phrase(new=False), make=False)
    if lookup.key is not None and replace:
        lookup = keys.replace(rater)
    if lookup.key is None and make:
        lookup = keys.make_file(rater, _pass_phrase(new=True)) if in_file else keys.make(rater)
    if lookup.key is None:
        result = {"rater": rater, "key": None, "where": None, "made": lookup.made}
        print_result(result, [lookup.why], as_json=as_json)
        print_message("Use `--make` to make one.")
        return EXIT_ATTENTION
    if public is not None:
        with bundle_errors(public, "written", NOTHING_WRITTEN), replaced_file(public) as temporary:
            temporary.write_bytes(key_file_bytes(rater, lookup.key.public, lookup.key.replaces))
    new = "A new signing key" if lookup.made else "The signing key"
    place = "a file" if lookup.where == "file" else "the keyring"
    text = f"{new} of {rater} is in {place}: {fingerprint(lookup.key.public)}"
    result = {"rater": rater, "key": lookup.key.public, "where": lookup.where, "made": lookup.made}
    print_result(result, [text], as_json=as_json)
    return EXIT_OK


def _pass_phrase(*, new: bool) -> Secret:
    return pass_phrase_from(os.environ) or Secret(read_secret("Pass phrase", _MOST, confirm=new).strip("\r\n"))
