"""The power goes at every moment of a victim's life: what was acknowledged must have been synced before.

A kill proves little of that, since the system keeps what a dead process has written. Here one life is recorded, call by
call, and played to a disk that forgets what was not synced.
"""

import json
import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from tests.torture.campaign import OPERATIONS, VICTIMS, Tally
from tests.torture.disk import Disk, File
from tests.torture.endings import Nursery
from tests.torture.judging import Line, lost_and_wrong

CALLS = (
    *("openat", "close", "lseek", "write", "pwrite64", "writev", "ftruncate", "fallocate", "fdatasync", "fsync"),
    *("rename", "unlink", "rmdir", "sendfile", "copy_file_range", "link", "dup", "dup2"),
)
ROUNDS = {
    "answering": 6,
    "importing": 1,
    "exporting": 3,
    "backing up": 3,
    "restoring": 2,
    "migrating": 1,
    "creating": 1,
}
CUTS = 60  # of each

_LINE = re.compile(r"\d+ +(\w+)\((.*)\) += (\d+)$")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')


def cut_power(nursery: Nursery, place: Path, cuts: int = CUTS, works: tuple[str, ...] = tuple(ROUNDS)) -> Tally:
    """Record each kind of work once, and cut the power so often in each."""
    tally = Tally()
    for work in works:
        tally.add(_cut_in(work, nursery, place / work, cuts))
    return tally


def _cut_in(work: str, nursery: Nursery, place: Path, cuts: int) -> Tally:
    folder, log = place / "recorded", place / "calls"
    folder.mkdir(parents=True)
    OPERATIONS[work].prepare(folder)
    disk = Disk(folder)
    nursery.watch(VICTIMS[0], [work, str(folder), "1", str(ROUNDS[work])], CALLS, log, "-xx", "-s", "100000000")
    events = list(_events(log))
    dice = random.Random(work)
    moments = set(dice.sample(range(len(events)), min(cuts, len(events))))
    tally, player = Tally(), _Player(disk)
    for number, event in enumerate(events):
        player.play(*event)
        if number in moments:
            there = place / "after"
            disk.lay_out(there, dice)
            lost, wrong = lost_and_wrong(there, player.said)
            tally.power_cuts += 1
            tally.acknowledged += len(player.said)
            where = f"{work}, power cut after call {number} ({event[0]})"
            tally.lost += [f"{where}: {text}" for text in lost]
            tally.wrong += [f"{where}: {text}" for text in wrong]
            shutil.rmtree(there, ignore_errors=True)
    assert player.said, "a life in which nothing was acknowledged proves nothing"
    return tally


def _events(log: Path) -> Iterator[tuple[str, str, int]]:
    """Name, arguments and result of each call that went well."""
    for line in log.read_text("ascii").splitlines():
        found = _LINE.match(line)
        if found is not None:
            yield found[1], found[2], int(found[3])


class _Player:
    """Does to a disk what a process did to the files on it."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._files: dict[int, tuple[File, int]] = {}  # and where it writes next
        self._folders: dict[int, str] = {}
        self.said: list[Line] = []

    def play(self, call: str, words: str, result: int) -> None:
        first = words.partition(",")[0]
        number = int(first) if first.isdecimal() else -1
        texts = [bytes.fromhex(found.replace("\\x", "")) for found in _TEXT.findall(words)]
        match call:
            case "openat":
                self._open(texts[0].decode(), words, result)
            case "close":
                self._files.pop(number, None)
                self._folders.pop(number, None)
            case "writev" if number == 1:
                self._say(texts)
            case "rename" if self._disk.has(texts[0].decode()):
                self._disk.renamed(texts[0].decode(), texts[1].decode())
            case "unlink" if self._disk.has(texts[0].decode()):
                self._disk.removed(texts[0].decode())
            case "fsync" | "fdatasync" if number in self._folders:
                self._disk.synced(self._folders[number])
            case "sendfile" | "copy_file_range" | "link" | "fallocate" | "dup" | "dup2" if self._is_ours(words):
                raise NotImplementedError(call)
            case _ if number in self._files:
                self._change(call, number, words, texts, result)

    def _is_ours(self, words: str) -> bool:
        return any(part.isdecimal() and int(part) in self._files for part in words.split(", "))

    def _say(self, texts: list[bytes]) -> None:
        line = tuple(json.loads(b"".join(texts)))
        if line[0] not in {"begun", "ended", "refused"}:
            self.said.append(line)

    def _open(self, path: str, words: str, number: int) -> None:
        if not self._disk.has(path) or path.endswith("-shm") or "O_TMPFILE" in words:
            return  # SQLite makes an index of a log anew; a nameless file never comes back
        file = self._disk.opened(path, create="O_CREAT" in words, cut="O_TRUNC" in words)
        if file is None:
            self._folders[number] = path
        else:
            self._files[number] = file, 0

    def _change(self, call: str, number: int, words: str, texts: list[bytes], result: int) -> None:
        file, at = self._files[number]
        match call:
            case "lseek":
                self._files[number] = file, result
            case "write":
                file.waiting.append((at, texts[0][:result]))
                self._files[number] = file, at + result
            case "pwrite64":
                file.waiting.append((int(words.rsplit(", ", 1)[1]), texts[0][:result]))
            case "ftruncate":
                file.waiting.append((int(words.rsplit(", ", 1)[1]), None))
            case "fsync" | "fdatasync":
                file.sync()
