"""Spans of BRAT, CoNLL and WebAnno TSV are checked against the text, token by token."""

import pytest

from desktop_rater.format.errors import BundleError
from desktop_rater.plugins.convert.annotations import AnnotationFiles, read_annotations
from desktop_rater.plugins.convert.maps.record_map import RatingMap, RecordMap

TEXT = "Ada 🙂 saw kelp\r\nin Nice."


def read(path, **columns):
    record_map = RecordMap(fields={}, ratings=RatingMap(**columns)) if columns else None
    return read_annotations(AnnotationFiles(paths=(path,), record_map=record_map), ())


def spans(source):
    """The rater, and each label with its question and the text it is about."""
    return {
        (given.rater, task): [
            (answer.question, answer.value, text[answer.place.start : answer.place.end]) for answer in given.answers
        ]
        for given in source.annotations
        for task, (text,) in [(source.tasks[given.task].names[0], source.tasks[given.task].texts)]
    }


BRAT = """T1\tPER 0 3\tAda
T2\tPLANT 10 14;18 22\tkelp Nice
T3\tPLACE 18 23\tRome.
A1\tNegated T1
A2\tSure T2 high
R1\tSaw Arg1:T1 Arg2:T2
N1\tReference T1 Wiki:7\tAda
#1\tAnnotatorNotes T1\tWho is that?
"""


@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_spans_of_brat_have_attributes_pieces_and_notes(tmp_path, end):
    """Offsets count a line end as one sign, in whatever way the file writes it."""
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "d1.txt").write_bytes(TEXT.replace("\r\n", end).encode())
    (tmp_path / "ada" / "d1.ann").write_text(BRAT, "utf-8")
    source = read(tmp_path / "ada")
    pieces = [("", "PER", "Ada"), ("", "PLANT", "kelp"), ("", "PLANT", "Nice")]
    attributes = [("", "Negated", "Ada"), ("Sure", "high", "kelp"), ("Sure", "high", "Nice")]
    assert spans(source) == {("ada", "d1"): pieces + attributes}
    assert source.annotations[0].note == "Who is that?"
    assert source.losses.counts == {"unknown_place": 1, "relation": 1, "other": 1}
    there = "d1.ann, line 3: T3 is 'Rome.', but the text has 'Nice.' there"
    assert source.losses.examples["unknown_place"] == [there]


def test_a_text_that_is_missing_leaves_out_its_spans_only(tmp_path):
    for name in ("d1", "d2"):
        (tmp_path / f"{name}.ann").write_text("T1\tPER 0 3\tAda\n", "utf-8")
    (tmp_path / "d1.txt").write_text("Ada", "utf-8")
    source = read(tmp_path)
    assert spans(source) == {(tmp_path.name, "d1"): [("", "PER", "Ada")]}
    assert "d2.txt is not beside it" in source.losses.examples["record"][0]
    with pytest.raises(BundleError, match=r"d2\.txt is not beside it"):
        read(tmp_path / "d2.ann")


CONLL = """-DOCSTART- (d1) -X- -X- O

Ada NNP B-NP B-PER
Byron NNP I-NP I-PER
saw VBD B-VP O
Nice NNP B-NP I-LOC
Rome NNP I-NP B-LOC

-DOCSTART- -X- -X- O

Kelp NN B-NP S-PLANT
grows VBZ B-VP PROCESS
fast RB B-ADVP PROCESS
here RB O
"""


@pytest.mark.parametrize(
    ("columns", "last"),
    [
        ({}, [("", "PLANT", "Kelp"), ("", "PROCESS", "grows fast"), ("", "RB", "here")]),
        ({"value": "3"}, None),
        ({"values": {"pos": "2"}}, [("pos", "NN", "Kelp"), ("pos", "VBZ", "grows"), ("pos", "RB", "fast here")]),
    ],
)  # fmt: skip
def test_columns_of_a_corpus_are_spans_in_each_variant_of_bio(tmp_path, columns, last):
    (tmp_path / "eng").write_text(CONLL.replace("here RB O", "here RB") if last else CONLL, "utf-8")
    source = read(tmp_path / "eng", **columns)
    found = spans(source)
    if not columns:
        people = [("", "PER", "Ada Byron"), ("", "LOC", "Nice"), ("", "LOC", "Rome")]
        assert found["eng", "d1"] == people
    if columns == {"value": "3"}:
        assert found["eng", "d1"] == [("", "NP", "Ada Byron"), ("", "VP", "saw"), ("", "NP", "Nice Rome")]
        assert found["eng", f"{tmp_path.name}-2"][-1] == ("", "ADVP", "fast")
    else:
        assert found["eng", f"{tmp_path.name}-2"] == last


def test_a_document_with_a_missing_column_or_token_is_left_out_and_named(tmp_path):
    tokens = "# newdoc id = d1\n# text = Ada saw.\n1\tAda\tB\n2\tsaw\tO\n3\t.\tO\n\n"
    path = tmp_path / "ada.conll"
    path.write_text(f"{tokens}# newdoc id = d2\n# text = Kelp.\n1\tKlep\tB\n", "utf-8")
    source = read(path)
    assert spans(source) == {("ada", "d1"): [("", None, "Ada")]}
    assert source.tasks[f"{tmp_path.name}-1"].texts == ("Ada saw.",)
    assert source.losses.examples["record"] == ["ada.conll, line 9: the token 'Klep' is not in the text 'Kelp.'"]
    source = read(path, value="9")
    assert source.losses.examples["record"][0] == "ada.conll, line 3: it has 3 columns, but no column 9"


TSV = """#FORMAT=WebAnno TSV 3.3
#T_SP=webanno.custom.Claim|value


#Text=  Kelp is brown
1-1\t2-6\tKelp\tyes
1-2\t7-9\tis\t_
1-3\t10-15\tbrown\tno

#Text=It grows.
2-1\t16-18\tIt\t_
2-2\t19-24\tgrows\tyes[2]
2-3\t24-25\t.\tyes[2]
"""


def test_tokens_of_webanno_are_at_their_offsets_also_after_leading_white_space(tmp_path):
    folder = tmp_path / "d.txt"
    folder.mkdir()
    (folder / "ada.tsv").write_text(TSV, "utf-8")
    (folder / "bob.tsv").write_text(TSV.replace("#Text=  Kelp", "#Text=  Klep"), "utf-8")
    source = read(folder)
    marks = [("value", "yes", "Kelp"), ("value", "no", "brown"), ("value", "yes", "grows.")]
    assert spans(source) == {("ada", "d.txt"): marks}
    assert "bob.tsv, line 1: The token 'Kelp' is not at 2-6" in source.losses.examples["record"][0]
