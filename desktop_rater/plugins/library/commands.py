"""Commands for libraries."""

import time
from pathlib import Path

import click
import msgspec

from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    INPUT,
    TEXT,
    ExtensibleGroup,
    json_option,
    print_result,
    terminal_progress,
)
from desktop_rater.format.values import utc_now
from desktop_rater.pages.guard import Guard
from desktop_rater.pages.response import WEB_LIMITS
from desktop_rater.pages.web_client import Web
from desktop_rater.plugins.library.catalogue import Library, chosen_libraries, delete_library, list_libraries
from desktop_rater.plugins.library.search import add_library, search_libraries


@click.group(cls=ExtensibleGroup)
def library() -> None:
    """Documents on this computer, searched without a network."""


@click.command()
@click.argument("name", type=TEXT)
@click.argument("paths", metavar="PATH...", type=INPUT, nargs=-1, required=True)
@click.option("--date", default="", help="The day of its content, as YYYY-MM-DD.")
@json_option
@click.pass_obj
def add(folder: Path, name: str, paths: tuple[Path, ...], date: str, *, as_json: bool) -> int:
    """Add a library of the documents in files and folders."""
    wanted = Library(id="", name=name, kind="folder", date=date, sources=tuple(str(path.resolve()) for path in paths))
    with Web(Guard(), WEB_LIMITS, time.monotonic, utc_now) as web:
        added = add_library(folder, wanted, web, terminal_progress("Indexing"))
    lines = [f"{added.name}: {added.documents:,} documents, {added.passages:,} passages"]
    print_result(msgspec.to_builtins(added), lines, as_json=as_json)
    return EXIT_OK


@click.command("list")
@json_option
@click.pass_obj
def list_(folder: Path, *, as_json: bool) -> int:
    """List the libraries."""
    libraries = list_libraries(folder)
    lines = [f"{row.name}  {row.date}  {row.passages:,} passages" for row in libraries]
    print_result(msgspec.to_builtins(libraries), lines, as_json=as_json)
    return EXIT_OK


@click.command()
@click.argument("name", type=TEXT)
@json_option
@click.pass_obj
def remove(folder: Path, name: str, *, as_json: bool) -> int:
    """Remove a library and its index; the files that it was made of stay."""
    (removed,) = chosen_libraries(folder, [name])
    delete_library(folder, removed)
    print_result({"removed": removed.name}, [f"Removed: {removed.name}"], as_json=as_json)
    return EXIT_OK


@click.command()
@click.argument("query")
@click.option("--library", "names", multiple=True, type=TEXT, help="Search only this library; may be repeated.")
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True)
@json_option
@click.pass_obj
def search(folder: Path, query: str, names: tuple[str, ...], limit: int, *, as_json: bool) -> int:
    """Search the libraries for the words of QUERY."""
    found = search_libraries(folder, query, names, limit)
    results = [
        {
            "library": hit.library.name,
            "title": hit.passage.title,
            "place": hit.passage.place,
            "text": hit.passage.text,
            "score": hit.passage.score,
        }
        for hit in found
    ]
    print_result({"results": results}, [f"{row['title']}: {row['text']}" for row in results], as_json=as_json)
    return EXIT_OK if found else EXIT_ATTENTION
