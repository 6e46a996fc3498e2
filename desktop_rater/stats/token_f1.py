"""How many words a response and a reference share: token F1, as azure-ai-evaluation computes it.

With the words of both texts as multisets, `shared` the size of what they have in common:

    precision = shared / words of the response
    recall    = shared / words of the reference
    F1        = 2 * precision * recall / (precision + recall) = 2 * shared / (words of the one + words of the other)

The words are those of SQuAD's evaluation script (Rajpurkar et al. 2016, arXiv 1606.05250).
"""

from __future__ import annotations

import re
import string
from collections import Counter

_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")


def token_f1(response: str, reference: str) -> float:
    """From 0, no word is shared, to 1, the same words as often.

    "The capital of Japan is Tokyo." and "Tokyo is Japan's capital, known for its blend of traditional culture and
    technological advancements." give 8/19.
    """
    one, other = words(response), words(reference)
    shared = (Counter(one) & Counter(other)).total()
    return 2 * shared / (len(one) + len(other)) if shared else 0.0


def words(text: str) -> list[str]:
    """Lower case, without ASCII punctuation (what it stood between joins) and without a, an and the."""
    plain = text.lower().translate(_NO_PUNCTUATION)
    return _ARTICLE.sub(" ", plain).split()
