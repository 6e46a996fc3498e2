"""Bundles read, so that others can be made of their tasks: to the byte, with the pages that they need."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.audit.origin import PARTS, whole_of
from desktop_rater.bundle.make import NewBundle, make_bundle
from desktop_rater.bundle.names import TASKS
from desktop_rater.bundle.pool import Pool
from desktop_rater.bundle.put import put_all_in_place
from desktop_rater.bundle.read import open_bundle
from desktop_rater.bundle.trouble import BundleError, named
from desktop_rater.bundle.write import TRY_AGAIN
from desktop_rater.model.derived import DERIVED, RETURN, derived_from
from desktop_rater.model.kept import to_plain
from desktop_rater.model.manifests import BundleManifest
from desktop_rater.work.incoming import MOST_LEFT_OUT, LeftOut
from desktop_rater.work.pages_of_tasks import PagesOfTasks

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

    from desktop_rater.bundle.lines import TaskLine
    from desktop_rater.bundle.read import OpenBundle
    from desktop_rater.model.progress import Progress

_STEP = 200
_NO_TIME = "1980-01-01T00:00:00Z"  # the earliest that a zip knows, for a bundle that does not say when it was made


class Gathered(msgspec.Struct, frozen=True, kw_only=True):
    """A bundle that was read. `tasks`: the numbers of its good lines."""

    path: Path
    manifest: BundleManifest
    rubric_toml: str | None
    guidelines: str | None
    tasks: range

    def reference(self) -> dict[str, Any]:
        """What a bundle made of this one says of it."""
        manifest = self.manifest
        return {"id": manifest.id, "revision": manifest.revision, "sha256": manifest.files[TASKS].sha256}

    def _whole(self, tool: str) -> dict[str, Any]:
        """Of what a bundle that `tool` makes of this one is made: a part of a part is one of the whole."""
        own = derived_from(self.manifest.unknown)
        whole = whole_of(own) if tool in PARTS else None
        return self.reference() if whole is None else to_plain(whole)

    def new(self, derived: dict[str, Any], **changed: Any) -> NewBundle:
        """A bundle like this one, still without tasks.

        `derived` says how it is made, `changed` what is different.
        """
        manifest = self.manifest
        given: dict[str, Any] = {
            "created": manifest.created,
            "revision": manifest.revision,
            "title": manifest.title,
            "unknown": manifest.unknown,
            **changed,
        }
        return NewBundle(
            id=given["id"],
            created=given["created"] or _NO_TIME,
            revision=given["revision"],
            title=given["title"],
            language=manifest.language,
            rubric=manifest.rubric,
            rubric_toml=self.rubric_toml,
            guidelines=self.guidelines,
            practice=manifest.practice,
            unknown={**given["unknown"], DERIVED: {"bundles": [self._whole(derived["tool"])], **derived}},
        )


class Gathering:
    """The tasks of some bundles while they are shared out. Numbered from 0, in the order of their coming."""

    def __init__(self, pool: Pool, folder: Path, progress: Progress) -> None:
        self.ids: list[str] = []
        self.left_out: list[LeftOut] = []
        self._pool = pool
        self._pages = PagesOfTasks(folder)
        self._gold: dict[str, list[bytes]] = {}
        self._progress = progress

    def read(self, path: Path, take: Callable[[TaskLine], bool] = lambda _: True) -> Gathered:
        """Read a bundle to its end; `take` is shown each good task and says whether it comes in.

        Raises `BundleError`.
        """
        first = len(self.ids)
        with open_bundle(path) as bundle:
            _refuse_sent_back(path, bundle)
            self._pages.bring(bundle)
            for line in self._good(bundle, path):
                if take(line):
                    self._take(line)
            self._take_gold(bundle)
            return Gathered(
                path=path,
                manifest=bundle.manifest,
                rubric_toml=bundle.rubric_toml,
                guidelines=bundle.guidelines,
                tasks=range(first, len(self.ids)),
            )

    def write(self, out: Path, new: NewBundle, numbers: Sequence[int]) -> BundleManifest:
        """Write a bundle of those tasks, with their pages, and in practice with their gold."""
        gold = [line for number in numbers for line in self._gold.get(self.ids[number], ())]
        # Without gold for any of its tasks there is nothing to practise with, and such a bundle would be refused.
        whole = msgspec.structs.replace(
            new, snapshots=self._pages.needed(numbers), practice=new.practice and bool(gold)
        )
        return make_bundle(out, whole, self._watched(self._pool.lines(numbers), len(numbers)), gold=gold)

    def _take(self, line: TaskLine) -> None:
        assert line.task is not None
        self._pages.look(len(self.ids), line.task)
        self.ids.append(line.task.id)
        self._pool.add(line.raw)

    def _good(self, bundle: OpenBundle, path: Path) -> Iterator[TaskLine]:
        for line in bundle.tasks():
            if line.number % _STEP == 0:
                self._progress(line.number, bundle.manifest.tasks)
            if line.task is not None:
                yield line
                continue
            self.left_out.append(LeftOut(task=line.id, why=f"{path.name}: {line.trouble}"))
            if len(self.left_out) > MOST_LEFT_OUT:
                why = f"More than {MOST_LEFT_OUT:,} of its lines are no good task, the last: {line.trouble}."
                raise BundleError(f"{path.name} is refused", why, "Nothing was written.")

    def _take_gold(self, bundle: OpenBundle) -> None:
        """Keep the gold of a practice bundle. Any other is read, so that nothing of a damaged file is taken."""
        found: dict[str, list[bytes]] = {}
        for line in bundle.gold_lines():
            if bundle.manifest.practice:
                found.setdefault(line.rating.task, []).append(line.raw)
        for task, lines in found.items():
            if self._gold.setdefault(task, lines) != lines:
                why = f'Another bundle has other gold of the task "{task}".'
                raise BundleError(f"{bundle.manifest.id} can't be taken", why, "Nothing was written.")

    def _watched(self, lines: Iterable[bytes], total: int) -> Iterator[bytes]:
        for count, line in enumerate(lines):
            if count % _STEP == 0:
                self._progress(count, total)
            yield line


def _refuse_sent_back(path: Path, bundle: OpenBundle) -> None:
    derived = derived_from(bundle.manifest.unknown)
    if derived is not None and derived.tool == RETURN:
        whose = repr(derived.rater) if derived.rater else "one rater"
        why = f"It goes back to {whose}, and only results of it as it is take the place of the earlier ones."
        raise BundleError(f"{path.name} is refused", why, "Hand it to that rater whole.")


@contextmanager
def gathering(
    folder: Path, names: Sequence[str], progress: Progress, *, new_folder: bool = False
) -> Generator[tuple[Gathering, Path]]:
    """Gives the gathering, and the folder to write files of those names to.

    They take their places in `folder` when the block ends well: all of them or none. `new_folder`: it need not be
    there before. Raises `BundleError`.
    """
    shown = folder / names[0] if len(names) == 1 else folder
    with (
        named(shown, "written", TRY_AGAIN),
        _there(folder, new=new_folder),
        put_all_in_place(folder, names) as beside,
        Pool(beside) as pool,
    ):
        yield Gathering(pool, beside, progress), beside


@contextmanager
def _there(folder: Path, *, new: bool) -> Generator[None]:
    made = new and not folder.exists()
    if made:
        folder.mkdir()
    try:
        yield
    except BaseException:
        if made:
            folder.rmdir()
        raise
