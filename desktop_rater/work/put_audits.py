"""What is left of audits in a damaged store. What a lead said can't be had again; results can."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.model.kept import from_plain
from desktop_rater.model.manifests import ResultsManifest
from desktop_rater.store import received, reviews, signatures

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.model.progress import Progress
    from desktop_rater.store.received import NewReceived
    from desktop_rater.store.salvage import Findings
    from desktop_rater.store.store import Store

_BATCH = 200


def put_audits(store: Store, found: Findings, progress: Progress) -> list[str]:
    """Put back what was said, then the results that are whole; a sentence for each thing that is lost."""
    rows = ((one.bundle, one.subject, one.lead, one.changed, one.body) for one in found.reviews())
    while chunk := list(islice(rows, _BATCH)):
        reviews.put_back(store, chunk)
        progress(0, 0)
    lost = [
        f"Revision {revision} of what was said of {bundle}, {subject}, can't be read."
        for bundle, subject, revision in found.reviews_lost()
    ]
    texts = found.texts()
    while some := list(islice(texts, _BATCH)):
        received.put_texts(store, some)
        progress(0, 0)
    keys = []
    for new in found.received():
        key, words = _put_results(store, found, new, progress)
        keys += [key] if key else []
        lost += [words] if words else []
    received.finish(store, keys)
    return lost


def _put_results(store: Store, found: Findings, new: NewReceived, progress: Progress) -> tuple[int, str]:
    """The key of results that are put back; 0 where they are not whole, with words that say so."""
    counts = from_plain(msgspec.json.decode(new.manifest), ResultsManifest).counts
    wanted = counts.complete + counts.skipped
    there = sum(1 for _ in found.received_ratings(new.sha256))
    if there != wanted:
        words = f"The results {new.file!r} of {new.rater}: {there:,} of {wanted:,} ratings can be read."
        return 0, f"{words} Open them again."
    key = received.begin(store, new)
    signature = found.signature(new.sha256)
    if signature is not None:
        signatures.put(store, key, signature)
    for chunk in _chunks(found, new.sha256):
        received.add(store, key, chunk, {})
        progress(0, 0)
    return key, ""


def _chunks(found: Findings, results: str) -> Iterator[list[received.NewRating]]:
    ratings = found.received_ratings(results)
    while chunk := list(islice(ratings, _BATCH)):
        yield chunk
