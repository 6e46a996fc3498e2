"""Commands that fetch web pages and manage the stored ones."""

import time
from pathlib import Path
from typing import Any

import click

from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    ID,
    INPUT,
    RATER_OR_ALL,
    ExtensibleGroup,
    json_option,
    limited_lines,
    pick,
    print_message,
    print_result,
    terminal_progress,
)
from desktop_rater.cli.stored_bundles import existing_reader, no_bundle, writer
from desktop_rater.format.values import utc_now
from desktop_rater.operations.pages import stored_pages
from desktop_rater.operations.pages.open_page import (
    OpenedPage,
    compare_page_texts,
    fetch_page,
    import_pages,
    open_stored_page,
)
from desktop_rater.operations.pages.prefetch import links_to_fetch, prefetch
from desktop_rater.operations.pages.stored_pages import StoredCopy, find_stored_copy, store_page
from desktop_rater.operations.rating.open_task import load_bundle
from desktop_rater.pages.guard import Guard
from desktop_rater.pages.response import WEB_LIMITS
from desktop_rater.pages.web_client import Web
from desktop_rater.store.errors import NotInStore
from desktop_rater.store.open_store import open_reader
from desktop_rater.store.pages import PageOrigin

_SCHEMES = ("http://", "https://")


@click.command()
@click.argument("target", metavar="URL|BUNDLE", type=ID)
@click.option("--bundle", "for_bundle", type=ID, default="", help="The bundle that the page belongs to.")
@click.option("--rater", type=RATER_OR_ALL, default="", help="With --offline: the pages of this rater's results, too.")
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
    rater: str,
    offline: bool,
    again: bool,
    allow_loopback: bool,
    proxy: str,
    as_json: bool,
) -> int:
    """Fetch a page, or every link of a bundle, and store the result.

    Prints the text of the reader view; without a network, the stored copy and
    where it came from.
    """
    is_url = target.lower().startswith(_SCHEMES)
    if offline and not is_url:
        raise click.UsageError("--offline needs a URL.")
    if rater and not (offline and for_bundle):
        raise click.UsageError("--rater needs --offline and --bundle.")
    with Web(Guard(allow_loopback=allow_loopback, proxy=proxy), WEB_LIMITS, time.monotonic, utc_now) as web:
        if not is_url:
            return _fetch_bundle(folder, web, target, again=again, as_json=as_json)
        if offline:
            page, copy = _read_stored(folder, web, target, for_bundle, rater)
        else:
            if for_bundle:
                _check_bundle(folder, for_bundle)
            with writer(folder, "fetch") as store:
                progress = terminal_progress("Fetching")
                page, copy = fetch_page(store, web, target, bundle_id=for_bundle, progress=progress)
    result = {
        **pick(page, "url", "final_url", "state", "title"),
        "text": page.text or page.whole_text,
        **pick(page, "snapshot", "stored", "fetched", "why", "left_out"),
        "origin": None if copy is None else _origin_json(copy),
    }
    lines = [page.title, page.final_url, "", *(page.text or page.whole_text).splitlines()]
    print_result(result, lines if page.shows else [f"{page.final_url}: {page.state}"], as_json=as_json)
    if not page.shows:
        print_message(page.why or "The page shows nothing.")
        if offline and not for_bundle:
            print_message("A page that came with a bundle or with results is shown with --bundle, and --rater.")
        return EXIT_ATTENTION
    if page.why:
        print_message(page.why)
    if page.left_out:
        kinds = (f"{count:,} {kind.replace('_', ' ')}" for kind, count in page.left_out.items())
        print_message(f"Left out of the text: {', '.join(kinds)}.")
    if count := page.whole_text.count("\ufffd"):
        print_message(f"Characters of the page that could not be read, and became U+FFFD: {count}.")
    if copy is not None:
        print_message(f"This is the stored copy of {copy.fetched or 'an unknown time'}.", *_origin_lines(copy))
    return EXIT_OK


@click.group(cls=ExtensibleGroup)
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
    fields = ("url", "title", "fetched", "snippet", "marks", "origin")
    result = {"hits": [{"snapshot": hit.sha256, **pick(hit, *fields)} for hit in hits], "unread": unread}
    lines = [
        line
        for hit in hits
        for line in (hit.title or hit.url, f"  {hit.url}, {hit.fetched or 'undated'}", f"  {_origin_text(hit.origin)}")
    ]
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
        imported = import_pages(store, path, terminal_progress("Taking"), utc_now())
    text = f"{path}: {imported.new:,} pages stored, {imported.known:,} were already there."
    print_result(pick(imported, "bundle", "new", "known", "broken"), [text], as_json=as_json)
    return _print_names("Can't be read", imported.broken)


@pages.command()
@click.argument("url", type=ID)
@click.option("--bundle", type=ID, default="", help="The bundle that the page belongs to.")
@click.option("--rater", type=RATER_OR_ALL, default="", help="Compare the page of this rater's results for the bundle.")
@click.option("--snapshot", type=ID, default="", metavar="SHA256", help="Compare this stored page.")
@click.option("--allow-loopback", is_flag=True, help="Allow 127.0.0.0/8 and ::1, on any port. For tests.")
@click.option("--proxy", default="", metavar="http://HOST:PORT", help="A proxy that resolves names and filters.")
@json_option
@click.pass_obj
def compare(
    folder: Path, url: str, *, bundle: str, rater: str, snapshot: str, allow_loopback: bool, proxy: str, as_json: bool
) -> int:
    """Fetch a stored page again, and print the sentences that differ.

    The page fetched is stored too. With --rater the page that the rater's
    results, or the bundle, brought is compared, and not one fetched here.
    """
    progress = terminal_progress("Comparing")
    with (
        Web(Guard(allow_loopback=allow_loopback, proxy=proxy), WEB_LIMITS, time.monotonic, utc_now) as web,
        writer(folder, "pages compare") as store,
    ):
        copy = find_stored_copy(store, url, snapshot, bundle, rater, brought=bool(rater))
        if copy is None:
            raise NotInStore(f"No copy of {url} is stored.", "Name its bundle, and the rater whose results have it.")
        stored = web.reopen(copy.path, progress)
        fetched = store_page(store, web.open(url, progress), bundle).page
    difference = compare_page_texts(stored, fetched)
    comparable = stored.shows and fetched.shows
    result = {
        "url": url,
        "stored": {**pick(copy, "sha256", "fetched"), "origin": _origin_json(copy)},
        "fetched": pick(fetched, "snapshot", "state", "fetched", "why"),
        "same": comparable and difference.same,
        **pick(difference, "only_stored", "only_fetched", "whole"),
    }
    lines = [f"- {text}" for text in difference.only_stored] + [f"+ {text}" for text in difference.only_fetched]
    if not comparable:
        lines = [f"{url}: {(stored if not stored.shows else fetched).state}"]
    elif difference.same:
        lines = ["The texts are the same."]
    print_result(result, lines, as_json=as_json)
    print_message(f"The stored copy is of {copy.fetched or 'an unknown time'}.", *_origin_lines(copy))
    if not difference.whole:
        print_message("The texts are too long to be compared to their ends.")
    return EXIT_OK if comparable and difference.same else EXIT_ATTENTION


def _origin_json(copy: StoredCopy) -> dict[str, Any]:
    names = "kind", "bundle", "rater", "arrived", "library", "library_date"
    return {**pick(copy.origin, *names), **pick(copy, "others", "alone", "elsewhere")}


def _origin_text(origin: PageOrigin) -> str:
    return {
        "fetched": f"It was fetched here on {origin.arrived}.",
        "rendered": f"The live view rendered it here on {origin.arrived}.",
        "library": f"It was read from {origin.library}, a library of {origin.library_date or 'an unknown date'}.",
        "bundle": f"It came with the bundle {origin.bundle} on {origin.arrived}.",
        "results": f"It is a claim of {origin.rater}, from results that arrived on {origin.arrived}.",
        "unknown": "It was stored before the origin of pages was recorded.",
    }[origin.kind]


def _origin_lines(copy: StoredCopy) -> list[str]:
    lines = [_origin_text(copy.origin)]
    if copy.alone:
        lines.append("Nothing else in the store has a page of this address.")
    elif copy.others:
        lines.append(f"The results of other raters with a page of this address: {copy.others}.")
    if copy.elsewhere:
        lines.append(f"It is a page of another address: {copy.elsewhere}")
    return lines


def _read_stored(folder: Path, web: Web, url: str, bundle: str, rater: str) -> OpenedPage:
    store = open_reader(folder)
    try:
        return open_stored_page(store, web, url, terminal_progress("Reading"), bundle_id=bundle, rater=rater)
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
