"""A person has one spelling, and a name that only looks like another's is found."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.text.untrusted import (
    RESERVED_NAME,
    distinct_file_name_parts,
    file_name,
    look_alike_key,
    normalised_name,
)


@pytest.mark.parametrize(
    "typed",
    [
        "r-17",
        "r-17 ",
        " r-17\t",
        "r-17\u200b",
        "\ufeffr-17",
        "r\xad-17",
        "r-17ㅤ",
        "\u202er-17\u202c",
        "r-1͏7",
        "r-17\U000e0041",
        "r-17️",
        "r-17⠀",
        "r-17\x9b",
        "rᅟ-17",
    ],
)
def test_a_name_with_invisible_characters_is_the_name_without_them(typed):
    assert normalised_name(typed) == "r-17"


def test_blanks_within_a_name_are_one_blank():
    assert normalised_name("Ada \u00a0\u2003Love\nlace") == "Ada Love lace"


def test_a_name_has_one_spelling_of_its_letters_in_every_script():
    assert normalised_name("Jose\u0301") == normalised_name("José") == "José"
    assert normalised_name("a\u034f\u0301") == "á"
    for name in ("มานี", "نورا", "नूरा", "陳大文", "Þóra", "O’Neil"):
        assert normalised_name(name) == unicodedata.normalize("NFC", name)


@given(st.text())
def test_a_normalised_name_stays_as_it_is(text):
    assert normalised_name(normalised_name(text)) == normalised_name(text)
    assert look_alike_key(normalised_name(text)) == look_alike_key(text)


@pytest.mark.parametrize(
    "other", ["r\u201117", "г-17", "R-17", "r-l7", "r-I7", "r\u221217", "\uff52-17", "r-17\u200b", "r-\U0001d7cf7"]
)
def test_look_alikes_of_a_name_have_its_key(other):
    assert look_alike_key(other) == look_alike_key("r-17")


@pytest.mark.parametrize(("one", "other"), [("Maria", "М\u0430r\u0456а"), ("POSA", "РОЅА"), ("Bern", "Bem")])
def test_letters_of_other_scripts_and_pairs_of_letters_can_look_alike(one, other):
    assert look_alike_key(one) == look_alike_key(other)


def test_names_that_can_be_told_apart_have_different_keys():
    names = ["r-17", "r-18", "r-71", "r17", "anna", "hanna", "José", "Jose", "Мария", "Марина", "陳大文", "陳大丈"]
    assert len({look_alike_key(name) for name in names}) == len(names)


@pytest.mark.parametrize(
    ("ids", "name"),
    [
        (("kelp", "r-17"), "kelp.r-17.results.zip"),
        (("kelp", "ana/qa: 1?"), "kelp.ana-qa-1.results.zip"),
        (("kelp 2.1", "Ana López"), "kelp-2.1.Ana-López.results.zip"),
        (("桥", "Zoe\u0308"), "桥.Zoë.results.zip"),
        (("con", "nul"), "_con.nul.results.zip"),
        (("../../etc", 'C:\\x|*<>"'), "etc.C-x.results.zip"),
        (("a\tb\x07c\u202ed", "\ud800"), "a-bcd.unnamed.results.zip"),
        (("...", " - "), "unnamed.unnamed.results.zip"),
        (("k" * 300, "r"), f"{'k' * 51}~17b16d8e.r.results.zip"),
    ],
)
def test_a_name_of_a_file_made_of_ids_is_one_that_every_file_system_takes(tmp_path, ids, name):
    made = file_name(*ids, ending=".results.zip")
    assert made == name
    (tmp_path / made).touch()
    assert len(made.encode()) <= 255


@given(st.lists(st.text(max_size=200), max_size=5), st.sampled_from([".zip", ".results.zip", ""]))
def test_any_ids_make_a_name_of_a_file(ids, ending):
    name = file_name(*ids, "a", ending=ending)
    assert not set(name) & set('<>:"/\\|?* \t\n\0')
    assert name.endswith(ending)
    assert not name.startswith(("-", "."))
    assert not RESERVED_NAME.fullmatch(name)
    name.encode()


def test_several_ids_make_names_that_differ_without_regard_to_case():
    long = "k" * 100
    names = ["Ana", "ana", "a/na", "a:na", "田中", "", f"{long}1", f"{long}2"]
    parts = distinct_file_name_parts(names)
    assert parts[:6] == ["Ana", "ana-2", "a-na", "a-na-2", "田中", "unnamed"]
    assert len({part.casefold() for part in parts}) == len(names)
