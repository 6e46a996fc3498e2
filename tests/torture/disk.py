"""A disk that loses its power: what it is sure to hold is what was synced, and of the rest it holds whatever it likes.

Only the folder of a test is on it. Names in folders change in the order in which they were changed, as journalling file
systems keep it; bytes of files come in any order, and half.
"""

import os
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

SECTOR = 512


@dataclass(eq=False)
class File:
    """`kept` is what was synced; `waiting` is (offset, bytes) in the order of writing, or (length, None) for a cut."""

    kept: bytearray = field(default_factory=bytearray)
    waiting: list[tuple[int, bytes | None]] = field(default_factory=list)

    def sync(self) -> None:
        for change in self.waiting:
            _apply(self.kept, *change)
        self.waiting.clear()

    def after_a_cut(self, dice: Random) -> bytes:
        """What may be there when the power is back."""
        found = bytearray(self.kept)
        share = dice.choice((0.0, 0.5, 0.9, 1.0))
        for offset, data in self.waiting:
            if dice.random() >= share:
                continue
            if data is None or dice.random() < 0.8:
                _apply(found, offset, data)
                continue
            for start in range(0, len(data), SECTOR):
                if dice.random() < 0.5:
                    _apply(found, offset + start, data[start : start + SECTOR])
        return bytes(found)


Change = tuple[str | None, str | None, File]  # the name that goes, the name that comes, and whose it is


class Disk:
    """The files below a folder, by their path within it."""

    def __init__(self, folder: Path) -> None:
        self._root = str(folder)
        self._now = {
            str(path.relative_to(folder)): File(bytearray(path.read_bytes()))
            for path in folder.rglob("*")
            if path.is_file()
        }
        self._kept = dict(self._now)
        self._waiting: list[Change] = []

    def has(self, path: str) -> bool:
        return path == self._root or path.startswith(f"{self._root}/")

    def opened(self, path: str, *, create: bool, cut: bool) -> File | None:
        """The file of that name; `None` where it is a folder."""
        name = self._name(path)
        if name not in self._now:
            if not create:
                return None
            self._change((None, name, File()))
        elif cut:
            self._now[name].waiting.append((0, None))
        return self._now[name]

    def renamed(self, before: str, after: str) -> None:
        name = self._name(before)
        if name in self._now:
            self._change((name, self._name(after), self._now[name]))
            return
        for inside in [one for one in self._now if one.startswith(f"{name}/")]:  # a folder is renamed
            self._change((inside, self._name(after) + inside[len(name) :], self._now[inside]))

    def removed(self, path: str) -> None:
        name = self._name(path)
        if name in self._now:
            self._change((name, None, self._now[name]))

    def synced(self, folder: str) -> None:
        """A folder was synced, and with it all that was changed before its last change."""
        name = self._name(folder)
        last = max((number for number, change in enumerate(self._waiting, 1) if _concerns(change, name)), default=0)
        for change in self._waiting[:last]:
            _rename(self._kept, change)
        del self._waiting[:last]

    def lay_out(self, folder: Path, dice: Random) -> None:
        """Write what is there after a power cut now into a new folder."""
        names = dict(self._kept)
        for change in self._waiting[: dice.randint(0, len(self._waiting))]:
            _rename(names, change)
        for name, file in names.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.after_a_cut(dice))

    def _name(self, path: str) -> str:
        return os.path.relpath(path, self._root)

    def _change(self, change: Change) -> None:
        _rename(self._now, change)
        self._waiting.append(change)


def _rename(names: dict[str, File], change: Change) -> None:
    before, after, file = change
    if before is not None:
        names.pop(before, None)
    if after is not None:
        names[after] = file


def _concerns(change: Change, folder: str) -> bool:
    return any((os.path.dirname(name) or ".") == folder for name in change[:2] if isinstance(name, str))  # noqa: PTH120


def _apply(content: bytearray, offset: int, data: bytes | None) -> None:
    if data is None:
        del content[offset:]
        content.extend(bytes(offset - len(content)))
        return
    content.extend(bytes(max(0, offset - len(content))))
    content[offset : offset + len(data)] = data
