"""Commands that fetch web pages and manage the stored ones."""

import time
from pathlib import Path

import click

from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    ID,
    json_option,
    limited_lines,
    pick,
    print_message,
    print_result,
    terminal_progress,
)
from desktop_rater.cli.stores import existing_reader, no_bundle, writer
from desktop_rater.cli.streams import INPUT
from desktop_rater.model.page import Page
from desktop_rater.model.values import utc_now
from desktop_rater.store.open_store import open_reader
from desktop_rater.web.guard import Guard
from desktop_rater.web.limits import WEB_LIMITS
from desktop_rater.web.web_client import Web
from desktop_rater.work.pages import stored_pages
from desktop_rater.work.pages.import_pages import import_pages
from desktop_rater.work.pages.open_page import fetch_page, open_stored_page
from desktop_rater.work.pages.prefetch import links_to_fetch, prefetch
from desktop_rater.work.pages.store_page import store_page
from desktop_rater.work.rating.open_task import load_bundle

_SCHEMES = ("http://", "https://")


@click.command()
@click.argument("target", metavar="URL|BUNDLE", type=ID)
@click.option("--bundle", "for_bundle", type=ID, default="", help="The bundle that the page belongs to.")
@click.option("--offline", is_flag=True, help="Show the stored copy, without using the network.")
@click.option("--again", is_flag=True, help="For a bundle, fetch stored pages again.")
@click.option("--allow-loopback", is_flag=True, help="Allow 127.0.0.0/8 and ::1, on any port. For tests.")
@click.option("--proxy", default="", metavar="http://HOST:PORT", help="A proxy that resolves names and filters.")
@json_option
@click.pass_obj
def fetch(
    folder: Path,
    target: str,
    *,
    for_bundle: str,
    offline: bool,
    again: bool,
    allow_loopback: bool,
    proxy: str,
    as_json: bool,
) -> int:
    """Fetch a page, or every link of a bundle, and store the result.

    Prints the text of the reader view; without a network, the stored copy.
    """
    is_url = target.lower().startswith(_SCHEMES)
    if offline and not is_url:
        raise click.UsageError("--offline needs a URL.")
    with Web(Guard(allow_loopback=allow_loopback, proxy=proxy), WEB_LIMITS, time.monotonic, utc_now) as web:
        if not is_url:
            return _fetch_bundle(folder, web, target, again=again, as_json=as_json)
        if offline:
            page = _read_stored(folder, web, target)
        else:
            if for_bundle:
                _check_bundle(folder, for_bundle)
            with writer(folder, "fetch") as store:
                progress = terminal_progress("Fetching")
                page = fetch_page(store, web, target, bundle_id=for_bundle, progress=progress)
    result = {
        **pick(page, "url", "final_url", "state", "title"),
        "text": page.text or page.whole_text,
        **pick(page, "snapshot", "stored", "fetched", "why"),
    }
    lines = [page.title, page.final_url, "", *(page.text or page.whole_text).splitlines()]
    print_result(result, lines if page.shows else [f"{page.final_url}: {page.state}"], as_json=as_json)
    if not page.shows:
        print_message(page.why or "The page shows nothing.")
    elif page.stored:
        print_message(f"This is the stored copy of {page.fetched}.")
    return EXIT_OK if page.shows else EXIT_ATTENTION


@click.group()
def pages() -> None:
    """Manage the stored pages."""


@pages.command()
@click.argument("bundle", type=ID)
@click.argument("words", nargs=-1, required=True, type=ID)
@json_option
@click.pass_obj
def search(folder: Path, bundle: str, words: tuple[str, ...], *, as_json: bool) -> int:
    """Find the stored pages of a bundle that contain all the WORDS."""
    with existing_reader(folder, no_bundle(bundle)) as store, store.snapshot_isolation():
        load_bundle(store, bundle)
        hits = stored_pages.search_stored_pages(store, bundle, " ".join(words))
        unread = stored_pages.count_unindexed(store)
    fields = ("url", "title", "fetched", "snippet", "marks")
    result = {"hits": [{"snapshot": hit.sha256, **pick(hit, *fields)} for hit in hits], "unread": unread}
    lines = [line for hit in hits for line in (f"{hit.title or hit.url}", f"  {hit.url}, {hit.fetched}")]
    print_result(result, lines or ["No stored page contains these words."], as_json=as_json)
    if unread:
        print_message(
            f"{unread:,} stored pages have not been read yet. Run `desktop-rater pages read` to make them searchable."
        )
    return EXIT_ATTENTION if unread else EXIT_OK


@pages.command()
@json_option
@click.pass_obj
def read(folder: Path, *, as_json: bool) -> int:
    """Read the stored pages that came with bundles or results, so that they can be searched."""
    with Web(Guard(), WEB_LIMITS, time.monotonic, utc_now) as web, writer(folder, "pages read") as store:
        result_ = stored_pages.index_unread(store, web, terminal_progress("Reading"))
    print_result(pick(result_, "read", "broken"), [f"{result_.read:,} pages were read."], as_json=as_json)
    return _print_names("Shows no text", result_.broken)


@pages.command()
@click.argument("path", metavar="RESULTS.zip", type=INPUT)
@json_option
@click.pass_obj
def take(folder: Path, path: Path, *, as_json: bool) -> int:
    """Store the pages included in results, so that their evidence can be opened."""
    with writer(folder, "pages take") as store:
        imported = import_pages(store, path, terminal_progress("Taking"))
    text = f"{path}: {imported.new:,} pages stored, {imported.known:,} were already there."
    print_result(pick(imported, "bundle", "new", "known", "broken"), [text], as_json=as_json)
    return _print_names("Can't be read", imported.broken)


def _read_stored(folder: Path, web: Web, url: str) -> Page:
    store = open_reader(folder)
    try:
        return open_stored_page(store, web, url, terminal_progress("Reading"))
    finally:
        if store is not None:
            store.close()


def _fetch_bundle(folder: Path, web: Web, bundle: str, *, again: bool, as_json: bool) -> int:
    _check_bundle(folder, bundle)
    with writer(folder, "fetch") as store:
        links = links_to_fetch(store, bundle, fetch_again=again)
        fetched_links = prefetch(
            links.urls, web, lambda fetched: store_page(store, fetched, bundle), progress=terminal_progress("Fetching")
        )
    missing = [pick(miss, "url", "state", "why") for miss in fetched_links.missing]
    result = {"bundle": bundle, "fetched": fetched_links.fetched, "known": links.known, "missing": missing}
    text = (
        f"{bundle}: {fetched_links.fetched:,} pages fetched, {links.known:,} were there, {len(missing):,} show nothing"
    )
    print_result(result, [text], as_json=as_json)
    return _print_names("", tuple(f"{miss.url}: {miss.why}" for miss in fetched_links.missing))


def _check_bundle(folder: Path, bundle: str) -> None:
    """Raise `NotInStore` before anything is fetched or created for a missing bundle."""
    with existing_reader(folder, no_bundle(bundle)) as store:
        load_bundle(store, bundle)


def _print_names(label: str, names: tuple[str, ...]) -> int:
    print_message(*limited_lines([f"{label}: {name}" if label else name for name in names]))
    return EXIT_ATTENTION if names else EXIT_OK
