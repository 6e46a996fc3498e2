"""Commands that fetch pages of the web, and those around the stored ones."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from desktop_rater.cli.answer import DONE, KNOWN, LOOK, first, json_option, say, show, terminal_progress, updating
from desktop_rater.model.limits import now
from desktop_rater.store.opening import open_reader, open_writer
from desktop_rater.store.trouble import NotThere
from desktop_rater.web.guard import Guard
from desktop_rater.web.limits import LIMITS
from desktop_rater.web.open_web import Web
from desktop_rater.work import stored_pages
from desktop_rater.work.gather_evidence import keep
from desktop_rater.work.open_page import fetch_page, stored_page
from desktop_rater.work.open_task import bundle_of
from desktop_rater.work.prefetch import links_to_fetch, prefetch
from desktop_rater.work.take_pages import take_pages

if TYPE_CHECKING:
    from desktop_rater.model.page import Page

_SCHEMES = ("http://", "https://")


@click.command()
@click.argument("target", metavar="URL|BUNDLE", type=KNOWN)
@click.option("--bundle", "for_bundle", type=KNOWN, default="", help="The bundle that a page is for.")
@click.option("--offline", is_flag=True, help="Show the stored copy, without any look at the network.")
@click.option("--again", is_flag=True, help="Of a bundle, fetch also what is stored already.")
@click.option("--allow-loopback", is_flag=True, help="Let 127.0.0.0/8 and ::1 through, on any port. For tests.")
@click.option("--proxy", default="", metavar="http://HOST:PORT", help="A proxy that looks up the names and filters.")
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
    """Fetch a page, or every link of a bundle, and keep what came.

    Shows what the reader view shows, and the stored copy where there is no network.
    """
    is_url = target.lower().startswith(_SCHEMES)
    if offline and not is_url:
        raise click.UsageError("--offline needs a URL.")
    with Web(Guard(allow_loopback=allow_loopback, proxy=proxy), LIMITS, time.monotonic, now) as web:
        if not is_url:
            return _fetch_bundle(folder, web, target, again=again, as_json=as_json)
        page = _stored(folder, web, target) if offline else _fetched(folder, web, target, for_bundle)
    show(_plain(page), _words(page), as_json=as_json)
    if not page.shows:
        say(page.why or "The page shows nothing.")
    elif page.stored:
        say(f"This is the stored copy of {page.fetched}.")
    return DONE if page.shows else LOOK


@click.group()
def pages() -> None:
    """Look after the stored pages."""


@pages.command()
@click.argument("bundle", type=KNOWN)
@click.argument("words", nargs=-1, required=True, type=KNOWN)
@json_option
@click.pass_obj
def search(folder: Path, bundle: str, words: tuple[str, ...], *, as_json: bool) -> int:
    """Find the stored pages of a bundle that hold all the WORDS."""
    store = open_reader(folder)
    if store is None:
        raise _no_store(folder, bundle)
    with store, store.at_one_moment():
        bundle_of(store, bundle)
        hits = stored_pages.search(store, bundle, " ".join(words))
        unread = stored_pages.unread(store)
    result = {
        "hits": [
            {
                "snapshot": hit.sha256,
                "url": hit.url,
                "title": hit.title,
                "fetched": hit.fetched,
                "snippet": hit.snippet,
                "marks": hit.marks,
            }
            for hit in hits
        ],
        "unread": unread,
    }
    lines = [line for hit in hits for line in (f"{hit.title or hit.url}", f"  {hit.url}, {hit.fetched}")]
    show(result, lines or ["No stored page holds these words."], as_json=as_json)
    if unread:
        say(f"{unread:,} stored pages have not been read yet. `desktop-rater pages read` lets the search find them.")
    return LOOK if unread else DONE


@pages.command()
@json_option
@click.pass_obj
def read(folder: Path, *, as_json: bool) -> int:
    """Read the stored pages that came with bundles or results, so that a search finds them."""
    with (
        Web(Guard(), LIMITS, time.monotonic, now) as web,
        open_writer(folder, command="pages read", updating=updating) as store,
    ):
        done = stored_pages.read_unread(store, web, terminal_progress("Reading"))
    result = {"read": done.read, "broken": list(done.broken)}
    show(result, [f"{done.read:,} pages were read."], as_json=as_json)
    return _named("Shows no text", done.broken)


@pages.command()
@click.argument("path", metavar="RESULTS.zip", type=click.Path(path_type=Path))
@json_option
@click.pass_obj
def take(folder: Path, path: Path, *, as_json: bool) -> int:
    """Store the pages that results carry, so that their evidence opens here."""
    with open_writer(folder, command="pages take", updating=updating) as store:
        taken = take_pages(store, path, terminal_progress("Taking"))
    result = {"bundle": taken.bundle, "new": taken.new, "known": taken.known, "broken": list(taken.broken)}
    show(result, [f"{path}: {taken.new:,} pages came in, {taken.known:,} were there."], as_json=as_json)
    return _named("Can't be read", taken.broken)


def _fetched(folder: Path, web: Web, url: str, bundle: str) -> Page:
    if bundle:
        _check_bundle(folder, bundle)
    with open_writer(folder, command="fetch", updating=updating) as store:
        return fetch_page(store, web, url, bundle_id=bundle, progress=terminal_progress("Fetching"))


def _stored(folder: Path, web: Web, url: str) -> Page:
    store = open_reader(folder)
    try:
        return stored_page(store, web, url, terminal_progress("Reading"))
    finally:
        if store is not None:
            store.close()


def _fetch_bundle(folder: Path, web: Web, bundle: str, *, again: bool, as_json: bool) -> int:
    _check_bundle(folder, bundle)
    with open_writer(folder, command="fetch", updating=updating) as store:
        links = links_to_fetch(store, bundle, fetch_again=again)
        done = prefetch(
            links.urls, web, lambda fetched: keep(store, fetched, bundle), progress=terminal_progress("Fetching")
        )
    missing = [{"url": one.url, "state": one.state, "why": one.why} for one in done.missing]
    result = {"bundle": bundle, "fetched": done.fetched, "known": links.known, "missing": missing}
    words = f"{bundle}: {done.fetched:,} pages fetched, {links.known:,} were there, {len(missing):,} show nothing"
    show(result, [words], as_json=as_json)
    return _named("", tuple(f"{one.url}: {one.why}" for one in done.missing))


def _check_bundle(folder: Path, bundle: str) -> None:
    """Raise `NotThere` before anything is fetched or made for a bundle that is not there."""
    store = open_reader(folder)
    if store is None:
        raise _no_store(folder, bundle)
    with store:
        bundle_of(store, bundle)


def _no_store(folder: Path, bundle: str) -> NotThere:
    return NotThere(f"There is no bundle {bundle!r} in the store.", f"{folder} is no store yet.")


def _plain(page: Page) -> dict[str, Any]:
    return {
        "url": page.url,
        "final_url": page.final_url,
        "state": page.state,
        "title": page.title,
        "text": page.text or page.whole_text,
        "snapshot": page.snapshot,
        "stored": page.stored,
        "fetched": page.fetched,
        "why": page.why,
    }


def _words(page: Page) -> list[str]:
    lines = [page.title, page.final_url, "", *(page.text or page.whole_text).splitlines()]
    return lines if page.shows else [f"{page.final_url}: {page.state}"]


def _named(what: str, names: tuple[str, ...]) -> int:
    say(*first([f"{what}: {name}" if what else name for name in names]))
    return LOOK if names else DONE
