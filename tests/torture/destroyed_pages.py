"""Each page of a store is destroyed in turn: the newest backup and the journal give back everything acknowledged."""

import random
from pathlib import Path

from desktop_rater.format.change import Progress
from desktop_rater.format.values import utc_now
from desktop_rater.operations.store.backup import back_up
from desktop_rater.store.connection import NAME
from desktop_rater.store.open_store import open_writer
from tests.torture.campaign import OPERATIONS, VICTIMS, Tally
from tests.torture.endings import Nursery
from tests.torture.judging import PAGE, lost_in_recovery

PAGES = 500
ROUNDS = "25"


def destroy_pages(nursery: Nursery, folder: Path, pages: int = PAGES) -> Tally:
    """Destroy so many pages, one at a time, of a store with answers before and after its newest backup."""
    folder.mkdir()
    OPERATIONS["answering"].prepare(folder)
    said = list(nursery.run(VICTIMS[0], ["answering", str(folder), "1", ROUNDS]).said)
    with open_writer(folder / "store", command="a backup") as store:
        back_up(store, now=utc_now, progress=Progress())
    said += nursery.run(VICTIMS[0], ["answering", str(folder), "2", ROUNDS]).said
    tally, dice = Tally(), random.Random(PAGES)
    tally.acknowledged = sum(line[0] == "answer" for line in said)
    there = (folder / "store" / NAME).stat().st_size // PAGE
    order = dice.sample(range(1, there + 1), there) * (1 + pages // there)
    for number in order[:pages]:
        lost, wrong = lost_in_recovery(folder, said, dice, number)
        tally.failures += 1
        tally.lost += lost
        tally.wrong += wrong
    assert tally.acknowledged > 0, "a store without answers can lose none"
    return tally
