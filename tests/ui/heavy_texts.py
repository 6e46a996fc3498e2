"""Texts that are expensive to render or to lay out: as many as possible of what costs most."""

from desktop_rater.format.targets import MOST_RESPONSES
from desktop_rater.text.untrusted import MAX_MARKDOWN_CHARACTERS

TOO_HEAVY = {
    "a long table": "|a|b|\n|-|-|\n" + "|c|d|\n" * 40_000,
    "a wide table": "|" + "a|" * 50_000 + "\n|" + "-|" * 50_000 + "\n",
    "a list": "1. a\n" * 50_000,
    "boxes": "- [ ] a\n" * 25_000,
    "lists in lists": "- a\n  " * 40_000,
    "quotations in quotations": "> " * 100_000,
    "pictures": "![a](b) " * 25_000,
}
# The longest that are still rendered.
RENDERED = {
    "brackets": "[" * MAX_MARKDOWN_CHARACTERS,
    "stars and words": "*a **b " * (MAX_MARKDOWN_CHARACTERS // 7),
    "headings": "# a\n" * (MAX_MARKDOWN_CHARACTERS // 4),
    "paragraphs": "a\n\n" * (MAX_MARKDOWN_CHARACTERS // 3),
    "entities": "&amp;" * (MAX_MARKDOWN_CHARACTERS // 5),
}
PLAIN = {
    "one word": "a" * 300_000,
    "one Hebrew word": "ש" * 200_000,
    "characters that turn the order round": "\u202e" * 200_000,
    "vertical tabs": "\x0b" * 200_000,
    "combining marks": "e" + "\u0301" * 200_000,
    "families": "👩‍👩‍👧" * 20_000,
    "empty lines": "\n" * 100_000,
    "words": "word " * (MOST_RESPONSES // 5),
}
