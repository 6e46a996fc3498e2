"""Keeping pages, and looking at what lies there."""

from desktop_rater.format.change import Progress
from desktop_rater.operations.pages.stored_pages import store_page
from desktop_rater.store import snapshots


def kept(store, web, url, bundle="b"):
    return store_page(store, web.open(url, Progress()), bundle)


def files(store):
    return snapshots.list_snapshots(store.folder)
