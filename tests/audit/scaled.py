"""Results of raters on a scale from 1 to 5, made up with known spreads."""

from pathlib import Path

import numpy as np

from desktop_rater.format.change import Progress
from desktop_rater.operations.audit.import_results import import_results
from desktop_rater.operations.rating.export import export_results
from desktop_rater.store.open_store import open_writer
from tests.operations.bundles import NOON, make, save_ratings, take_in, task, write, writer
from tests.rubric.toml_texts import SCALE, question, rubric_text

RUBRIC = rubric_text(
    "helpfulness",
    question("helpful", "required = true", SCALE, per="task", ask="How helpful is it?"),
    more='version = 1\ntitle = "Helpfulness"',
)


def grades(tasks: int, raters: int, seed: int = 1) -> np.ndarray:
    """Grades (tasks, raters) with offsets of the raters from -0.8 to 0.8."""
    random = np.random.default_rng(seed)
    places, offsets = random.normal(3, 0.9, (tasks, 1)), np.linspace(-0.8, 0.8, raters)
    return np.clip(np.round(places + offsets + random.normal(0, 0.7, (tasks, raters))), 1, 5)


def scaled_store(folder: Path, given: np.ndarray) -> Path:
    """Return the store of a lead who has opened the grades of raters r-1, r-2, …"""
    tasks, raters = given.shape
    rubric = write(folder / "rubric.toml", RUBRIC)
    bundle = make(
        folder / "grades.zip",
        [task(f"t-{number:03}", f"Kelp {number}.") for number in range(tasks)],
        rubric=str(rubric),
    )
    sent = [bundle]
    for rater in range(raters):
        lines = [
            {"task": f"t-{number:03}", "answers": {"task": {"helpful": int(given[number, rater])}}}
            for number in range(tasks)
        ]
        with writer(folder / f"home-{rater}") as store:
            take_in(store, bundle)
            save_ratings(store, "grades", folder / f"r-{rater + 1}.jsonl", lines, f"r-{rater + 1}")
            sent.append(folder / f"r-{rater + 1}.zip")
            export_results(store, "grades", f"r-{rater + 1}", sent[-1], progress=Progress())
    with open_writer(folder / "store", command="audit open") as lead:
        import_results(lead, sent, lead="lead", now=NOON, progress=Progress())
    return folder / "store"
