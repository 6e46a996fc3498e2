"""Approximate matching: the windows of a long text that need few edits to become a short one.

Myers' bit-vector algorithm (A fast bit-vector algorithm for approximate string matching based on dynamic
programming, J. ACM 46(3), 1999) as simplified by Hyyrö (2003), with one Python integer as the bit vector, so that a
pattern may have any length. Its time is len(text) x len(pattern) / word size whatever the texts hold; a search by
seeds or by sliding windows is quicker on prose and takes seconds on "ababab...".
"""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WindowEnd:
    """Code point offset at which a close window ends, and the fewest edits (Levenshtein) of any window ending there."""

    at: int
    edits: int

    def similarity_at_most(self, size: int) -> float:
        """The similarity to a pattern of `size` characters that no window ending here exceeds.

        1 - d / (size + w) with d >= edits and w <= size + d falls as d grows, so it is greatest at d = edits.
        """
        return 1 - self.edits / (2 * size + self.edits)


def ends_of_close_windows(text: str, pattern: str, at_least: float) -> list[WindowEnd]:
    """Every place where a window may end whose similarity to `pattern` is `at_least` or more, in order.

    With similarity 1 - d / (m + w), where d counts insertions and deletions, m = len(pattern) and w <= m + d is the
    window's length: d <= (1 - at_least)(2 m + d), hence d <= 2 m (1 - at_least) / at_least; and edits with
    substitutions are never more than d. `pattern` must not be empty, `at_least` above 0.
    """
    most = _slack(pattern, at_least)
    return [WindowEnd(index, edits) for index, edits in enumerate(_edits(text, pattern), 1) if edits <= most]


def _slack(pattern: str, at_least: float) -> int:
    """The most insertions and deletions that keep a window `at_least` similar to `pattern`."""
    return int(2 * len(pattern) * (1 - at_least) / at_least + 1e-9)


def start_of_window(text: str, pattern: str, end: int) -> int:
    """The start of the window of `text` that ends at `end` and takes the fewest edits to become `pattern`.

    Of several, the one whose length is nearest to the pattern's. A window of more than twice the pattern's length is
    never better than none.
    """
    backwards = text[max(0, end - 2 * len(pattern)) : end][::-1]
    lengths = enumerate(_edits(backwards, pattern[::-1], anchored=True), 1)
    best = min(lengths, key=lambda pair: (pair[1], abs(pair[0] - len(pattern)), pair[0]), default=(0, 0))
    return end - best[0]


def _edits(text: str, pattern: str, *, anchored: bool = False) -> Iterator[int]:
    """After each character of `text`: the fewest edits between `pattern` and a window that ends there.

    The window starts anywhere, or, where `anchored`, at the start of `text`.
    """
    where: dict[str, int] = {}
    for index, character in enumerate(pattern):
        where[character] = where.get(character, 0) | 1 << index
    size = len(pattern)
    full, last = (1 << size) - 1, 1 << (size - 1)
    plus, minus, edits = full, 0, size
    for character in text:
        equal = where.get(character, 0) | minus
        diagonal = (((equal & plus) + plus) ^ plus) | equal
        across_plus = minus | (full & ~(plus | diagonal))
        across_minus = plus & diagonal
        edits += 1 if across_plus & last else -1 if across_minus & last else 0
        yield edits
        across_plus = across_plus << 1 | anchored
        minus = across_plus & diagonal & full
        plus = (across_minus << 1 | (full & ~(across_plus | diagonal))) & full
