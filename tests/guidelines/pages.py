"""The built-in guidelines, taken apart as far as the tests need it."""

import re

from desktop_rater.operations.rubrics import builtin_guidelines, builtin_ids, builtin_rubric

RUBRICS = {name: builtin_rubric(name).file for name in builtin_ids()}
PAGES = {name: builtin_guidelines(name) for name in RUBRICS}

_QUOTED = re.compile(r'"[^"\n]*"')
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_PART = re.compile(r"^### (.+)$", re.MULTILINE)


def headings(page: str) -> list[str]:
    """The sections of a page."""
    return _HEADING.findall(page)


def stated(page: str, heading: str) -> str:
    """What a section states for the guideline: without what is marked as a project rule."""
    section = f"{page}\n".partition(f"\n## {heading}\n")[2] or page.partition(f"## {heading}\n")[2]
    blocks, is_own = [], False
    for block in re.split(r"\n\n+", section.partition("\n## ")[0].strip()):
        is_list = block.startswith(("- ", "| "))
        if is_own and is_list:
            continue  # the list of the rule before it
        whole = re.search(r"\*Project rules?\*, for (?:all of this section|what follows)", block)
        if whole is not None:
            return "\n\n".join([*blocks, block[: whole.start()]])
        is_own = not is_list and "*Project rule" in block and not block.endswith(".")
        blocks.append(re.sub(r"\*Project rule.*", "", block))
    return "\n\n".join(blocks)


def own_words(page: str) -> str:
    """A page without what it quotes: an example may say what a guideline does not."""
    return _QUOTED.sub('""', page)


def worked_examples(page: str) -> dict[str, str]:
    """Title and text of each worked example."""
    _, titles_and_texts = page.split("\n## Worked examples\n")
    _intro, *parts = _PART.split(titles_and_texts)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def rows(text: str) -> list[list[str]]:
    """The cells of the only table of a text, without its head."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def said(text: str, name: str) -> str | None:
    """What follows `**name**:` on its line."""
    found = re.search(rf"^\*\*{re.escape(name)}\*\*: (.+)$", text, re.MULTILINE)
    return found[1] if found else None
