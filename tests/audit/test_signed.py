"""What there is to say of signatures: of one, and of several the most doubtful first."""

import pytest

from desktop_rater.audit.results import ReceivedResults, ResultsSignature, most_urgent_signature, results_signatures
from desktop_rater.format.hub_names import Signature

ANN, BO = 64 * "a", 64 * "b"


def received(sha256, rater="ann", **more):
    return ReceivedResults(sha256=sha256, bundle="kelp", of="kelp", revision=1, rater=rater, **more)


@pytest.mark.parametrize(
    ("signature", "keys", "kind"),
    [
        (Signature("signed", ANN), {"ann": {ANN}}, "own"),
        (Signature("signed", ANN), {"ann": {ANN, BO}}, "own"),
        (Signature("signed", ANN), {"bo": {ANN}}, "keyless"),
        (Signature("signed", BO), {"ann": {ANN}, "bo": {BO}}, "strange"),
        (Signature("unsigned"), {}, "unsigned"),
        (Signature("unsigned"), {"bo": {BO}}, "unsigned"),
        (Signature("unsigned"), {"ann": {ANN}}, "dropped"),
        (Signature("altered", ANN), {"ann": {ANN}}, "altered"),
        (Signature("altered"), {}, "altered"),
    ],
)
def test_what_is_said_of_one(signature, keys, kind):
    known = {rater: frozenset(some) for rater, some in keys.items()}
    found = results_signatures([received("1")], {"1": signature}, known)["1"]
    assert found.kind == kind
    assert found.needs_attention is (kind in {"strange", "dropped", "altered"})


def test_who_signed_once_is_expected_to_sign():
    both = {"1": Signature("signed", ANN), "2": Signature("unsigned"), "3": Signature("unsigned")}
    found = results_signatures([received("1"), received("2"), received("3", "bo")], both, {})
    assert [found[name].kind for name in "123"] == ["keyless", "dropped", "unsigned"]


def test_an_altered_signature_shows_nobody_to_sign():
    both = {"1": Signature("altered", ANN), "2": Signature("unsigned")}
    assert results_signatures([received("1"), received("2")], both, {})["2"].kind == "unsigned"


def test_of_a_model_no_signature_is_expected():
    found = results_signatures([received("1", model="m")], {"1": Signature("unsigned")}, {"ann": frozenset({ANN})})
    assert found["1"].kind == "unsigned"


def test_of_what_nobody_looked_at_nothing_is_said():
    assert results_signatures([received("1")], {}, {"ann": frozenset({ANN})}) == {}


def test_of_several_the_most_doubtful_is_told():
    own = ResultsSignature(results="1", state="signed", key=ANN, known=True)
    strange = ResultsSignature(results="2", state="signed", key=BO, known=False)
    altered = ResultsSignature(results="3", state="altered")
    assert most_urgent_signature([own, altered, strange]) is altered
    assert most_urgent_signature([own, strange]) is strange
    assert most_urgent_signature([]) is None
