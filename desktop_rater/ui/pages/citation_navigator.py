"""Navigation from the citations in the responses to the passages they cite."""

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from desktop_rater.model.task import Response, Task
from desktop_rater.text.citations import Citation, cited_passage, citing_words, find_citations
from desktop_rater.ui.pages.citation_views import CitedView
from desktop_rater.ui.pages.context_pane import ContextPane, document_name
from desktop_rater.ui.rating.session import Session

Span = tuple[int, int]
MAX_SEARCHED = 1_000_000  # characters searched for the passages of one document


class ResponseCitations:
    """Citations of a response, and the words of the sentences around them."""

    def __init__(self, response: Response, task: Task) -> None:
        self.citations = tuple(find_citations(response.text, task.context))
        self.words = citing_words(response.text, self.citations, markdown=response.format == "markdown")


class CitationNavigator(QObject):
    """Marks citations and shows what they cite. The views are replaced with each task."""

    opened = Signal()  # a citation is selected: its document is to be shown

    def __init__(self, session: Session, context: ContextPane, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._context = context
        self._task: Task | None = None
        self._views: tuple[tuple[str, CitedView], ...] = ()
        self._citations: dict[str, ResponseCitations] = {}
        self._current: tuple[str, int] | None = None
        context.document_chosen.connect(self._show_passages)
        context.next_wanted.connect(self.go_to_next)

    def show_task(self, task: Task, views: Sequence[tuple[str, CitedView]]) -> None:
        """Mark the citations of a new task; `views` are those of its responses, by name."""
        self._task, self._views, self._current = task, tuple(views), None
        self._citations = {item.id: ResponseCitations(item, task) for item in task.responses} if task.context else {}
        for name, view in self._views:
            cited = self._citations[name].citations if name in self._citations else ()
            view.show_citations(cited, [document_name(task.context[item.document]) for item in cited])
        counts = Counter(item.document for cited in self._citations.values() for item in cited.citations)
        self._context.show_documents(task.context, counts)

    def go_to(self, response: str, index: int) -> None:
        self._current = response, index
        for name, view in self._views:
            view.show_citation(index if name == response else None)
        self.opened.emit()
        citation = self._citations[response].citations[index]
        if citation.document == self._context.document:
            self._show_passages(citation.document)
        else:
            self._context.show_document(citation.document)

    def go_to_next(self) -> None:
        """Go to the next citation, those of the current response first."""
        order = self._order()
        if not order:
            has_documents = self._task is not None and bool(self._task.context)
            uncited, none = self.tr("No response cites any of the documents."), self.tr("This task has no documents.")
            self._session.hinted.emit(uncited if has_documents else none)
            return
        index = order.index(self._current) + 1 if self._current in order else 0
        self.go_to(*order[index % len(order)])

    def _order(self) -> list[tuple[str, int]]:
        here = self._session.place.response
        names = sorted(self._citations, key=lambda name: self._current is None and name != here)
        return [(name, index) for name in names for index in range(len(self._citations[name].citations))]

    def _show_passages(self, document: int) -> None:
        """Mark the cited passages of the visible document."""
        if self._task is None:
            return
        text = self._task.context[document].text
        current = None
        if self._current is not None:
            response, index = self._current
            if self._citations[response].citations[index].document == document:
                current = self._passage(text, response, index)
        every = [
            (name, index)
            for name, cited in self._citations.items()
            for index, item in enumerate(cited.citations)
            if item.document == document
        ]
        few = every[: max(1, MAX_SEARCHED // max(1, len(text)))]
        spans = {self._passage(text, *item) for item in few}
        self._context.view.show_passages(sorted(span for span in spans if span is not None), current)

    def _passage(self, text: str, response: str, index: int) -> Span | None:
        cited = self._citations[response]
        citation: Citation = cited.citations[index]
        return cited_passage(text, cited.words[index], citation.label)
