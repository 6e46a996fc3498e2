"""Gold answers: validate them for a bundle, and look one up for a practising rater."""

from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from desktop_rater.format.archive import GOLD, OpenBundle
from desktop_rater.format.errors import BundleError
from desktop_rater.format.jsonl import structs_of_lines
from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import StrictJsonError, canonical_json, read_json_object, read_struct, to_plain
from desktop_rater.format.task import Task
from desktop_rater.format.write import NOTHING_WRITTEN
from desktop_rater.operations.rating.open_task import as_displayed, decode_task, drop_unknown_references, load_bundle
from desktop_rater.operations.rating.save import evaluated_rating
from desktop_rater.rubric import Rubric, check_rating, exported_form
from desktop_rater.rubric.gold import partial_gold
from desktop_rater.store import bundles
from desktop_rater.store.errors import StoreDamaged
from desktop_rater.store.store import Store
from desktop_rater.store.tasks import get_task


def gold_answer(store: Store, bundle_id: str, task_id: str) -> Rating | None:
    """Return the gold answer of a task as displayed; `None` if there is none. Raises `StoreError`."""
    line = bundles.find_gold(store, bundle_id, task_id)
    if line is None:
        return None
    try:
        gold = read_struct(read_json_object(line), Rating)
        return as_displayed(load_bundle(store, bundle_id), decode_task(get_task(store, bundle_id, task_id)), gold)[1]
    except StrictJsonError as error:
        raise StoreDamaged(f"The stored gold answer of {task_id!r} can't be read.", str(error)) from error


MAX_GOLD_BYTES = 2**25  # of gold answers in a rater's store; they are held in memory until their tasks are read
_LISTED = 3


class GoldAnswers:
    """Gold answers, held until their task is read. `good`: (task id, exported line), in task order.

    `partial`: how many of them answer only some questions; their status is "incomplete".
    `strict`: references to unknown targets make an answer invalid. In practice a task has one gold answer.
    """

    def __init__(self, called: str, *, strict: bool, practice: bool) -> None:
        self.good: list[tuple[str, bytes]] = []
        self.partial = 0
        self._called = called
        self._strict = strict
        self._practice = practice
        self._waiting: dict[str, list[tuple[str, Rating]]] = {}  # by task, with the place in the file
        self._faults: list[str] = []

    def add(self, where: str, rating: Rating) -> None:
        others = self._waiting.setdefault(rating.task, [])
        rating = replace(rating, rater=rating.rater or "gold")
        same = next((place for place, other in others if self._practice or other.rater == rating.rater), None)
        if same is None:
            others.append((where, rating))
        else:
            self._faults.append(f'{where}, task "{rating.task}": {same} answers the same task')

    def judge(self, rubric: Rubric, task: Task) -> None:
        for where, rating in self._waiting.pop(task.id, ()):
            if rating.rubric not in ("", rubric.ref, rubric.file.id):
                self._fault(where, task, f"it answers {rating.rubric}, but the bundle uses {rubric.ref}")
                continue
            valid, unknown = drop_unknown_references(replace(rating, rubric=rubric.ref), task)
            if unknown and self._strict:
                self._fault(where, task, f"the task has no {', '.join(unknown[:_LISTED])}")
                continue
            outcome = check_rating(rubric, task, valid)
            whole = not outcome.blocking
            if not whole:
                outcome, faults = partial_gold(rubric, task, valid, outcome)
                if faults:
                    more = f" and {len(faults) - _LISTED:,} more" if len(faults) > _LISTED else ""
                    self._fault(where, task, f"it does not fit {rubric.ref}: {', '.join(faults[:_LISTED])}{more}")
                    continue
                self.partial += 1
            form = exported_form(evaluated_rating(valid, outcome, as_complete=whole), outcome)
            self.good.append((task.id, canonical_json(to_plain(form))))

    def _fault(self, where: str, task: Task, why: str) -> None:
        self._faults.append(f'{where}, task "{task.id}": {why}')

    def faults(self) -> Iterator[str]:
        yield from self._faults
        for waiting in self._waiting.values():
            for where, rating in waiting:
                yield f'{where}, task "{rating.task}": the bundle has no such task'

    def refuse_faults(self) -> None:
        """Raise `BundleError` for faults, or if practice has no gold answer."""
        faults = list(self.faults())
        if faults:
            more = f" … and {len(faults) - _LISTED:,} more" if len(faults) > _LISTED else ""
            raise BundleError(f"{self._called} is refused", f"{'; '.join(faults[:_LISTED])}{more}.", NOTHING_WRITTEN)
        if self._practice and not self.good:
            raise BundleError(f"{self._called} is refused", "It contains no gold answers.", NOTHING_WRITTEN)

    def lines(self) -> Iterator[bytes]:
        for _, line in self.good:
            yield line


def read_gold_file(path: Path | None, *, practice: bool) -> GoldAnswers:
    """Return the gold answers of a `.jsonl` file. Raises `BundleError`, also for practice without one."""
    if path is None:
        if practice:
            raise BundleError(
                "The bundle can't be built",
                "Practice shows the gold answer after each task, and there is none.",
                "Add --gold.",
            )
        return GoldAnswers(GOLD, strict=True, practice=False)
    answers = GoldAnswers(path.name, strict=True, practice=practice)
    for where, rating in structs_of_lines(path, Rating):
        answers.add(where, rating)
    return answers


def read_bundle_gold(bundle: OpenBundle) -> GoldAnswers:
    """Return the gold answers of a practice bundle; none for other bundles. Raises `BundleError`."""
    answers = GoldAnswers(GOLD, strict=False, practice=True)
    if not bundle.manifest.practice:
        return answers
    size = bundle.manifest.files[GOLD].bytes
    if size > MAX_GOLD_BYTES:
        raise BundleError(f"{GOLD} is refused", f"It has {size:,} bytes, and practice takes {MAX_GOLD_BYTES:,}.")
    for line in bundle.gold_lines():
        answers.add(f"{GOLD}, line {line.number}", line.rating)
    return answers
