"""`update`: look for a release of the program and download it. `hub release`: put one on a team's hub."""

from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec

from desktop_rater import __version__
from desktop_rater.cli.hub import hub_opener, hub_options, known_hubs, without_retry_hints
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    FILE,
    TEXT,
    json_option,
    pick,
    print_message,
    print_result,
    terminal_progress,
)
from desktop_rater.cli.stored_bundles import configured_settings
from desktop_rater.format.change import Progress
from desktop_rater.format.values import utc_now
from desktop_rater.hub.interface import Hub
from desktop_rater.paths import updates_file
from desktop_rater.plugins.updates import release
from desktop_rater.plugins.updates.release import (
    CURRENT_HUB,
    FolderPlace,
    ReleaseFile,
    ReleasePlace,
    UpdateCheck,
    UpdateError,
    check_for_update,
    download_file,
    open_place,
    publish_release,
    read_seen,
    remember_seen,
)
from desktop_rater.store.connection import NAME as STORE_FILE
from desktop_rater.store.connection import stored_version
from desktop_rater.store.errors import NotInStore

_from_option = click.option(
    "--from",
    "place",
    type=TEXT,
    help="A folder, a releases.json, an https:// address, a hub's address, or `hub`; default: as in the settings.",
)


@click.group()
def update() -> None:
    """Look for a newer version of this program, and download it. Nothing is installed.

    The list of releases is signed. An expired one is refused, and so is one older than this computer has seen.
    """


@contextmanager
def _opened(folder: Path, place: str | None, options: dict[str, Any]) -> Generator[ReleasePlace]:
    settings = configured_settings(folder)
    certificates = options["certificates"] or settings.hub_certificates

    def open_hub(url: str) -> Hub:
        return hub_opener(_current_hub(folder) if url == CURRENT_HUB else url, folder, options)()

    with (
        without_retry_hints(),
        open_place(
            place or settings.update_place,
            open_hub,
            certificates=certificates,
            allow_loopback=options["allow_loopback"],
        ) as opened,
    ):
        yield opened


def _current_hub(folder: Path) -> str:
    for row in known_hubs(folder):
        if row.current:
            return row.url
    raise NotInStore("No hub is connected.", "This store is not connected to a hub.", "Give the hub's address.")


def _check(folder: Path, place: ReleasePlace) -> UpdateCheck:
    """Check, and remember the index. Raises `RaterError`."""
    seen = read_seen(updates_file(folder))
    checked = check_for_update(
        place, seen, installed=__version__, keys=release.release_keys(), now=utc_now(), progress=Progress()
    )
    index = checked.index
    remember_seen(updates_file(folder), msgspec.structs.replace(seen, number=index.number, release=index.release))
    return checked


@update.command()
@_from_option
@hub_options
@json_option
@click.pass_obj
def check(folder: Path, place: str | None, *, as_json: bool, **options: Any) -> int:
    """Tell if there is a newer version. Exit status 0: no, 1: yes, 2: unknown, since the list is refused or missing."""
    with _opened(folder, place, options) as opened:
        checked = _check(folder, opened)
    version = stored_version(folder / STORE_FILE)
    supported = version is None or version >= checked.index.oldest_store
    result = {
        **pick(checked, "place", "installed", "newer"),
        **pick(checked.index, "release", "number", "made", "expires", "notes"),
        "store_supported": supported,
        "files": [pick(file, "name", "system", "architecture", "size", "sha256") for file in checked.files],
    }
    print_result(result, _check_lines(checked), as_json=as_json)
    if checked.newer and not supported:
        print_message("It can't update this store, which is too old. Install a release in between first.")
    return EXIT_ATTENTION if checked.newer else EXIT_OK


def _check_lines(checked: UpdateCheck) -> list[str]:
    index = checked.index
    if not checked.newer:
        return [f"Desktop Rater {checked.installed} is the latest version ({index.made[:10]}, {checked.place})."]
    files = [f"  {file.name}, {file.size:,} bytes" for file in checked.files]
    lines = [f"Desktop Rater {index.release} is available ({index.made[:10]}); {checked.installed} is installed."]
    lines += [f"  {line}" for line in index.notes.splitlines()]
    return [*lines, *(files or ["  It has no file for this computer."])]


@update.command()
@_from_option
@click.option("--out", type=FILE, default=Path(), help="The folder, created if missing; default: the current one.")
@click.option("--file", "name", type=TEXT, help="The file, as `update check` lists it; default: the first one.")
@hub_options
@json_option
@click.pass_obj
def download(folder: Path, place: str | None, out: Path, name: str | None, *, as_json: bool, **options: Any) -> int:
    """Download a newer version, without installing it. Exit status 0: it is there, 1: there is none.

    An interrupted download is continued. The file gets its name once its size and hash are those in the signed list.
    """
    with _opened(folder, place, options) as opened:
        checked = _check(folder, opened)
        if not checked.newer:
            print_result({**pick(checked, "installed", "newer"), "path": None}, _check_lines(checked), as_json=as_json)
            return EXIT_ATTENTION
        file = _chosen(checked, name)
        path, is_new = download_file(opened, file, out, terminal_progress("Downloading"))
    result = {**pick(checked, "installed", "newer"), "release": checked.index.release, "path": str(path), "new": is_new}
    state = "is verified" if is_new else "was there already, and is verified"
    print_result(result, [f"{path} {state}. Close the program before you install it."], as_json=as_json)
    return EXIT_OK


def _chosen(checked: UpdateCheck, name: str | None) -> ReleaseFile:
    """Return the file of that name, for any computer; without a name the first one for this computer."""
    files = checked.files if name is None else [file for file in checked.index.files if file.name == name]
    for file in files:
        return file
    wanted = "file for this computer" if name is None else "such file"
    why = f"Its files are {', '.join(file.name for file in checked.index.files)}."
    raise UpdateError(f"Release {checked.index.release} has no {wanted}.", why, "Choose one with --file.")


@click.command("release")
@click.argument("url")
@click.argument("place", type=FILE)
@hub_options
@json_option
@click.pass_obj
def share_release(folder: Path, url: str, place: Path, *, as_json: bool, **options: Any) -> int:
    """Put a release on a hub, from the folder PLACE with its releases.json and its files.

    Raters find it with `update check --from hub`. Only a valid list is accepted; files that are there are not sent
    again.
    """
    with without_retry_hints(), closing(hub_opener(url, folder, options)()) as hub:
        shared = publish_release(
            hub, FolderPlace(place), release.release_keys(), utc_now(), terminal_progress("Sending")
        )
    lines = [f"{hub.address}: release {shared['release']} is there: {shared['index_name']}"]
    print_result(shared, lines, as_json=as_json)
    return EXIT_OK
