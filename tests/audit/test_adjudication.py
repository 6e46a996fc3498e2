"""One final label a place: the lead's word first, then more than half of the people."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rater.audit.adjudication import adjudicated_values
from desktop_rater.audit.digest import Digest
from desktop_rater.audit.results import LeadDecision, LeadRating, Verdict
from desktop_rater.audit.reviews import LeadValues, Reviews
from desktop_rater.rubric.load import load_rubric
from tests.audit.digests import GRADED, VALUES, audit, digest
from tests.examples import examples
from tests.rubric.toml_texts import choices, decision, question, rubric_text

LABELS = sorted(VALUES.keys() - {"critical"})
RATERS = [f"r-{number:02}" for number in range(1, 8)]


def labels_of(found):
    return {(one.task, one.where): one for one in found if one.label}


def verdict(of, rater, kind, where="targets/s1", **more):
    return Verdict(task="t-1", where=where, rater=rater, rating=of.ratings["t-1", rater].sha256, kind=kind, **more)


def said(*verdicts, **more):
    return Reviews(verdicts={(one.task, one.where, one.rater): one for one in verdicts}, **more)


def three(*labels):
    return audit({("t-1", f"r-{number}"): digest(label) for number, label in enumerate(labels, 1)})


@settings(max_examples=examples(100))
@given(st.lists(st.sampled_from(LABELS), min_size=1, max_size=len(RATERS)))
def test_only_more_than_half_of_the_people_decide(given_labels):
    of = audit({("t-1", rater): digest(label) for rater, label in zip(RATERS, given_labels, strict=False)})
    (one,) = labels_of(adjudicated_values(of, Reviews())).values()
    value, most = Counter(given_labels).most_common(1)[0]
    if 2 * most > len(given_labels):
        assert (one.value, one.votes_for, one.against) == (value, most, len(given_labels) - most)
        assert one.source == ("unanimous" if most == len(given_labels) else "majority")
        assert not one.is_open
    else:
        assert (one.value, one.source, one.is_open) == (None, "open", True)
        assert one.votes_for == most


@settings(max_examples=examples(50))
@given(st.lists(st.sampled_from(LABELS), min_size=1, max_size=7), st.randoms(use_true_random=False))
def test_the_order_of_the_raters_never_matters(given_labels, random):
    ratings = {("t-1", rater): digest(label) for rater, label in zip(RATERS, given_labels, strict=False)}
    mixed = list(ratings.items())
    random.shuffle(mixed)
    assert [*adjudicated_values(audit(ratings), Reviews())] == [*adjudicated_values(audit(dict(mixed)), Reviews())]


def test_models_do_not_vote():
    ratings = {("t-1", "r-1"): digest("accurate"), ("t-1", "r-2"): digest("disputed")}
    ratings |= {("t-1", f"m-{number}"): digest("disputed") for number in range(5)}
    of = audit(ratings, models=frozenset(f"m-{number}" for number in range(5)))
    (one,) = labels_of(adjudicated_values(of, Reviews())).values()
    assert one.is_open
    assert (one.votes_for, one.against) == (1, 1)


def test_a_task_that_somebody_skipped_is_decided_by_the_others():
    of = audit(
        {
            ("t-1", "r-1"): digest("accurate"),
            ("t-1", "r-2"): digest(status="skipped"),
            ("t-1", "r-3"): digest("accurate"),
        }
    )
    (one,) = labels_of(adjudicated_values(of, Reviews())).values()
    assert (one.value, one.source, one.votes_for) == ("accurate", "unanimous", 2)


def test_a_decision_of_the_lead_stands_above_all():
    of = three("accurate", "accurate", "accurate")
    final = LeadDecision(
        task="t-1", where="targets/s1", question="label", value="disputed", lead="Ana", comment="No consensus."
    )
    spoken = said(verdict(of, "r-1", "accepted"), finals={("t-1", "targets/s1", "label"): final})
    (one,) = labels_of(adjudicated_values(of, spoken)).values()
    assert (one.value, one.source, one.how) == ("disputed", "lead", "decided")
    assert (one.votes_for, one.against) == (0, 3)
    assert (one.lead, one.comment) == ("Ana", "No consensus.")


def test_a_decision_that_names_the_question_itself_is_one_on_the_label():
    of = three("accurate", "inaccurate")
    final = LeadDecision(task="t-1", where="targets/s1", question="accuracy", value="accurate")
    (one,) = labels_of(adjudicated_values(of, said(finals={("t-1", "targets/s1", "accuracy"): final}))).values()
    assert (one.question, one.value) == ("label", "accurate")


def test_a_correction_puts_the_leads_own_answer_in_the_place_of_all_others():
    of = three("accurate", "accurate", "inaccurate")
    own = LeadValues(own=LeadRating(task="t-1", rating=None, lead="Ana"), values={"targets/s1": VALUES["unsupported"]})
    corrected = said(verdict(of, "r-1", "corrected"), owns={"t-1": own})
    assert next(adjudicated_values(of, corrected)).value == "unsupported"
    blind = said(owns={"t-1": own})
    assert next(adjudicated_values(of, blind)).value == "accurate"


def test_accepted_ratings_decide_where_they_say_the_same():
    of = three("accurate", "accurate", "unsupported")
    assert next(adjudicated_values(of, said(verdict(of, "r-3", "accepted")))).value == "unsupported"
    both = said(verdict(of, "r-3", "accepted"), verdict(of, "r-1", "accepted"))
    one = next(adjudicated_values(of, both))
    assert (one.value, one.source) == ("accurate", "majority")


def test_a_verdict_on_the_whole_task_holds_at_each_of_its_places():
    of = three("accurate", "unsupported")
    back = verdict(of, "r-1", "returned", where="task", reason="search-too-thin")
    assert next(adjudicated_values(of, said(back))).value == "unsupported"


def test_a_verdict_on_an_earlier_rating_says_nothing_of_this_one():
    of = three("accurate", "unsupported")
    earlier = Verdict(task="t-1", where="targets/s1", rater="r-1", rating="0" * 64, kind="returned")
    assert next(adjudicated_values(of, said(earlier))).is_open


def test_what_leads_to_a_label_is_taken_of_those_who_gave_it():
    of = audit(
        {
            ("t-1", "r-1"): digest("critical"),
            ("t-1", "r-2"): digest("critical"),
            ("t-1", "r-3"): digest("inaccurate"),
            ("t-1", "r-4"): digest("accurate"),
        }
    )
    found = {one.question: one for one in adjudicated_values(of, Reviews())}
    assert (found["label"].value, found["label"].votes_for) == ("inaccurate", 3)
    assert (found["severity"].value, found["severity"].votes_for, found["severity"].against) == ("critical", 2, 1)
    assert (found["common_knowledge"].value, found["common_knowledge"].source) == ("wrong", "unanimous")
    assert "accuracy" not in found  # it is the label


def test_an_open_label_has_no_details():
    found = list(adjudicated_values(three("critical", "accurate"), Reviews()))
    assert [one.question for one in found] == ["label"]


def test_gold_decides_nothing():
    of = three("accurate", "unsupported")
    gold = Reviews(gold={"t-1": ({"targets/s1": VALUES["accurate"]},)})
    assert next(adjudicated_values(of, gold)).is_open


GRADES = {"good": {"rateable": "yes", "grade": "good"}, "bad": {"rateable": "yes", "grade": "bad"}}
OUT = {"rateable": "no"}
DECIDED = question("spelling", body=choices(ok="Yes", off="No"), ask="Is it spelt well?") + decision(
    "off", "grade", "bad", 'when = { spelling = "off" }\nmessage = "It is misspelt."'
)


def graded(*said, toml=GRADED, rubric=None):
    answers = {
        ("t-1", f"r-{number}"): Digest(status="complete", values={"targets/s1": one})
        for number, one in enumerate(said, 1)
    }
    return audit(answers, rubric=rubric or load_rubric(toml))


def final_values(of, reviews=None):
    return {one.question: one.value for one in adjudicated_values(of, reviews or Reviews())}


def test_one_rater_does_not_answer_what_the_others_say_is_not_to_be_asked():
    assert final_values(graded(OUT, OUT, GRADES["good"])) == {"rateable": "no"}
    assert final_values(graded(OUT, OUT, GRADES["good"], toml=GRADED + DECIDED)) == {"rateable": "no"}


def test_what_follows_is_decided_by_those_for_whom_it_was_asked():
    of = graded(OUT, OUT, GRADES["good"], GRADES["good"], GRADES["bad"])
    assert final_values(of) == {"rateable": "yes", "grade": "good"}


def test_a_label_that_nobody_was_asked_for_is_not_open():
    assert final_values(graded(OUT, OUT, toml=GRADED + DECIDED)) == {"rateable": "no"}


def test_a_decision_on_what_is_asked_before_settles_what_follows():
    for toml in (GRADED, GRADED + DECIDED):
        of = graded(OUT, GRADES["good"], toml=toml)
        assert any(one.is_open for one in adjudicated_values(of, Reviews()))
        finals = {
            value: {
                ("t-1", "targets/s1", "rateable"): LeadDecision(
                    task="t-1", where="targets/s1", question="rateable", value=value
                )
            }
            for value in ("yes", "no")
        }
        assert final_values(of, Reviews(finals=finals["no"])) == {"rateable": "no"}
        assert final_values(of, Reviews(finals=finals["yes"])) == {"rateable": "yes", "grade": "good"}


def test_what_the_accepted_rating_or_the_correction_leaves_out_is_left_out():
    of = graded(OUT, GRADES["good"], GRADES["good"], toml=GRADED + DECIDED)
    assert final_values(of, said(verdict(of, "r-1", "accepted"))) == {"rateable": "no"}
    own = LeadValues(own=LeadRating(task="t-1", rating=None, lead="Ana"), values={"targets/s1": OUT})
    corrected = said(verdict(of, "r-2", "corrected"), owns={"t-1": own})
    assert final_values(of, corrected) == {"rateable": "no"}


CHAIN = rubric_text(
    "chain",
    question("rateable", "required = true", choices("yes", "no", "partly"), ask="Can it be rated?"),
    question("style", "required = true", choices("good", "bad"), ask="Style?"),
    question(
        "why", 'required = true\nrelevant = { rateable = "no" }', choices(cut="Cut off", odd="Odd"), ask="Why not?"
    ),
    more='version = 1\ntitle = "Chain"',
)


def test_what_hangs_on_a_question_that_is_open_is_not_final():
    answers = (
        {"rateable": "no", "style": "good", "why": "cut"},
        {"rateable": "no", "style": "good", "why": "cut"},
        {"rateable": "yes", "style": "bad"},
        {"rateable": "partly", "style": "good"},
    )
    of = graded(*answers, toml=CHAIN)
    assert final_values(of) == {"rateable": None, "style": "good"}
    decided = LeadDecision(task="t-1", where="targets/s1", question="rateable", value="no")
    no = Reviews(finals={("t-1", "targets/s1", "rateable"): decided})
    assert final_values(of, no) == {"rateable": "no", "style": "good", "why": "cut"}


def chained(random):
    """Three or four questions, of which some are asked only after an answer to one before; and what asks for each."""
    asked_after, tables = {}, ['id = "x"\nversion = 1\ntitle = "X"']
    for number in range(random.randint(3, 4)):
        if number and random.random() < 0.7:
            asked_after[f"q{number}"] = f"q{random.randrange(number)}", random.choice("ab")
        relevant = "{{ {} = '{}' }}".format(*asked_after[f"q{number}"]) if f"q{number}" in asked_after else "{}"
        tables.append(
            f'[[questions]]\nid = "q{number}"\nper = "target"\nask = "Q{number}?"\nkind = "choice"\nrequired = true\n'
            'choices = [{ id = "a", label = "A" }, { id = "b", label = "B" }, { id = "c", label = "C" }]\n'
            f"relevant = {relevant}"
        )
    if random.random() < 0.5:  # then one of them is the label, and the others lead to it
        sets, of = random.sample(range(3), 2)
        tables.append(
            f'[[decide]]\nid = "d"\nper = "target"\nsets = "q{sets}"\nwhen = {{ q{of} = "c" }}\n'
            'then = "b"\nmessage = "m"'
        )
    return load_rubric("\n".join(tables)), asked_after


def answered(random, rubric, asked_after):
    said = {}
    for name in rubric.questions:
        of, value = asked_after.get(name, (None, None))
        if said.get(of) == value:
            said[name] = random.choice("aabc")
    return said


@settings(max_examples=examples(150))
@given(st.randoms(use_true_random=False))
def test_what_is_final_hangs_together_and_a_lead_who_decides_all_that_is_open_is_done(random):
    rubric, asked_after = chained(random)
    given_answers = [answered(random, rubric, asked_after) for _ in range(random.randint(1, 6))]
    of = graded(*given_answers, rubric=rubric)
    finals = {}
    for _ in range(len(rubric.questions) + 1):
        found = {one.question: one for one in adjudicated_values(of, Reviews(finals=finals))}
        final = {name: one.value for name, one in found.items() if one.value is not None}
        if not finals:
            assert all(
                name not in asked_after or final.get(asked_after[name][0]) == asked_after[name][1] for name in final
            )
        waits = next((one for one in found.values() if one.is_open), None)
        if waits is None:
            return
        assert waits.votes_for
        value = random.choice([one[waits.question] for one in given_answers if waits.question in one])
        finals["t-1", "targets/s1", waits.question] = LeadDecision(
            task="t-1", where="targets/s1", question=waits.question, value=value
        )
    raise AssertionError("something is open for ever")
