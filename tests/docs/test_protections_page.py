"""What the page on safety promises is what the program does."""

from __future__ import annotations

import msgspec

from desktop_rater.http.resolve import MAX_LOOKUP_THREADS
from desktop_rater.ui.pages import live_engine, live_rendering
from desktop_rater.web import warc
from desktop_rater.web.guard import PORTS
from desktop_rater.web.limits import KIB, MIB, WEB_LIMITS
from desktop_rater.web.proxy import ProxyLimits
from tests.docs import pages

PAGE = pages.text("protections.md")
SECTIONS = pages.sections(PAGE)
UNITS = {"MiB": MIB, "KiB": KIB, "s": 1, "bytes": 1, "": 1}


def test_the_limits_are_those_of_the_program():
    section = SECTIONS["Requests and responses"]
    said = {pages.code(name): amount for _, name, amount in pages.table(section, "what", "name")}
    assert {name: number(amount) for name, amount in said.items()} == msgspec.structs.asdict(WEB_LIMITS)


def number(amount):
    digits, _, unit = amount.partition(" ")
    return int(digits.replace(",", "")) * UNITS[unit]


def test_the_ports_are_those_of_the_guard():
    first, second = sorted(PORTS)
    assert f"port {first} or {second}" in SECTIONS["Allowed addresses"]


def test_so_many_look_ups_may_hang():
    assert f"up to {MAX_LOOKUP_THREADS} look-ups can hang" in " ".join(PAGE.split())


def test_the_flags_of_the_live_view_are_those_it_starts_with():
    section = SECTIONS["The live view"]
    said = [pages.code(flag) for flag, _why in pages.table(section, "engine flag", "purpose")]
    assert said == [flag.partition("=")[0] for flag in live_engine.FLAGS]


def test_the_limits_of_the_live_view_are_those_of_its_proxy():
    said = {pages.code(name): amount for _, name, amount in pages.table(SECTIONS["The live view"], "what", "name")}
    assert {name: number(amount) for name, amount in said.items()} == msgspec.structs.asdict(ProxyLimits())


def test_the_limits_of_a_rendered_page_are_those_of_the_program():
    said = {
        pages.code(name): amount
        for _, name, amount in pages.table(SECTIONS["What is stored of a live page"], "what", "name")
    }
    assert number(said["MOST_TEXT"]) == live_rendering.MOST_TEXT
    assert number(said["MOST_ELEMENTS"]) == live_rendering.MOST_ELEMENTS
    size, _, width = said["MAX_PICTURE_BYTES"].partition(" MiB, ")
    assert int(size) * 1024 * 1024 == warc.MAX_PICTURE_BYTES
    assert number(width.removesuffix(" pixels wide")) == live_rendering.PICTURE_WIDTH
