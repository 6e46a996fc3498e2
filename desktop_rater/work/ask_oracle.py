"""Make the oracle that a lead chose, and say what it will cost before anything is asked."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.model.trouble import RaterError
from desktop_rater.oracle.by_model import POINTS_OF_A_CALL, answer_requests, chosen_texts, known_points, summary_request
from desktop_rater.oracle.cost import Cost, Prices
from desktop_rater.oracle.interface import Point
from desktop_rater.oracle.prompts import About, Prompt, prompt_of
from desktop_rater.paths import resources

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop_rater.model.progress import Progress
    from desktop_rater.oracle.asking import Asking
    from desktop_rater.oracle.by_hand import HandOracle
    from desktop_rater.oracle.interface import Answers, Oracle, Summary
    from desktop_rater.oracle.request import Request
    from desktop_rater.settings import Settings
    from desktop_rater.work.justification_texts import Gathered

_LONGEST = "x" * 100  # a point that is not written yet


class OwnPoints:
    """The lead's points where there are some, and a model's answers to them."""

    def __init__(self, hand: HandOracle, model: Oracle) -> None:
        self._hand = hand
        self._model = model

    def summarise(self, cluster: str, texts: Sequence[str], progress: Progress) -> Summary:
        """What the lead wrote; else what the model finds."""
        if self._hand.points_of(cluster):
            return self._hand.summarise(cluster, texts, progress)
        return self._model.summarise(cluster, texts, progress)

    def answer(
        self, cluster: str, points: Sequence[Point], texts: Sequence[str], progress: Progress
    ) -> tuple[Answers, ...]:
        """What the model says."""
        return self._model.answer(cluster, points, texts, progress)


def prompts() -> dict[About, Prompt]:
    """The program's own prompts."""
    folder = resources() / "prompts"
    abouts: tuple[About, ...] = ("summarise", "answer", "judge")
    return {about: prompt_of(folder, about) for about in abouts}


def prices_of(settings: Settings) -> Prices:
    """What a million tokens cost, as it is set."""
    return Prices(_price(settings.price_in), _price(settings.price_out))


def _price(text: str) -> Fraction | None:
    return Fraction(text) if text else None


def need(value: str, name: str, option: str) -> str:
    """A setting that has to be there. Raises `RaterError`."""
    if not value:
        raise RaterError(f"No {name} is set.", "", f"Set it in the settings, or give {option}.")
    return value


def estimate(gathered: Gathered, asking: Asking, prices: Prices, *, hand: HandOracle | None, twice: bool) -> Cost:
    """What a run would ask at most, and what that costs; nothing is sent.

    A summary that is not there yet is taken for as long as it may become.
    """
    return asking.would_cost(_requests(gathered, asking, hand, twice=twice), prices)


def _requests(gathered: Gathered, asking: Asking, hand: HandOracle | None, *, twice: bool) -> Iterator[Request]:
    for cluster in gathered.clusters:
        golden = [one.text for one in cluster.gold]
        points: Sequence[Point] = hand.points_of(cluster.id) if hand is not None else ()
        if not points:
            request = summary_request(chosen_texts(golden))
            yield request
            points = known_points(asking, golden) or [Point(topic="", text=_LONGEST)] * POINTS_OF_A_CALL
        for text in dict.fromkeys([*golden, *(one.text for one in cluster.texts)]):
            yield from answer_requests(points, text, twice=twice)


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """By which model and prompts something was found, and what it cost."""

    model: str
    prompts: dict[str, str]
    cost: Cost
