"""Who rates what: each task by so many raters, in parts that are equal, and so that every two raters meet as often."""

from __future__ import annotations

from itertools import combinations


def share_out(tasks: int, raters: int, overlap: int) -> list[tuple[int, ...]]:
    """The raters of each task, by their numbers: `overlap` different ones, at most `raters`.

    Parts differ by one task at most, since those who are one task behind come first. Among raters who are equally far,
    those come who have met the others of this task least.
    """
    met = [[0] * raters for _ in range(raters)]
    behind = set(range(raters))
    given = []
    for _ in range(tasks):
        if len(behind) > overlap:
            team = _team(set(), behind, overlap, met)
            behind -= team
        else:
            team = _team(behind, set(range(raters)) - behind, overlap, met)
            behind = set(range(raters)) - (team - behind)
        for one, other in combinations(team, 2):
            met[one][other] += 1
            met[other][one] += 1
        given.append(tuple(sorted(team)))
    return given


def _team(sure: set[int], free: set[int], size: int, met: list[list[int]]) -> set[int]:
    """`sure`, filled up out of `free`."""
    team = set(sure)
    meetings = [sum(row[one] for one in team) for row in met]
    while len(team) < size:
        next_ = min(free - team, key=lambda rater: (meetings[rater], rater))
        team.add(next_)
        meetings = [before + more for before, more in zip(meetings, met[next_], strict=True)]
    return team
