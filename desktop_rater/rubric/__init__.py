"""The decision logic: read a rubric, say what is asked, decide, check. Pure; every floor above calls it."""

from desktop_rater.rubric.check import Asked, Outcome, check
from desktop_rater.rubric.compiled import Rubric
from desktop_rater.rubric.leaving import leaving, leaving_sha256
from desktop_rater.rubric.load import load
from desktop_rater.rubric.trouble import RubricError

__all__ = ["Asked", "Outcome", "Rubric", "RubricError", "check", "leaving", "leaving_sha256", "load"]
