"""What the tests of the exchange with hubs put into a store."""

import hashlib
from datetime import UTC, datetime

from desktop_rater.format.hub_names import assignment_name, bundle_name, results_name
from desktop_rater.store import hubs, mailbox
from desktop_rater.store.mailbox import NewArrival, NewOutgoing

NOW = datetime(2026, 11, 20, 9, 12, tzinfo=UTC)
URL = "webdavs://hub.example/team"
PROJECT = "kelp"
RATER = "r-17"


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def connected(store, project=PROJECT, url=URL):
    return hubs.set_current_hub(store, project=project, title="Kelp", url=url, user="ann", now=NOW)


def item(data, *, revision=1, project=PROJECT, bundle="november", **more):
    digest = sha256(data)
    return NewOutgoing(
        project=project,
        kind="results",
        rater=RATER,
        bundle=bundle,
        revision=revision,
        name=results_name(RATER, bundle, revision, digest),
        sha256=digest,
        size=len(data),
        **more,
    )


def queued(store, data=b"results", **more):
    mailbox.store_file(store.folder, "outbox", [data])
    return mailbox.enqueue(store, item(data, **more), now=NOW)


def sent(store, data=b"results", **more):
    """One that went all the way."""
    key = queued(store, data, **more).key
    mailbox.mark_uploading(store, key, now=NOW)
    mailbox.mark_uploaded(store, key, now=NOW)
    mailbox.mark_verified(store, key, now=NOW)
    return key


def assigned(data, bundle="november", rater=RATER, **more):
    said = sha256(data + bundle.encode())
    return NewArrival(
        project=PROJECT,
        kind="assignment",
        rater=rater,
        name=assignment_name(rater, said),
        file=bundle_name(bundle, 1, sha256(data)),
        sha256=sha256(data),
        size=len(data),
        bundle=bundle,
        revision=1,
        title="November",
        tasks=3,
        **more,
    )


def received_file(store, data):
    with mailbox.receive_file(store.folder, "inbox", sha256(data)) as file:
        file.write(data)
        return file.keep()


def arrived(store, data=b"a bundle", **more):
    """One whose file is there."""
    one = assigned(data, **more)
    mailbox.record_arrivals(store, [one], now=NOW)
    (found,) = [known for known in mailbox.list_arrivals(store, PROJECT) if known.name == one.name]
    assert received_file(store, data)
    mailbox.mark_fetched(store, found.key, now=NOW)
    return found.key


def states(store, project=PROJECT):
    return [one.state for one in mailbox.list_items(store, project)]
