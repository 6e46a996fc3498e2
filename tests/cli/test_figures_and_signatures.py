"""While no key is known, no figure depends on who signed: a team that begins to sign gets the same report."""

import json
import re

import pytest

from desktop_rater.format.signing import SigningKey
from tests.audit.results import GOOD, OPINION, WRONG, Desk
from tests.cli.test_signatures import with_signature

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
    """Each call is of a lead with a store of its own."""

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
