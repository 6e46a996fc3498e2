"""The page of guarantees: each names tests that exist, limits are those of the program, and its kills were counted."""

import ast
import re
from functools import cache

import msgspec
import pytest

from desktop_rater.http.resolve import MAX_LOOKUP_THREADS
from desktop_rater.pages import warc
from desktop_rater.pages.guard import PORTS
from desktop_rater.pages.proxy import ProxyLimits
from desktop_rater.pages.response import KIB, MIB, WEB_LIMITS
from desktop_rater.ui.pages import live_engine, live_rendering
from desktop_rater.ui.rating.rating_saver import SAVE_RETRY_MS
from tests.docs import pages

PAGE = pages.text("reliability.md")
SECTIONS = pages.sections(PAGE)
PROSE = " ".join(PAGE.split())
GUARANTEES = PAGE[PAGE.index("## Guarantees\n") : PAGE.index("## Saving\n")]
MOST_WORDS = 1_150
UNITS = {"MiB": MIB, "KiB": KIB, "s": 1, "bytes": 1, "": 1}
FAULTS = [
    row
    for name in ("Store and disk", "Malicious bundles", "Results of many raters", "Hubs")
    for (_head, *rows) in pages.tables(SECTIONS[name])
    for row in rows
]


def number(amount):
    digits, _, unit = amount.partition(" ")
    return int(digits.replace(",", "")) * UNITS[unit]


def limits(section):
    """(amount of each limit by its name) of a section's table."""
    return {pages.code(name): amount for _, name, amount in pages.table(SECTIONS[section], "what", "name")}


@cache
def names_in(path):
    """The names of the tests in a file."""
    return {node.name for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.FunctionDef)}


@pytest.fixture(scope="module")
def all_tests():
    return set().union(*map(names_in, (pages.ROOT / "tests").rglob("test_*.py")))


@pytest.mark.parametrize(
    "row", [row for rows in pages.tables(GUARANTEES) for row in rows[1:]], ids=lambda row: row[0][:60]
)
def test_each_guarantee_names_its_tests(row):
    names = re.findall(r"`((?:tests/[\w/]+\.py)?(?:::\w+)?)`", row[-1])
    assert names
    file = pages.ROOT
    for name in names:
        path, _, test = name.partition("::")
        file = pages.ROOT / path if path else file
        assert file.is_file(), file
        assert not test or test in names_in(file), name


def test_the_guarantees_can_be_read_at_one_sitting():
    assert len(re.sub(r"`[^`]*`", "", GUARANTEES).split()) <= MOST_WORDS


@pytest.mark.parametrize("row", FAULTS, ids=lambda row: row[0][:60])
def test_each_test_of_a_fault_exists(row, all_tests):
    names = re.findall("`(test_[a-z0-9_]+)`", row[-1])
    assert names or row[-1] == "`TestExchange`"
    assert set(names) <= all_tests


def test_each_test_in_the_text_exists(all_tests):
    assert set(re.findall(r"`(test_[a-z0-9_]+)`", PAGE)) <= all_tests


def test_the_kills_were_those_that_are_promised_and_nothing_was_lost():
    pytest.importorskip("resource", reason="the campaign that stops the program needs POSIX")
    from tests.torture.__main__ import KILLS  # noqa: PLC0415 - needs POSIX
    from tests.torture.campaign import OPERATIONS  # noqa: PLC0415 - needs POSIX

    rows = pages.table(SECTIONS["Test method"], "work", "kills")
    counted = {row[0]: [int(cell.replace(",", "")) for cell in row[1:]] for row in rows}
    whole = counted.pop("all")
    assert set(counted) == {*OPERATIONS, "destroyed pages", "power cuts"}
    assert [sum(column) for column in zip(*counted.values(), strict=True)] == whole
    assert whole[0] >= KILLS
    assert whole[-2:] == [0, 0]


def test_a_save_is_tried_again_as_often_as_is_said():
    assert f"tried again every {SAVE_RETRY_MS // 1_000} s" in PROSE


def test_the_limits_are_those_of_the_program():
    given = {name: number(amount) for name, amount in limits("Requests and responses").items()}
    assert given == msgspec.structs.asdict(WEB_LIMITS)


def test_the_ports_are_those_of_the_guard():
    first, second = sorted(PORTS)
    assert f"port {first} or {second}" in SECTIONS["Allowed addresses"]


def test_so_many_look_ups_may_hang():
    assert f"up to {MAX_LOOKUP_THREADS} look-ups can hang" in PROSE


def test_the_flags_of_the_live_view_are_those_it_starts_with():
    flags = [pages.code(flag) for flag, _why in pages.table(SECTIONS["The live view"], "engine flag", "purpose")]
    assert flags == [flag.partition("=")[0] for flag in live_engine.FLAGS]


def test_the_limits_of_the_live_view_are_those_of_its_proxy():
    given = {name: number(amount) for name, amount in limits("The live view").items()}
    assert given == msgspec.structs.asdict(ProxyLimits())


def test_the_limits_of_a_rendered_page_are_those_of_the_program():
    given = limits("Stored live pages")
    assert number(given["MOST_TEXT"]) == live_rendering.MOST_TEXT
    assert number(given["MOST_ELEMENTS"]) == live_rendering.MOST_ELEMENTS
    size, _, width = given["MAX_PICTURE_BYTES"].partition(" MiB, ")
    assert int(size) * MIB == warc.MAX_PICTURE_BYTES
    assert number(width.removesuffix(" pixels wide")) == live_rendering.PICTURE_WIDTH
