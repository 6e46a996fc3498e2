"""What must never stand in any page."""

import re

import pytest

from tests.docs import pages

PAGES = sorted(pages.DOCS.rglob("*.md"))
WITH_README = [*PAGES, pages.ROOT / "README.md", pages.ROOT / "CHANGELOG.md"]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


@pytest.mark.parametrize("path", WITH_README, ids=lambda path: path.name)
def test_a_link_never_leads_nowhere(path):
    page = path.read_text(encoding="utf-8")
    for link in LINK.findall(pages.prose(page)):
        if link.startswith(("http://", "https://")):
            continue
        name, _, anchor = link.partition("#")
        there = path.parent / name if name else path
        assert there.exists(), link
        if anchor:
            assert anchor in pages.anchors(there.read_text(encoding="utf-8")), link


@pytest.mark.parametrize("path", WITH_README, ids=lambda path: path.name)
def test_a_page_never_tells_of_the_machine_it_was_written_on(path):
    page = path.read_text(encoding="utf-8")
    assert re.findall(r"(?<![\w~.])/(?:work|tmp|root|home)\b", page) == []


@pytest.mark.parametrize("name", pages.OURS)
def test_a_reader_is_told_nothing_of_how_the_pages_came_about(name):
    assert re.findall(r"(?i)\b(?:issues?|sessions?|tickets?)\b", pages.text(name)) == []


@pytest.mark.parametrize("name", pages.OURS)
def test_a_page_is_never_loud(name):
    prose = re.sub(r"<!--.*?-->|!(?=\[)", "", pages.prose(pages.text(name)))  # a picture begins with one
    assert "!" not in prose
    assert re.findall(r"(?i)\b(?:please|oops|simply)\b", prose) == []


@pytest.mark.parametrize("name", pages.OURS)
def test_two_sections_of_a_page_never_have_one_name(name):
    headings = pages.headings(pages.text(name))
    assert sorted(headings) == sorted(set(headings))
