"""Work goes back to raters by the hub: it waits in the outbox, and goes with the next sync."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rater.bundle.trouble import named
from desktop_rater.model import hub_names
from desktop_rater.model.change import Change
from desktop_rater.model.trouble import RaterError
from desktop_rater.store import boxes, hubs, inbox, outbox
from desktop_rater.store.outbox import NewItem
from desktop_rater.store.trouble import NotThere
from desktop_rater.work import audit_desk
from desktop_rater.work.return_work import ReturnedWork, return_work

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from desktop_rater.model.progress import Progress
    from desktop_rater.store.hubs import HubRow
    from desktop_rater.store.store import Store


class ReturnedByHub(Change, frozen=True, kw_only=True):
    """What goes back to each rater who was asked about, those first who get something; `hub_title` names the hub.

    `there`: the raters whose work lies on the hub already, as it is.
    """

    project: str
    hub_title: str
    raters: tuple[tuple[str, ReturnedWork], ...]
    there: frozenset[str] = frozenset()

    @property
    def queued(self) -> tuple[tuple[str, ReturnedWork], ...]:
        """The raters who get something."""
        return tuple(one for one in self.raters if one[1].rework is not None)


def return_by_hub(
    store: Store,
    bundle: str,
    raters: Sequence[str] | None = None,
    *,
    progress: Progress,
    now: Callable[[], datetime],
) -> ReturnedByHub:
    """Queue what was sent back to those raters, or to all.

    Told to do it again, it queues nothing twice: the same verdicts give the same bytes. Raises `RaterError`, also where
    there is no hub, or where the results are known to be those of another project.
    """
    hub = _hub_of(store, bundle)
    done, there = [], set()
    whose = audit_desk.load_audit(store, bundle).raters if raters is None else raters
    for count, rater in enumerate(whose):
        progress(count, len(whose))
        with tempfile.TemporaryDirectory(prefix="desktop-rater-") as place:
            file = Path(place) / "back.zip"
            returned = return_work(store, bundle, rater, file, progress=progress, now=now)
            if returned.rework is not None and _queue(store, hub.project, rater, returned, now()) == "verified":
                there.add(rater)
        done.append((rater, returned))
    done.sort(key=lambda one: one[1].rework is None)
    touched = any(one.rework is not None for _, one in done)
    audits = frozenset({bundle} if touched else ())
    return ReturnedByHub(
        audits=audits,
        hub=touched,
        project=hub.project,
        hub_title=_title(hub),
        raters=tuple(done),
        there=frozenset(there),
    )


def _hub_of(store: Store, bundle: str) -> HubRow:
    """The connected hub. What lies on a hub stays there, so nothing of one project goes to another's."""
    hub = hubs.current(store)
    if hub is None:
        raise NotThere("There is no hub.", "This store is connected with none.", "Connect one, or write files instead.")
    projects = inbox.collected_from(store, bundle)
    if projects and hub.project not in projects:
        known = [hubs.by_project(store, project) for project in sorted(projects)]
        names = ", ".join(_title(one) for one in known if one is not None)
        raise RaterError(
            f"{bundle} is not sent back by this hub.",
            f"Its results came from {names}, and this store is connected with {_title(hub)}.",
            f"Connect {names} again, or write files instead.",
        )
    return hub


def _title(hub: HubRow) -> str:
    return hub.title or hub.project


def _queue(store: Store, project: str, rater: str, returned: ReturnedWork, moment: datetime) -> outbox.State:
    """Queue it, also where it had failed before; how far it is."""
    assert returned.rework is not None
    with named(returned.out, "read", ""):
        sha256, size = boxes.keep(store.folder, "outbox", [returned.out.read_bytes()])
    item = NewItem(
        project=project,
        kind="returned",
        rater=rater,
        bundle=returned.rework.id,
        revision=returned.rework.revision,
        name=hub_names.returned_name(rater, sha256),
        sha256=sha256,
        size=size,
    )
    queued = outbox.add(store, item, now=moment)
    if queued.state == "failed":
        outbox.try_again(store, project, [queued.key], now=moment)
    return queued.state
