"""Passages are chosen sentence by sentence."""

from desktop_rater.ui.pages.reader_view import PageSentences, grow_selection, shrink_selection, step_sentence

TEXT = "A heading\nOne fell. Two ran away.\nOf 3.5 kg: three.\n\nEnd"
KNOWN = PageSentences(TEXT)


def span(words):
    start = TEXT.index(words)
    return start, start + len(words)


def test_each_block_has_its_own_sentences():
    found, at = [], None
    while not found or found[-1] != at:
        found.append(at)
        at = step_sentence(KNOWN, at, 1)

    assert [TEXT[slice(*one)] for one in found[1:]] == [
        "A heading",
        "One fell.",
        "Two ran away.",
        "Of 3.5 kg: three.",
        "End",
    ]


def test_backwards_they_come_the_same_way():
    assert step_sentence(KNOWN, span("End"), -1) == span("Of 3.5 kg: three.")
    assert step_sentence(KNOWN, span("Of 3.5 kg: three."), -1) == span("Two ran away.")
    assert step_sentence(KNOWN, span("A heading"), -1) == span("A heading")


def test_with_nothing_chosen_the_one_at_hand_is_taken():
    assert step_sentence(KNOWN, None, 1, near=TEXT.index("ran")) == span("Two ran away.")
    assert step_sentence(KNOWN, None, -1, near=TEXT.index("ran")) == span("Two ran away.")


def test_growing_and_shrinking_go_over_the_ends_of_blocks():
    chosen = grow_selection(KNOWN, span("Two ran away."))

    assert chosen == span("Two ran away.\nOf 3.5 kg: three.")
    assert shrink_selection(KNOWN, chosen) == span("Two ran away.")
    assert shrink_selection(KNOWN, span("Two ran away.")) == span("Two ran away.")


def test_a_few_words_first_grow_to_their_sentence():
    assert grow_selection(KNOWN, span("ran")) == span("Two ran away.")


def test_the_last_sentence_does_not_grow():
    assert grow_selection(KNOWN, span("End")) == span("End")


def test_a_page_without_a_sentence_has_nothing_to_choose():
    assert step_sentence(PageSentences(""), None, 1) is None
    assert step_sentence(PageSentences("\n\n"), None, 1) is None
    assert grow_selection(PageSentences(""), None) is None
    assert shrink_selection(PageSentences(""), None) is None
