"""Two responses held against each other: what differs is marked, and they scroll together, where the rater wants it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_rater.text.sentence_difference import MOST_CHARACTERS, compare
from desktop_rater.ui import spelling
from desktop_rater.ui.response.mark import QuietMark
from desktop_rater.ui.scroll_together import ScrollTogether

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from desktop_rater.text.sentence_difference import Compared, Sentence
    from desktop_rater.ui.preferences import Preferences
    from desktop_rater.ui.response.pane import ResponsePane
    from desktop_rater.ui.session import Session
    from desktop_rater.ui.text_pane import TextPane

LAYER = "differences"
TWO = 2


class Comparing(QObject):
    """Both are settings, so they are as the rater left them. A task with one response has nothing to compare."""

    def __init__(self, texts: TextPane, session: Session, preferences: Preferences) -> None:
        super().__init__(texts)
        self._texts = texts
        self._session = session
        self._preferences = preferences
        self._compared: Compared | None = None
        self._scrolling = ScrollTogether(self)
        session.opened.connect(self._opened)
        preferences.changed.connect(self._set)

    def does(self) -> dict[str, Callable[[], object]]:
        """What its actions do."""
        return {"differences": self.toggle_differences, "scroll_together": self.toggle_scrolling}

    def toggle_differences(self) -> None:
        """Mark what differs, or mark it no more."""
        if self._pair() is None:
            self._session.hinted.emit(self.tr("There are no two responses to compare."))
            return
        on = not self._is_on("differences")
        self._preferences.set("differences", "on" if on else "off")
        found = self._found()
        if on and found is not None:
            self._session.hinted.emit(self._words(found))

    def toggle_scrolling(self) -> None:
        """Let both scroll together, or each by itself."""
        if self._pair() is None:
            self._session.hinted.emit(self.tr("There are no two responses to scroll together."))
            return
        on = not self._is_on("scroll_together")
        self._preferences.set("scroll_together", "on" if on else "off")
        apart = self.tr("Each response scrolls by itself now.")
        self._session.hinted.emit(self.tr("Both responses scroll together now.") if on else apart)

    def _is_on(self, name: str) -> bool:
        return getattr(self._preferences.now, name) == "on"

    def _set(self, name: str) -> None:
        if name in {"differences", "scroll_together"}:
            self._apply()

    def _opened(self) -> None:
        self._compared = None
        self._apply()

    def _apply(self) -> None:
        pair = self._pair()
        wanted = pair is not None and (self._is_on("differences") or self._is_on("scroll_together"))
        found = self._found() if wanted else None
        # Where nothing is alike a mark under every sentence would say nothing.
        marks = found is not None and self._is_on("differences") and _have_something_in_common(found)
        for at, pane in enumerate(pair or ()):
            sentences = (found.first, found.second)[at] if found is not None and marks else ()
            pane.view.show_layer(LAYER, tuple(_marks(sentences)))
        if pair is not None and found is not None and self._is_on("scroll_together"):
            partners = [(one.span, found.second[one.partner].span) for one in found.first if one.partner is not None]
            self._scrolling.join((pair[0].view, pair[1].view), partners)
        else:
            self._scrolling.part()

    def _pair(self) -> tuple[ResponsePane, ResponsePane] | None:
        panes = self._texts.panes if self._session.task is not None else ()
        return (panes[0], panes[1]) if len(panes) == TWO else None

    def _found(self) -> Compared | None:
        pair = self._pair()
        task = self._session.task
        if self._compared is None and pair is not None and task is not None:
            first, second = (pane.response for pane in pair)
            markdown = first.format == "markdown", second.format == "markdown"
            self._compared = compare(first.text, second.text, lang=task.prompt.lang or "en", markdown=markdown)
        return self._compared

    def _words(self, found: Compared) -> str:
        everything = (*found.first, *found.second)
        alone = sum(one.kind == "only" for one in everything)
        words = sum(bool(one.words) for one in everything)
        if not _have_something_in_common(found):
            said = self.tr("No sentence of one response is like one of the other, so none is marked.")
        elif not alone and not words:
            said = self.tr("Both responses say the same, sentence by sentence.")
        else:
            said = self.tr("A line: sentences that stand in one response only ({n}). Dots: words that differ ({m}).")
            said = said.format(n=spelling.number(alone), m=spelling.number(words))
        if found.whole:
            return said
        bound = self.tr("The first {n} characters of each are compared.").format(n=spelling.number(MOST_CHARACTERS))
        return f"{said} {bound}"


def _have_something_in_common(found: Compared) -> bool:
    return any(one.partner is not None for one in found.first)


def _marks(sentences: Iterable[Sentence]) -> Iterable[QuietMark]:
    for one in sentences:
        if one.kind == "only":
            yield QuietMark(one.span, "only")
        else:
            yield from (QuietMark(word, "differs") for word in one.words)
