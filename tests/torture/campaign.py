"""One kind of work, stopped again and again, and what came of it."""

import random
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.torture import endings, material
from tests.torture.endings import AtCall, AtMoment, Ended, Ending, Failing, Nursery
from tests.torture.judging import Line, lost_and_wrong, lost_in_recovery

ERRORS = (
    *(("pwrite64", error) for error in ("ENOSPC", "EIO")),
    *(("write", error) for error in ("ENOSPC", "EIO")),
    *(("fdatasync", "EIO"), ("fsync", "EIO"), ("ftruncate", "EIO"), ("rename", "EIO"), ("mkdir", "ENOSPC")),
)


WINDOW, TYPING = "tests.ui.rate_until_killed", "tests.ui.type_until_killed"
INDEXING = "tests.plugins.library.index_until_killed"
VICTIMS = ("tests.torture.victim", WINDOW, TYPING, INDEXING)
# Where its calls can't be counted, since it never ends: those of its lane in a second or two.
OF_A_WINDOW = Counter({"pwrite64": 400, "fdatasync": 40})


@dataclass(frozen=True)
class Operation:
    """Work that is stopped: `prepare` makes what it works on, `seconds` is about how long it takes.

    So many `lives` are led on one store before the next one is made.
    """

    name: str
    prepare: Callable[[Path], None]
    seconds: float
    lives: int
    rounds: int = 0
    module: str = "tests.torture.victim"
    recovered: bool = False  # after each kill, a copy with a destroyed page is recovered too

    @property
    def endless(self) -> bool:
        return self.module in {WINDOW, TYPING}

    def words(self, folder: Path, life: str) -> Sequence[str]:
        if self.endless:
            return [str(folder / "store"), life, *map(str, sorted(folder.glob("incoming/*.zip")))]
        return [self.name, str(folder), life, str(self.rounds)]


OPERATIONS = {
    one.name: one
    for one in (
        Operation("creating", material.nothing, seconds=0.1, lives=1),
        Operation("answering", material.rated, seconds=0.6, lives=10, rounds=25, recovered=True),
        Operation("importing", material.incoming, seconds=0.6, lives=3, rounds=3),
        Operation("exporting", material.rated, seconds=0.5, lives=10, rounds=6),
        Operation("backing up", material.rated, seconds=0.5, lives=10, rounds=6, recovered=True),
        Operation("restoring", material.rated, seconds=0.7, lives=4, rounds=4),
        Operation("migrating", material.old, seconds=0.1, lives=2),
        Operation("indexing", material.documents, seconds=3, lives=6, rounds=3, module=INDEXING),
        Operation("window", material.sample, seconds=2, lives=5, module=WINDOW, recovered=True),
        Operation("typing", material.sample, seconds=6, lives=5, module=TYPING),
        Operation("window importing", material.sample_and_incoming, seconds=2, lives=3, module=WINDOW),
    )
}


@dataclass
class Tally:
    """What came of all that was done to one kind of work."""

    kills: int = 0
    at_calls: int = 0
    failures: int = 0
    power_cuts: int = 0
    displacements: int = 0
    acknowledged: int = 0
    refused: int = 0
    lost: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def add(self, other):
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


class Campaign:
    """Stops one kind of work in the folder `place`, where it has all it needs; `seed` decides when."""

    def __init__(self, operation: Operation, nursery: Nursery, place: Path, seed: int) -> None:
        self._operation = operation
        self._place = place
        self._dice = random.Random(f"{operation.name} {seed}")
        self._template = place / "template"
        self._template.mkdir(parents=True)
        operation.prepare(self._template)
        self._nursery = nursery
        self._calls: Counter[str] | None = None
        self._lives = self._stores = 0
        self._seconds = operation.seconds  # in which it is killed; less once a life was shorter than that
        self.tally = Tally()

    def kill(self, times: int) -> None:
        """Kill it so often. A process that came to its end first does not count."""
        before = self.tally.kills
        for _ in range(10 * times):
            left = before + times - self.tally.kills
            if left == 0:
                return
            self._on_one_store(min(self._operation.lives, left), self._end)
        self.tally.wrong.append(f"{self._operation.name}: it is over too soon to be killed")

    def fail(self, times: int) -> None:
        """Let its disk fail so often."""
        for _ in range(times):
            self._on_one_store(1, self._failure)

    def _on_one_store(self, lives: int, choose: Callable[[], Ending]) -> None:
        folder = self._fresh()
        said: list[Line] = []
        for _ in range(lives):
            self._lives += 1
            ending = choose()
            ended = self._nursery.run(self._operation.module, self._operation.words(folder, str(self._lives)), ending)
            said += ended.said
            self._count(ending, ended)
            acknowledged = self._acknowledged(said)
            lost, wrong = lost_and_wrong(folder, acknowledged)
            if ending.fatal and self._operation.recovered:
                lost_then, wrong_then = lost_in_recovery(folder, acknowledged, self._dice)
                lost, wrong = lost + lost_then, wrong + wrong_then
            self.tally.lost += [f"{self._operation.name}, {ending}: {text}" for text in lost]
            self.tally.wrong += [f"{self._operation.name}, {ending}: {text}" for text in wrong]
        shutil.rmtree(folder)
        self.tally.acknowledged += sum(line[0] not in {"begun", "refused", "ended"} for line in said)

    def _acknowledged(self, said: list[Line]) -> list[Line]:
        if self._operation.module != WINDOW:
            return said
        return [("state", material.state(line)) for line in said if line[0] != "begun"]

    def _count(self, ending: Ending, ended: Ended) -> None:
        tally = self.tally
        tally.refused += len(ended.named("refused"))
        if ending.fatal:
            tally.kills += ended.killed
            tally.at_calls += ended.killed and isinstance(ending, AtCall)
        else:
            tally.failures += 1
        if isinstance(ending, AtMoment) and not ended.killed and not self._operation.endless:
            self._seconds = min(self._seconds, ending.seconds)
        if not ended.killed and (ended.status != 0 or self._operation.endless):
            tally.wrong.append(f"{self._operation.name}, {ending}: ended with {ended.status}: {ended.errors[-1500:]}")

    def _end(self) -> Ending:
        if endings.NO_STRACE or self._operation.module == TYPING or self._dice.random() < 0.4:
            return AtMoment(self._dice.uniform(0, self._seconds))
        calls = self._known_calls()
        # Rare calls are no less worth a kill than frequent ones, but there are fewer of them.
        names = sorted(calls)
        (call,) = self._dice.choices(names, [calls[name] ** 0.5 for name in names])
        return AtCall(call, self._dice.randint(1, calls[call]))

    def _failure(self) -> Ending:
        calls = self._known_calls()
        call, error = self._dice.choice([one for one in ERRORS if calls[one[0]]])
        return Failing(call, error, self._dice.randint(1, calls[call]), once=self._dice.random() < 0.5)

    def _known_calls(self) -> Counter[str]:
        if self._operation.endless:
            return OF_A_WINDOW
        if self._calls is None:
            folder = self._fresh()
            log = folder / "calls"
            self._nursery.watch(self._operation.module, self._operation.words(folder, "0"), endings.CHANGES, log)
            made = (line.split(maxsplit=1)[1] for line in log.read_text("utf-8", "replace").splitlines())
            self._calls = Counter(call.partition("(")[0] for call in made if call.startswith(endings.CHANGES))
            shutil.rmtree(folder)
        return self._calls

    def _fresh(self) -> Path:
        self._stores += 1
        return shutil.copytree(self._template, self._place / str(self._stores))
