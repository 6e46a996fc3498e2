"""Factcheck-Bench: what people found comes over, and nothing is invented."""

import json

import pytest

from desktop_rater.format.archive import open_bundle
from desktop_rater.format.errors import BundleError
from desktop_rater.format.make import BundleDraft, make_bundle
from desktop_rater.format.rating import Rating
from desktop_rater.format.safe_zip import LIMITS
from desktop_rater.format.strict_json import canonical_json, read_struct, to_plain
from desktop_rater.format.targets import prepare_task
from desktop_rater.plugins.convert.conversion import ConvertedRecord, OmittedRecord
from desktop_rater.plugins.convert.formats.published_sets import convert_factcheck_bench
from desktop_rater.plugins.convert.source import SourceRecords
from tests.format.zips import CREATED

KELP = "Kelp grows up to half a metre a day in cold and sunny water."
OTTERS = "Sea otters eat it, and they sleep in it."
HAPPY = "I am happy to help!"


def sentence(text, label, *claims, **more):
    plain = {"text": text, "sentence_factuality_label": label, "claims": [], "claims_factuality_label": []}
    for claim, verdict in claims:
        plain["claims"].append(claim)
        plain["claims_factuality_label"].append(verdict)
    return {**plain, **more}


def record(*sentences, response=f"{HAPPY} {KELP}\r\n{OTTERS}"):
    named = {f"sentence{number}": one for number, one in enumerate(sentences, 1)}
    return {"prompt": "What is kelp?", "response": response, "revised_response": "", "sentences": named}


@pytest.fixture
def convert(tmp_path):
    def convert(*records):
        source = tmp_path / "source.jsonl"
        source.write_text("".join(json.dumps(one) + "\n" for one in records), "utf-8")
        return list(convert_factcheck_bench(SourceRecords([source], LIMITS)))

    return convert


def test_sentences_become_targets_of_a_task_that_the_import_takes(convert, tmp_path):
    (converted,) = convert(record(sentence(HAPPY, "NA"), sentence(KELP, True), sentence(OTTERS, False)))
    assert converted.task["id"] == "fb-0001"
    assert converted.task["meta"] == {"source": "factcheck-bench", "line": 1}
    path = tmp_path / "b.zip"
    make_bundle(
        path, BundleDraft(id="fb", created=CREATED, rubric="span-factuality@3"), [canonical_json(converted.task)]
    )
    with open_bundle(path) as bundle:
        (line,) = bundle.tasks()
    assert line.task
    prepared = prepare_task(line.task, per_target=True, accept_close=False, lang="en")
    assert not prepared.unplaced
    assert not prepared.aligned
    assert prepared.task
    assert prepared.task.targets
    assert [(target.id, target.quote) for target in prepared.task.targets] == [
        ("s1", HAPPY),
        ("s2", KELP),
        ("s3", OTTERS),
    ]


def test_labels_become_answers(convert):
    (converted,) = convert(record(sentence(HAPPY, "NA"), sentence(KELP, True), sentence(OTTERS, False)))
    assert converted.rating.rater == "factcheck-bench"
    assert converted.rating.status == "incomplete"
    assert converted.rating.answers.targets == {
        "s1": {"factual": "no"},
        "s2": {"factual": "yes", "accuracy": "accurate"},
        "s3": {"factual": "yes", "accuracy": "inaccurate"},
    }


def test_a_rating_reads_as_one_of_ours(convert):
    (converted,) = convert(record(sentence(KELP, False, (KELP, False))))
    plain = to_plain(converted.rating)
    assert read_struct(json.loads(canonical_json(plain)), Rating) == converted.rating
    assert "severity" not in json.dumps(plain)
    assert "common_knowledge" not in json.dumps(plain)


def test_claims_carry_the_accuracy_in_place_of_their_sentence(convert):
    claims = [("Sea otters eat it", True), ("Otters sleep in kelp.", False), ("they sleep in it", "unknown")]
    (converted,) = convert(record(sentence(KELP, True, (KELP, True)), sentence(OTTERS, False, *claims)))
    assert converted.rating.answers.targets == {"s1": {"factual": "yes"}, "s2": {"factual": "yes"}}
    whole, *parts = [claim for claims in converted.rating.claims.values() for claim in claims]
    assert (whole.id, whole.text, whole.answers) == ("c1", KELP, {"accuracy": "accurate"})
    assert [(part.id, part.answers) for part in parts] == [
        ("c1", {"accuracy": "accurate"}),
        ("c2", {"accuracy": "inaccurate"}),
        ("c3", {}),
    ]
    response = converted.task["responses"][0]["text"]
    assert [[response[start:end] for start, end in part.ranges] for part in parts] == [
        ["Sea otters eat it"],
        [],
        ["they sleep in it"],
    ]


@pytest.mark.parametrize(
    ("written", "url", "quote"),
    [
        ("https://a.example/kelp\n\nIt grows fast.", "https://a.example/kelp", "It grows fast."),
        ("https://a.example/kelp", "https://a.example/kelp", ""),
        ("It grows fast.\nLink: https://a.example/kelp", "https://a.example/kelp", "It grows fast."),
        ("URL: https://a.example/(kelp).", "https://a.example/(kelp)", "."),
        ("One.\nhttps://a.example/\nTwo.", "https://a.example/", "One.\nTwo."),
    ],
)
def test_what_people_wrote_as_evidence(convert, written, url, quote):
    (converted,) = convert(record(sentence(KELP, False, (KELP, False), human_evidence=[written])))
    (piece,) = converted.rating.evidence
    assert (piece.id, piece.target, piece.claim_ids) == ("e1", "s1", ("c1",))
    assert (piece.url, piece.quote, piece.stance) == (url, quote, "contradicting")


@pytest.mark.parametrize(("label", "stance"), [(True, "supporting"), (False, "contradicting"), ("unknown", None)])
def test_the_stance_of_what_people_found_follows_the_claims_label(convert, label, stance):
    (converted,) = convert(record(sentence(KELP, True, (KELP, label), human_evidence=["https://a.example/"])))
    assert [piece.stance for piece in converted.rating.evidence] == [stance]


@pytest.mark.parametrize("written", ["NA", "", None, "It is well known."])
def test_without_a_page_there_is_no_evidence(convert, written):
    (converted,) = convert(record(sentence(KELP, True, (KELP, True), human_evidence=[written])))
    assert converted.rating.evidence == ()


def automatic(*rows):
    urls, passages, stances = zip(*rows, strict=True)
    return {"auto_evidence_url": [urls], "auto_evidence": [passages], "stance_claim_autoEvid": [stances]}


def test_automatic_evidence_has_the_stance_that_people_gave_it(convert):
    found = automatic(
        ("https://a.example/1", "One.", "completely-support"),
        ("https://a.example/2", "Two.", "irrelevant"),
        ("https://a.example/3", "Three.", "partially-support"),
        ("https://a.example/4", "Four.", "refute"),
    )
    (converted,) = convert(record(sentence(KELP, True, (KELP, True), **found)))
    assert [(piece.id, piece.url[-1], piece.quote, piece.stance) for piece in converted.rating.evidence] == [
        ("e1", "1", "One.", "supporting"),
        ("e2", "3", "Three.", "supporting"),
        ("e3", "4", "Four.", "contradicting"),
    ]


def test_a_page_stands_once_for_a_claim_and_stance(convert):
    found = automatic(
        ("https://a.example/kelp", "One.", "completely-support"),
        ("https://A.example/kelp/#top", "Two.", "partially-support"),
        ("https://a.example/kelp", "One.", "completely-support"),
        ("https://a.example/kelp", "Three.", "refute"),
    )
    (converted,) = convert(record(sentence(KELP, True, (KELP, True), **found)))
    assert [(piece.quote, piece.note, piece.stance) for piece in converted.rating.evidence] == [
        ("One.", "Two.", "supporting"),
        ("Three.", "", "contradicting"),
    ]
    assert converted.merged == 2


def test_the_surplus_of_unequal_lists_is_left_out_and_counted(convert):
    found = {
        "auto_evidence_url": [["https://a.example/1", "https://a.example/2"], ["https://a.example/3"]],
        "auto_evidence": [["One."], ["Three."]],
        "stance_claim_autoEvid": [["refute", "refute"], ["refute"]],
        "human_evidence": ["NA", "https://a.example/4"],
    }
    (converted,) = convert(record(sentence(KELP, False, (KELP, False), **found)))
    assert [piece.url for piece in converted.rating.evidence] == ["https://a.example/1"]
    assert converted.surplus == 1 + 1 + 1


def test_a_sentence_that_was_changed_a_little_is_aligned(convert):
    (converted,) = convert(record(sentence(KELP.replace("metre", "meter"), True)))
    (target,) = converted.task["targets"]
    assert target["quote"] == KELP
    (moved,) = converted.aligned
    assert moved.target == "s1"
    assert moved.similarity > 0.95


def test_a_sentence_without_a_place_is_named_in_the_task(convert):
    lost = "Whales dislike it, as far as anybody knows."
    (converted,) = convert(record(sentence(lost, True, (lost, True)), sentence(OTTERS, True)))
    assert [target["id"] for target in converted.task["targets"]] == ["s2"], "ids are those of the source"
    assert converted.task["meta"]["unplaced"] == [{"id": "s1", "text": lost}]
    assert [unplaced.target for unplaced in converted.unplaced] == ["s1"]
    assert set(converted.rating.answers.targets) == {"s2"}
    assert converted.rating.claims == {}


def test_without_any_place_the_import_finds_the_sentences_itself(convert):
    (converted,) = convert(record(sentence("Whales dislike it.", True)))
    assert "targets" not in converted.task


def test_repeated_sentences_are_placed_in_order(convert):
    response = "It is brown. Kelp grows. It is brown. It is brown."
    four = [sentence("It is brown.", True) for _ in range(4)]
    (converted,) = convert(record(*four, response=response))
    assert [target["start"] for target in converted.task["targets"]] == [0, 25, 38]
    assert [unplaced.target for unplaced in converted.unplaced] == ["s4"], "a place is taken once"


def test_a_sentence_out_of_order_is_found_all_the_same(convert):
    (converted,) = convert(record(sentence(OTTERS, True), sentence(KELP, True)))
    assert [target["quote"] for target in converted.task["targets"]] == [OTTERS, KELP]


def test_an_empty_sentence_is_named(convert):
    (converted,) = convert(record(sentence(" ", True), sentence(KELP, True)))
    assert [(lost.target, lost.why) for lost in converted.unplaced] == [("s1", "it is empty")]


@pytest.mark.parametrize(
    ("plain", "words"),
    [
        ({"prompt": "?"}, "line 2: "),
        ({"prompt": "?", "response": 5}, "line 2: "),
        (
            {"prompt": "?", "response": KELP, "claims": [KELP], "claim_labels": [True]},
            "line 2: object missing required",
        ),
        (record({"text": None}), "line 2, sentence1: "),
        (record(sentence(KELP, True, claims="all")), "line 2, sentence1: "),
    ],
)
def test_a_record_of_another_shape_is_refused_by_line(convert, plain, words):
    with pytest.raises(BundleError) as caught:
        convert(record(), plain)
    assert "source.jsonl" in caught.value.title
    assert caught.value.message.startswith(words)


def test_ids_count_the_records_of_all_files(tmp_path):
    paths = [tmp_path / "one.jsonl", tmp_path / "two.json"]
    paths[0].write_text(json.dumps(record()), "utf-8")
    paths[1].write_text(json.dumps([record(), record()]), "utf-8")
    found = convert_factcheck_bench(SourceRecords(paths, LIMITS))
    assert [one.task["id"] for one in found if isinstance(one, ConvertedRecord)] == ["fb-0001", "fb-0002", "fb-0003"]


def test_an_empty_response_is_left_out_and_lists_may_be_missing(tmp_path):
    path = tmp_path / "source.jsonl"
    lists = ("claims", "claims_factuality_label", "human_evidence", "auto_evidence_url")
    bare: dict[str, object] = dict.fromkeys(lists)
    plain = [record(response=" "), record(bare | {"text": KELP, "sentence_factuality_label": True})]
    path.write_text("".join(json.dumps(one) + "\n" for one in plain), "utf-8")
    empty, rated = convert_factcheck_bench(SourceRecords([path], LIMITS))
    assert isinstance(empty, OmittedRecord)
    assert empty.why.startswith("its response is empty")
    assert isinstance(rated, ConvertedRecord)
    assert rated.rating is not None
    assert rated.rating.answers.targets == {"s1": {"factual": "yes", "accuracy": "accurate"}}
