"""Results as raters really make them: each in a store of the rater's own, exported by the program."""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from desktop_rater.format.change import Progress
from desktop_rater.format.results import ResultLines, ResultsDraft, open_results, write_results
from desktop_rater.format.signing import SigningKey
from desktop_rater.format.strict_json import canonical_json, to_plain
from desktop_rater.format.write import Spool
from desktop_rater.operations.audit.import_results import ImportedResults, import_results
from desktop_rater.operations.rating.export import export_results
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.rubric import exported_sha256
from desktop_rater.store import snapshots, tasks
from desktop_rater.store.open_store import open_writer
from tests.operations.bundles import NOON, make, noon, rating, save_ratings, take_in, task, write_lines, writer
from tests.store.going_back import PAGE, SHA

GOOD = {"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"}
WRONG = {"factual": "yes", "common_knowledge": "wrong", "accuracy": "inaccurate", "severity": "minor"}
OPINION = {"factual": "no"}


class Desk:
    """A bundle `kelp` of three tasks, raters who rate it, and a lead who opens what they send."""

    def __init__(self, folder: Path, given: Iterable[dict[str, Any]] | None = None) -> None:
        self.folder = folder
        self.tasks = list(given or (task(f"t-{n}", f"Kelp {n} is green.", "It is an alga.") for n in range(1, 4)))
        self.bundle = make(folder / "kelp.zip", self.tasks)
        self.store = folder / "lead"
        self._count = 0

    def another(self, folder: str, tasks: Iterable[dict[str, Any]] | None = None, **more: Any) -> Path:
        """Another bundle of that name."""
        (self.folder / folder).mkdir()
        return make(self.folder / folder / "kelp.zip", tasks or self.tasks, **more)

    def rated(self, rater: str, **answers: dict[str, Any]) -> None:
        """A rater answers the first target of tasks: `t1=GOOD` is t-1; the second one is common knowledge."""
        home = self.folder / f"home-{rater}"
        new = not home.exists()
        lines = [rating(name.replace("t", "t-"), given, GOOD) for name, given in answers.items()]
        self._count += 1
        file = write_lines(self.folder / f"ratings-{self._count}.jsonl", lines)
        with writer(home) as store:
            if new:
                take_in(store, self.bundle)
            rate_from_file(store, "kelp", file, rater, progress=Progress(), now=noon)

    def exported(self, rater: str, name: str = "", *, partial: bool = False, key: SigningKey | None = None) -> Path:
        out = self.folder / f"{name or rater}.zip"
        with writer(self.folder / f"home-{rater}") as store:
            export_results(store, "kelp", rater, out, progress=Progress(), partial=partial, key=key)
        return out

    def sent(
        self,
        rater: str,
        name: str = "",
        *,
        partial: bool = False,
        key: SigningKey | None = None,
        **answers: dict[str, Any],
    ) -> Path:
        self.rated(rater, **answers)
        return self.exported(rater, name, partial=partial, key=key)

    def copied_home(self, rater: str, other: str) -> None:
        """The rater takes the store along to another computer."""
        shutil.copytree(self.folder / f"home-{rater}", self.folder / f"home-{other}")

    def opened(self, *paths: Path, store: Path | None = None, progress: Progress | None = None) -> ImportedResults:
        """The lead takes in what came."""
        with open_writer(store or self.store, command="audit open") as desk:
            return import_results(desk, paths, lead="lead", now=NOON, progress=progress or Progress())

    def renamed_to(self, rater: str) -> Path:
        """Results of a rater whose name no file could have."""
        return renamed(self.sent("someone", t1=GOOD, t2=GOOD, t3=GOOD), self.folder / "renamed.zip", rater)

    def of_part(self, part: Path, bundle: str, rater: str) -> Path:
        """What a rater sends who was given a part of the bundle."""
        out = self.folder / f"{bundle}-results.zip"
        with writer(self.folder / f"home-{rater}") as store:
            take_in(store, part)
            lines = [rating(row.id, GOOD, GOOD) for row in tasks.stream_tasks(store, bundle)]
            save_ratings(store, bundle, self.folder / f"{bundle}.jsonl", lines, rater)
            export_results(store, bundle, rater, out, progress=Progress())
        return out

    def with_page(self, rater: str) -> Path:
        """What a rater sends who has taken a page as evidence for the first target of t-1."""
        piece = {"id": "e1", "target": "s1", "stance": "supporting", "url": "https://kelp.example/", "snapshot": SHA}
        answers = {"factual": "yes", "accuracy": "accurate"}
        self._count += 1
        lines = [rating("t-1", answers, GOOD, evidence=[piece]), rating("t-2", GOOD, GOOD), rating("t-3", GOOD, GOOD)]
        file = write_lines(self.folder / f"ratings-{self._count}.jsonl", lines)
        with writer(self.folder / f"home-{rater}") as store:
            take_in(store, self.bundle)
            snapshots.store_snapshot(store.folder, SHA, [PAGE])
            rate_from_file(store, "kelp", file, rater, progress=Progress(), now=noon)
        return self.exported(rater)


def renamed(source: Path, out: Path, rater: str) -> Path:
    """The same results as another rater would have sent them."""
    with open_results(source) as old, Spool(out.parent) as spool:
        lines = ResultLines(spool)
        manifest = old.manifest
        histories = {line.task: line for line in old.history()}
        for line, task_line in zip(old.ratings(), old.tasks(), strict=True):
            new = replace(line.rating, rater=rater)
            told = replace(histories[new.task], sha256=exported_sha256(new))
            lines.add([canonical_json(to_plain(new))], [task_line.raw], [told])
        given = ResultsDraft(
            bundle=manifest.bundle,
            rater=rater,
            rubric=manifest.rubric,
            counts=manifest.counts,
            moment="2026-11-20T12:00:00Z",
        )
        write_results(out, given, lines)
    return out
