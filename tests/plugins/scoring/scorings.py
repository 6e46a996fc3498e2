"""What the tests of scoring share: a lead's store with gold and two raters' reasons, and a window that scores them."""

from desktop_rater.plugins.scoring.manual_scoring import load_answers, load_points
from tests.audit.results import Desk
from tests.operations.bundles import make, rating, task, write_lines
from tests.operations.rated import results_of
from tests.readers import reader_of
from tests.ui.rooms import Text, press

SOURCE, OLD = "An official source says so.", "The number is out of date."
GOLD = {"t-1": f"{SOURCE} The number is fresh.", "t-2": "No official source says so.", "t-3": OLD}
CAREFUL = {"t-1": SOURCE, "t-2": "No official source says so.", "t-3": OLD}
PADDING = dict.fromkeys(GOLD, f"{SOURCE} {OLD}")
KEY = "sk-canary-5f2c81d0-key"


def rated(comments):
    """Ratings with these comments."""
    answers = {"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"}
    return [rating(name, {**answers, "comment": words}) for name, words in comments.items()]


def lead_store(folder, raters=None, *, gold=GOLD, tasks=None):
    """A folder with the store of a lead who took in what the raters sent, and the copy with its gold."""
    tasks = tasks or [task(name) for name in GOLD]
    raters = raters or {"careful": rated(CAREFUL), "padding": rated(PADDING)}
    results = results_of(folder / "raters", tasks, raters)
    lines = write_lines(folder / "gold.jsonl", rated(gold)) if gold else None
    copy = make(folder / "b.zip", tasks, gold=lines) if lines else make(folder / "b.zip", tasks)
    desk = Desk(folder)
    desk.opened(*results, copy)
    return desk.store


def open_scored(run, folder, ratings=None):
    """Take in raters' results and the lead's copy with its gold by command; return the commands."""
    tasks = [task(name) for name in GOLD]
    results = results_of(folder / "raters", tasks, ratings or {"careful": rated(CAREFUL), "padding": rated(PADDING)})
    copy = make(folder / "b.zip", tasks, gold=write_lines(folder / "gold.jsonl", rated(GOLD)))
    run("audit", "open", *results, copy, status=0)
    return run


def reads(point, text):
    if point == SOURCE:
        return "disagrees" if "No official" in text else "agrees" if "official" in text else "silent"
    return "disagrees" if "fresh" in text else "agrees" if "out of date" in text else "silent"


def by_endpoint(stub, *more):
    return ("--oracle", "endpoint", "--endpoint", stub.url, "--model", "m-1", "--allow-loopback", "--yes", *more)


def means(answer):
    return {one["rater"]: (one["scored"], one["scores"].get("AV")) for one in answer.json["raters"]}


def scoring_in(window):
    """The part of the window that scores."""
    return window.screens.screen("report").parts.get("validation")


def open_scoring(window, qtbot):
    """From the report into scoring, by its key."""
    window.preferences.set("role", "lead")
    window.screens.go("report")
    report = window.screens.screen("report")
    qtbot.waitUntil(lambda: report.figures.report is not None)
    press("S")
    scoring = scoring_in(window)
    qtbot.waitUntil(lambda: scoring.page.stack.currentWidget() is not scoring.page.waiting)
    return scoring


def stored(folder, read):
    """What is kept in the store of the window."""
    with reader(folder) as store:
        return read(store, "b")


def reader(folder):
    return reader_of(folder / "store")


def points_in(folder):
    return [(one.topic, one.text) for found in stored(folder, load_points).values() for one in found]


def says_in(folder):
    return {text: said for (_cluster, text), said in stored(folder, load_answers).items()}


def take_two_points():
    """The first sentence of the first gold text, and one that is typed."""
    press("T", "W", Text(OLD), "Return", "Escape")
