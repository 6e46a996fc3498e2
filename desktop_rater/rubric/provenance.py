"""Headings of guidelines on which a rubric rests."""

import re
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from desktop_rater.format.rubric import GuidelineDocument, Question, RubricFile, SourcedStruct
from desktop_rater.rubric.compile import RubricCompiler
from desktop_rater.rubric.compiled import Rubric

_FENCED = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(
    r"^ {0,3}(?:(#{1,6})[ \t]+(\S.*?)[ \t]*#*[ \t]*$|([^\s|#].*?)[ \t]*\n {0,3}(?:(=+)|-+)[ \t]*$)", re.MULTILINE
)
Sourced = TypeVar("Sourced", bound=SourcedStruct)


class Heading(NamedTuple):
    """Heading of guidelines; `start` is its offset where a line ends with one character, `level` counts from 1."""

    start: int
    level: int
    title: str


def guideline_headings(markdown: str) -> list[Heading]:
    """Return the headings of guidelines in order, of all levels."""
    text = _FENCED.sub(lambda match: " " * len(match[0]), markdown.replace("\r\n", "\n"))
    return [
        Heading(match.start(), len(match[1]) if match[1] else 1 if match[4] else 2, match[2] or match[3])
        for match in _HEADING.finditer(text)
    ]


def missing_headings(file: RubricFile, markdown: str) -> tuple[str, ...]:
    """Return the headings that a rubric names, as sources or sections, and that guidelines lack."""
    present = {comparable_title(heading.title) for heading in guideline_headings(markdown)}
    rows: list[SourcedStruct] = [*filter(None, [file.claims]), *file.questions, *file.decide, *file.rules]
    rows += [part for row in file.questions for part in (*row.choices, *row.anchors, *row.levels)]
    named = [row.guideline for row in rows if row.source == "guideline"] + [row.section for row in file.questions]
    return tuple(name for name in dict.fromkeys(named) if name and comparable_title(name) not in present)


def follow_guidelines(rubric: Rubric, markdown: str, document: GuidelineDocument | None) -> Rubric:
    """Return a rubric with the sources of other guidelines: what a missing heading would state is the project's."""
    file, missing = rubric.file, frozenset(missing_headings(rubric.file, markdown))

    def own(row: Sourced, place: str = "") -> Sourced:
        states = row.source == "guideline" and (row.guideline or place) not in missing
        return row if states or row.source == "project" else replace(row, source="project", guideline="")

    def own_question(row: Question) -> Question:
        names = ("choices", "anchors", "levels")
        parts = {name: tuple(own(part, row.guideline) for part in getattr(row, name)) for name in names}
        return replace(own(row), **parts, section="" if row.section in missing else row.section)

    followed = replace(
        file,
        document=document,
        claims=file.claims and own(file.claims),
        questions=tuple(map(own_question, file.questions)),
        decide=tuple(map(own, file.decide)),
        rules=tuple(map(own, file.rules)),
    )
    return RubricCompiler(followed).rubric()


def comparable_title(heading: str) -> str:
    """Return the title of a heading without marks, in one case."""
    return " ".join(re.sub(r"[*_`]", "", heading).split()).casefold()
