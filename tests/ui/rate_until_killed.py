"""A window in a process of its own that answers without end, and says which answers the store has acknowledged.

`tests.ui.rate_until_killed FOLDER SEED BUNDLE…`: FOLDER holds a store with the sample in it, and the bundles are
imported meanwhile. After each acknowledged save it prints a line with the task's id and the rating's plain answers.
"""

from __future__ import annotations

import json
import os
import random
import sys
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import QTimer

from desktop_rater import app
from desktop_rater.model.strict_json import to_plain
from desktop_rater.model.values import utc_now
from desktop_rater.work.rating import save

RATER = "killed"


def main() -> None:
    """Run until somebody kills this process."""
    folder, seed = Path(sys.argv[1]), int(sys.argv[2])
    dice = random.Random(seed)
    application = app.application()

    def save_and_say(store, rubric, bundle, task, rating, **more):
        change = save.save_rating(store, rubric, bundle, task, rating, **more)
        # Only now is the answer acknowledged: the transaction has ended.
        said = [task.id, to_plain(rating.answers), to_plain(rating.claims)]
        sys.stdout.write(json.dumps(said, sort_keys=True) + "\n")
        sys.stdout.flush()
        return change

    room = app.build_application(folder, rater=RATER, now=utc_now, save=save_and_say)
    room.window.show()
    bundles = [Path(name) for name in sys.argv[3:]]

    def take_in() -> None:
        if bundles:
            room.transfer.import_bundle(bundles.pop(0))

    room.transfer.import_ended.connect(take_in)
    take_in()

    def answer() -> None:
        session = room.session
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
    application.exec()


if __name__ == "__main__":
    main()
