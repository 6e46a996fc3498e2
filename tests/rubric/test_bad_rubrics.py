"""An engineer who slips while writing a rubric is told where, before any rater sees it."""

import pytest

from desktop_rater.rubric import RubricError, load_rubric
from tests.rubric.toml_texts import SCALE, TEXT, YES_NO, question, rule  # noqa: F401 - TEXT for tests of lint

HEAD = """id = "mine"
version = 1
[claims]
[evidence]
per = "target"
"""
A, B = question("a"), question("b", 'relevant = { a = "yes" }')

REFUSED = {
    "unknown name in relevant": (question("q", 'relevant = { nobody = "yes" }'), 'question "q"', "`nobody`"),
    "unknown name in a rule": (A + rule("r", 'require = { nobody = "x" }'), 'rule "r"', "`nobody`"),
    "unknown key": (question("q", "reqired = true"), 'question "q"', "reqired"),
    "name of an inner scope": (A + question("c", per="claim") + rule("r", 'when = { c = "yes" }'), 'rule "r"', "claim"),
    "cycle of two": (question("a", 'relevant = { b = "yes" }') + B, 'question "a"', "cycle"),
    "cycle with itself": (question("a", 'relevant = { a = "yes" }'), 'question "a"', "cycle"),
    "cycle through claims": (
        HEAD.replace("[claims]\n", '[claims]\nrelevant = { some_claim = { c = "yes" } }\n')
        + question("c", per="claim"),
        'question "c"',
        "cycle",
    ),
    "cycle through a decision": (
        question("c", 'relevant = { decided_by = "d" }', per="claim")
        + '[[decide]]\nid = "d"\nper = "claim"\nsets = "c"\nwhen = { supporting = 0 }\nthen = "yes"\n',
        'question "c"',
        "cycle",
    ),
    "cycle on one side of a fact": (
        question("c", 'relevant = { any = [{ supporting = 0, d = "yes" }, { supporting = { min = 1 } }] }', per="claim")
        + question("d", 'relevant = { supporting = 0, c = "yes" }', per="claim"),
        'question "c"',
        "cycle",
    ),
    "cycle that is tested before the fact that excludes it": (
        question("c", "relevant = { d = { filled = false }, supporting = 0 }", per="claim")
        + question("d", "relevant = { c = { filled = false }, supporting = { min = 1 } }", per="claim"),
        'question "c"',
        "cycle",
    ),
    "cycle through a condition of a choice": (
        question("a", body='kind = "choice"\nchoices = [{ id = "yes", label = "Yes", relevant = { b = "yes" } }]\n')
        + B,
        'question "a"',
        "cycle",
    ),
    "a decision that waits for an unknown question": (
        A + '[[decide]]\nid = "d"\nper = "target"\nsets = "a"\nneeds = ["z"]\nthen = "yes"\n',
        'decision "d"',
        "'z'",
    ),
    "a decision that waits for a question of an inner scope": (
        A
        + question("c", per="claim")
        + '[[decide]]\nid = "d"\nper = "target"\nsets = "a"\nneeds = ["c"]\nthen = "yes"\n',
        'decision "d"',
        "`c`",
    ),
    "other words under an unknown condition": (
        question("q", 'wording = { when = { nobody = "yes" }, ask = "Or?" }'),
        'question "q"',
        "`nobody`",
    ),
    "several claims by an unknown name": (
        HEAD.replace("[claims]\n", '[claims]\nseveral = { nobody = "yes" }\n') + A,
        "[claims]",
        "`nobody`",
    ),
    "choice without label": (
        question("q", body='kind = "choice"\nchoices = [{ id = "yes" }]\n'),
        'question "q"',
        "label",
    ),
    "choice with an empty label": (
        question("q", body='kind = "choice"\nchoices = [{ id = "yes", label = " " }]\n'),
        'question "q"',
        "label",
    ),
    "no choices": (question("q", body='kind = "choice"\n'), 'question "q"', "choices"),
    "value not offered": (A + question("q", 'relevant = { a = "maybe" }'), 'question "q"', "'maybe'"),
    "value not offered under not": (A + rule("r", 'when = { a = { not = "maybe" } }'), 'rule "r"', "'maybe'"),
    "truth where a count is": (rule("r", "when = { claims = true }"), 'rule "r"', "`claims`"),
    "a count for a truth": (rule("r", "when = { url_valid = 1 }", "evidence"), 'rule "r"', "`url_valid`"),
    "step not on the scale": (question("s", body=SCALE) + rule("r", "when = { s = 2.5 }"), 'rule "r"', "2.5"),
    "decision not offered": (
        A + '[[decide]]\nid = "d"\nper = "target"\nsets = "a"\nthen = "maybe"\n',
        'decision "d"',
        "'maybe'",
    ),
    "decision of an unknown question": (
        A + '[[decide]]\nid = "d"\nper = "target"\nsets = "z"\nthen = "yes"\n',
        'decision "d"',
        "'z'",
    ),
    "range upside down": (rule("r", "when = { claims = { min = 3, max = 2 } }"), 'rule "r"', "empty"),
    "range below zero": (rule("r", "when = { claims = { max = -1 } }"), 'rule "r"', "`claims`"),
    "range between two steps": (
        question("s", body=SCALE) + rule("r", "when = { s = { min = 2.2, max = 2.8 } }"),
        'rule "r"',
        "`s`",
    ),
    "range of a choice": (A + rule("r", "when = { a = { min = 1 } }"), 'rule "r"', "can't have a range"),
    "one name for two things": (A + rule("r", 'when = { a = "yes", any = [{ a = "no" }] }'), 'rule "r"', "`a`"),
    "two ranges apart": (
        rule("r", "when = { claims = { min = 3 }, any = [{ claims = { max = 2 } }] }"),
        'rule "r"',
        "`claims`",
    ),
    "filled and not filled": (A + rule("r", 'when = { a = { filled = false, not = "yes" } }'), 'rule "r"', "`a`"),
    "against what the question hangs on": (A + B + rule("r", 'when = { b = "yes", a = "no" }'), 'rule "r"', "`a`"),
    "against what hangs further out": (
        A + B + question("c", 'relevant = { b = "yes" }') + rule("r", 'when = { c = "yes", a = "no" }'),
        'rule "r"',
        "`a`",
    ),
    "a dead alternative": (
        A + B + rule("r", 'when = { any = [{ a = "yes" }, { b = "yes", a = "no" }] }'),
        'rule "r"',
        "`a`",
    ),
    "two questions of one name": (A + A, 'question "a"', "already used"),
    "a question named as a fact": (question("supporting"), 'question "supporting"', "already used"),
    "two rules of one id": (A + rule("r", 'when = { a = "yes" }') * 2, 'rule "r"', "twice"),
    "a rule that always breaks": (A + rule("r", ""), 'rule "r"', "always"),
    "a reserved key": (
        question("q", body='kind = "choice"\nchoices = [{ id = "x", label = "X", key = "J" }]\n'),
        'question "q"',
        "'J'",
    ),
    "a key that is none": (
        question("q", body='kind = "choice"\nchoices = [{ id = "x", label = "X", key = "ab" }]\n'),
        'question "q"',
        "'ab'",
    ),
    "one key on two questions": (
        "".join(
            question(name, body=f'kind = "choice"\nchoices = [{{ id = "x", label = "X", key = "{key}" }}]\n')
            for name, key in (("a", "n"), ("b", "N"))
        ),
        'question "b"',
        "'n'",
    ),
    "a number between nothing": (
        question("q", body='kind = "number"\nmin = 3\nmax = 2\n'),
        'question "q"',
        "no number",
    ),
    "a text with a range": (question("q", body='kind = "text"\nmin = 3\n'), 'question "q"', "`min`"),
    "a rule with an id of the engine": (
        A + rule("required:a", 'when = { a = "yes" }'),
        'rule "required:a"',
        "reserved",
    ),
    "better without compare": (A + rule("r", 'when = { better = "first" }', "task"), 'rule "r"', "`better`"),
    "a bound that is no number": (question("q", body='kind = "number"\nmin = nan\n'), 'question "q"', "nan"),
    "a text with U+0000": (question("q", body=YES_NO).replace("Really?", "Rea\\u0000lly?"), 'question "q"', "U+0000"),
    "an empty placeholder": ('[links]\nplaceholders = [""]\n' + A, "[links]", "placeholder"),
    "a table that no rubric has": ("[colours]\nx = 1\n" + A, "[colours]", "unknown table"),
    "combine of an unknown question": ('[combine]\nzzz = ["yes"]\n' + A, "[combine]", "'zzz'"),
    "compare by what is not offered": (
        '[compare]\nby = { f = ["good"] }\n' + question("f", per="response"),
        "[compare]",
        "'good'",
    ),
    "claims that hang on an unknown name": ('[claims]\nrelevant = { zzz = "x" }\n' + A, "[claims]", "`zzz`"),
    "a scale without end": (question("s", body='kind = "scale"\nmin = 1\n'), 'question "s"', "max"),
    "steps that miss the end": (
        question("s", body='kind = "scale"\nmin = 1\nmax = 2\nstep = 0.3\n'),
        'question "s"',
        "miss",
    ),
    "an anchor off the scale": (
        question("s", body=SCALE + 'anchors = [{ at = 9, label = "x" }]\n'),
        'question "s"',
        "9",
    ),
}


@pytest.mark.parametrize(("tables", "where", "what"), REFUSED.values(), ids=REFUSED.keys())
def test_a_slip_is_refused_with_its_table_and_line(tables, where, what):
    text = tables if tables.startswith(HEAD[:9]) else 'id = "mine"\nversion = 1\n' + tables
    with pytest.raises(RubricError) as refused:
        load_rubric(text)
    assert refused.value.title.endswith(where)
    assert what in refused.value.message
    line = int(refused.value.title.split("line ")[1].split(",")[0])
    header = text.split("\n")[line - 1]
    assert header.startswith("[")
    name = where.split('"')[1] if '"' in where else None
    assert name is None or any(f'id = "{name}"' in near for near in text.split("\n")[line : line + 2])


def test_questions_that_are_never_asked_together_may_share_a_key():
    one = question("a", body='kind = "choice"\nchoices = [{ id = "x", label = "X" }, { id = "y", label = "Y" }]\n')
    shared = 'kind = "choice"\nchoices = [{ id = "u", label = "U", key = "1" }]\n'
    load_rubric(
        'id = "mine"\n'
        + one
        + question("b", 'relevant = { a = "x" }', shared)
        + question("c", 'relevant = { a = "y" }', shared)
    )


def test_a_header_inside_a_string_is_no_table():
    text = 'id = "mine"\ntitle = """\n[[questions]]\n"""\n' + question("q", 'relevant = { nobody = "x" }')
    with pytest.raises(RubricError, match=r"line 5, question \"q\""):
        load_rubric(text)


@pytest.mark.parametrize("text", ["", "id = ", "a" * 10, "x = " + "[" * 5_000, "id = 3\n", 'id = "m"\nquestions = 3\n'])
def test_what_is_no_rubric_is_refused_and_never_crashes(text):
    with pytest.raises(RubricError):
        load_rubric(text)
