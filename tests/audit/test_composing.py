"""A rating put together of several raters' parts holds just what each of them said there."""

from desktop_rater.audit.adjudication import compose_rating
from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import from_plain, to_plain


def rated(rater, label, *evidence, **more):
    targets = {name: {"factual": "yes", "accuracy": label} for name in ("s1", "s2", "s3")}
    return from_plain(
        {
            "task": "t-1",
            "rater": rater,
            "answers": {"task": {"note": rater}, "targets": targets},
            "evidence": [
                {"id": name, "target": target, "url": f"https://{rater}.test/{name}"} for name, target in evidence
            ],
            "time": {"active_seconds": 90, "targets": dict.fromkeys(targets, len(label))},
            "links_opened": [f"https://{rater}.test/"],
            **more,
        },
        Rating,
    )


def test_each_place_is_whose_it_is_said_to_be():
    ana, eva = rated("ana", "accurate"), rated("eva", "disputed")
    found = compose_rating(ana, {"targets/s1": ana, "targets/s2": eva})
    labels = {name: given["accuracy"] for name, given in found.answers.targets.items()}
    assert labels == {"s1": "accurate", "s2": "disputed", "s3": "accurate"}
    assert found.time.targets == {"s1": 8, "s2": 8, "s3": 8}
    assert found.answers.task == {"note": "ana"}
    assert found.links_opened == ("https://ana.test/", "https://eva.test/")
    assert compose_rating(ana, {"task": eva}).answers.task == {"note": "eva"}


def test_one_whose_rating_is_taken_whole_is_not_changed():
    ana = rated("ana", "accurate", ("e1", "s1"))
    assert to_plain(compose_rating(ana, {"targets/s1": ana, "targets/s2": ana})) == to_plain(ana)


def test_evidence_goes_with_its_place_under_an_id_that_is_free():
    stands = {"rule": "evidence-without-quote", "comment": "It is a picture."}
    ana = rated("ana", "accurate", ("e1", "s1"), ("e2", "s2"))
    eva = rated(
        "eva",
        "disputed",
        ("e1", "s2"),
        ("e2", "s2"),
        ("e3", "s3"),
        acknowledged=[
            {**stands, "where": "targets/s2/evidence/e1"},
            {**stands, "where": "targets/s2"},
            {**stands, "where": "targets/s22"},
        ],
    )
    found = compose_rating(ana, {"targets/s1": ana, "targets/s2": eva})
    assert [(one.id, one.target, one.url) for one in found.evidence] == [
        ("e1", "s1", "https://ana.test/e1"),
        ("e2", "s2", "https://eva.test/e1"),
        ("e3", "s2", "https://eva.test/e2"),
    ]
    assert [one.where for one in found.acknowledged] == ["targets/s2/evidence/e2", "targets/s2"]


def test_claims_and_borders_go_with_their_target():
    border = {"start": 0, "end": 4, "quote": "Four", "was_start": 0, "was_end": 3}
    ana = rated("ana", "accurate", claims={"s1": [{"id": "c1", "text": "Ana's"}], "s2": [{"id": "c1", "text": "Old"}]})
    eva = rated("eva", "disputed", borders={"s2": border}, claims={"s1": [{"id": "c1", "text": "Eva's"}]})
    found = compose_rating(ana, {"targets/s2": eva})
    assert {name: [one.text for one in some] for name, some in found.claims.items()} == {"s1": ["Ana's"]}
    assert found.borders.keys() == {"s2"}
