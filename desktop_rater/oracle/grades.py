"""Ask a language model for a grade of a text: the baseline for scores, which come from answers and a rule instead."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from desktop_rater.oracle.prompts import DataPiece, OracleRequest, choice_of, object_of, shorten_data

GRADES = range(1, 11)
_SCHEMA = object_of({"grade": choice_of([str(grade) for grade in GRADES])})
_TOKENS = 60


def grade_request(question: str, references: Sequence[str], text: str) -> OracleRequest:
    """Return the request for the grade of a text that answers a question; `references`: its gold texts."""

    def pieces() -> Iterator[DataPiece]:
        yield DataPiece("question", question)
        for reference in references:
            yield DataPiece("reference", shorten_data(reference)[0])
        yield DataPiece("text", shorten_data(text)[0])

    return OracleRequest(about="grade", pieces=tuple(pieces()), schema=_SCHEMA, most_tokens=_TOKENS)


def read_grade(value: Mapping[str, Any]) -> float:
    """Return the grade in a valid reply."""
    return float(value["grade"])
