"""A window in a process of its own that answers without end, and says which answers the store has acknowledged.

`tests.ui.rate_until_killed FOLDER SEED BUNDLE…`: FOLDER holds a store with the sample in it, and the bundles are
imported meanwhile. After each acknowledged save it prints a line with the task's id and the rating's plain answers.
SIGUSR1 closes the window, as a rater does.
"""

import json
import os
import random
import signal
import sys
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import QTimer

from desktop_rater import app
from desktop_rater.format.strict_json import to_plain
from desktop_rater.format.values import utc_now
from desktop_rater.operations.rating import save
from desktop_rater.ui.store.window_loop import run_window

RATER = "killed"


def main() -> None:
    """Run until this process is killed, or the window is closed."""
    folder, seed = Path(sys.argv[1]), int(sys.argv[2])
    dice = random.Random(seed)
    app.application()

    def save_and_say(store, rubric, bundle, task, rating, **more):
        change = save.save_rating(store, rubric, bundle, task, rating, **more)
        # Only now is the answer acknowledged: the transaction has ended.
        said = [task.id, to_plain(rating.answers), to_plain(rating.claims)]
        sys.stdout.write(json.dumps(said, sort_keys=True) + "\n")
        sys.stdout.flush()
        return change

    rooms: list[app.Application] = []

    def build(settings, updated, frame):
        like = {"settings": settings, "updated": updated, "window": frame}
        rooms.append(app.build_application(folder, rater=RATER, now=utc_now, save=save_and_say, **like))
        rooms[-1].transfer.import_ended.connect(take_in)
        return rooms[-1]

    bundles = [Path(name) for name in sys.argv[3:]]

    def take_in() -> None:
        if bundles:
            rooms[-1].transfer.import_bundle(bundles.pop(0))

    closing: list[int] = []
    signal.signal(signal.SIGUSR1, lambda number, _frame: closing.append(number))

    def answer() -> None:
        if closing:
            rooms[-1].window.close()
            return
        session = rooms[-1].session
        if session.task is None:
            return
        shown = dice.choice(session.form_questions) if session.form_questions else None
        act = dice.random()
        if shown is not None and shown.question.choices and act < 0.7:
            session.answer(shown.question.id, dice.choice(shown.question.choices).id)
        elif shown is not None and shown.question.kind == "text" and act < 0.8:
            session.answer(shown.question.id, "x" * dice.randrange(1, 400), typing=True)
        elif act < 0.85:
            session.add_evidence(f"https://page{dice.randrange(9)}.example/")
        elif act < 0.9:
            session.undo()
        else:
            session.move(dice.choice((-1, 1)))

    timer = QTimer()
    timer.timeout.connect(answer)
    timer.start(1)
    QTimer.singleShot(0, take_in)
    run_window(folder, build, now=utc_now)


if __name__ == "__main__":
    main()
