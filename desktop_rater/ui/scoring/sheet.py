"""Where the lead stands among points and texts, and what each command makes of them. Knows no widget and no store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace

from desktop_rater.oracle.interface import Point

if TYPE_CHECKING:
    from desktop_rater.stats.justification import Said
    from desktop_rater.work.score_by_hand import HandCluster, HandDesk, HandText

    Points = tuple[Point, ...]
    Answers = dict[str, Said]


@dataclass(frozen=True)
class Step:
    """What changed: the points of a cluster, or, where `text` is one, what was said of it. `at`: the point at hand."""

    cluster: str
    text: str | None
    before: Points | Answers
    after: Points | Answers
    at: str


class Sheet:
    """One cluster is open, with one of its texts and one of its points. Points of one topic stand together."""

    def __init__(self, desk: HandDesk) -> None:
        self.desk = desk
        self._points: dict[str, Points] = {one.id: one.points for one in desk.clusters}
        self._said: dict[tuple[str, str], Answers] = {
            (one.id, text): given for one in desk.clusters for text, given in one.said.items()
        }
        self._done: list[Step] = []
        self._undone: list[Step] = []
        self.cluster: HandCluster = desk.clusters[0]
        self.text_at = self.point_at = 0
        self.go_on()

    # -- what there is

    @property
    def points(self) -> Points:
        return self._points[self.cluster.id]

    @property
    def texts(self) -> tuple[HandText, ...]:
        return self.cluster.texts

    @property
    def text(self) -> HandText:
        return self.texts[self.text_at]

    @property
    def point(self) -> Point | None:
        return self.points[self.point_at] if self.point_at < len(self.points) else None

    @property
    def said(self) -> Answers:
        """What was said of the text at hand, by the words of the points."""
        return self._said.get((self.cluster.id, self.text.text), {})

    @property
    def topics(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.topic for one in self.points))

    def is_done(self, cluster: HandCluster, text: HandText) -> bool:
        """Whether each point is answered for it."""
        said = self._said.get((cluster.id, text.text), {})
        points = self._points[cluster.id]
        return bool(points) and all(one.text in said for one in points)

    @property
    def done(self) -> int:
        """Texts of the open cluster of which all is said."""
        return sum(self.is_done(self.cluster, one) for one in self.texts)

    @property
    def is_enough(self) -> bool:
        """Whether some text can have a score: of a cluster all gold texts are answered, and one other at least."""
        return any(
            all(self.is_done(one, text) for text in one.texts if text.gold)
            and any(self.is_done(one, text) for text in one.texts if not text.gold)
            for one in self.desk.clusters
        )

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left to answer."""
        return all(self.is_done(one, text) for one in self.desk.clusters for text in one.texts)

    def answers_to(self, point: Point) -> int:
        """For how many texts of the open cluster that point is answered."""
        return sum(point.text in self._said.get((self.cluster.id, one.text), {}) for one in self.texts)

    # -- moving

    def take_place_of(self, other: Sheet) -> None:
        """Stand where one stood before all was read anew, as far as it is still there."""
        self._done, self._undone = other._done, other._undone
        self.open(other.cluster.id)
        self._find(other.text.text, other.point.text if other.point else "")

    def open(self, cluster: str) -> None:
        """Go to another question, where its first text is that has something open."""
        found = next((one for one in self.desk.clusters if one.id == cluster), None)
        if found is not None and found is not self.cluster:
            self.cluster, self.text_at, self.point_at = found, 0, 0
            self.go_on()

    def move_text(self, by: int) -> None:
        """To the next text or the one before."""
        self.text_at, self.point_at = min(max(self.text_at + by, 0), len(self.texts) - 1), 0
        self._to_open_point()

    def move_point(self, to: int) -> None:
        self.point_at = min(max(to, 0), max(len(self.points) - 1, 0))

    def next_open(self) -> bool:
        """To the next text of which something is open; whether there is one."""
        count = len(self.texts)
        for step in range(1, count + 1):
            at = (self.text_at + step) % count
            if not self.is_done(self.cluster, self.texts[at]):
                self.text_at, self.point_at = at, 0
                self._to_open_point()
                return True
        return False

    def go_on(self) -> None:
        """To the next point that is open: in this text, the next one, the next question.

        Without points one stands right where one stands.
        """
        if not self.points:
            return
        if not self.is_done(self.cluster, self.text):
            self._to_open_point()
        elif not self.next_open():
            self._next_question()

    def _next_question(self) -> None:
        for one in self.desk.clusters:
            if not all(self.is_done(one, text) for text in one.texts):
                self.open(one.id)
                return

    def _to_open_point(self) -> None:
        """To the first open point at or after the one at hand, else the first open one."""
        opens = [at for at, one in enumerate(self.points) if one.text not in self.said]
        self.point_at = next((at for at in opens if at >= self.point_at), opens[0] if opens else 0)

    def _find(self, text: str | None, point: str) -> None:
        at = next((at for at, one in enumerate(self.texts) if one.text == text), None)
        self.text_at = self.text_at if at is None else at
        to = next((at for at, one in enumerate(self.points) if one.text == point), None)
        self.move_point(self.point_at if to is None else to)

    # -- commands: each gives the step that has to be kept, nothing where nothing changes

    def answer(self, said: Said) -> Step | None:
        """Say of the text at hand what it says of the point at hand, and go on."""
        point = self.point
        if point is None:
            return None
        step = self._say({**self.said, point.text: said}, point)
        self.go_on()
        return step

    def clear(self) -> Step | None:
        """Take the answer at hand back."""
        point = self.point
        if point is None or point.text not in self.said:
            return None
        return self._say({words: one for words, one in self.said.items() if words != point.text}, point)

    def add(self, words: str, quotes: tuple[str, ...], topic: str) -> Step | None:
        """A point behind the others of the topic at hand; `topic` is that of the first."""
        if not words or any(one.text == words for one in self.points):
            return None
        point = Point(topic=self.point.topic if self.point else topic, text=words, quotes=quotes)
        return self._change(_put(self.points, point), words)

    def reword(self, words: str) -> Step | None:
        """Word the point at hand anew; then it is asked of each text anew."""
        point = self.point
        if point is None or not words or any(one.text == words for one in self.points):
            return None
        changed = tuple(replace(one, text=words) if one is point else one for one in self.points)
        return self._change(changed, words)

    def move(self, topic: str) -> Step | None:
        """Put the point at hand behind those of another topic."""
        point = self.point
        if point is None or not topic or topic == point.topic:
            return None
        rest = tuple(one for one in self.points if one is not point)
        return self._change(_put(rest, replace(point, topic=topic)), point.text)

    def remove(self) -> Step | None:
        """Take the point at hand away. What was said of it comes back with it."""
        point = self.point
        if point is None:
            return None
        return self._change(tuple(one for one in self.points if one is not point), point.text)

    def undo(self) -> Step | None:
        """What held before the last step, to be kept again."""
        return self._back_and_forth(self._done, self._undone)

    def redo(self) -> Step | None:
        return self._back_and_forth(self._undone, self._done)

    @property
    def can_undo(self) -> bool:
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        return bool(self._undone)

    def _back_and_forth(self, source: list[Step], other: list[Step]) -> Step | None:
        if not source:
            return None
        step = source.pop()
        back = Step(step.cluster, step.text, step.after, step.before, step.at)
        other.append(back)
        self.open(step.cluster)
        self._take(back)
        self._find(step.text, step.at)
        return back

    def _say(self, said: Answers, point: Point) -> Step:
        return self._keep(Step(self.cluster.id, self.text.text, self.said, said, point.text))

    def _change(self, points: Points, at: str) -> Step:
        step = self._keep(Step(self.cluster.id, None, self.points, points, at))
        self._find(None, at)
        return step

    def _keep(self, step: Step) -> Step:
        self._done.append(step)
        self._undone.clear()
        self._take(step)
        return step

    def _take(self, step: Step) -> None:
        if isinstance(step.after, tuple):
            self._points[step.cluster] = step.after
        elif step.text is not None:
            self._said[step.cluster, step.text] = step.after
        self.move_point(self.point_at)


def _put(points: Points, point: Point) -> Points:
    """Behind the last one of its topic."""
    same = [at for at, one in enumerate(points) if one.topic == point.topic]
    at = same[-1] + 1 if same else len(points)
    return (*points[:at], point, *points[at:])
