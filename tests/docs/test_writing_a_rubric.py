"""Whoever follows docs/plugins/authoring.md to the letter sees what the page shows, and has a bundle at the end."""

import shlex

from desktop_rater.rubric import load_rubric
from tests.docs import help_text, pages

PAGE = pages.text("plugins/authoring.md")
PREVIEW = "desktop-rater rubric preview replies.toml"  # a window, which tests/plugins/authoring opens


def put(here, info: str, content: str) -> None:
    """Do to a file what a fenced block says: write it, add to it, or take some lines for others."""
    kind, name, *how = info.split()
    path = here / name
    before = path.read_text("utf-8") if path.exists() else ""
    if kind == "diff":
        old = "".join(line[1:] for line in content.splitlines(keepends=True) if line.startswith("-"))
        new = "".join(line[1:] for line in content.splitlines(keepends=True) if line.startswith("+"))
        assert before.count(old) == 1, f"{old!r} is not once in {name}"
        content = before.replace(old, new)
    elif how == ["add"]:
        content = f"{before}\n{content}"
    path.write_text(content, encoding="utf-8", newline="")


def steps(content: str) -> list[tuple[str, str]]:
    """(command, what it says) of a block."""
    return [(words, said) for words, _, said in (step.partition("\n") for step in content.split("$ ")[1:])]


def test_the_page_goes_as_it_says(run, here):
    status = 0
    for info, content in pages.fences(PAGE):
        if info != "console":
            put(here, info, content)
            continue
        for words, expected in steps(content):
            if words == "echo $?":
                assert expected == f"{status}\n"
            elif words == PREVIEW:
                assert expected == ""
                load_rubric((here / "replies.toml").read_text("utf-8"))
            else:
                program, *rest = shlex.split(words)
                assert program == help_text.PROGRAM
                said = run(*rest)
                status = said.status
                assert said.all == expected, words
    assert (here / "results.zip").exists()


def test_the_page_shows_the_commands_of_an_author():
    words = " ".join(content for info, content in pages.fences(PAGE) if info == "console")
    assert all(f"rubric {name} " in words for name in ("new", "lint", "preview", "check"))
