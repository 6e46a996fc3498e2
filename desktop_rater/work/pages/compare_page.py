"""Fetch a stored page again, and compare the two texts."""

import msgspec

from desktop_rater.model.page import Page
from desktop_rater.text.sentence_difference import ComparedSentence, compare_sentences


class PageDifference(msgspec.Struct, frozen=True, kw_only=True):
    """Sentences that only one of two versions of a page has. `whole`: both were compared to their ends."""

    only_stored: tuple[str, ...]
    only_fetched: tuple[str, ...]
    whole: bool

    @property
    def same(self) -> bool:
        return self.whole and not self.only_stored and not self.only_fetched


def compare_page_texts(stored: Page, fetched: Page) -> PageDifference:
    """Compare the whole text of a stored page with that of the page fetched again, sentence by sentence."""
    first, second = stored.whole_text or stored.text, fetched.whole_text or fetched.text
    compared = compare_sentences(first, second, lang=stored.lang or "en")
    return PageDifference(
        only_stored=_differing(first, compared.first),
        only_fetched=_differing(second, compared.second),
        whole=compared.whole or first == second,
    )


def _differing(text: str, sentences: tuple[ComparedSentence, ...]) -> tuple[str, ...]:
    return tuple(text[slice(*sentence.span)] for sentence in sentences if sentence.kind != "same")
