"""Approximate matching: windows of a long text that are a few edits away from a short one.

Myers' bit-vector algorithm (A fast bit-vector algorithm for approximate string matching based on dynamic
programming, J. ACM 46(3), 1999) as simplified by Hyyrö (2003), with one Python integer as the bit vector, so that a
pattern may have any length. Its time is len(text) x len(pattern) / word size for any text; a search by seeds or by
sliding windows is faster on prose and takes seconds on "ababab...".
"""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WindowEnd:
    """Code point offset at the end of a similar window, and the fewest edits (Levenshtein) of any such window."""

    at: int
    edits: int

    def similarity_at_most(self, size: int) -> float:
        """Return an upper bound of the similarity of windows ending here to a pattern of `size` characters.

        1 - d / (size + w) with d >= edits and w <= size + d falls as d grows, so it is greatest at d = edits.
        """
        return 1 - self.edits / (2 * size + self.edits)


def find_window_ends(text: str, pattern: str, at_least: float) -> list[WindowEnd]:
    """Return the ends of all windows whose similarity to `pattern` may be `at_least`, in order.

    With similarity 1 - d / (m + w), where d counts insertions and deletions, m = len(pattern) and w <= m + d is the
    window's length: d <= (1 - at_least)(2 m + d), hence d <= 2 m (1 - at_least) / at_least; and edits with
    substitutions are never more than d. `pattern` must not be empty, `at_least` above 0.
    """
    most = int(2 * len(pattern) * (1 - at_least) / at_least + 1e-9)
    return [WindowEnd(index, edits) for index, edits in enumerate(_edits(text, pattern), 1) if edits <= most]


def find_window_start(text: str, pattern: str, end: int) -> int:
    """Return the start of the window of `text` that ends at `end` and is the fewest edits away from `pattern`.

    Of several, the one whose length is nearest to the pattern's. A window of more than twice the pattern's length is
    never better than an empty one.
    """
    backwards = text[max(0, end - 2 * len(pattern)) : end][::-1]
    lengths = enumerate(_edits(backwards, pattern[::-1], anchored=True), 1)
    best = min(lengths, key=lambda pair: (pair[1], abs(pair[0] - len(pattern)), pair[0]), default=(0, 0))
    return end - best[0]


def _edits(text: str, pattern: str, *, anchored: bool = False) -> Iterator[int]:
    """Yield, after each character of `text`, the fewest edits between `pattern` and a window that ends there.

    The window starts anywhere, or, if `anchored`, at the start of `text`.
    """
    positions: dict[str, int] = {}
    for index, character in enumerate(pattern):
        positions[character] = positions.get(character, 0) | 1 << index
    size = len(pattern)
    full, last = (1 << size) - 1, 1 << (size - 1)
    plus, minus, edits = full, 0, size
    for character in text:
        equal = positions.get(character, 0) | minus
        diagonal = (((equal & plus) + plus) ^ plus) | equal
        across_plus = minus | (full & ~(plus | diagonal))
        across_minus = plus & diagonal
        edits += 1 if across_plus & last else -1 if across_minus & last else 0
        yield edits
        across_plus = across_plus << 1 | anchored
        minus = across_plus & diagonal & full
        plus = (across_minus << 1 | (full & ~(across_plus | diagonal))) & full
