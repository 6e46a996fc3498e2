"""Labels that a source brings, as suggestions or as gold of the bundle that is made of it."""

from collections import Counter
from typing import Any

from msgspec.structs import replace

from desktop_rater.bundle.archive import GOLD
from desktop_rater.bundle.convert.conversion import ConvertedRecord
from desktop_rater.bundle.convert.maps.record_map import LabelUse
from desktop_rater.model.rating import Rating
from desktop_rater.model.strict_json import read_json_object, read_struct, to_plain
from desktop_rater.model.task import Task
from desktop_rater.rubric import Rubric, check_rating
from desktop_rater.rubric.gold import contradictions
from desktop_rater.work.rating.gold import GoldAnswers


class SourceLabels:
    """Labels of the records that are converted. `use`: what they become; None and "rating" leave the tasks alone.

    `gold`: the gold answers; `counts`: their number, and why a record has none.
    """

    def __init__(self, use: LabelUse | None, rubric: Rubric) -> None:
        self._use = use
        self._rubric = rubric
        self.gold = GoldAnswers(GOLD, strict=False, practice=False)
        self._counts: Counter[str] = Counter()

    @property
    def counts(self) -> dict[str, int]:
        gold = {"gold": len(self.gold.good), "partial_gold": self.gold.partial} if self._use == "gold" else {}
        return {**gold, **self._counts}

    def suggested(self, converted: ConvertedRecord) -> ConvertedRecord:
        """Return the record with its labels as suggestions, if they are to be that. Those in the task stay.

        Claims are suggested without their labels, which a bundle can't suggest.
        """
        rating = converted.rating
        if rating is None or self._use != "suggestion":
            return converted
        suggestions: dict[str, Any] = dict(converted.task.get("suggestions", {}))
        plain = to_plain(rating.answers)
        suggestions["task"] = {**plain["task"], **suggestions.get("task", {})}
        for part in ("responses", "targets"):
            given = suggestions.get(part, {})
            suggestions[part] = {id_: {**answers, **given.get(id_, {})} for id_, answers in plain[part].items()}
            suggestions[part] |= {id_: answers for id_, answers in given.items() if id_ not in plain[part]}
        labelled = sum(bool(claim.answers) for group in rating.claims.values() for claim in group)
        self._counts.update({"claim_labels": labelled} if labelled else {})
        claims = {id_: [to_plain(replace(claim, answers={})) for claim in rating.claims[id_]] for id_ in rating.claims}
        suggestions["claims"] = {**claims, **suggestions.get("claims", {})}
        present = {part: answers for part, answers in suggestions.items() if answers}
        task = {key: value for key, value in converted.task.items() if key != "suggestions"}
        return replace(converted, task={**task, "suggestions": present} if present else task)

    def add_gold(self, where: str, raw: bytes, rating: Rating) -> None:
        """Take the labels of a record as the gold answer of its task, if they are to be that. `raw`: its line.

        Evidence that decides otherwise than a label is left out: the source has both, and its label is what counts.
        """
        if self._use != "gold":
            return
        given = rating.answers
        claims = (claim.answers for group in rating.claims.values() for claim in group)
        if not any((given.task, *given.responses.values(), *given.targets.values(), *claims)):
            self._counts["unlabelled"] += 1
            return
        task = read_struct(read_json_object(raw), Task)
        if contradictions(check_rating(self._rubric, task, rating)):
            self._counts["gold_without_evidence"] += 1
            rating = replace(rating, evidence=())
        self.gold.add(where, rating)
        self.gold.judge(self._rubric, task)
