"""The tables of the built-in rubrics in docs/rubrics.md, between markers.

`python -m tests.docs.rubric_tables` writes them there.
"""

import re
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from desktop_rater.format.rubric import RubricFile, SourcedStruct
from desktop_rater.operations.rubrics import builtin_rubric
from tests.docs.pages import DOCS

PAGE = DOCS / "rubrics.md"

_BLOCK = re.compile(r"(?<=<!-- rubric: )([^>]*?) -->\n(.*?)(?=<!-- end -->)", re.DOTALL)


def blocks(page: str) -> dict[str, str]:
    """Rubric → the tables that the page has for it."""
    return {match[1]: match[2] for match in _BLOCK.finditer(page)}


def tables(file: RubricFile) -> str:
    """The tables of questions, decisions and rules, each with its source."""
    scopes = dict.fromkeys((question.per, question.kind) for question in file.questions)
    questions = [(*scope, questions_of(file, scope)) for scope in scopes]
    decisions = [
        (f"`{row.id}`", holds(row.when), f"`{row.sets} = {value(row.then)}`", whose(row)) for row in file.decide
    ]
    rules = [
        (f"`{rows[0].id}` to `{rows[-1].id}`", rows[0].level, "see above", whose(rows[0]))
        if len(rows) > 1
        else (f"`{rows[0].id}`", rows[0].level, broken(rows[0].when, rows[0].require), whose(rows[0]))
        for rows in (list(series) for _, series in groupby(file.rules, lambda row: re.sub(r"(-\d)+$", "", row.id)))
    ]
    parts = [("per", "kind", "questions (source)"), *questions], [("decision", "when", "then", "source"), *decisions]
    written = [table(rows) for rows in (*parts, [("rule", "level", "broken by", "source"), *rules]) if len(rows) > 1]
    return "\n".join(written)


def questions_of(file: RubricFile, scope: tuple[str, str]) -> str:
    """The questions of a scope and kind, each with its source."""
    return ", ".join(f"`{row.id}` ({whose(row)})" for row in file.questions if (row.per, row.kind) == scope)


def table(rows: Iterable[Iterable[str]]) -> str:
    """A table of Markdown; the first row is its head."""
    head, *rest = [f"| {' | '.join(cells)} |\n" for cells in rows]
    return f"{head}|{'---|' * (head.count('|') - 1)}\n{''.join(rest)}"


def whose(row: SourcedStruct) -> str:
    """The heading of the guidelines that states it, or the project."""
    return row.guideline if row.source == "guideline" else "project"


def broken(when: dict[str, Any] | None, require: dict[str, Any] | None) -> str:
    parts = [holds(when)] if when else []
    return " ".join(parts + ([f"without {holds(require)}"] if require else []))


def holds(condition: dict[str, Any]) -> str:
    """A condition as it is written in the file."""
    return f"`{value(condition)[2:-2]}`"


def value(part: Any) -> str:
    """A value as TOML."""
    match part:
        case dict():
            return f"{{ {', '.join(f'{name} = {value(inner)}' for name, inner in part.items())} }}"
        case list() | tuple():
            return f"[{', '.join(map(value, part))}]"
        case bool():
            return str(part).lower()
        case str():
            return f'"{part}"'
    return str(part)


def main() -> None:
    """Write the tables of each rubric again."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(
        _BLOCK.sub(lambda match: f"{match[1]} -->\n{tables(builtin_rubric(match[1]).file)}", page), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
