"""Claims of the current target: the list, the words of the claim at hand, and what can be done with them."""

from msgspec.structs import replace
from PySide6.QtCore import QModelIndex, QTimer, Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from desktop_rater.model.rating import Claim
from desktop_rater.model.values import Place
from desktop_rater.text.unrendered import shown_words
from desktop_rater.text.unseen_characters import is_blank
from desktop_rater.ui.rating import target_state
from desktop_rater.ui.rating.claims.claim_list import ClaimList, ClaimRow
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel
from desktop_rater.ui.widgets.list_view import LIST_ROW_ROLE, ListRowModel
from desktop_rater.ui.widgets.theme_tokens import PANE, UNDER_LABEL

MAX_CLAIM_ROWS = 5


class ClaimsPane(QWidget):
    """List of claims and proposed claims, one per row; the questions are about the selected one."""

    wanted = Signal()  # emitted to ask for a claim from the selection
    span_wanted = Signal()  # emitted to ask for the selection as a span of the claim at hand
    split_wanted = Signal()
    confirm_wanted = Signal()
    confirm_all_wanted = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("claims")
        self._session = session
        self._edited: tuple[Place, str] | None = None  # stop and claim
        column = QVBoxLayout(self)
        theme.pad(column, PANE, 4, PANE, 8)
        column.setSpacing(theme.px(UNDER_LABEL))
        column.addLayout(self._make_head())
        self.list = ClaimList("claim_list")
        self.list.setAccessibleName(self.tr("Claims of this target"))
        self.model = ListRowModel(self)
        self.list.setModel(self.model)
        self.list.selectionModel().currentChanged.connect(self._go_to_claim)
        self.list.doubleClicked.connect(lambda _index: self.edit_words())
        self.list.confirm_button.clicked.connect(self.confirm_wanted)
        box = self.list.words_box
        box.edit.typed.connect(self._type)
        box.edit.kept.connect(self.keep_words)
        box.edit.document().documentLayout().documentSizeChanged.connect(lambda _size: self._fit())
        box.keep_button.clicked.connect(self.keep_words)
        box.back_button.clicked.connect(self.take_back_words)
        box.span_button.clicked.connect(self.span_wanted)
        column.addWidget(self.list)
        QApplication.instance().focusChanged.connect(self._focus_changed)  # ty: ignore[missing-attribute]

    def _make_head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(theme.px(8))
        title = PlainLabel(self.tr("Claims"))
        theme.set_type(title, bold=True)
        head.addWidget(title)
        self._hint_label = ElidedLabel(name="claims_beside", ink="text2", size="small")
        head.addWidget(self._hint_label, 1)
        self.split_button = LinkButton("", "Shift L", name="split_claims", clicked=self.split_wanted)
        self.confirm_button = LinkButton(
            self.tr("Confirm all"), "Shift Z", name="confirm_claims", clicked=self.confirm_all_wanted
        )
        self.add_button = LinkButton(self.tr("+ Claim from selection"), "L", name="add_claim", clicked=self.wanted)
        for button in (self.split_button, self.confirm_button, self.add_button):
            head.addWidget(button)
        return head

    def refresh(self) -> None:
        session = self._session
        rows, proposals = session.claim_rows, session.open_proposals
        at_hand = session.claim_at_hand
        if self._edited is not None and (at_hand is None or self._edited != (session.stop, at_hand.id)):
            self._edited = None
        offered = session.proposals.offered(session.state, session.place) if session.state is not None else 0
        self._hint_label.setText("" if offered else self._hint())
        self.split_button.set_label(self.tr("Split into {n} claims").format(n=offered))
        self.split_button.setVisible(bool(offered))
        self.confirm_button.setVisible(bool(proposals))
        self.add_button.setVisible(not proposals)
        self.list.setVisible(bool(rows))
        self.model.show(self._lines(rows))
        self.list.select_row(self.model.row_of(at_hand.id if at_hand is not None else None))
        self._show_words(at_hand)
        self._fit()

    def _hint(self) -> str:
        session = self._session
        if session.open_proposals and session.state is not None:
            hints = {
                "bundle": self.tr("a split proposed by the bundle, yours to change"),
                "rule": self.tr("a split proposed by rule, yours to change"),
                "model": self.tr("a split proposed by a model, yours to change"),
            }
            return hints[session.proposals.source(session.state, session.place)]
        return self.tr("each with its own evidence and label") if session.claims else self.tr("the target is one claim")

    def show_list(self) -> None:
        """Scroll to the claim at hand, after the layout and the current question have settled."""
        area = self._area()
        if isinstance(area, QScrollArea):
            QTimer.singleShot(0, self, lambda: area.ensureWidgetVisible(self.list, 0, theme.px(40)))

    def _lines(self, claims: tuple[Claim, ...]) -> list[ClaimRow]:
        recorded = [claim.id for claim in self._session.claims]
        return [self._line(claim, recorded.index(claim.id) + 1 if claim.id in recorded else 0) for claim in claims]

    def _line(self, claim: Claim, number: int) -> ClaimRow:
        words = " ".join(shown_words(claim.text).split())
        if not number:
            return ClaimRow(claim.id, words, end=self.tr("proposed"), mark="suggested", proposed=True)
        session = self._session
        assert session.state is not None, "a task is open"
        label = session.state.claim_label(session.place, claim.id)
        is_open = session.state.is_open_claim(session.place, claim.id)
        return ClaimRow(
            claim.id,
            words,
            end=target_state.label_text(label) if label is not None else self.tr("to do") if is_open else "",
            mark=(label[1].shape or "done") if label is not None else "todo" if is_open else "done",
            mark_tone=label[1].tone if label is not None else "",
            chip=f"c{number}",
        )

    def _go_to_claim(self, index: QModelIndex) -> None:
        if index.isValid():
            self._session.go_to_claim(index.data(LIST_ROW_ROLE).id)

    # -- the words of the claim at hand

    @property
    def is_editing(self) -> bool:
        return self.list.is_editing

    def edit_words(self) -> None:
        """Put the cursor into the words of the claim at hand, else of the first proposed claim."""
        session = self._session
        if session.claim_at_hand is None and session.open_proposals:
            session.go_to_claim(session.open_proposals[0].id)
        claim = session.claim_at_hand
        if claim is None or session.read_only:
            session.hinted.emit(session.read_only or self.tr("There is no claim here. L records one."))
            return
        self._edited = session.stop, claim.id
        self.refresh()
        self.list.words_box.edit.setFocus()
        self.list.words_box.edit.selectAll()
        self._fit()  # with the focus the field has more lines
        self.show_list()

    def keep_words(self) -> None:
        """Keep the words and leave the field; a proposed claim is confirmed by that. Blank words are refused."""
        if not self._has_words():
            return
        claim = self._session.claim_at_hand
        if self._session.proposal is not None and claim is not None:
            self._session.confirm_claims([claim.id])
        self._leave()
        self._area().setFocus()

    def take_back_words(self) -> None:
        """Show the words again as they were proposed, or as the response has them."""
        session = self._session
        claim = session.claim_at_hand
        if claim is None or session.state is None:
            return
        words = session.proposals.as_proposed(session.state, session.place, claim)
        if words:
            self.list.words_box.edit.show_text(words)
            self._type(words)
        else:
            session.hinted.emit(self.tr("These words were not proposed, and the claim names no words of the response."))

    def _type(self, text: str) -> None:
        """Write the words into the claim while they are typed; those of a proposed claim confirm it."""
        session = self._session
        response = session.task.response(session.place.response or "") if session.task is not None else None
        self.list.words_box.edit.mark_added_words(response.text if response is not None else "")
        claim = session.claim_at_hand
        if claim is None or is_blank(text) or text == claim.text:
            return
        if session.proposal is not None:
            session.confirm_claims([claim.id], text)
        else:
            session.put_claim(replace(claim, text=text), "change claim", typing=True)

    def _has_words(self) -> bool:
        """Return whether the field has words; else show the last ones again, and say so."""
        edit, claim = self.list.words_box.edit, self._session.claim_at_hand
        if claim is None or not is_blank(edit.text()):
            return True
        edit.show_text(claim.text)
        self._session.hinted.emit(self.tr("A claim needs words. Its last words are back; Delete removes the claim."))
        return False

    def _leave(self) -> None:
        self._has_words()
        self._edited = None
        self._session.pause_typing()
        self.refresh()

    def _focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        """End editing when the focus moves within the form; the text beside it stays within reach."""
        if self._edited is None or new is None or self.list.words_box.isAncestorOf(new):
            return
        around = self._area().parentWidget()
        if around is not None and around.isAncestorOf(new):
            self._leave()

    def _area(self) -> QWidget:
        """Return the form around this pane."""
        area: QWidget = self
        while not isinstance(area, QScrollArea) and (above := area.parentWidget()) is not None:
            area = above
        return area

    def _show_words(self, claim: Claim | None) -> None:
        edit = self.list.words_box.edit
        self.list.edit_row(on=self._edited is not None)
        if claim is not None and self._edited is not None and (not is_blank(edit.text()) or not edit.hasFocus()):
            edit.show_text(claim.text)
            response = self._session.task.response(self._session.place.response or "") if self._session.task else None
            edit.mark_added_words(response.text if response is not None else "")

    def _fit(self) -> None:
        if self.model.rowCount():
            self.list.fit_rows(MAX_CLAIM_ROWS)
