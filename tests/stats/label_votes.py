"""Votes that models of raters are fitted to: the data of Dawid and Skene (1979, Table 1), and random ones."""

import random

# Of each patient: three readings of the first anaesthetist, then one of each of the four others.
_TABLE_1 = (
    "1111111333433411221222223121222322222233221222111333343322222232322223444444422233431111111"
    "2223212121111111121111111111111111122222212221322222222222222212223222221222211111111111111"
    "2322222111111111111111121121111111133332331111111222222222232324334343221223223232333333432"
    "1111111111111112121112322222"
    "12111112222222"
)
ANAESTHETISTS = [
    (f"patient {patient + 1:02}", f"observer {observer}", float(reading))
    for patient in range(45)
    for observer, reading in zip((1, 1, 1, 2, 3, 4, 5), _TABLE_1[7 * patient :], strict=False)
]


def random_votes(seed, places=40, raters=6, values=("a", "b", "c")):
    """Each rater is right with a probability of their own, and rates two thirds of the places."""
    chance = random.Random(seed)
    skill = [chance.uniform(0.3, 0.95) for _ in range(raters)]
    votes = []
    for place in range(places):
        true = chance.choice(values)
        for rater in range(raters):
            if chance.random() < 2 / 3:
                value = true if chance.random() < skill[rater] else chance.choice(values)
                votes.append((f"t-{place:02}", f"r-{rater}", value))
    return votes
