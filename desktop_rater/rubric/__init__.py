"""Decision logic: read a rubric, find the questions to ask, decide, check. Pure; all higher layers call it."""

from desktop_rater.rubric.check import ActiveQuestion, CheckOutcome, check_rating, exported_form, exported_sha256
from desktop_rater.rubric.compiled import Rubric
from desktop_rater.rubric.load import RubricError, load_rubric

__all__ = [
    "ActiveQuestion",
    "CheckOutcome",
    "Rubric",
    "RubricError",
    "check_rating",
    "exported_form",
    "exported_sha256",
    "load_rubric",
]
