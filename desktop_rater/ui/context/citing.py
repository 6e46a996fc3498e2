"""From the citations of the responses to the passages that they rest on."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rater.text.citations import citations
from desktop_rater.text.cited_passages import cited_passage, citing_words
from desktop_rater.ui.context.document_list import name_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.model.task import Response, Task
    from desktop_rater.text.citations import Citation
    from desktop_rater.ui.context.cited_view import CitedView
    from desktop_rater.ui.context.pane import ContextPane
    from desktop_rater.ui.session import Session

Span = tuple[int, int]
MOST_SEARCHED = 1_000_000  # characters that are looked through for one document's passages


class Cited:
    """The citations of one response, and the words of the sentences that they stand in."""

    def __init__(self, response: Response, task: Task) -> None:
        self.citations = tuple(citations(response.text, task.context))
        self.words = citing_words(response.text, self.citations, markdown=response.format == "markdown")


class Citing(QObject):
    """Marks the citations, and shows what is cited. Views are given anew with each task."""

    opened = Signal()  # a citation is shown: its document is to be seen

    def __init__(self, session: Session, context: ContextPane, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._context = context
        self._task: Task | None = None
        self._views: tuple[tuple[str, CitedView], ...] = ()
        self._cited: dict[str, Cited] = {}
        self._at: tuple[str, int] | None = None
        context.document_chosen.connect(self._show_passages)
        context.next_wanted.connect(self.go_on)

    def take_up(self, task: Task, views: Sequence[tuple[str, CitedView]]) -> None:
        """Mark the citations of another task; `views` are those of its responses, by their names."""
        self._task, self._views, self._at = task, tuple(views), None
        self._cited = {one.id: Cited(one, task) for one in task.responses} if task.context else {}
        for name, view in self._views:
            cited = self._cited[name].citations if name in self._cited else ()
            view.show_citations(cited, [name_of(task.context[one.document]) for one in cited])
        counts = Counter(one.document for cited in self._cited.values() for one in cited.citations)
        self._context.show_documents(task.context, counts)

    def go_to(self, response: str, at: int) -> None:
        """Show what a citation rests on."""
        self._at = response, at
        for name, view in self._views:
            view.show_citation(at if name == response else None)
        self.opened.emit()
        one = self._cited[response].citations[at]
        if one.document == self._context.document:
            self._show_passages(one.document)
        else:
            self._context.show_document(one.document)

    def go_on(self) -> None:
        """To the next citation: those of the response at hand first."""
        order = self._order()
        if not order:
            told = self.tr("No response names one of the documents.")
            self._session.hinted.emit(told if self._task is not None and self._task.context else self._no_context())
            return
        at = order.index(self._at) + 1 if self._at in order else 0
        self.go_to(*order[at % len(order)])

    def _no_context(self) -> str:
        return self.tr("This task has no documents.")

    def _order(self) -> list[tuple[str, int]]:
        here = self._session.place.response
        names = sorted(self._cited, key=lambda name: self._at is None and name != here)
        return [(name, at) for name in names for at in range(len(self._cited[name].citations))]

    def _show_passages(self, document: int) -> None:
        """Mark what is cited of the document that is shown."""
        if self._task is None:
            return
        text = self._task.context[document].text
        here = self._at if self._document_at_hand() == document else None
        current = self._passage(text, *here) if here is not None else None
        every = [
            (name, at)
            for name, cited in self._cited.items()
            for at, one in enumerate(cited.citations)
            if one.document == document
        ]
        few = every[: max(1, MOST_SEARCHED // max(1, len(text)))]
        spans = {self._passage(text, *one) for one in few}
        self._context.view.show_passages(sorted(span for span in spans if span is not None), current)

    def _document_at_hand(self) -> int | None:
        if self._at is None:
            return None
        response, at = self._at
        return self._cited[response].citations[at].document

    def _passage(self, text: str, response: str, at: int) -> Span | None:
        cited = self._cited[response]
        one: Citation = cited.citations[at]
        return cited_passage(text, cited.words[at], one.label)
