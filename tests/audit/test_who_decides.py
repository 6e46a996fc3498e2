"""The lead's copy of the bundle and the raters' keys decide what counts: no stranger's file changes a final label."""

import itertools
import shutil
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_rater.audit.adjudication import adjudicated_values
from desktop_rater.audit.digest import Digest
from desktop_rater.audit.quarantine import AuditEvidence, KnownKeys, count_results
from desktop_rater.audit.results import (
    LeadCopy,
    ReceivedRating,
    ReceivedResults,
    ResultsDecision,
    ResultsRubric,
    ResultsSignature,
    separate_models,
)
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.signing import SigningKey
from desktop_rater.operations.audit.adjudicate import AdjudicationOptions, adjudicate_results
from desktop_rater.operations.audit.load_audit import load_audit
from desktop_rater.operations.audit.report import load_report
from desktop_rater.operations.audit.review import Lead, decide_rater, decide_results, load_reviews
from desktop_rater.operations.hub.keys import key_file_bytes
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.reviews import review_history
from tests.audit.results import GOOD, OPINION, WRONG, Desk, renamed
from tests.audit.test_hostile_results import forged, other_text, own_rubric
from tests.cli.test_signatures import with_signature
from tests.examples import examples
from tests.operations.bundles import NOON, noon
from tests.readers import reader_of

KEYS = {"ann": SigningKey(b"a" * 32), "bo": SigningKey(b"b" * 32)}
EVE = SigningKey(b"e" * 32)
HONEST = {"ann": {"t1": GOOD, "t2": WRONG, "t3": GOOD}, "bo": {"t1": GOOD, "t2": WRONG, "t3": OPINION}}
TASKS = ("t-1", "t-2", "t-3")
RUBRIC = ResultsRubric("span-factuality@3", None)


# -- any set of results, as what was read of them


@st.composite
def strangers(draw):
    """Results that nobody with a known key has signed, with any claim."""
    count = draw(st.integers(1, 5))
    names = [f"x{number}" for number in range(count)]
    before = st.sampled_from([None, "h-ann", "h-bo", "gone", *names])
    zips, ratings, rubrics, signings = [], [], {}, {}
    for name in names:
        rater = draw(st.sampled_from(["ann", "bo", "eve", "аnn", "Bo", "sock", "zed"]))
        results = ReceivedResults(
            sha256=name,
            bundle="kelp",
            of=draw(st.sampled_from(["kelp", "kelp-ann", "sand"])),
            revision=draw(st.sampled_from([1, 2, 3, 99, 2**53])),
            rater=rater,
            supersedes=draw(before),
            sent_back_from=draw(before),
            rework=draw(st.booleans()),
            partial=draw(st.booleans()),
            model=draw(st.sampled_from(["", "", "gpt"])),
        )
        zips.append(results)
        rubrics[name] = draw(st.sampled_from([RUBRIC, ResultsRubric(RUBRIC.ref, "gutted"), ResultsRubric("x@9", None)]))
        state, key = draw(st.sampled_from([("unsigned", ""), ("altered", ""), ("signed", EVE.public)]))
        signings[name] = ResultsSignature(results=name, state=state, key=key)
        for task in draw(st.sets(st.sampled_from([*TASKS, "t-9"]))):
            text, said = draw(st.sampled_from(["text 1", "text 2", "odd"])), draw(st.sampled_from("xyz"))
            ratings.append(rating_of(name, rater, task, said, text=text, revision=draw(st.integers(1, 9))))
    return zips, ratings, rubrics, signings


def rating_of(results, rater, task, said, *, text="text 2", revision=1):
    return ReceivedRating(
        results=results,
        task=task,
        rater=rater,
        text=text,
        sha256=said,
        revision=revision,
        summary=Digest(status="complete"),
    )


def counted(zips=(), ratings=(), rubrics=None, signings=None):
    """What counts at a lead who holds revisions 1 and 2, has two signed results, and is given these others."""
    honest = [ReceivedResults(sha256=f"h-{rater}", bundle="kelp", of="kelp", revision=2, rater=rater) for rater in KEYS]
    received, filed = separate_models(
        [*honest, *zips], [*(rating_of(f"h-{rater}", rater, task, "x") for rater in KEYS for task in TASKS), *ratings]
    )
    own = {
        f"h-{name}": ResultsSignature(results=f"h-{name}", state="signed", key=key.public) for name, key in KEYS.items()
    }
    return count_results(
        AuditEvidence(
            received=received,
            ratings=filed,
            rubrics={**{entry.sha256: RUBRIC for entry in honest}, **(rubrics or {})},
            copies=[copy_of(1), copy_of(2)],
            signings={**own, **(signings or {})},
            keys=KnownKeys(
                valid={name: frozenset({key.public}) for name, key in (*KEYS.items(), ("sock", EVE))},
                ever=frozenset({*KEYS, "sock"}),
            ),
            assigned=frozenset({*((rater, "kelp") for rater in KEYS), ("zed", "sand"), ("sock", "sand")}),
        )
    )


def copy_of(revision):
    tasks = tuple((task, f"text {revision}") for task in TASKS)
    return LeadCopy(revision=revision, rubric=RUBRIC.ref, rubric_toml=RUBRIC.toml, tasks=tasks)


@settings(max_examples=examples(1_000), suppress_health_check=[HealthCheck.too_slow])
@given(strangers())
def test_no_set_of_results_without_a_known_key_changes_which_ratings_count(given_by_strangers):
    """Nor does one of a model, or of a rater with a known key to whom the lead has assigned another bundle alone."""
    zips, _, _, _ = given_by_strangers
    found, alone = counted(*given_by_strangers), counted()
    assert found.effective.counting == alone.effective.counting
    assert (found.rubric, found.effective.texts) == (alone.rubric, alone.effective.texts)
    held = {entry.results.sha256 for entry in found.held if entry.held}
    assert held == {results.sha256 for results in zips} - {results.sha256 for results in found.results}
    assert all(entry.reasons for entry in found.held)


def test_a_name_whose_key_is_known_holds_nobody_elses_unsigned_results():
    honest = [ReceivedResults(sha256=f"h-{name}", bundle="kelp", of="kelp", revision=2, rater=name) for name in "xy"]
    stranger = ReceivedResults(sha256="s", bundle="kelp", of="kelp", revision=2, rater="ann")
    found = count_results(
        AuditEvidence(
            received=[*honest, stranger],
            ratings=[rating_of(entry.sha256, entry.rater, "t-1", "x") for entry in (*honest, stranger)],
            rubrics={entry.sha256: RUBRIC for entry in (*honest, stranger)},
            copies=[copy_of(2)],
            keys=KnownKeys(valid={"ann": frozenset({KEYS["ann"].public})}, ever=frozenset({"ann"})),
        )
    )
    assert [entry.results.rater for entry in found.held] == ["ann"]
    assert found.effective.counting.keys() == {("t-1", "x"), ("t-1", "y")}


# -- the same with real files


def honest_lead(folder):
    """A lead who holds the bundle and two raters' keys, with their signed results; the second one rated twice."""
    desk = Desk(folder)
    keys = []
    for rater, key in KEYS.items():
        keys.append(folder / f"{rater}.json")
        keys[-1].write_bytes(key_file_bytes(rater, key.public))
    sent = [
        desk.sent(rater, f"honest-{rater}", key=KEYS[rater], **answers)  # ty: ignore[invalid-argument-type]
        for rater, answers in HONEST.items()
    ]
    sent.append(desk.sent("bo", "honest-bo-2", key=KEYS["bo"], t3=GOOD))
    desk.opened(desk.bundle, *keys, *sent)
    return desk, sent


def later_revision(_files, manifest):
    manifest["bundle"]["revision"] = 99


def replacing(sha256):
    def change(_files, manifest):
        manifest["supersedes"] = sha256

    return change


def changes(*steps):
    def change(files, manifest):
        for step in steps:
            step(files, manifest)

    return change


@pytest.fixture(scope="module")
def attacked(tmp_path_factory):
    """A lead's desk, and zips made by a stranger with a key of her own."""
    desk, honest = honest_lead(tmp_path_factory.mktemp("who"))
    with zipfile.ZipFile(honest[0]) as old:
        moved_signature = old.read("signature.json")
    opened = desk.opened(*honest)
    hashes = [entry.sha256 for entry in opened.took]
    plain = desk.sent("eve", "eve", t1=OPINION, t2=OPINION, t3=OPINION)
    signed = desk.exported("eve", "eve-signed", key=EVE)
    ways = (other_text, own_rubric, later_revision, replacing(hashes[0]), replacing(hashes[2]))
    names = {"ann": "ann", "bo": "bo", "look-alike": "аnn", "unseen": "ann\u200b"}
    bases = {
        "eve": plain,
        **{name: renamed(plain, desk.folder / f"as-{name}.zip", rater) for name, rater in names.items()},
    }
    zips = [signed, *bases.values()]
    for size in (1, 2, 3):
        for number, steps in enumerate(itertools.combinations(ways, size)):
            name = sorted(bases)[number % len(bases)]
            zips.append(forged(bases[name], desk.folder / f"odd-{name}-{size}-{number}.zip", changes(*steps)))
    zips.append(with_signature(shutil.copy(honest[1], desk.folder / "copy.zip"), None))
    zips.append(with_signature(shutil.copy(plain, desk.folder / "moved.zip"), moved_signature))
    return desk, zips, verdict_of(desk.store)


def verdict_of(store):
    """The final labels of a bundle and all figures of its report, but for what is said of results that wait."""
    with reader_of(store) as reader:
        audit = load_audit(reader, "kelp")
        labels = list(adjudicated_values(audit, load_reviews(reader, audit)))
        report = load_report(reader, "kelp", seed=1, now=NOON)
    return labels, {
        name: getattr(report, name) for name in report.__struct_fields__ if name not in {"cautions", "stale"}
    }


@settings(max_examples=examples(15), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_no_set_of_real_zips_in_any_order_changes_a_final_label_or_a_figure(attacked, tmp_path_factory, data):
    desk, zips, before = attacked
    chosen = data.draw(st.lists(st.sampled_from(zips), min_size=1, max_size=6, unique=True))
    store = tmp_path_factory.mktemp("lead") / "store"
    shutil.copytree(desk.store, store)
    desk.opened(*chosen, store=store)
    assert verdict_of(store) == before


def test_all_of_them_together_are_held_and_named(attacked, tmp_path):
    desk, zips, before = attacked
    store = tmp_path / "store"
    shutil.copytree(desk.store, store)
    opened = desk.opened(*zips, store=store)
    assert verdict_of(store) == before
    with reader_of(store) as reader:
        audit = load_audit(reader, "kelp")
    held = {entry.results.sha256: {reason.kind for reason in entry.reasons} for entry in audit.held}
    assert held.keys() == {entry.sha256 for entry in opened.took}
    assert (len(opened.took), opened.refused) == (len(zips), ())
    kinds = set().union(*held.values())
    assert kinds == {"revision", "rubric", "text", "altered", "unsigned", "no-key"}


def test_an_unsigned_forgery_does_not_replace_signed_results(tmp_path):
    desk, honest = honest_lead(tmp_path)
    before = verdict_of(desk.store)
    (first, *_) = desk.opened(*honest).took
    forgery = renamed(desk.sent("eve", t1=OPINION, t2=OPINION, t3=OPINION), tmp_path / "as-ann.zip", "ann")
    desk.opened(forged(forgery, tmp_path / "later.zip", replacing(first.sha256)))
    assert verdict_of(desk.store) == before


def test_the_lead_can_admit_what_is_held_and_take_out_what_counts_and_change_the_mind(tmp_path):
    desk, honest = honest_lead(tmp_path)
    before = verdict_of(desk.store)
    held = desk.opened(desk.sent("eve", t1=OPINION, t2=OPINION, t3=OPINION)).took[0].sha256
    counting = desk.opened(*honest).took[0].sha256
    decide(desk, held, "admitted")
    assert ("t-1", "eve") in audit_of(desk).ratings
    decide(desk, counting, "taken out")
    assert ("t-1", "ann") not in audit_of(desk).ratings
    assert {entry.results.sha256 for entry in audit_of(desk).held if entry.taken_out} == {counting}
    decide(desk, counting, "none")
    decide(desk, held, "taken out")
    assert verdict_of(desk.store) == before
    with reader_of(desk.store) as store:
        history = [review.read(ResultsDecision) for review in review_history(store, "kelp", ("results", held))]
        told = [(entry.kind, entry.reason, entry.lead) for entry in history]
    assert told == [("admitted", "I know why.", "Ana"), ("taken out", "I know why.", "Ana")]


def test_a_decision_needs_a_reason_and_results_by_another_rubric_can_not_be_admitted(tmp_path):
    desk, _ = honest_lead(tmp_path)
    other = forged(desk.sent("eve", partial=True, t1=OPINION), tmp_path / "own.zip", own_rubric)
    (taken,) = desk.opened(other).took
    with pytest.raises(RaterError, match="another rubric"):
        decide(desk, taken.sha256, "admitted")
    with pytest.raises(RaterError, match="no reason"):
        decide(desk, taken.sha256, "taken out", reason=" ")


def test_a_rater_without_a_key_counts_by_the_leads_word_and_one_with_a_key_does_not(tmp_path):
    desk, _ = honest_lead(tmp_path)
    desk.opened(desk.sent("cy", t1=GOOD, t2=GOOD, t3=GOOD))
    desk.opened(renamed(desk.sent("eve", t1=OPINION, t2=OPINION, t3=OPINION), tmp_path / "as-ann.zip", "ann"))
    admit = ResultsDecision(kind="admitted", reason="She has no keyring.")
    lead = Lead("Ana", noon)
    with open_writer(desk.store, command="audit admit") as store:
        decide_rater(store, load_audit(store, "kelp"), "cy", admit, lead)
        with pytest.raises(RaterError, match="one by one"):
            decide_rater(store, load_audit(store, "kelp"), "ann", admit, lead)
    audit = audit_of(desk)
    assert ("t-1", "cy") in audit.ratings
    desk.opened(desk.sent("cy", "cy-later", t1=WRONG))
    assert audit_of(desk).ratings["t-1", "cy"].sha256 != audit.ratings["t-1", "cy"].sha256


def test_a_later_bundle_in_a_folder_is_not_the_leads_copy_until_it_is_opened_by_name(tmp_path):
    desk, _ = honest_lead(tmp_path)
    before = verdict_of(desk.store)
    planted = desk.another("planted", revision=99)
    (refused,) = desk.opened(planted.parent).refused
    assert "revision 99" in refused.message
    assert verdict_of(desk.store) == before
    assert not desk.opened(planted).refused


def test_without_the_bundle_nothing_is_decided_where_results_disagree_on_a_text(tmp_path):
    desk = Desk(tmp_path)
    honest = desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD)
    desk.opened(honest, renamed(forged(honest, tmp_path / "odd.zip", other_text), tmp_path / "bo.zip", "bo"))
    options = AdjudicationOptions(to="jsonl", partial=True)
    with reader_of(desk.store) as store, pytest.raises(RaterError, match="the bundle is not here"):
        adjudicate_results(store, "kelp", tmp_path / "final.jsonl", options, Progress())
    desk.opened(desk.bundle)
    with reader_of(desk.store) as store:
        assert adjudicate_results(store, "kelp", tmp_path / "final.jsonl", options, Progress()).written


def audit_of(desk):
    with reader_of(desk.store) as store:
        return load_audit(store, "kelp")


def decide(desk, sha256, kind, reason="I know why."):
    with open_writer(desk.store, command="audit admit") as store:
        decision = ResultsDecision(kind=kind, reason=reason)
        decide_results(store, load_audit(store, "kelp"), [sha256], decision, Lead("Ana", noon))
