"""What the tests of a QA lead's window share: results of made-up raters, and a window of who has them."""

from dataclasses import dataclass
from pathlib import Path

from desktop_rater.format.change import Progress
from desktop_rater.operations.audit.import_results import import_results
from desktop_rater.operations.rating.settings_file import SettingsFile
from desktop_rater.settings import Settings
from desktop_rater.store.open_store import open_writer
from tests.operations.bundles import NOON, make, noon, rating, task, write_lines
from tests.ui.rooms import press
from tools.simulate import SimulationOptions, simulate_results

TASKS = 3
SENTENCES = ("Paris is the capital of France.", "It lies on the Loire.", "A fine question!")


@dataclass(frozen=True)
class Received:
    """A bundle, and the results of its raters in a folder."""

    bundle: Path
    folder: Path

    @property
    def files(self):
        return sorted(self.folder.iterdir())


def results_of(folder, raters=3, name="facts", noise=0.6, tasks=TASKS):
    """A small bundle and the results of so many raters of it."""
    folder.mkdir()
    lines = [task(f"t{at}", *SENTENCES) for at in range(1, tasks + 1)]
    bundle = make(folder / f"{name}.zip", lines, title="Facts, November")
    answers = [{"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"}] * 2 + [{"factual": "no"}]
    base = write_lines(folder / "base.jsonl", [rating(one["id"], *answers) for one in lines])
    made = SimulationOptions(raters=raters, seed=7, noise=noise)
    simulate_results(bundle, base, folder / "results", made, Progress(lambda _done, _total: None))
    return Received(bundle, folder / "results")


def lead_window(rooms):
    """A window of a QA lead on a store of nothing."""
    room = rooms.empty()
    rooms.qtbot.waitUntil(lambda: room.window.is_empty)
    room.preferences.set("role", "lead")
    return room


def lead_review(rooms, results):
    """The window of the lead Lena, who has imported results and asked for their review."""
    with open_writer(rooms.folder / "store", command="test") as store:
        import_results(store, results, lead="Lena", now=NOON, progress=Progress())
    settings = SettingsFile(settings=Settings(rater="Lena", role="lead"))
    room = rooms.open(1440, 900, rater="Lena", now=noon, settings=settings)
    press("Ctrl+2")
    return room


def take_in(rooms, room, paths):
    """Drop files on the window, and wait for what came of them."""
    ended = []
    room.lead_screens.context.results.ended.connect(ended.append)
    room.window.dropped.emit(tuple(paths))
    rooms.qtbot.waitUntil(lambda: bool(ended), timeout=20_000)
    return ended[0]
