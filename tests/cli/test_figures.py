"""Figures of plain files: what a script reads, and what it is told of a file that is not as it should be."""

import json
import re
import subprocess
import sys

import pytest

from desktop_rater.cli.stats import WEIGHT_NAMES
from desktop_rater.format.signing import SigningKey
from tests.audit.results import GOOD, OPINION, WRONG, Desk
from tests.cli.test_signatures import with_signature
from tests.stats.test_token_f1 import TOKYO

PAIRED = "unit,rater,value\nu1,A,1\nu1,B,1\nu2,A,2\nu2,B,3\nu3,A,3\nu3,B,3\n"
KEYS = {
    "units", "raters", "ratings", "percent", "cohen_kappa", "weighted_kappa", "fleiss_kappa", "krippendorff_alpha",
    "gwet_ac1", "intervals", "undefined", "no_interval", "tasks",
}  # fmt: skip


@pytest.fixture
def agreed(run, tmp_path):
    def agreed(text, kind="ordinal"):
        path = tmp_path / "ratings.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return run("stats", "agreement", "--kind", kind, "--json", path)

    return agreed


def test_two_raters_of_three_units(agreed):
    answer = agreed(PAIRED)
    found = json.loads(answer.out)
    assert answer.status == 0
    assert set(found) == KEYS
    assert (found["units"], found["raters"], found["ratings"]) == (3, 2, 6)
    assert found["percent"] == pytest.approx(2 / 3)
    assert found["cohen_kappa"] == pytest.approx(0.5)
    assert set(found["weighted_kappa"]) == {"linear", "quadratic"}
    assert found["undefined"] == {}
    assert found["intervals"] == {}
    assert found["no_interval"]["percent"] == "rests on 3 tasks: too few for an interval"


def test_help_and_commands_without_figures_load_no_numpy():
    """Starting would take a second longer."""
    code = (
        "import contextlib, io, sys; from desktop_rater.__main__ import main\n"
        "sys.argv = ['desktop-rater', *sys.argv[1:]]\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit): main()\n"
        "print('numpy' in sys.modules)"
    )
    for words in (["--help"], ["check", "--help"], ["audit", "open", "--help"]):
        done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "False", words


def test_no_command_loads_qt_before_it_runs():
    """Those that write a page in the window's colours, or open the window, load it then."""
    code = (
        "import sys, click; from desktop_rater.cli.root import commands\n"
        "def walk(group, context):\n"
        "    for name in group.list_commands(context):\n"
        "        command = group.get_command(context, name)\n"
        "        if isinstance(command, click.Group):\n"
        "            walk(command, click.Context(command, info_name=name, parent=context))\n"
        "walk(commands, click.Context(commands)); print([name for name in sys.modules if name.startswith('PySide6')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_units_of_one_task_are_drawn_together(agreed, run, tmp_path):
    """Forty sentences of eight texts, each text all equal or all different: the interval is that of eight."""
    rows = [(f"t{at // 5}", f"t{at // 5}-{at % 5}", "yn"[at // 5 % 2]) for at in range(40)]
    lines = [
        f"{unit},{rater},{value},{task}" for task, unit, other in rows for rater, value in (("A", "y"), ("B", other))
    ]
    nested = "\n".join(["unit,rater,value,task", *lines])
    low, high = json.loads(agreed(nested, "nominal").out)["intervals"]["percent"]
    (plain_low, plain_high) = json.loads(agreed(nested.replace(",task", ",note"), "nominal").out)["intervals"][
        "percent"
    ]
    assert high - low > 2 * (plain_high - plain_low)
    assert run("stats", "agreement", "--kind", "nominal", tmp_path / "ratings.csv").out.startswith("40 units, 2 raters")
    assert agreed(nested.replace("t0-1,B,y,t0", "t0-1,B,y,t1"), "nominal").status == 2


def test_a_reader_is_told_the_units_that_disagree_most(run, tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text(PAIRED, "utf-8")
    lines = run("stats", "agreement", "--kind", "ordinal", path).out.splitlines()
    assert lines[0] == "3 units, 2 raters, 6 ratings"
    assert lines[-1] == "  u2  100%"


def test_with_weights_near_numbers_agree_in_part(run, tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text(PAIRED, "utf-8")
    wanted = ("stats", "agreement", "--kind", "ordinal", path, "--weights")
    for name in WEIGHT_NAMES:
        weighted = json.loads(run(*wanted, name, "--json").out)["weighted"]
        assert set(weighted) == {"percent", "gwet_ac2", "fleiss_kappa", "brennan_prediger", "conger_kappa"}
        # On a circle of three, each is next to the others.
        assert (weighted["gwet_ac2"]["value"] > 0.53) == (name not in {"unweighted", "circular"})
    assert "gwet_ac2.radical " in run(*wanted, "radical").out
    assert run("stats", "agreement", "--kind", "nominal", path, "--weights", "ratio").status == 2


def test_what_does_not_apply_is_null_and_named(agreed):
    found = json.loads(agreed(PAIRED, "nominal").out)
    assert found["weighted_kappa"] is None
    assert found["undefined"] == {"weighted_kappa": "it is for ordinal values"}


def test_ratings_that_are_all_the_same_say_so(agreed):
    found = json.loads(agreed("unit,rater,value\nu1,A,1\nu1,B,1\n").out)
    assert found["percent"] == 1
    assert found["krippendorff_alpha"] is None
    assert found["undefined"]["krippendorff_alpha"] == "every rating is the same"


def test_the_same_file_gives_the_same_bytes(agreed):
    assert agreed(PAIRED).out == agreed(PAIRED).out


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + PAIRED,
        PAIRED.replace("\n", "\r\n"),
        PAIRED.replace("unit,rater,value", "value,note,unit,rater").replace("u1,A,1", "1,,u1,A").split("u1,B")[0],
        'unit,rater,value\n"a\nb",A,1\n"a\nb",B,2\n',
        "unit,rater,value\n",
    ],
)
def test_odd_files_are_read(agreed, text):
    assert agreed(text).status == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1: no column is named unit"),
        ("unit,rater\nu1,A\n", "line 1: no column is named value"),
        ("unit,unit,rater,value\n", "line 1: several columns are named unit"),
        ("unit,rater,value\nu1,A\n", "line 2: it has 2 cells instead of 3"),
        ("unit,rater,value\nu1,A,\n", "line 2: no value (a missing rating has no row)"),
        ("unit,rater,value\nu1,A,1\nu1,A,2\n", 'line 3: "A" has already rated "u1"'),
        ("unit,rater,value\nu1,A,often\n", 'line 2: the value "often" is not a number'),
        ("unit,rater,value\nu1,A,nan\n", 'line 2: the value "nan" is not a number'),
        ("unit,rater,value\nu1,A,1_5\n", 'line 2: the value "1_5" is not a number'),
        ("unit,rater,value\nu1,A,1e300\n", 'line 2: the value "1e300" lies outside ±1e+15'),
        (b"unit,rater,value\nu1,\xff,1\n", "line 2: not UTF-8"),
        ('unit,rater,value\nu1,"A,1\n', "line 2: a quotation mark is not closed"),
    ],
)
def test_a_table_that_is_none_is_refused_by_line(agreed, text, words):
    answer = agreed(text)
    assert (answer.status, answer.out) == (2, "")
    assert words in answer.err


@pytest.fixture
def scored(run, tmp_path):
    def scored(text):
        path = tmp_path / "points.json"
        path.write_text(text, "utf-8")
        return run("stats", "score", "--json", path)

    return scored


def test_the_worked_text(scored):
    rows = zip((0.25, 0.5, 0.8, 0.9), (1, None, 1, 0), (1, 0, 0, 0), strict=True)
    points = [{"topic": "t", "prior": prior, "report": report, "truth": truth} for prior, report, truth in rows]
    answer = scored(json.dumps({"points": points}))
    found = json.loads(answer.out)
    assert answer.status == 0
    assert found["points"] == [1, 0.5, 0, 1]
    assert (found["AV"], found["MV"]) == (0.625, 1)
    assert list(found) == ["points", "AV", "AMV", "AFV", "AFMV", "MV"]


def test_priors_that_mirror_each_other_are_tied_to_the_letter(scored):
    """In binary fractions 1 - 0.9 is less than 0.1, and the second would win."""
    points = [
        {"topic": "t", "prior": 0.1, "report": 0, "truth": 1},
        {"topic": "t", "prior": 0.9, "report": 1, "truth": 1},
    ]
    for order in (points, points[::-1]):
        found = json.loads(scored(json.dumps({"points": order})).out)
        assert found["MV"] == found["points"][0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "points.json"),
        ("[]", "points.json"),
        ("{}", "points"),
        ('{"points": []}', "no point"),
        ('{"points": [{"topic": "t", "prior": 1.5, "report": 1, "truth": 1}]}', "prior"),
        ('{"points": [{"topic": "t", "prior": 0.5, "report": 2, "truth": 1}]}', "report"),
        ('{"points": [{"topic": "t", "prior": NaN, "report": 1, "truth": 1}]}', "points.json"),
        ('{"points": [{"topic": "t", "prior": 0.5, "report": true, "truth": 1}]}', "report"),
    ],
)
def test_points_that_are_none_are_refused(scored, text, words):
    answer = scored(text)
    assert (answer.status, answer.out) == (2, "")
    assert words in answer.err


ANN, BO = SigningKey(b"a" * 32), SigningKey(b"b" * 32)
SIGNED = {"ann": ANN, "bo": BO}
ALONE = {"ann-2", "bo-1", "bo-2", "cy"}  # no other results name these as their predecessors
HASH = re.compile(r"\b[0-9a-f]{64}\b")


def handed_in(folder, keys):
    """Three raters; one changes an answer later, and of one there are two laptops that know nothing of each other."""
    folder.mkdir()
    desk = Desk(folder)
    sent = [
        desk.sent("ann", "ann-1", key=keys.get("ann"), t1=GOOD, t2=WRONG, t3=GOOD),
        desk.sent("ann", "ann-2", key=keys.get("ann"), t2=OPINION),
        desk.sent("bo", "bo-1", key=keys.get("bo"), t1=WRONG, t2=GOOD, t3=OPINION),
        desk.sent("cy", key=keys.get("cy"), t1=WRONG, t2=WRONG, t3=GOOD),
    ]
    (folder / "home-bo").rename(folder / "other-laptop")
    sent.append(desk.sent("bo", "bo-2", key=keys.get("bo"), t1=GOOD, t2=GOOD, t3=WRONG))
    return sent


def said(run, *sent):
    """All that the commands of the lead say of the results, but for signatures and the hashes of files."""
    assert run("audit", "open", *sent).status in {0, 1}
    bundle = run("audit", "status", "--json").json["bundles"][0]
    for rater in bundle["raters"]:
        rater.pop("signings")
    share = ("--how", "stratified", "--share", "0.5", "--by", "disagreement", "--seed", "7", "--lead", "Ana")
    drawn = run("audit", "sample", "kelp", *share, "--json").json
    report = run("audit", "report", "kelp", "--json").json
    for timed, name in ((report, "computed"), (drawn, "changed")):
        timed.pop(name)
    whole = json.loads(HASH.sub("(hash)", json.dumps([bundle, report, drawn])))
    whole[0]["received"].sort(key=json.dumps)  # they stand in the order of their hashes
    return whole


@pytest.fixture
def runs(tmp_path, run):
    def of(name):
        return lambda *words: run("--store", tmp_path / name / "lead", *words)

    return of


def test_signed_and_unsigned_results_give_the_same_figures(tmp_path, runs):
    plain = handed_in(tmp_path / "plain", {})
    some = handed_in(tmp_path / "some", {"bo": BO})
    signed = handed_in(tmp_path / "signed", SIGNED)
    expected = said(runs("plain"), *plain)
    assert [fork["rater"] for fork in expected[0]["forks"]] == ["bo"]
    assert said(runs("some"), *some) == expected
    assert said(runs("signed"), *signed) == expected
    stripped = [with_signature(one, None) if one.stem in ALONE else one for one in signed]
    assert said(runs("stripped"), *stripped) == expected


def test_results_that_were_altered_after_they_were_signed_count_for_nothing(tmp_path, runs):
    signed = handed_in(tmp_path / "signed", SIGNED)
    run = runs("altered")
    assert run("audit", "open", *signed[:3], with_signature(signed[3], b"{}")).status == 1
    (held,) = run("audit", "status", "--json").json["bundles"][0]["quarantined"]
    assert (held["rater"], [reason["kind"] for reason in held["reasons"]]) == ("cy", ["altered"])
    assert [rater["rater"] for rater in run("audit", "report", "kelp", "--json").json["raters"]] == ["ann", "bo"]


CAPITAL = {"response": "The capital of Japan is Tokyo.", "reference": TOKYO}


@pytest.mark.parametrize("words", [(), ("--json",)])
def test_each_line_gives_a_number(run, tmp_path, words):
    path = tmp_path / "pairs.txt"
    lines = [CAPITAL, {"response": "the", "reference": "a", "id": 7}, {"response": "kelp", "reference": "Kelp!"}]
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(map(json.dumps, lines)).encode())
    answer = run("stats", "f1", *words, path, status=0)
    assert [json.loads(line) for line in answer.out.splitlines()] == [8 / 19, 0.0, 1.0]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"response": "a"}', "`reference` is missing"),
        (b'{"response": null, "reference": "a"}', "field `response`"),
        (b'{"response": ["a"], "reference": "a"}', "field `response`"),
        (b'{"response": "a", "reference": "b"', "not JSON"),
        (b"[]", "a list"),
        (b'{"response": "\xff", "reference": "b"}', "not UTF-8"),
        (b'{"response": "a", "response": "b", "reference": "c"}', "occurs twice"),
    ],
)
def test_one_bad_line_refuses_the_file_and_is_named(run, tmp_path, line, why):
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(json.dumps(CAPITAL).encode() + b"\n" + line + b"\n")
    answer = run("stats", "f1", path)
    assert (answer.status, answer.out) == (2, "")
    assert "line 2" in answer.err
    assert why in answer.err


def test_a_file_that_is_not_there_is_told_of(run, tmp_path):
    assert "nowhere.jsonl can't be read" in run("stats", "f1", tmp_path / "nowhere.jsonl", status=2).err
