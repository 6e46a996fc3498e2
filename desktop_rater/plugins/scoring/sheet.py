"""Position among points and texts, and the effect of each command. Independent of widgets and the store."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from desktop_rater.plugins.scoring.manual_scoring import ManualCluster, ManualScoring, ManualText
from desktop_rater.plugins.scoring.oracles import OraclePoint
from desktop_rater.stats.scores import PointOpinion

Points = tuple[OraclePoint, ...]
Answers = dict[str, PointOpinion]


@dataclass(frozen=True)
class SheetStep:
    """A change to the points of a cluster, or to the answers of a text where `text` is set. `at`: the current point."""

    cluster: str
    text: str | None
    before: Points | Answers
    after: Points | Answers
    at: str


class ScoringSheet:
    """One cluster with its current text and point. Points of the same topic are adjacent."""

    def __init__(self, desk: ManualScoring) -> None:
        self.desk = desk
        self._points: dict[str, Points] = {cluster.id: cluster.points for cluster in desk.clusters}
        self._answers: dict[tuple[str, str], Answers] = {
            (cluster.id, text): given for cluster in desk.clusters for text, given in cluster.said.items()
        }
        self._done: list[SheetStep] = []
        self._undone: list[SheetStep] = []
        self.cluster: ManualCluster = desk.clusters[0]
        self.text_at = self.point_at = 0
        self.go_on()

    # -- state

    @property
    def points(self) -> Points:
        return self._points[self.cluster.id]

    @property
    def texts(self) -> tuple[ManualText, ...]:
        return self.cluster.texts

    @property
    def text(self) -> ManualText:
        return self.texts[self.text_at]

    @property
    def point(self) -> OraclePoint | None:
        return self.points[self.point_at] if self.point_at < len(self.points) else None

    @property
    def current_answers(self) -> Answers:
        """The answers of the current text by point text."""
        return self._answers.get((self.cluster.id, self.text.text), {})

    @property
    def topics(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(point.topic for point in self.points))

    def is_done(self, cluster: ManualCluster, text: ManualText) -> bool:
        """Return whether every point is answered for a text."""
        answers = self._answers.get((cluster.id, text.text), {})
        points = self._points[cluster.id]
        return bool(points) and all(point.text in answers for point in points)

    @property
    def is_flat(self) -> bool:
        """Return whether all priors are 0 or 1, so that only recall tells texts apart."""
        gold = [text for text in self.texts if text.gold]
        if len(gold) == 1:
            return True
        if not all(self.is_done(self.cluster, text) for text in gold):
            return False
        answers = [self._answers[self.cluster.id, text.text] for text in gold]
        positions = ({given[point.text] for given in answers} - {None} for point in self.points)
        return all(len(different) < 2 for different in positions)

    @property
    def done(self) -> int:
        """The number of texts of the open cluster that are fully answered."""
        return sum(self.is_done(self.cluster, text) for text in self.texts)

    @property
    def is_enough(self) -> bool:
        """Return whether any text can be scored: all gold texts of a cluster are answered, and at least one other."""
        return any(
            all(self.is_done(cluster, text) for text in cluster.texts if text.gold)
            and any(self.is_done(cluster, text) for text in cluster.texts if not text.gold)
            for cluster in self.desk.clusters
        )

    @property
    def is_whole(self) -> bool:
        return all(self.is_done(cluster, text) for cluster in self.desk.clusters for text in cluster.texts)

    def answers_to(self, point: OraclePoint) -> int:
        return sum(point.text in self._answers.get((self.cluster.id, text.text), {}) for text in self.texts)

    # -- navigation

    def restore_position(self, other: ScoringSheet) -> None:
        """Take over the position of another sheet after a reload, as far as it still exists."""
        self._done, self._undone = other._done, other._undone
        self.open(other.cluster.id)
        self._select(other.text.text, other.point.text if other.point else "")

    def open(self, cluster: str) -> None:
        """Go to another question, to its first text with open points."""
        target = next((candidate for candidate in self.desk.clusters if candidate.id == cluster), None)
        if target is not None and target is not self.cluster:
            self.cluster, self.text_at, self.point_at = target, 0, 0
            self.go_on()

    def move_text(self, by: int) -> None:
        self.text_at, self.point_at = min(max(self.text_at + by, 0), len(self.texts) - 1), 0
        self._to_open_point()

    def move_point(self, index: int) -> None:
        self.point_at = min(max(index, 0), max(len(self.points) - 1, 0))

    def next_open(self) -> bool:
        """Go to the next text with open points; return whether there is one."""
        count = len(self.texts)
        for step in range(1, count + 1):
            index = (self.text_at + step) % count
            if not self.is_done(self.cluster, self.texts[index]):
                self.text_at, self.point_at = index, 0
                self._to_open_point()
                return True
        return False

    def go_on(self) -> None:
        """Go to the next open point: in this text, in the next one, in the next question.

        Stays in place where there are no points.
        """
        if not self.points:
            return
        if not self.is_done(self.cluster, self.text):
            self._to_open_point()
        elif not self.next_open():
            clusters = self.desk.clusters
            unfinished = (item for item in clusters if not all(self.is_done(item, text) for text in item.texts))
            cluster = next(unfinished, None)
            if cluster is not None:
                self.open(cluster.id)

    def _to_open_point(self) -> None:
        """Go to the first open point at or after the current one, else to the first open one."""
        opens = [index for index, point in enumerate(self.points) if point.text not in self.current_answers]
        self.point_at = next((index for index in opens if index >= self.point_at), opens[0] if opens else 0)

    def _select(self, text: str | None, point: str) -> None:
        text_at = next((index for index, candidate in enumerate(self.texts) if candidate.text == text), None)
        self.text_at = self.text_at if text_at is None else text_at
        point_at = next((index for index, candidate in enumerate(self.points) if candidate.text == point), None)
        self.move_point(self.point_at if point_at is None else point_at)

    # -- commands: each returns the step to store, `None` where nothing changes

    def answer(self, answer: PointOpinion) -> SheetStep | None:
        """Answer the current point for the current text, and go on."""
        point = self.point
        if point is None:
            return None
        step = self._set_answers({**self.current_answers, point.text: answer}, point)
        self.go_on()
        return step

    def clear(self) -> SheetStep | None:
        point = self.point
        if point is None or point.text not in self.current_answers:
            return None
        return self._set_answers(
            {text: answer for text, answer in self.current_answers.items() if text != point.text}, point
        )

    def add(self, text: str, quotes: tuple[str, ...], topic: str) -> SheetStep | None:
        """Add a point after the others of the current topic; `topic` is that of a first point."""
        if not text or any(other.text == text for other in self.points):
            return None
        point = OraclePoint(topic=self.point.topic if self.point else topic, text=text, quotes=quotes)
        return self._set_points(_insert(self.points, point), text)

    def reword(self, text: str) -> SheetStep | None:
        """Reword the current point; it then has to be answered again for each text."""
        point = self.point
        if point is None or not text or any(other.text == text for other in self.points):
            return None
        changed = tuple(replace(other, text=text) if other is point else other for other in self.points)
        return self._set_points(changed, text)

    def move(self, topic: str) -> SheetStep | None:
        """Move the current point to the end of another topic."""
        point = self.point
        if point is None or not topic or topic == point.topic:
            return None
        rest = tuple(other for other in self.points if other is not point)
        return self._set_points(_insert(rest, replace(point, topic=topic)), point.text)

    def remove(self) -> SheetStep | None:
        """Remove the current point. Undo also restores its answers."""
        point = self.point
        if point is None:
            return None
        return self._set_points(tuple(other for other in self.points if other is not point), point.text)

    def undo(self) -> SheetStep | None:
        """Undo the last step; return the step to store."""
        return self._move_step(self._done, self._undone)

    def redo(self) -> SheetStep | None:
        return self._move_step(self._undone, self._done)

    @property
    def can_undo(self) -> bool:
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        return bool(self._undone)

    def _move_step(self, source: list[SheetStep], other: list[SheetStep]) -> SheetStep | None:
        if not source:
            return None
        step = source.pop()
        back = SheetStep(step.cluster, step.text, step.after, step.before, step.at)
        other.append(back)
        self.open(step.cluster)
        self._apply(back)
        self._select(step.text, step.at)
        return back

    def _set_answers(self, answers: Answers, point: OraclePoint) -> SheetStep:
        return self._record(SheetStep(self.cluster.id, self.text.text, self.current_answers, answers, point.text))

    def _set_points(self, points: Points, point_text: str) -> SheetStep:
        step = self._record(SheetStep(self.cluster.id, None, self.points, points, point_text))
        self._select(None, point_text)
        return step

    def _record(self, step: SheetStep) -> SheetStep:
        self._done.append(step)
        self._undone.clear()
        self._apply(step)
        return step

    def _apply(self, step: SheetStep) -> None:
        if isinstance(step.after, tuple):
            self._points[step.cluster] = step.after
        elif step.text is not None:
            self._answers[step.cluster, step.text] = step.after
        self.move_point(self.point_at)


def _insert(points: Points, point: OraclePoint) -> Points:
    """Insert a point after the last one of its topic."""
    same = [index for index, other in enumerate(points) if other.topic == point.topic]
    index = same[-1] + 1 if same else len(points)
    return (*points[:index], point, *points[index:])
