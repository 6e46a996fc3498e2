"""Keeping pages, and looking at what lies there."""

from __future__ import annotations

from desktop_rater.model.progress import Progress
from desktop_rater.store import snapshots
from desktop_rater.work.gather_evidence import keep


def kept(store, web, url, bundle="b"):
    return keep(store, web.open(url, Progress()), bundle)


def files(store):
    return snapshots.listed(store.folder)
