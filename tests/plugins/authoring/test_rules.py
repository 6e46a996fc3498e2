"""An engineer is told all that is wrong with a rubric at once, and what a rater would stumble over."""

from __future__ import annotations

import re
import time
import timeit
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.operations.rubrics import builtin_guidelines
from desktop_rater.paths import resources
from desktop_rater.plugins.authoring.lint import LintFinding, lint_rubric_text
from desktop_rater.rubric import RubricError, load_rubric
from desktop_rater.rubric.load import TableLines
from tests.rubric.conftest import BUILT_IN
from tests.rubric.test_bad_rubrics import HEAD, REFUSED, SCALE, TEXT, YES_NO, A, question, rule

if TYPE_CHECKING:
    from collections.abc import Callable

TOP = 'id = "mine"\nversion = 1\ntitle = "Mine"\n'
NEW = sorted((resources() / "new_rubric").glob("*.toml"))
NEEDED = question("n", "required = true")


def said(findings: tuple[LintFinding, ...]) -> list[tuple[str, str, int]]:
    return [(one.level, one.table, one.line) for one in findings]


def choices(*words: str) -> str:
    """A question of choices, each written as it stands."""
    return f'kind = "choice"\nchoices = [{", ".join(words)}]\n'


@pytest.mark.parametrize(("tables", "where", "what"), REFUSED.values(), ids=REFUSED.keys())
def test_what_loading_refuses_is_the_one_finding(tables: str, where: str, what: str) -> None:
    text = tables if tables.startswith(HEAD[:9]) else 'id = "mine"\nversion = 1\n' + tables
    with pytest.raises(RubricError) as refused:
        load_rubric(text)
    (finding,) = lint_rubric_text(text)
    assert refused.value.title == f"rubric.toml, line {finding.line}, {finding.table}"
    assert refused.value.message == f"{finding.reason}."
    assert finding.level == "fault"
    assert finding.table == where
    assert what in finding.reason


def test_every_fault_is_told_and_none_that_only_follows_from_another() -> None:
    text = (
        TOP
        + question("broken", body='kind = "choice"\nchoices = [{ id = "x" }]\n')
        + question("hangs_on_it", 'relevant = { broken = "x" }')
        + question("unknown", 'relevant = { nobody = "x" }\nrequired = { neither = 1 }')
        + rule("fine", 'when = { broken = "x" }')
        + rule("bad", "when = { claims = { min = 3, max = 2 } }\nrequire = { nobody = 1 }")
        + '[[decide]]\nid = "d"\nper = "target"\nsets = "broken"\nthen = "x"\n'
        + '[[decide]]\nid = "e"\nper = "target"\nsets = "hangs_on_it"\nthen = "maybe"\n'
    )
    findings = lint_rubric_text(text)
    assert [one.reason for one in findings if one.table == 'question "broken"'] == [
        "`choices[0]`: object missing required field `label`"
    ]
    assert [one.table for one in findings] == [
        'question "broken"',
        'question "unknown"',
        'question "unknown"',
        'rule "bad"',
        'rule "bad"',
        'decision "e"',
    ]
    lines = text.split("\n")
    assert all(lines[one.line - 1].startswith("[[") for one in findings)


def test_two_cycles_are_both_reported() -> None:
    cycle = '[[questions]]\nid = "{}"\nper = "task"\nask = "{}?"\nkind = "text"\n'
    cycle += "relevant = {{ {} = {{ filled = true }} }}\n"
    pairs = (("one", "two"), ("two", "one"), ("three", "four"), ("four", "three"))
    findings = lint_rubric_text(TOP + "".join(cycle.format(name, name, other) for name, other in pairs))
    assert [one.reason for one in findings] == [
        "a dependency cycle: one → two → one",
        "a dependency cycle: three → four → three",
    ]


@pytest.mark.parametrize("name", BUILT_IN)
def test_there_is_nothing_to_say_of_a_built_in_rubric(name: str) -> None:
    text = (resources() / "rubrics" / f"{name}.toml").read_text(encoding="utf-8")
    assert lint_rubric_text(text, re.findall(r"^#+ (.*)$", builtin_guidelines(name), re.MULTILINE)) == ()


@pytest.mark.parametrize("path", NEW, ids=lambda path: path.stem)
def test_there_is_nothing_to_say_of_a_rubric_to_begin_with(path) -> None:
    assert lint_rubric_text(path.read_text(encoding="utf-8")) == ()


YES, NO = '{ id = "yes", label = "Yes", key = "y" }', '{ id = "no", label = "No" }'
TWELVE = 'kind = "scale"\nmin = 0\nmax = 11\nanchors = [{ at = 0, label = "none" }, { at = 11, label = "all" }]\n'
CLAIM = 'sets = "c"\nper = "claim"\nmessage = "So it is."\n'
EVIDENCE = '[evidence]\nper = "target"\n'
SPLIT = "[claims]\n"
Q = question("q", "required = true")

# What stands in the file (behind its head), the table that is named, and words of the reason.
REMARKS = {
    "it asks nothing": ("", "the rubric", "asks nothing"),
    "nothing is required": (question("q", body=TEXT), "the rubric", "no question is required"),
    "nobody looks at it": (
        NEEDED + question("q").replace("Really?", "Truly?"),
        'question "q"',
        "nothing depends on it",
    ),
    "never required": (
        A.replace("\n\n", "\nrequired = true\n")
        + question("q", 'required = { a = "no" }\nrelevant = { a = "yes" }', TEXT).replace("Really?", "Why?"),
        'question "q"',
        "never required",
    ),
    "a rule that never breaks": (
        Q + rule("r", 'when = { q = "yes" }\nrequire = { q = { filled = true } }'),
        'rule "r"',
        "never broken",
    ),
    "a rule that can't be met": (
        Q
        + question("why", 'relevant = { q = "no" }', TEXT)
        + rule("r", 'when = { q = "yes" }\nrequire = { why = { filled = true } }'),
        'rule "r"',
        "always broken",
    ),
    "a decision where nothing is asked": (
        Q
        + question("c", 'relevant = { q = "no" }').replace("Really?", "Sure?")
        + '[[decide]]\nid = "d"\nper = "target"\nsets = "c"\nwhen = { q = "yes" }\nthen = "yes"\nmessage = "So."\n',
        'decision "d"',
        "'c' is not asked",
    ),
    "a decision behind others": (
        EVIDENCE
        + question("c", "required = true", per="claim")
        + f'[[decide]]\nid = "one"\n{CLAIM}when = {{ supporting = 0 }}\nthen = "no"\n'
        + f'[[decide]]\nid = "two"\n{CLAIM}when = {{ supporting = {{ min = 1 }} }}\nthen = "yes"\n'
        + f'[[decide]]\nid = "late"\n{CLAIM}when = {{ contradicting = 0 }}\nthen = "no"\n',
        'decision "late"',
        "'one', 'two'",
    ),
    "evidence that nothing brings": (
        Q + rule("r", "require = { url_valid = true }", "evidence"),
        'rule "r"',
        "no [evidence]",
    ),
    "pages that nobody counts": (
        question("c", "relevant = { supporting = 0 }\nrequired = true", per="claim"),
        'question "c"',
        "`supporting` is always 0",
    ),
    "claims that nobody records": (Q + rule("r", "when = { claims = { min = 1 } }"), 'rule "r"', "no [claims]"),
    "a rule without a word": (
        Q + rule("r", 'when = { q = "no" }').replace('"No."', '""'),
        'rule "r"',
        "no message",
    ),
    "a question like a page": (question("q", "required = true").replace("Really?", "Why " * 30), 'question "q"', "120"),
    "a label like a page": (
        question("q", "required = true", choices('{ id = "x", label = "' + "x" * 50 + '" }', NO)),
        'question "q"',
        "too long for a button",
    ),
    "two buttons of one name": (
        question("q", "required = true", choices('{ id = "x", label = "No" }', NO)),
        'question "q"',
        "the same label",
    ),
    "nothing to choose": (question("q", "required = true", choices(NO)), 'question "q"', "one choice"),
    "a choice without its key": (question("q", "required = true", choices(YES, NO)), 'question "q"', "'no' has no key"),
    "more choices than digits": (
        question("q", "required = true", choices(*(f'{{ id = "c{at}", label = "L{at}" }}' for at in range(10)))),
        'question "q"',
        "'c9' has no key",
    ),
    "a long scale": (question("q", "required = true", TWELVE), 'question "q"', "12 steps"),
    "a scale without words": (question("q", "required = true", SCALE), 'question "q"', "1 and 5"),
    "a tone that is none": (
        question("q", "required = true", choices('{ id = "x", label = "X", tone = "rosy" }', NO)),
        'question "q"',
        "'rosy'",
    ),
    "a shape that is none": (
        question("q", "required = true", choices('{ id = "x", label = "X", shape = "star" }', NO)),
        'question "q"',
        "'star'",
    ),
    "a rule of the guideline's without its place": (
        Q + rule("r", 'when = { q = "no" }\nsource = "guideline"\nguideline = " "'),
        'rule "r"',
        "does not say where",
    ),
    "a choice of the guideline's without its place": (
        question("q", "required = true", choices('{ id = "x", label = "X", source = "guideline" }', NO)),
        'question "q"',
        "does not say where",
    ),
    "claims of the guideline's without their place": (
        Q.replace("[[", f'{SPLIT}source = "guideline"\n[[', 1) + rule("r", "when = { claims = { min = 1 } }"),
        "[claims]",
        "does not say where",
    ),
    "a place in the guideline without its source": (
        question("q", 'required = true\nguideline = "Page 3"'),
        'question "q"',
        '`source` is not "guideline"',
    ),
    "two questions of the same words": (
        Q + question("p", "required = true"),
        'question "p"',
        "asks the same words",
    ),
    "a section that is nowhere": (
        question("q", 'required = true\nsection = "Fact"'),
        'question "q"',
        "no heading 'Fact'",
    ),
}


@pytest.mark.parametrize(("tables", "where", "what"), REMARKS.values(), ids=REMARKS.keys())
def test_what_a_rater_would_stumble_over_is_remarked(tables: str, where: str, what: str) -> None:
    text = TOP + tables
    load_rubric(text)
    findings = lint_rubric_text(text, ["Facts"])
    assert all(one.level == "remark" for one in findings)
    there = [one for one in findings if one.table == where and what in one.reason]
    assert len(there) == 1, findings
    name = where.partition('"')[2].rstrip('"')
    assert not name or f'id = "{name}"' in text.split("\n")[there[0].line]


def test_a_rubric_without_a_title_is_remarked() -> None:
    assert "no title" in lint_rubric_text('id = "mine"\n' + Q)[0].reason


def test_a_claim_that_meets_it_elsewhere_keeps_a_rule_from_being_called_idle() -> None:
    """Two claims can answer differently, so what one of them has says nothing of the other."""
    text = TOP + SPLIT + question("c", "required = true", per="claim")
    text += rule("r", 'when = { some_claim = { c = "yes" } }\nrequire = { some_claim = { c = "no" } }')
    assert lint_rubric_text(text) == ()


def test_the_same_words_may_follow_different_answers() -> None:
    why = "".join(
        question(f"why_{value}", f'relevant = {{ q = "{value}" }}', TEXT).replace("Really?", "Why?")
        for value in ("yes", "no")
    )
    other = question("q2", "required = true").replace("Really?", "And now?")
    text = TOP + Q + other + why.replace("why_no", "why_other").replace('q = "no"', 'q2 = "no"')
    assert lint_rubric_text(text) == ()


ODD = {
    "empty": "",
    "not TOML": "id = ",
    "keys without a value": '[[questions]]\nid = "q"\nper\n',
    "a key twice": 'id = "m"\nid = "n"\n',
    "a table twice": "[links]\n[links]\n",
    "a NUL": 'id = "m\x00"\n',
    "deep": "x = " + "[" * 5_000,
    "deep tables": 'id = "m"\n[[rules]]\nid = "r"\nwhen = ' + "{ any = [" * 300 + "]}" * 300,
    "a long key": "a" + ".a" * 5_000 + " = 1\n",
    "a number without end": "version = " + "9" * 5_000,
    "an id that is a number": "id = 3\n",
    "a list for the id": 'id = ["m"]\n',
    "questions that are a number": 'id = "m"\nquestions = 3\n[[rules]]\nid = "r"\n',
    "questions of numbers": 'id = "m"\nquestions = [1, 2]\n',
    "a table for a list": 'id = "m"\n[questions]\nid = "q"\n',
    "rules within rules": 'id = "m"\n[[rules]]\n[[rules.rules]]\nid = "r"\n',
    "a version below 1": 'id = "m"\nversion = 0\n',
    "no id": 'title = "T"\n',
    "carriage returns alone": 'id = "m"\rtitle = "t"\r',
    "too many": 'id = "m"\n' + "[[rules]]\n" * 1_001,
    "more unknown keys than anybody reads": "".join(f"k{at} = 1\n" for at in range(3_000)),
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
def test_what_is_no_rubric_is_told_and_never_crashes(text: str) -> None:
    with pytest.raises(RubricError):
        load_rubric(text)
    findings = lint_rubric_text(text)
    assert findings
    assert all(one.level == "fault" and one.reason and 1 <= one.line <= text.count("\n") + 1 for one in findings)


def test_a_slip_of_the_pen_is_found_in_its_table() -> None:
    text = TOP + question("q") + '[[questions]]\nid = "p"\nper = "target"\nask = "Why?\n'
    (finding,) = lint_rubric_text(text)
    assert (finding.table, finding.line) == ("question number 2", text.count("\n"))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_lines_are_counted_as_an_editor_counts_them(newline: str) -> None:
    text = (TOP + question("q", 'relevant = { nobody = "x" }')).replace("\n", newline)
    (finding,) = lint_rubric_text(text)
    assert finding.line == 4


def test_a_header_in_quotes_and_a_table_of_a_table_have_their_lines() -> None:
    asked = f'[["questions"]]\nid = "q"\nper = "response"\nask = "?"\n{YES_NO}required = true\n'
    text = f'{TOP}{asked}[compare.by]\nq = ["maybe"]\n'
    (finding,) = lint_rubric_text(text)
    assert (finding.table, text.split("\n")[finding.line - 1]) == ("[compare]", "[compare.by]")


@given(st.text(st.sampled_from("[]{}=\"'\n#.,1 abquestionsrulesidpertask"), max_size=80))
def test_any_text_is_a_rubric_or_has_a_fault(text: str) -> None:
    try:
        load_rubric(text)
    except RubricError:
        assert any(one.level == "fault" for one in lint_rubric_text(text))
    else:
        assert all(one.level == "remark" for one in lint_rubric_text(text))


@given(st.data())
def test_a_sound_rubric_with_a_few_lines_lost_is_judged_alike_by_both(data: st.DataObject) -> None:
    lines = NEW[data.draw(st.integers(0, len(NEW) - 1))].read_text(encoding="utf-8").split("\n")
    lost = data.draw(st.sets(st.integers(0, len(lines) - 1), max_size=4))
    text = "\n".join(line for at, line in enumerate(lines) if at not in lost)
    levels = {one.level for one in lint_rubric_text(text)}
    try:
        load_rubric(text)
    except RubricError as error:
        assert "fault" in levels
        found = {f"rubric.toml, line {one.line}, {one.table}" for one in lint_rubric_text(text)}
        assert error.title in found or "not TOML" in error.title
    else:
        assert "fault" not in levels


def hanging(count: int, conditions: Callable[[int], str]) -> str:
    """A rubric of so many questions, each with its condition."""
    return TOP + "".join(question(f"q{at}", conditions(at)) for at in range(count))


A_THOUSAND = ", ".join(f'{{ q{at % 30} = "yes" }}' for at in range(1_000))


@pytest.mark.parametrize(
    "text",
    [
        hanging(600, lambda at: f'relevant = {{ q{at - 1} = "yes" }}' if at else ""),
        hanging(
            60, lambda at: f'relevant = {{ any = [{{ q{at - 1} = "yes" }}, {{ q{at - 1} = "no" }}] }}' if at else ""
        ),
        hanging(30, lambda _: "") + rule("r", f"when = {{ any = [{A_THOUSAND}] }}"),
    ],
    ids=["a long chain", "a chain with two ways at each step", "a thousand alternatives"],
)
def test_a_rubric_that_could_be_looked_at_forever_is_judged_all_the_same(text: str) -> None:
    """An import must not hang on what a stranger sends; and lint says what loading says."""
    assert load_rubric(text).file.id == "mine"
    assert "fault" not in {one.level for one in lint_rubric_text(text)}


def test_keys_of_questions_that_exclude_each_other_are_no_fault_however_many_there_are() -> None:
    every = ", ".join(f'{{ id = "c{at}", label = "C{at}" }}' for at in range(600))
    keyed = 'kind = "choice"\nchoices = [{ id = "yes", label = "Yes", key = "a" }]\n'
    text = TOP + question("one", body=f'kind = "choice"\nchoices = [{every}]\n')
    text += "".join(question(f"q{at}", f'relevant = {{ one = "c{at}" }}', keyed) for at in range(600))
    assert load_rubric(text).file.id == "mine"


@pytest.mark.parametrize("piece", ['\\"', '"""a\n', "x = '''", '"\\'], ids=["escapes", "three", "literal", "half"])
def test_the_lines_of_a_text_with_unended_strings_are_found_in_steps_that_grow_with_it(piece):
    """Each string without an end was looked for to the end of the text: four times the text took sixteen times."""

    def cost(size):
        text = "x = " + piece * size
        return min(timeit.repeat(lambda: TableLines(text), timer=time.process_time, number=1, repeat=3))

    assert cost(80_001) < 10 * cost(20_001) + 0.01
