"""Commands for a team's hub, the options to connect to it, and the rater's key."""

import os
import random
import re
import secrets
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click

from desktop_rater.cli import summaries
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    EXIT_REFUSED,
    FILE,
    INPUT,
    OUTPUT,
    RATER,
    TEXT,
    F,
    LazyGroup,
    add_options,
    join_names,
    json_option,
    limited_lines,
    pick,
    print_message,
    print_result,
    read_secret,
    terminal_progress,
)
from desktop_rater.cli.stored_bundles import configured_settings, writer
from desktop_rater.files import replaced_file
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError, bundle_errors
from desktop_rater.format.hub_names import MAX_CLOCK_SKEW, RESULTS, Secret, fingerprint
from desktop_rater.format.values import utc_now
from desktop_rater.format.write import NOTHING_WRITTEN
from desktop_rater.hub.address import parse_address
from desktop_rater.hub.errors import RETRIED_ERROR_KINDS, HubError
from desktop_rater.hub.interface import Hub, HubEnvironment
from desktop_rater.operations.audit.import_results import keep_published
from desktop_rater.operations.hub.collect import CollectedResults, collect_results
from desktop_rater.operations.hub.connect import (
    HUB_PASSWORD_VARIABLE,
    HUB_USER_VARIABLE,
    HubSecrets,
    find_marker,
    init_hub,
    open_hub_at,
    probe_hub,
    store_hub_environment,
)
from desktop_rater.operations.hub.keys import KeyLookup, key_file_bytes, open_rater_keys, pass_phrase_from
from desktop_rater.operations.hub.publish import PublishedBundle, publish_bundle, record_assignments
from desktop_rater.operations.hub.receive import read_raters
from desktop_rater.operations.rating.settings_file import peek_settings
from desktop_rater.paths import settings_file
from desktop_rater.store import hubs
from desktop_rater.store.hubs import HubRow
from desktop_rater.store.open_store import open_reader

_OPTIONS = (
    click.option("--user", type=TEXT, help="Your user name on the hub; default: the last one."),
    click.option(
        "--certificates", metavar="FILE.pem", help="Additional root certificates to trust; default: as in the settings."
    ),
    click.option("--allow-loopback", is_flag=True, help="Allow a server on this computer without TLS."),
)


_NEW_MARKER = "To change that, delete hub.json on the server, and run `hub init` again for the same project."
signing_lead_option = click.option(
    "--lead", type=RATER, help="The lead's name, whose key signs; default: the name in the settings."
)


def hub_options(command: F) -> F:
    """Add all options; they are passed as the keywords that `hub_opener` takes."""
    return add_options(command, _OPTIONS)


def hub_url(url: str) -> str:
    """Return a hub's normalised address. Raises `HubError`."""
    return parse_address(url, Path.cwd()).url


def hub_user(url: str, folder: Path, options: dict[str, Any]) -> str:
    """Return the user name for the hub: from the option, or else from the store. Raises `HubError`."""
    if options["user"]:
        return str(options["user"])
    address = hub_url(url)
    return next((row.user for row in known_hubs(folder) if row.url == address), "")


def known_hubs(folder: Path) -> list[HubRow]:
    """Return the hubs in the store; none if there is no store. Raises `StoreError`."""
    store = open_reader(folder)
    if store is None:
        return []
    try:
        return hubs.list_hubs(store)
    finally:
        store.close()


def hub_opener(url: str, folder: Path, options: dict[str, Any]) -> Callable[[], Hub]:
    """Return a function that opens the hub at an address. Raises `HubError` or `RaterError`.

    The command line has priority over the environment, and that over the store.
    """
    secrets_ = HubSecrets({**os.environ, HUB_USER_VARIABLE: options["user"] or os.environ.get(HUB_USER_VARIABLE, "")})
    return partial(
        open_hub_at, hub_url(url), hub_user(url, folder, options), secrets_, make_hub_environment(folder, options)
    )


@contextmanager
def without_retry_hints() -> Generator[None]:
    """Replace the hint of temporary errors, as a command does not retry."""
    try:
        yield
    except HubError as error:
        raise with_command_hint(error) from error


def with_command_hint(error: HubError) -> HubError:
    """Replace the hint of a temporary error: a command does not retry."""
    if error.kind not in RETRIED_ERROR_KINDS:
        return error
    hint = "Run the command again later. Completed steps are not repeated."
    return HubError(error.kind, error.title, error.message, hint)


def make_hub_environment(folder: Path, options: dict[str, Any]) -> HubEnvironment:
    """Return the environment of a hub on this computer."""
    certificates = options["certificates"] or peek_settings(settings_file(folder)).hub_certificates
    return store_hub_environment(
        folder,
        clock=time.monotonic,
        now=utc_now,
        token=lambda: secrets.token_hex(8),
        certificates=certificates,
        allow_loopback=options["allow_loopback"],
    )


@click.command()
@click.argument("url")
@click.argument("bundle", type=FILE)
@click.option("--to", "raters", multiple=True, type=RATER, help="A rater to assign it to; can be given several times.")
@click.option("--to-file", type=INPUT, help="Raters from a file, one per line.")
@signing_lead_option
@hub_options
@json_option
@click.pass_obj
def publish(
    folder: Path,
    url: str,
    bundle: Path,
    raters: tuple[str, ...],
    to_file: Path | None,
    lead: str | None,
    *,
    as_json: bool,
    **options: Any,
) -> int:
    """Put a bundle on a hub and assign it to raters, who receive it at their next sync.

    Gold is not sent, except for practice bundles. Publishing again only changes the assignment. A different bundle with
    the same id and revision is refused. Assignments are signed with the lead's key.
    """
    names = [*raters, *(read_raters(to_file) if to_file is not None else ())]
    lookup = find_lead_key(folder, lead)
    with without_retry_hints(), closing(hub_opener(url, folder, options)()) as hub:
        progress = terminal_progress("Publishing")
        published = publish_bundle(hub, bundle, names, key=lookup.key, chance=random.random, progress=progress)
    print_result(_published_json(published), _published_lines(published), as_json=as_json)
    _record_published(folder, bundle, published, lead)
    for rater, error in published.failed:
        print_message(f"{rater}: it could not be assigned. {with_command_hint(error)}")
    if names:
        print_message(*_signing_remarks(published, lookup))
    held = bool(names and published.lead_key and published.signed_with != published.lead_key)
    left_out = summaries.print_left_out(published.left_out)
    return EXIT_ATTENTION if published.failed or held else left_out


def _record_published(folder: Path, bundle: Path, published: PublishedBundle, lead: str | None) -> None:
    """Keep what the results will be compared with: the bundle, and to whom it is assigned."""
    try:
        with writer(folder, "hub publish") as store:
            name = lead or configured_settings(folder).rater
            record_assignments(store, published, lead=name, now=utc_now())
            keep_published(store, bundle, lead=name, now=utc_now(), progress=terminal_progress("Copying"))
    except RaterError as error:
        print_message(f"The bundle and its raters were not recorded for its audit. {error}")


def find_lead_key(folder: Path, lead: str | None) -> KeyLookup:
    """Return the lead's key, created in a keyring if missing."""
    name = lead or configured_settings(folder).rater
    if not name.strip():
        return KeyLookup(why="The lead's name is unknown; give it with --lead.")
    return open_rater_keys(folder, os.environ).for_use(name)


def _signing_remarks(published: PublishedBundle, lookup: KeyLookup) -> list[str]:
    if not published.signed_with:
        note = " Raters are asked before they import them." if published.lead_key else ""
        return [f"The assignments are not signed.{note} {lookup.why}"]
    if published.signed_with == published.lead_key:
        return []
    if not published.lead_key:
        return [f"The hub names no lead's key, so raters can't verify the assignments. {_NEW_MARKER}"]
    keys = f"with {fingerprint(published.signed_with)}, but the hub names {fingerprint(published.lead_key)}"
    return [f"The assignments are signed {keys}. Raters are asked before they import them. {_NEW_MARKER}"]


def _failure_json(error: HubError) -> dict[str, str]:
    return {"kind": error.kind, "why": str(with_command_hint(error))}


def _published_json(published: PublishedBundle) -> dict[str, object]:
    return {
        "project": published.project,
        "bundle": published.bundle.id,
        **pick(published.bundle, "revision", "name", "sha256"),
        "there": published.there,
        "gold_left_out": published.gold_kept,
        "signed_with": published.signed_with or None,
        **pick(published, "assigned", "already"),
        "failed": [{"rater": rater, **_failure_json(error)} for rater, error in published.failed],
        "left_out": summaries.left_out_json(published.left_out),
    }


def _published_lines(published: PublishedBundle) -> list[str]:
    bundle = published.bundle
    state = " was there already" if published.there else " is there now"
    lines = [f"{published.hub_title or published.project}: {bundle.id} revision {bundle.revision}{state}."]
    if published.gold_kept:
        lines.append("Its gold was not sent.")
    if published.assigned:
        lines.append(f"Assigned to {len(published.assigned):,}: {join_names(published.assigned)}")
    if published.already:
        lines.append(f"Assigned before to {len(published.already):,}: {join_names(published.already)}")
    if not (published.assigned or published.already or published.failed):
        lines.append("It is not assigned yet: use --to or --to-file.")
    return lines


@click.command()
@click.argument("url")
@click.option("--project", type=TEXT, help="The project's id, unique among hubs; default: generated.")
@click.option("--title", type=TEXT, help="The title shown to users.")
@signing_lead_option
@hub_options
@json_option
@click.pass_obj
def init(
    folder: Path, url: str, project: str | None, title: str | None, lead: str | None, *, as_json: bool, **options: Any
) -> int:
    """Set up a hub at URL. If it is set up for that project already, nothing changes.

    The hub's folder is created if its parent exists. A bucket is not created. The hub names the lead's key, with which
    raters verify what is assigned to them.
    """
    lookup = find_lead_key(folder, lead)
    address = hub_url(url)
    progress = Progress()
    with without_retry_hints(), closing(hub_opener(url, folder, options)()) as hub:
        existing = None if project else find_marker(hub, progress, new=True)
        name = project or (existing.project if existing is not None else _new_project_id(address))
        key = lookup.key.public if lookup.key is not None else ""
        marker, made = init_hub(hub, name, title or name, utc_now(), progress, key)
    result = {"url": address, **pick(marker, "project", "title", "created", "lead_key"), "made": made}
    state = "is set up" if made else "was already set up"
    print_result(result, [f"{address}: the hub of {marker.title or marker.project} {state}."], as_json=as_json)
    if (marker.lead_key or "") != key:
        print_message(f"The hub does not name your key. {_NEW_MARKER}")
    elif not key:
        print_message(f"The hub names no lead's key, so raters can't verify what is assigned to them. {lookup.why}")
    return EXIT_OK


def _new_project_id(url: str) -> str:
    last = re.split(r"[/\\]", url.partition("?")[0].rstrip("/\\"))[-1]
    name = re.sub(r"[^A-Za-z0-9]+", "-", last).strip("-").lower()[:30]
    return f"{name or 'hub'}-{secrets.token_hex(4)}"


@click.command()
@click.argument("url")
@hub_options
@json_option
@click.pass_obj
def probe(folder: Path, url: str, *, as_json: bool, **options: Any) -> int:
    """Write two tiny files to a hub, read them back, and report the server's capabilities.

    Exit status 0: usable, 1: usable with remarks, such as that it is not set up yet, 2: not usable.
    """
    with without_retry_hints(), closing(hub_opener(url, folder, options)()) as hub:
        probed, marker = probe_hub(hub, Progress())
    result = {
        "url": hub_url(url),
        "project": marker.project if marker is not None else None,
        "title": marker.title if marker is not None else None,
        **pick(probed, "usable", "skew"),
        "findings": [pick(finding, "id", "passed", "matters", "words") for finding in probed.findings],
    }
    owner = "not set up yet; use `hub init`" if marker is None else f"the hub of {marker.title or marker.project}"
    marks = ("yes" if finding.passed else "NO" if finding.matters else "no" for finding in probed.findings)
    lines = [f"  {mark:3} {finding.words}" for mark, finding in zip(marks, probed.findings, strict=True)]
    print_result(result, [f"{hub_url(url)}: {owner}.", *lines], as_json=as_json)
    print_message(*clock_warning(probed.skew))
    if not probed.usable:
        return EXIT_REFUSED
    return EXIT_OK if marker is not None and all(finding.passed for finding in probed.findings) else EXIT_ATTENTION


def clock_warning(skew: float | None) -> tuple[str, ...]:
    """Return a warning if the hub's clock differs much from this computer's."""
    if skew is None or abs(skew) <= MAX_CLOCK_SKEW:
        return ()
    way = "ahead of" if skew > 0 else "behind"
    return ((f"The hub's clock is {abs(skew) / 60:,.0f} min {way} this computer's. This has no effect here."),)


COMMANDS = {
    "Commands": {
        "init": "hub:init",
        "probe": "hub:probe",
        "sign-in": "hub:sign_in",
        "publish": "hub:publish",
        "collect": "hub:collect",
        "take": "sync:take",
        "lead-key": "sync:lead_key",
    }
}


@click.group(cls=LazyGroup, table=COMMANDS)
def hub() -> None:
    """Set up a team's hub, distribute bundles with it, and collect results.

    A hub is folder:PATH, webdavs://host/path or s3://bucket/prefix?endpoint=https://…&region=…. Passwords are never
    part of an address: `hub sign-in` stores them in the system's keyring, or DESKTOP_RATER_HUB_USER and
    DESKTOP_RATER_HUB_PASSWORD set them for one run (for S3 the access key's id and the secret key).
    """


_MAX_PASSWORD = 4_000  # characters


@click.command("sign-in")
@click.argument("url")
@click.option("--user", type=TEXT, help="Your user name on the hub; omit it for a token.")
@click.option("--forget", is_flag=True, help="Remove it from the keyring.")
@click.pass_obj
def sign_in(_folder: Path, url: str, user: str | None, *, forget: bool, **_given: Any) -> int:
    """Store the password or token for a hub in the system's keyring, and nowhere else.

    It is typed invisibly, or read from standard input. For S3 the user is the access key's id.
    """
    address, user = hub_url(url), user or ""
    secrets = HubSecrets({}) if forget else HubSecrets(os.environ)
    account = f"{user} at {address}" if user else address
    if forget:
        was_there = secrets.forget(address, user)
        text = f"The password for {account} was removed." if was_there else f"There was no password for {account}."
        print_result(None, [text], as_json=False)
        return EXIT_OK
    keyring_name = secrets.keep(address, user, read_secret("Password", _MAX_PASSWORD))
    if keyring_name:
        print_result(None, [f"The password for {account} is stored in {keyring_name}."], as_json=False)
        return EXIT_OK
    print_message("There is no secure keyring on this computer.", "  The password was not stored anywhere.")
    print_message(f"  Give it to each run in the environment variable {HUB_PASSWORD_VARIABLE}.")
    return EXIT_REFUSED


@click.command()
@click.argument("url")
@click.option("--out", required=True, type=FILE, help="The folder, created if missing.")
@hub_options
@json_option
@click.pass_obj
def collect(folder: Path, url: str, out: Path, *, as_json: bool, **options: Any) -> int:
    """Download the results of all raters into a folder. Exit status 0: complete, 1: some failed and are listed.

    The folder has the same structure as the hub. Existing files are not downloaded again, so an interrupted run can be
    continued. `audit open` imports the folder. A folder with another project's results is refused.
    """
    with without_retry_hints(), closing(hub_opener(url, folder, options)()) as hub:
        collected = collect_results(hub, out, chance=random.random, progress=terminal_progress("Collecting"))
    result = {
        "project": collected.project,
        "out": str(out),
        **pick(collected, "fetched", "there"),
        "failed": [{"name": name, **_failure_json(error)} for name, error in collected.failed],
    }
    print_result(result, _collected_lines(collected, out), as_json=as_json)
    print_message(*limited_lines([f"{name}: {with_command_hint(error)}" for name, error in collected.failed]))
    return EXIT_ATTENTION if collected.failed else EXIT_OK


def _collected_lines(collected: CollectedResults, out: Path) -> list[str]:
    results = sum(1 for name in collected.fetched if name.startswith(RESULTS))
    keys = len(collected.fetched) - results
    lines = [f"{collected.hub_title or collected.project}: {results:,} new results are in {out}."]
    if keys:
        lines.append(f"New keys of raters: {keys:,}")
    if collected.there:
        lines.append(f"Already there: {collected.there:,}")
    return lines


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
