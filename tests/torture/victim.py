"""A process that works on a store until it is done or stopped, and says what it stands by.

`tests.torture.victim WORK FOLDER LIFE ROUNDS`. Each line that it prints is a JSON list: what was done, and
what tells it from everything else. What is known to go wrong is said as `refused`, and the work goes on.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from desktop_rater.format import edit
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.values import Place, utc_now
from desktop_rater.operations import rubrics
from desktop_rater.operations.rating import save
from desktop_rater.operations.rating.open_task import load_bundle, open_task
from desktop_rater.store.open_store import open_writer
from tests.torture.material import BUNDLE, INCOMING, RATER, names

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.store.store import Store

ANSWERS = ({"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"}, {"factual": "no"})


def say(*words: object) -> None:
    """A line that is out, whole, before anything else happens. `writev`, so that it stands apart from other writing."""
    os.writev(1, [json.dumps(words).encode() + b"\n"])


class Victim:
    """One life of a process that works on the store in `folder`."""

    def __init__(self, folder: Path, life: str, rounds: int) -> None:
        self.folder = folder
        self.life = life
        self.rounds = rounds
        self.said_last = ""
        self._answers = 0

    def answer(self, store: Store) -> None:
        """Give one more answer, and say so once it is saved."""
        self._answers += 1
        name = names()[self._answers % len(names())]
        words = f"{self.life}-{self._answers}"
        opened = open_task(store, BUNDLE, name, RATER)
        rating = opened.rating
        for number, given in enumerate(ANSWERS, 1):
            for question, value in given.items():
                rating = edit.with_answer(rating, Place(target=f"s{number}"), question, value)
        rating = edit.with_answer(rating, Place(target="s1"), "comment", words)
        rating = edit.with_answer(rating, Place(target="s2"), "comment", "x" * (37 * self._answers % 3_000))
        rating = replace(rating, status="complete")
        bundle = load_bundle(store, BUNDLE)
        rubric = rubrics.bundle_rubric_of(bundle.rubric, bundle.rubric_toml, BUNDLE)
        save.save_rating(store, rubric, BUNDLE, opened.task, rating, done="answer", now=utc_now)
        self.said_last = words
        say("answer", name, words)

    def attempt(self, store: Store, step: Callable[[Store], object]) -> None:
        """One step; the trouble that it may meet is said."""
        try:
            step(store)
        except RaterError as error:
            say("refused", error.title)


def creating(victim: Victim) -> None:
    """The very first start."""
    open_writer(victim.folder / "store", command="the window").close()
    say("opened")


def answering(victim: Victim) -> None:
    """A rater who answers."""
    with open_writer(victim.folder / "store", command="a rater") as store:
        for _ in range(victim.rounds):
            victim.attempt(store, victim.answer)


def importing(victim: Victim) -> None:
    """Bundle after bundle comes in, and the rater answers meanwhile."""
    from desktop_rater.operations.bundles.import_bundle import import_bundle  # noqa: PLC0415 - each loads what it needs

    with open_writer(victim.folder / "store", command="an import") as store:

        def take_in(path: Path) -> None:
            reports = []

            def meanwhile(done: int, _total: int) -> None:
                reports.append(done)
                if len(reports) % 5 == 0:
                    victim.attempt(store, victim.answer)

            imported = import_bundle(store, path, progress=Progress(meanwhile), now=utc_now)
            say("import", imported.id, imported.revision)

        for revision in (1, 2):
            for number in range(min(victim.rounds, INCOMING)):
                path = victim.folder / "incoming" / f"b{number}-{revision}.zip"
                victim.attempt(store, lambda _store, path=path: take_in(path))
        victim.attempt(store, victim.answer)


def exporting(victim: Victim) -> None:
    """The rater answers, and writes results over those from before."""
    from desktop_rater.operations.rating.export import export_results  # noqa: PLC0415

    def export(store: Store) -> None:
        out = victim.folder / "out" / "results.zip"
        exported = export_results(store, BUNDLE, RATER, out, progress=Progress(), partial=True)
        if exported.written:  # nothing is, if the disk refused all answers
            say("export", exported.sha256)

    with open_writer(victim.folder / "store", command="an export") as store:
        for _ in range(victim.rounds):
            victim.attempt(store, victim.answer)
            victim.attempt(store, export)


def backing_up(victim: Victim) -> None:
    """The rater answers, and the store is backed up."""
    from desktop_rater.operations.store.backup import back_up  # noqa: PLC0415

    def keep(store: Store) -> None:
        # As the window does by itself: the journal is shortened before.
        backup = back_up(store, now=utc_now, progress=Progress(), always=False)
        if backup is not None:  # nothing is new, if the disk refused all answers
            say("backup", backup.path.name)

    with open_writer(victim.folder / "store", command="a backup") as store:
        for _ in range(victim.rounds):
            victim.attempt(store, victim.answer)
            victim.attempt(store, keep)


def restoring(victim: Victim) -> None:
    """The store goes back to a backup in its folder, or to one in a zip, and the rater goes on there."""
    from desktop_rater.operations.store.backup import (  # noqa: PLC0415
        back_up,
        export_backup,
        restore_backup,
    )

    out = victim.folder / "out" / "backup.zip"

    def keep(store: Store, *, in_zip: bool) -> Path | None:
        if in_zip:
            return export_backup(store, out, now=utc_now, progress=Progress()).out
        backup = back_up(store, now=utc_now, progress=Progress())
        return None if backup is None else backup.path

    def once(number: int) -> None:
        with open_writer(victim.folder / "store", command="a rater") as store:
            victim.answer(store)
            source, words = keep(store, in_zip=number % 2 == 1), victim.said_last
            victim.answer(store)
            victim.answer(store)
        assert source is not None
        restore_backup(victim.folder / "store", source, command="a restore", now=utc_now, progress=Progress())
        say("restored", words)

    for number in range(victim.rounds):
        try:
            once(number)
        except RaterError as error:
            say("refused", error.title)


def migrating(victim: Victim) -> None:
    """A store of the first version is opened, which brings it up to date."""
    open_writer(victim.folder / "store", command="the window").close()
    say("opened")


WORKS: dict[str, Callable[[Victim], None]] = {
    "creating": creating,
    "answering": answering,
    "importing": importing,
    "exporting": exporting,
    "backing up": backing_up,
    "restoring": restoring,
    "migrating": migrating,
}


def main() -> None:
    """Do the work once."""
    work, folder, life, rounds = sys.argv[1:]
    say("begun")
    try:
        WORKS[work](Victim(Path(folder), life, int(rounds)))
    except RaterError as error:  # when it opens or closes the store
        say("refused", error.title)
    say("ended")


if __name__ == "__main__":
    main()
