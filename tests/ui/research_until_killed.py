"""A window in a process of its own that is worked in without end, and says what of the time the store has acknowledged.

`python -m tests.ui.research_until_killed FOLDER SEED`: FOLDER holds a store with the sample in it. It prints
`worked TASK SECONDS` before so many more seconds go by on a task, and `kept TASK SECONDS` after the store has
acknowledged so many altogether, with the rating or beside it.
"""

import os
import random
import sys
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import QTimer

from desktop_rater import app
from desktop_rater.format.values import utc_now
from desktop_rater.operations.rating import rater_state, save

RATER = "killed"
STEP = 3.0


def say(word: str, task: str, spent: float) -> None:
    """A line that is out before anything else happens."""
    sys.stdout.write(f"{word} {task} {spent}\n")
    sys.stdout.flush()


def main() -> None:
    """Run until somebody kills this process."""
    folder, dice = Path(sys.argv[1]), random.Random(int(sys.argv[2]))
    application = app.application()
    clock = [0.0]

    def save_and_say(store, rubric, bundle, task, rating, **more):
        change = save.save_rating(store, rubric, bundle, task, rating, **more)
        say("kept", task.id, rating.time.active_seconds)
        return change

    def keep_and_say(store, rater, sums, **more):
        change = keep(store, rater, sums, **more)
        for (_bundle, task), spent in sums.items():
            if spent is not None:
                say("kept", task, spent.active_seconds)
        return change

    keep = rater_state.save_times
    rater_state.save_times = keep_and_say  # ty: ignore[invalid-assignment]
    room = app.build_application(folder, rater=RATER, now=utc_now, clock=lambda: clock[0], save=save_and_say)
    room.companions.time_keeping.timer.setInterval(7)
    room.window.show()
    room.window.activateWindow()

    def work() -> None:
        session = room.session
        if session.task is None or not room.window.isActiveWindow():
            return
        session.active_time.touch()
        say("worked", session.task.id, STEP)
        clock[0] += STEP
        shown = dice.choice(session.form_questions) if session.form_questions else None
        if shown is not None and shown.question.choices and dice.random() < 0.2:
            session.answer(shown.question.id, dice.choice(shown.question.choices).id)
        elif dice.random() < 0.2:
            session.move(dice.choice((-1, 1)))

    timer = QTimer()
    timer.timeout.connect(work)
    timer.start(2)
    application.exec()


if __name__ == "__main__":
    main()
