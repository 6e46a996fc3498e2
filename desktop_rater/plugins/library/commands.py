"""Commands for libraries."""

import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import click
import msgspec

from desktop_rater.cli.hub import (
    find_lead_key,
    hub_opener,
    hub_options,
    known_hubs,
    signing_lead_option,
    without_retry_hints,
)
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    INPUT,
    TEXT,
    ExtensibleGroup,
    json_option,
    limited_lines,
    print_json,
    print_message,
    print_result,
    terminal_progress,
)
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.jsonl import structs_of_lines
from desktop_rater.format.strict_json import OpenStruct
from desktop_rater.format.values import utc_now
from desktop_rater.hub.interface import Hub
from desktop_rater.operations.hub.connect import read_marker
from desktop_rater.pages.guard import Guard
from desktop_rater.pages.response import WEB_LIMITS
from desktop_rater.pages.web_client import Web
from desktop_rater.plugins.library.catalogue import Library, chosen_libraries, delete_library, list_libraries
from desktop_rater.plugins.library.publish import fetch_library, publish_library
from desktop_rater.plugins.library.search import (
    add_library,
    indexing_lock,
    search_libraries,
    skipped_documents,
    update_library,
)
from desktop_rater.plugins.library.sources import DUMP_KEYS, LEFT_OUT, kind_of_paths


@click.group(cls=ExtensibleGroup)
def library() -> None:
    """Documents on this computer, searched without a network."""


@click.command()
@click.argument("name", type=TEXT)
@click.argument("paths", metavar="[PATH]...", type=click.Path(path_type=Path, exists=True), nargs=-1)
@click.option("--pages", is_flag=True, help="The pages in the store: those that were read, and those of bundles.")
@click.option("--date", type=click.DateTime(["%Y-%m-%d"]), metavar="YYYY-MM-DD", help="The day of its content.")
@click.option("--licence", type=TEXT, default=None, help="The licence of its content, in a line.")
@click.option("--origin", type=TEXT, default=None, help="Where it was published, such as a URL.")
@click.option("--title", type=TEXT, help="Of a JSON-lines file: the field with the title.")
@click.option("--text", type=TEXT, help="The field with the text.")
@click.option("--url", type=TEXT, help="The field with the address.")
@click.option("--time", "time_", type=TEXT, help="The field with the day or the time.")
@json_option
@click.pass_obj
def add(
    folder: Path,
    name: str,
    paths: tuple[Path, ...],
    *,
    pages: bool,
    date: datetime | None,
    licence: str | None,
    origin: str | None,
    title: str | None,
    text: str | None,
    url: str | None,
    time_: str | None,
    as_json: bool,
) -> int:
    """Add a library of the documents in files and folders, and index them.

    Stopped, it goes on with `library update`.
    """
    if pages == bool(paths):
        raise click.UsageError("Name files or folders, or --pages.")
    named = dict(zip(DUMP_KEYS, (title, text, url, time_), strict=True))
    wanted = Library(
        id="",
        name=name.strip(),
        kind="pages" if pages else kind_of_paths(paths),
        date=f"{date:%Y-%m-%d}" if date else "",
        licence=licence or "",
        origin=origin or "",
        sources=tuple(str(path.resolve()) for path in paths),
        keys={field: key for field, key in named.items() if key},
    )
    if wanted.keys and wanted.kind != "dump":
        raise click.UsageError("--title, --text, --url and --time are for JSON-lines files.")
    with _web() as web:
        return _tell(folder, add_library(folder, wanted, web, terminal_progress("Indexing")), as_json=as_json)


@click.command()
@click.argument("name", type=TEXT)
@click.option("--again", is_flag=True, help="Index all documents again.")
@json_option
@click.pass_obj
def update(folder: Path, name: str, *, again: bool, as_json: bool) -> int:
    """Index what is new or changed in the files of a library, and what was left when it was stopped."""
    (chosen,) = chosen_libraries(folder, [name])
    with _web() as web:
        updated = update_library(folder, chosen, web, terminal_progress("Indexing"), again=again)
    return _tell(folder, updated, as_json=as_json)


def _web() -> Web:
    return Web(Guard(), WEB_LIMITS, time.monotonic, utc_now)


def _tell(folder: Path, indexed: Library, *, as_json: bool) -> int:
    """Print a library that was indexed, with the documents that can't be read."""
    skipped = skipped_documents(folder, indexed)
    result = msgspec.to_builtins(indexed) | {
        "skipped": [{"place": place, "reason": reason} for place, reason in skipped]
    }
    print_result(result, [_summary(indexed)], as_json=as_json)
    lines = [f"{place}: {reason}" for place, reason in skipped]
    if indexed.skipped and not as_json:
        unread = [line for line in lines if not line.startswith(LEFT_OUT)]
        print_message(f"Documents that can't be read: {len(unread):,}", *limited_lines(unread))
    if not as_json:
        print_message(*(line for line in lines if line.startswith(LEFT_OUT)))
    return EXIT_OK if indexed.documents and not indexed.skipped else EXIT_ATTENTION


def _summary(row: Library) -> str:
    date = f", of {row.date}" if row.date else ""
    state = "" if row.ready else ", not complete (`library update` goes on)"
    passages = f"{row.passages:,} passages" if row.passages or row.kind != "zim" else "searched by its own index"
    return f"{row.name}: {row.documents:,} documents, {passages}{date}{', not signed' * row.unsigned}{state}"


@click.command("list")
@json_option
@click.pass_obj
def list_(folder: Path, *, as_json: bool) -> int:
    """List the libraries."""
    libraries = list_libraries(folder)
    print_result(msgspec.to_builtins(libraries), map(_summary, libraries), as_json=as_json)
    return EXIT_OK


@click.command()
@click.argument("name", type=TEXT)
@json_option
@click.pass_obj
def remove(folder: Path, name: str, *, as_json: bool) -> int:
    """Remove a library and its index; the files that it was made of stay."""
    (removed,) = chosen_libraries(folder, [name])
    with indexing_lock(folder, removed):
        delete_library(folder, removed)
    print_result({"removed": removed.name}, [f"Removed: {removed.name}"], as_json=as_json)
    return EXIT_OK


class _Query(OpenStruct, frozen=True, kw_only=True):
    """Line of a file of queries."""

    id: str
    query: str


@click.command()
@click.argument("query", type=TEXT, required=False)
@click.option("--queries", type=INPUT, metavar="FILE.jsonl", help='Search for each line {"id", "query"} of a file.')
@click.option("--library", "names", multiple=True, type=TEXT, help="Search only this library; may be repeated.")
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="Passages for a query.")
@json_option
@click.pass_obj
def search(
    folder: Path, query: str | None, *, queries: Path | None, names: tuple[str, ...], limit: int, as_json: bool
) -> int:
    """Search the libraries for the words of QUERY; words in quotation marks have to occur as they are."""
    if (query is None) == (queries is None):
        raise click.UsageError("Name a query, or --queries.")
    chosen_libraries(folder, names)
    is_found = True
    for number, wanted in _queries(query, queries):
        results = list(_results(folder, wanted, names, limit))
        is_found &= bool(results)
        if as_json:
            print_json({"id": number, "results": results})
        else:
            print_result(None, _lines(wanted if queries else "", results), as_json=False)
    return EXIT_OK if is_found else EXIT_ATTENTION


def _queries(query: str | None, file: Path | None) -> Iterator[tuple[str, str]]:
    if file is None:
        yield "", query or ""
    else:
        yield from ((line.id, line.query) for _, line in structs_of_lines(file, _Query))


def _results(folder: Path, query: str, names: Sequence[str], limit: int) -> Iterator[Mapping[str, Any]]:
    for library, passage in search_libraries(folder, query, names, limit):
        yield {
            "library": library.name,
            "title": passage.title,
            "place": passage.place,
            "text": passage.text,
            "score": float(f"{passage.score:.6g}"),
        }


def _lines(query: str, results: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if query:
        yield query
    for row in results:
        yield f"{row['title']} ({row['library']})"
        yield f"  {' '.join(row['text'].split())}"
    if not results:
        yield "Nothing found."


@contextmanager
def _opened_hub(folder: Path, url: str | None, options: dict[str, Any]) -> Generator[Hub]:
    """Open the hub at an address, by default that of the store. Raises `RaterError`."""
    url = url or next((row.url for row in known_hubs(folder) if row.current), "")
    if not url:
        raise RaterError(
            "No hub is connected.", "This store is not connected to a hub.", "Give its address with --hub."
        )
    with without_retry_hints(), closing(hub_opener(url, folder, options)()) as hub:
        yield hub


_HUB = click.option("--hub", "url", type=TEXT, help="The hub's address; default: the hub of the store.")


@click.command()
@click.argument("name", type=TEXT)
@_HUB
@signing_lead_option
@hub_options
@json_option
@click.pass_obj
def publish(folder: Path, name: str, url: str | None, lead: str | None, *, as_json: bool, **options: Any) -> int:
    """Send a library to a hub, where raters fetch it; a repeated call continues.

    It prints what `bundle make --library` takes, so that a bundle names exactly this version. It is signed with the
    lead's key.
    """
    (wanted,) = chosen_libraries(folder, [name])
    lookup = find_lead_key(folder, lead)
    with _opened_hub(folder, url, options) as hub:
        named = read_marker(hub, Progress()).lead_key
        key = lookup.key if lookup.key is not None and named in {None, lookup.key.public} else None
        published = publish_library(hub, wanted, key, terminal_progress("Sending"))
    print_result(published, [msgspec.json.encode(published).decode()], as_json=as_json)
    if key is None:
        print_message(f"The library is not signed. {lookup.why or 'The hub names the key of another lead.'}")
    return EXIT_OK


@click.command()
@click.argument("name", type=TEXT)
@_HUB
@click.option("--sha256", default="", help="Of its description, as a bundle names it; default: the newest.")
@hub_options
@json_option
@click.pass_obj
def fetch(folder: Path, name: str, url: str | None, sha256: str, *, as_json: bool, **options: Any) -> int:
    """Get a library from a hub, and index it; a repeated call continues."""
    with _opened_hub(folder, url, options) as hub:
        lead_keys = {row.project: row.lead_key for row in known_hubs(folder)}
        fetched = fetch_library(folder, hub, name, sha256, lead_keys, terminal_progress("Fetching"))
    with _web() as web:
        return _tell(folder, add_library(folder, fetched, web, terminal_progress("Indexing")), as_json=as_json)
