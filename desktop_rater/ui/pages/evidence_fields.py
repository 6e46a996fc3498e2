"""Fields of a piece of evidence: rows of buttons with keys, stances, and the reason why a page does not decide."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QCoreApplication, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QGridLayout, QSizePolicy, QWidget
from shiboken6 import isValid

from desktop_rater.format.rating import (
    CONTRADICTING,
    NEUTRAL,
    SUPPORTING,
    Claim,
    Evidence,
    LinkVerdict,
    NeutralReason,
    Problem,
    Stance,
)
from desktop_rater.text.urls import page_key
from desktop_rater.ui.rating.form.question import FieldProblems
from desktop_rater.ui.rating.problem_fixes import problem_message
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import MIN_TARGET_SIZE, ChoiceButton, KeyButton
from desktop_rater.ui.widgets.fields import FieldEdit, GrowingTextEdit
from desktop_rater.ui.widgets.labels import PlainLabel, visible
from desktop_rater.ui.widgets.layouts import FlowLayout, NamedGroup
from desktop_rater.ui.widgets.theme_tokens import CONTROL
from desktop_rater.ui.window.keys import key_text

MAX_CLAIM_KEYS, MAX_SPOKEN_LENGTH = 9, 100
CLAIM_KEYS = tuple(f"Alt+{number}" for number in range(1, MAX_CLAIM_KEYS + 1))


class ChoiceRow(NamedGroup):
    """A label, and a checkable button for each choice: id → text.

    `keys` are those of actions; without them the digits from 1 choose while the row has the focus.
    """

    chosen = Signal(str)

    def __init__(
        self,
        name: str,
        label: str,
        choices: Mapping[str, str],
        *,
        keys: Sequence[str] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, name=name)
        self.setAccessibleName(visible(label))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self._flow = flow = FlowLayout(self, spacing=5, alike=False)
        self._label = text = PlainLabel(label, size="small")
        theme.set_ink(text)
        self.buttons: dict[str, ChoiceButton] = {}
        flow.addWidget(text)
        for number, (choice, words) in enumerate(choices.items(), 1):
            button = ChoiceButton(
                words,
                keys[number - 1] if keys else str(number),
                name=f"{name}_{choice}",
                clicked=partial(self._choose, choice),
            )
            self.buttons[choice] = button
            flow.addWidget(button)
        theme.follow(text, lambda: text.setFixedHeight(theme.px(CONTROL)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out the label where the buttons alone fit on one line."""
        super().resizeEvent(event)
        gap = self._flow.spacing()
        buttons = sum(button.sizeHint().width() + gap for button in self.buttons.values()) - gap
        self._label.setHidden(buttons <= self.width() < buttons + gap + self._label.sizeHint().width())

    def show_choice(self, choice: str | None, suggested: str | None = None) -> None:
        """Check a choice, and mark another as suggested."""
        for name, button in self.buttons.items():
            button.setChecked(name == choice)
            button.set_suggested(name == suggested and choice is None)

    @property
    def digits(self) -> str:
        """Return the digits that choose."""
        return "".join(str(number) for number in range(1, len(self.buttons) + 1))

    def take_key(self, key: str) -> bool:
        """Choose by a digit; return False if the key is no choice."""
        if not key or key not in self.digits:
            return False
        self._choose(list(self.buttons)[self.digits.index(key)])
        return True

    def _choose(self, choice: str) -> None:
        self.chosen.emit(choice)


class ClaimButton(ChoiceButton):
    """Button as low as the line of text that it is in."""

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), theme.px(MIN_TARGET_SIZE))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class ClaimButtons(NamedGroup):
    """A checkable button for each claim of a target, switched by Alt and its number."""

    switched = Signal(int)  # counted from 1

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, name=name)
        self.setAccessibleName(self.tr("Claims that the page speaks of"))
        self._flow = FlowLayout(self, spacing=4, alike=False)
        self._buttons: list[ChoiceButton] = []
        self._keys = PlainLabel(size="small", ink="text2")
        theme.follow(self._keys, lambda: self._keys.setFixedHeight(theme.px(MIN_TARGET_SIZE)))

    def show_claims(self, claims: Sequence[Claim], chosen: Collection[str]) -> None:
        """Show a button for each claim; those that are chosen are checked."""
        self._flow.removeWidget(self._keys)
        while len(self._buttons) < len(claims):
            number = len(self._buttons) + 1
            button = ClaimButton(f"c{number}")
            button.setObjectName(f"{self.objectName()}_{number}")
            button.clicked.connect(partial(self._switch, number))
            self._buttons.append(button)
            self._flow.addWidget(button)
        self._flow.addWidget(self._keys)
        last = min(len(claims), MAX_CLAIM_KEYS)
        self._keys.setText(key_text(f"Alt+{last}") if last == 1 else f"{key_text('Alt+1')}–{last}")
        for index, button in enumerate(self._buttons):
            button.setVisible(index < len(claims))
            if index < len(claims):
                button.setChecked(claims[index].id in chosen)
                button.set_meaning(" ".join(claims[index].text.split())[:MAX_SPOKEN_LENGTH])

    def focus_first(self) -> None:
        if self._buttons:
            self._buttons[0].setFocus()

    def _switch(self, number: int) -> None:
        self.switched.emit(number)


translate = QCoreApplication.translate
STANCE_MARKS: dict[str | None, str] = {SUPPORTING: "supports", CONTRADICTING: "contradicts", NEUTRAL: "neutral"}
REASONS: tuple[NeutralReason, ...] = ("copy", "unreliable", "off_topic", "undecided")


def stance_name(stance: Stance | None) -> str:
    """Return a stance in words; "" if there is none."""
    names = {
        SUPPORTING: translate("Stance", "Supports"),
        CONTRADICTING: translate("Stance", "Contradicts"),
        NEUTRAL: translate("Stance", "Does not decide"),
    }
    return names.get(stance, "") if stance is not None else ""


def reason_text(piece: Evidence) -> str:
    """Return the reason why a piece of evidence does not decide; "" if it has another stance."""
    reasons = {
        "copy": translate("Stance", "a copy"),
        "unreliable": translate("Stance", "unreliable"),
        "off_topic": translate("Stance", "off topic"),
        "undecided": translate("Stance", "undecided"),
    }
    none = translate("Stance", "no reason given")
    return reasons.get(piece.reason or "", none) if piece.stance == NEUTRAL else ""


def stance_text(piece: Evidence) -> str:
    """Return the stance of a piece of evidence with its reason: "Does not decide: a copy"."""
    reason, name = reason_text(piece), stance_name(piece.stance)
    return translate("Stance", "{stance}: {reason}").format(stance=name, reason=reason) if reason else name


def page_with_stance(piece: Evidence, page: str) -> str:
    """Return a page with the stance before it: "Supports: a page", "Does not decide: a copy, a page"."""
    stance = stance_text(piece)
    return f"{stance}{', ' if reason_text(piece) else ': '}{page}" if stance else page


def verdict_names() -> dict[str, str]:
    """Return the verdicts for a link in words, in the order of their keys."""
    return {
        "matches": translate("LinkVerdict", "Matches"),
        "differs": translate("LinkVerdict", "Differs"),
        "dead": translate("LinkVerdict", "Dead"),
        "sign_in": translate("LinkVerdict", "Sign-in"),
    }


def verdict_name(verdict: LinkVerdict | None) -> str:
    """Return a verdict for a link in words; "" if there is none."""
    return verdict_names().get(verdict or "", "")


class ReasonRow(ChoiceRow):
    """Choices of why a page does not decide. While the row has the focus, the digits 1 to 4 choose."""

    asking = Signal(bool)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        texts = (
            translate("Stance", "A copy"),
            translate("Stance", "Unreliable"),
            translate("Stance", "Off topic"),
            translate("Stance", "Undecided"),
        )
        super().__init__(name, translate("Stance", "Why?"), dict(zip(REASONS, texts, strict=True)), parent=parent)
        self.setAccessibleName(translate("Stance", "Why does the page not decide?"))
        self._before: QWidget | None = None
        self.chosen.connect(self.leave)
        QApplication.instance().focusChanged.connect(self._focus_changed)  # ty: ignore[missing-attribute]
        self.hide()

    @property
    def has_focus(self) -> bool:
        focus = QApplication.focusWidget()
        return focus is not None and self.isAncestorOf(focus)

    def ask(self, reason: NeutralReason | None) -> None:
        """Show the row with the focus, which goes back after the choice."""
        if self.isHidden():
            self._before = QApplication.focusWidget()
        self.show_choice(reason)
        self._show(shown=True)
        self.buttons[reason or REASONS[0]].setFocus()

    def leave(self) -> bool:
        """Hide the row and give the focus back; return False if it is hidden already."""
        if self.isHidden():
            return False
        before, self._before = self._before, None
        if before is not None and isValid(before) and before.isVisible():
            before.setFocus()
        self._show(shown=False)
        return True

    def _show(self, *, shown: bool) -> None:
        if shown is self.isHidden():
            self.asking.emit(shown)  # first, so that nothing moves where the row takes the place of another
            self.setVisible(shown)

    def _focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is not None and not self.isHidden() and not self.isAncestorOf(new) and new.window() is self.window():
            self._before = None
            self._show(shown=False)


class EvidenceFields(QFrame):
    """Fields for stance, address, title, quote, note and, if claims are recorded, the claims it speaks of."""

    open_wanted = Signal()
    remove_wanted = Signal()
    stance_wanted = Signal(str)
    claim_wanted = Signal(int)  # to switch, counted from 1

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("evidence_fields")
        self._session = session
        self._piece: Evidence | None = None
        self._with_page: Evidence | None = None  # the piece before its address was changed to that of another page
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 2, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        self._add_stance()
        self.url = self._line("url", self.tr("Address"), "https://")
        self.url.setProperty("offers", "page")
        self.title = self._line("title", self.tr("Title"), "")
        self.quote = self._text("quote", self.tr("Quote"), self.tr("The decisive passage"))
        self.note = self._line("note", self.tr("Note"), self.tr("optional"))
        self.claims = ClaimButtons("evidence_claim")
        self.claims.switched.connect(self.claim_wanted)
        self._claim_label = self._put(self.tr("Speaks of"), self.claims)
        self._problems = FieldProblems("evidence_problems")
        self._grid.addWidget(self._problems, self._grid.rowCount(), 1)

    def show_piece(self, piece: Evidence, problems: Sequence[Problem]) -> None:
        """Show a piece of evidence; a field whose value is unchanged keeps its cursor."""
        self._piece = piece
        if piece.snapshot or (self._with_page is not None and self._with_page.id != piece.id):
            self._with_page = piece
        for stance, button in self.stances.items():
            button.setChecked(piece.stance == stance)
        for field, text in ((self.url, piece.url), (self.title, piece.title), (self.note, piece.note)):
            field.show_text(text)
        self.quote.show_text(piece.quote)
        self._show_claims(piece)
        texts = {"block": [], "warn": []}
        for problem in problems:
            texts[problem.level].append(problem_message(problem))
        self._problems.show_words(texts["block"], texts["warn"])

    def focus_field(self, name: str = "") -> None:
        """Focus a field by name; the quote if the name is unknown."""
        fields = {"url": self.url, "title": self.title, "quote": self.quote, "note": self.note}
        if name == "claim":
            self.claims.focus_first()
        else:
            fields.get(name, self.quote).setFocus()

    def _show_claims(self, piece: Evidence) -> None:
        claims = self._session.claims
        self.claims.setVisible(bool(claims))
        self._claim_label.setVisible(bool(claims))
        self.claims.show_claims(claims, piece.claim_ids)

    def _add_stance(self) -> None:
        row = FlowLayout(spacing=5, alike=False)
        keys: dict[Stance, str] = {SUPPORTING: "S", CONTRADICTING: "C", NEUTRAL: "Shift S"}
        self.stances: dict[Stance, ChoiceButton] = {}
        for stance, key in keys.items():
            button = self.stances[stance] = ChoiceButton(stance_name(stance), key)
            button.setObjectName(f"stance_{stance}")
            button.set_look("", STANCE_MARKS[stance])
            button.clicked.connect(partial(self._set_stance, stance))
            row.addWidget(button)
        row.addWidget(KeyButton(self.tr("Open"), "O", flat=True, name="open_evidence", clicked=self.open_wanted))
        remove_button = KeyButton(
            self.tr("Remove"), "Del", flat=True, name="remove_evidence", clicked=self.remove_wanted
        )
        row.addWidget(remove_button)
        self._grid.addLayout(row, 0, 0, 1, 2)

    def _set_stance(self, stance: Stance) -> None:
        if self._piece is not None and self._piece.stance == stance:
            self._session.set_stance(self._piece.id, None)
        else:
            self.stance_wanted.emit(stance)

    def _line(self, name: str, label: str, placeholder: str) -> FieldEdit:
        field = FieldEdit(name=f"evidence_{name}", placeholder=visible(placeholder))
        field.textEdited.connect(partial(self._store_text, name))
        field.left.connect(self._session.pause_typing)
        self._put(label, field)
        return field

    def _text(self, name: str, label: str, placeholder: str) -> GrowingTextEdit:
        field = GrowingTextEdit(name=f"evidence_{name}", placeholder=visible(placeholder))
        field.typed.connect(partial(self._store_text, name))
        field.left.connect(self._session.pause_typing)
        self._put(label, field)
        return field

    def _put(self, label: str, field: QWidget) -> PlainLabel:
        text_label = PlainLabel(label, ink="text2")
        text_label.setBuddy(field)
        if not field.accessibleName():
            field.setAccessibleName(visible(label))
        row = self._grid.rowCount()
        self._grid.addWidget(text_label, row, 0)
        self._grid.addWidget(field, row, 1)
        return text_label

    def _store_text(self, name: str, text: str) -> None:
        piece, before = self._piece, self._with_page
        if piece is None:
            return
        fields: dict[str, Any] = {name: text}
        if name == "url":  # the stored page belongs to its own address only
            same = before if before is not None and page_key(text) == page_key(before.url) else Evidence(id=piece.id)
            fields |= {"snapshot": same.snapshot, "library": same.library}
        self._session.change_evidence(piece.id, typing=True, **fields)
