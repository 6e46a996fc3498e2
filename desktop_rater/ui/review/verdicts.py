"""The keys of the verdict bar: accept, correct, send back, decide, and what they need before they are said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from desktop_rater.ui.direction import isolated
from desktop_rater.ui.returned.words import reason_words
from desktop_rater.ui.review.own_words import own_label
from desktop_rater.ui.review.words import verdict_words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop_rater.audit.items import Entry, Item
    from desktop_rater.audit.judged import Judged, Value
    from desktop_rater.ui.review.compare_page import ComparePage
    from desktop_rater.ui.review.desk import ReviewDesk
    from desktop_rater.ui.review.item_rows import Name
    from desktop_rater.ui.review.judging import Judging
    from desktop_rater.ui.review.looking import Looking
    from desktop_rater.ui.review.own_words import OwnWords
    from desktop_rater.ui.review.verdict_bar import Draft


class Verdicts(QObject):
    """After a verdict the next rating is before the lead; nothing is said of answers that are hidden."""

    def __init__(
        self,
        desk: ReviewDesk,
        looking: Looking,
        judging: Judging,
        compare: ComparePage,
        own: OwnWords,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._own = own
        self._desk, self._looking, self._judging, self._compare = desk, looking, judging, compare
        self._bar, self._decide, self._sample = compare.verdict, compare.decide, compare.sample
        self._shown: tuple[Name, str] = ("", ""), ""
        self._drafts: dict[tuple[str, Name, str], Draft] = {}  # by bundle, place and rater: begun, and not said
        looking.moved.connect(self._show)
        judging.went_to.connect(self._looking.go)
        own.corrects.connect(self._corrects)
        looking.hidden_wanted.connect(self.correct)
        self._bar.accept_wanted.connect(self.accept)
        self._bar.correct_wanted.connect(self.correct)
        self._bar.draft_wanted.connect(self.write_return)
        self._bar.confirmed.connect(self._say)
        self._bar.left.connect(self._put_back)
        self._decide.decided.connect(self._decided)
        self._decide.left.connect(self._put_back)
        self._sample.wanted.connect(judging.draw)
        self._sample.left.connect(self._put_back)
        self._show()

    # -- what is shown

    def _show(self) -> None:
        item, entry = self._looking.item, self._looking.entry
        where = (self._desk.name, entry.rater if entry is not None else "")
        if where != self._shown:
            self._keep_draft()
            self._shown = where
            self._bar.shut()
            self._decide.hide()
            self._compare.refold()
        possible = entry is not None and not self._looking.is_hidden
        verdict = entry.verdict if entry is not None and not entry.outdated else None
        self._bar.show_rater(where[1], verdict, self._stands(item, entry), possible=possible)

    def _keep_draft(self) -> None:
        """The lead goes elsewhere, to look something up perhaps: what is written waits until then."""
        draft = self._bar.draft
        if self._bar.is_writing and draft.kind == "returned" and (draft.reason or draft.comment):
            self._drafts[self._desk.bundle, *self._shown] = draft

    def _stands(self, item: Item | None, entry: Entry | None) -> str:
        """What became of the rating, and of the place."""
        if item is None:
            return ""
        if self._looking.is_hidden:
            return self.tr("Answer first: M opens the form")
        said = []
        if (self._desk.bundle, *self._shown) in self._drafts:
            said.append(self.tr("Written, not sent back yet: B goes on"))
        if entry is not None and entry.outdated and entry.verdict is not None:
            kind = verdict_words(entry.verdict.kind)
            said.append(self.tr("{kind}, an earlier rating").format(kind=kind))
        elif entry is not None and entry.verdict is not None and entry.verdict.reason:
            kind, why = verdict_words(entry.verdict.kind), reason_words(entry.verdict.reason)
            said.append(self.tr("{kind}: {why}").format(kind=kind, why=why))
        said += [self._own_said(item), self._final(item)]
        return " · ".join(part for part in said if part)

    def _own_said(self, item: Item) -> str:
        """What the lead answered before the raters were seen."""
        task = self._desk.task
        if task is None or task.own is None or not task.own.blind:
            return ""
        label = own_label(task, item.where, tuple(self._desk.looks.judged.values()))
        words = self._desk.looks.words(label)
        return self.tr("You said {label}").format(label=isolated(words)) if words else ""

    def _final(self, item: Item) -> str:
        if item.tied:
            return self.tr("No final label: L decides")
        if item.final is None:
            return ""
        label = isolated(self._desk.looks.words(item.final))
        words = self.tr("Final: {label}, by you") if item.decided else self.tr("Final: {label}")
        return words.format(label=label)

    # -- what is said

    def accept(self) -> None:
        """Enter: let the rating stand, and go on. While something else is asked, that comes first."""
        if self._bar.is_writing:
            self._bar.comment.setFocus()
            return
        if self._sample.is_open or self._decide.is_open:
            return
        if self._looking.is_hidden:
            self.correct()
            return
        item, entry = self._judged()
        if item is None or entry is None:
            return
        if not (entry.reviewed and entry.verdict is not None and entry.verdict.kind == "accepted"):
            self._judging.accept(item, [entry])
        self._looking.go_on()

    def accept_all(self) -> None:
        """Let every rating of this place stand that is not judged otherwise, and go on."""
        item, _entry = self._judged()
        if item is None:
            return
        waiting = [one for one in item.entries if not one.reviewed]
        if waiting:
            self._judging.accept(item, waiting)
        self._looking.go_on()

    def write_return(self) -> None:
        """Ask why it goes back."""
        _item, entry = self._judged()
        if entry is None:
            return
        verdict = entry.verdict if entry.verdict is not None and entry.verdict.kind == "returned" else None
        before = (verdict.reason, verdict.comment) if verdict is not None and not entry.outdated else ("", "")
        draft = self._drafts.pop((self._desk.bundle, *self._shown), None)
        if draft is not None:
            before = draft.reason, draft.comment
        self._decide.hide()
        self._bar.write("returned", *before)
        self._compare.refold()
        self._compare.grid.setFocus()  # the keys of the reasons come next

    def confirm(self) -> None:
        """Ctrl Enter: say what is written."""
        if self._sample.confirm():
            return
        if not self._bar.confirm() and self._looking.item is not None:
            self.accept()

    def _say(self, draft: Draft) -> None:
        item, entry = self._judged()
        self._compare.refold()
        if item is None or entry is None:
            return
        say = self._judging.correct if draft.kind == "corrected" else self._judging.send_back
        if draft.kind != "corrected" or draft.reason or draft.comment:
            say(item, entry, draft.reason, draft.comment)
        self._compare.grid.setFocus()
        self._looking.go_on()

    def correct(self) -> None:
        """The lead's own rating in the place of the rater's; first of all, where the answers are hidden."""
        task, item, entry = self._desk.task, self._looking.item, self._looking.entry
        if task is None or item is None:
            return
        if self._looking.is_hidden:
            self._own.answer_first(task, item.where)
        elif entry is not None:
            self._own.correct(task, item, entry)

    def _corrects(self, item: Item, rater: str) -> None:
        """The lead has answered: it stands at once, and why may be said."""
        entry = item.entry(rater)
        if entry is not None:
            self._judging.correct(item, entry, "", "")
            self._bar.write("corrected")
            self._compare.refold()
            self._compare.grid.setFocus()

    def take_back(self) -> None:
        """No verdict any more; of a decision that is open, none."""
        if self._decide.is_open:
            self._decide.take_back()
            return
        item, entry = self._judged()
        if item is not None and entry is not None and entry.verdict is not None:
            self._judging.take_back(item, entry)

    # -- the final label

    def decide(self) -> None:
        """Offer the labels of this place."""
        item, _entry = self._judged()
        audit, judged = self._desk.audit, self._label(item)
        if item is None or audit is None or judged is None:
            return
        self._bar.shut()
        final = item.final.value if item.final is not None else None
        self._decide.open(audit.rubric, judged, final, decided=bool(item.finals))
        self._compare.refold()
        self._compare.grid.setFocus()

    def _label(self, item: Item | None) -> Judged | None:
        labels = [one.label for one in item.entries if one.label is not None] if item is not None else []
        return self._desk.looks.judged.get(labels[0].question) if labels else None

    def _decided(self, value: Value | None) -> None:
        item, judged = self._looking.item, self._label(self._looking.item)
        if item is not None and judged is not None:
            self._judging.decide(item, judged.id, value)
            self._desk.read_soon()

    def draw(self) -> None:
        """Ask which places are looked at."""
        self._bar.shut()
        self._decide.hide()
        reviews = self._desk.reviews
        self._sample.open(reviews.sample if reviews is not None else None, self._judging.day)
        self._compare.refold()
        self._compare.grid.setFocus()

    # -- as the room knows it

    def _judged(self) -> tuple[Item | None, Entry | None]:
        """What is judged; nothing while the answers are hidden."""
        if self._looking.is_hidden:
            return None, None
        return self._looking.item, self._looking.entry

    def take_key(self, key: str) -> bool:
        """A reason, a label that is decided on, or what is drawn."""
        if self._sample.is_open:
            return self._sample.take_key(key)
        return self._bar.take_key(key) if self._bar.is_writing else self._decide.take_key(key)

    def leave(self) -> bool:
        """Esc: shut what is asked; whether something was."""
        return self._sample.leave() or self._bar.leave() or self._decide.leave()

    def _put_back(self) -> None:
        self._compare.refold()
        focus = QApplication.focusWidget()
        if focus is None or any(one.isAncestorOf(focus) for one in (self._bar, self._decide, self._sample)):
            self._compare.grid.setFocus()

    def does(self) -> Mapping[str, Callable[[], object]]:
        return {
            "review_accept": self.accept,
            "review_accept_all": self.accept_all,
            "review_correct": self.correct,
            "review_send_back": self.write_return,
            "review_confirm": self.confirm,
            "review_decide": self.decide,
            "review_take_back": self.take_back,
            "review_sample": self.draw,
        }
