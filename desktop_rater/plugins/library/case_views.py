"""The list of decided cases in the preview: labels, votes, reasons and evidence, with what differs from the claim."""

from collections.abc import Callable, Iterator

from desktop_rater.app.assembly import Application
from desktop_rater.format.page import Page
from desktop_rater.format.rating import DecidedCase
from desktop_rater.plugins.library.precedents import CaseEvidence, SimilarCase, case_of
from desktop_rater.plugins.library.views import PassageRow, PassagesView, marked_name, translate, values_text
from desktop_rater.ui.pages.browser import PagePassage, display_host
from desktop_rater.ui.pages.evidence_fields import stance_name
from desktop_rater.ui.widgets.formatting import day_text, number
from desktop_rater.ui.widgets.labels import isolated
from desktop_rater.ui.widgets.layouts import tight_column

CaseRow = tuple[PassageRow, tuple[SimilarCase, CaseEvidence] | None]


class CaseView(PassagesView):
    """Decided cases in place of the page; their evidence is taken as reused."""

    def __init__(self, application: Application) -> None:
        title, label = translate("CaseView", "Decided cases"), translate("CaseView", "Decided cases like this claim")
        super().__init__(application, "cases", title, label)
        self._claim, self._cases = "", ()
        self._rows: tuple[CaseRow, ...] = ()
        tight_column(self, self.list, spacing=0)
        self.setFocusProxy(self.list)
        self._session.rating_changed.connect(self._show_rows)

    def show_cases(self, claim: str, cases: tuple[SimilarCase, ...], summary: str) -> None:
        """Show the cases like a claim; none before the rater's own answer."""
        if (claim, cases) != (self._claim, self._cases):
            self._claim, self._cases = claim, cases
            self.setAccessibleName(summary or self.tr("Decided cases are shown after your own answer"))
            self._pane.head.show_title(self.accessibleName())
            self._show_rows()
            self.list.setCurrentIndex(self.model.index(1))

    def _show_rows(self) -> None:
        numbered = enumerate(self._cases)
        self._rows = tuple(row for place, case in numbered for row in self._case_rows(place, case))
        self.model.show([row for row, _evidence in self._rows])

    def _case_rows(self, place: int, case: SimilarCase) -> Iterator[CaseRow]:
        """Yield the rows of a case: heading, claim with label and votes, reason, and evidence."""
        claim = case.claim
        title = " · ".join(filter(None, (isolated(claim.task), claim.title)))
        library = marked_name(case.library, isolated(case.library.name))
        end = " · ".join((library, day_text(claim.decided or case.library.date)))
        yield PassageRow((place, "heading"), title, end, heading=True), None
        votes = ", ".join(f"{number(count)} {isolated(label)}" for label, count in claim.votes.items())
        text = " · ".join(" ".join(text.split()) for text in claim.claims or (claim.text,))
        row = PassageRow(
            (place, "claim"),
            claim.label,
            f"§ {isolated(claim.section)}" if claim.section else "",
            state=self.tr("Votes: {votes}").format(votes=votes) if votes else "",
            excerpt=text,
            quote_end=len(text),
            values=values_text(self._claim, case.values, self.tr("not in this case: {values}")),
        )
        yield row, None
        if claim.reason:
            yield PassageRow((place, "reason"), self.tr("Reason"), excerpt=" ".join(claim.reason.split())), None
        for position, piece in enumerate(claim.evidence):
            yield self._evidence_row(case, place, position), (case, piece)

    def _evidence_row(self, case: SimilarCase, place: int, position: int) -> PassageRow:
        piece, here = case.claim.evidence[position], self._session.evidence_here if self._session.task else ()
        own = [
            mine
            for mine in here
            if (mine.reused, mine.url, mine.quote) == (case_of(case.claim), piece.url, piece.quote)
        ]
        host, quote = display_host(piece.url), " ".join(piece.quote.split())
        return PassageRow(
            (place, position),
            " ".join(piece.title.split()) or host,
            host,
            state=self.tr("Taken: {stance}").format(stance=stance_name(own[0].stance))
            if own
            else stance_name(piece.stance),
            excerpt=quote,
            quote_end=len(quote),
        )

    # -- the evidence at hand

    @property
    def _here(self) -> tuple[SimilarCase, CaseEvidence] | None:
        """Return the piece of evidence at hand with its case, if the row is one."""
        row = self.list.currentIndex().row()
        return self._rows[row][1] if 0 <= row < len(self._rows) else None

    @property
    def case(self) -> DecidedCase | None:
        """Return the case whose evidence is at hand."""
        return case_of(self._here[0].claim) if self._here is not None else None

    @property
    def passage(self) -> PagePassage | None:
        """Return the words that would be quoted."""
        return PagePassage(self._here[1].quote) if self._here is not None and self._here[1].quote else None

    def with_passage(self, use: Callable[[Page, PagePassage | None], None]) -> None:
        """Pass on the piece of evidence at hand as a page that was not opened, and its quote."""
        if self._here is None:
            self._session.hinted.emit(self.tr("Choose a piece of evidence of a case."))
        else:
            url, title = self._here[1].url, self._here[1].title
            use(Page(url=url, final_url=url, state="ok", title=title), self.passage)

    def open_passage(self) -> None:
        """Open the page of the evidence at hand at its quote; Esc leads back."""
        if self._here is not None:
            self._pane.passages_before = self
            self._browsing.open(self._here[1].url, self.passage)
