"""Stances of evidence and verdicts for links: shapes and words, and the row that asks why a page does not decide."""

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from desktop_rater.model.rating import CONTRADICTING, NEUTRAL, SUPPORTING, Evidence, LinkVerdict, NeutralReason, Stance
from desktop_rater.ui.pages.choice_row import ChoiceRow

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
