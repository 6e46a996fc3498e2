"""A window answers while another process replaces, renames, moves and deletes the files of its store."""

import json
import random
import shutil
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.values import utc_now
from desktop_rater.operations.rating.open_task import decode_task
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.store import tasks
from desktop_rater.store.connection import NAME
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.restore import moved_stores
from desktop_rater.store.store import is_held
from tests.operations.bundles import write_lines
from tests.torture import material
from tests.torture.campaign import WINDOW, Tally
from tests.torture.endings import Displaced, Ended, Nursery
from tests.torture.judging import states

ROUNDS = 200
ELSEWHERE = "another laptop"
SECONDS = 1.5  # of answering, in which the files are changed
MOST = 3  # changes in one round


class Files:
    """The files of a store, and those of another laptop to put in their place."""

    def __init__(self, place: Path, store: Path, other: Path) -> None:
        self._place = place
        self._other = other
        self._first = store
        self._count = 0
        self.done: list[str] = []

    def change(self, name: str) -> None:
        """Change the files of the store that the window has open at this moment, if it has one."""
        beside = [self._first, *moved_stores(self._first)]
        opened = next((folder for folder in beside if folder.is_dir() and is_held(folder)), None)
        if opened is not None:
            self._count += 1
            with suppress(FileNotFoundError):  # the window has not moved yet from where the last change was made
                CHANGES[name](self, opened)
                self.done.append(name)

    def incoming(self, source: Path) -> Path:
        """Return a copy of a file, ready to be renamed."""
        copy = self._place / f"incoming {self._count}"
        shutil.copy(source, copy)
        return copy

    def away(self) -> Path:
        return self._place / f"away {self._count}"

    def replace(self, opened: Path) -> None:
        self.incoming(self._other / NAME).replace(opened / NAME)

    def replace_by_an_earlier_state(self, opened: Path) -> None:
        self.incoming(opened / NAME).replace(opened / NAME)

    def replace_and_delete_the_log(self, opened: Path) -> None:
        self.replace(opened)
        for end in ("-wal", "-shm"):
            (opened / f"{NAME}{end}").unlink(missing_ok=True)

    def move_the_file(self, opened: Path) -> None:
        (opened / NAME).rename(self.away())

    def delete_the_files(self, opened: Path) -> None:
        for file in opened.glob(f"{NAME}*"):
            file.unlink(missing_ok=True)

    def delete_the_log(self, opened: Path) -> None:
        (opened / f"{NAME}-wal").unlink(missing_ok=True)

    def delete_the_shared_memory(self, opened: Path) -> None:
        (opened / f"{NAME}-shm").unlink(missing_ok=True)

    def replace_the_log(self, opened: Path) -> None:
        self.incoming(self._other / NAME).replace(opened / f"{NAME}-wal")

    def rename_the_folder(self, opened: Path) -> None:
        opened.rename(self.away())

    def delete_the_folder(self, opened: Path) -> None:
        self.rename_the_folder(opened)
        shutil.rmtree(self.away())

    def replace_the_folder(self, opened: Path) -> None:
        self.rename_the_folder(opened)
        shutil.copytree(self._other, opened)


CHANGES: dict[str, Callable[[Files, Path], None]] = {
    name: function
    for name, function in vars(Files).items()
    if name.startswith(("replace", "move", "delete", "rename")) and callable(function)
}


def displace(nursery: Nursery, place: Path, rounds: int, seed: int = 0) -> Tally:
    """Run so many rounds; what the window has acknowledged must be in the store in which it was closed."""
    dice = random.Random(seed)
    template = place / "template"
    template.mkdir(parents=True)
    material.sample(template)
    other = shutil.copytree(template / "store", place / "other")
    _rate_elsewhere(other)
    tally = Tally()
    for number in range(rounds):
        folder = shutil.copytree(template, place / f"{number}")
        files = Files(folder, folder / "store", other)
        names = dice.choices(sorted(CHANGES), k=dice.randint(1, MOST))
        moments = sorted(dice.uniform(0, SECONDS) for _ in names)
        acts = tuple((moment, partial(files.change, name)) for moment, name in zip(moments, names, strict=True))
        ended = nursery.run(WINDOW, [str(folder / "store"), str(number)], Displaced(acts, SECONDS))
        lost, wrong = _judge(folder / "store", ended)
        tally.displacements += len(files.done)
        tally.acknowledged += len(ended.said)
        tally.lost += [f"round {number}, {', '.join(files.done)}: {text}" for text in lost]
        tally.wrong += [f"round {number}, {', '.join(files.done)}: {text}" for text in wrong]
        if not lost and not wrong:
            shutil.rmtree(folder)
    return tally


def _rate_elsewhere(folder: Path) -> None:
    """Answer a task of the sample under another name, so that the store differs from the one it was copied from."""
    with open_writer(folder, command="another laptop") as store:
        ((bundle, *_),) = (row for row in store.db.execute("SELECT id FROM bundles"))
        first = next(tasks.stream_tasks(store, bundle))
        lines = write_lines(folder / "ratings.jsonl", [{"task": decode_task(first).id, "answers": {}}])
        rate_from_file(store, bundle, lines, ELSEWHERE, progress=Progress(), now=utc_now)


def _judge(store: Path, ended: Ended) -> tuple[list[str], list[str]]:
    """Compare what was said with the stores that the next start finds; they are opened for it."""
    wrong = [] if ended.status == 0 else [f"it ended with {ended.status}: {ended.errors[-1500:]}"]
    said = {material.state(line) for line in ended.said}
    last: set[str] = set()
    for folder in (store, *moved_stores(store)):
        if not (folder / NAME).exists():
            continue
        try:
            with open_writer(folder, command="a judge") as opened:
                found = states(opened)
                raters = {rater for (rater,) in opened.db.execute("SELECT DISTINCT rater FROM ratings")}
        except RaterError as error:
            wrong.append(f"{folder.name} can't be opened: {error}")
            continue
        wrong += [f"{folder.name}: {fault.text}" for fault in examine_store(folder).faults]
        if len(raters) > 1:
            wrong.append(f"{folder.name} holds a mixture of two stores")
        last = max(last, found & said, key=len)
    return [json.dumps(text)[:200] for text in said - last], wrong
