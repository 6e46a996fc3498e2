"""The commands of the verdict bar: accept, correct, send back, decide, and draw a sample."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from desktop_rater.audit.items import ReviewEntry, ReviewItem
from desktop_rater.audit.questions import MODEL_METHODS, JudgedQuestion, Value, is_tied, probability_of
from desktop_rater.audit.results import VerdictKind
from desktop_rater.ui.rating.rating_saver import Drafts
from desktop_rater.ui.rating.returned_comments import return_reason_text
from desktop_rater.ui.review.cells import GroupName
from desktop_rater.ui.review.compare_page import ComparePage
from desktop_rater.ui.review.desk import ReviewDesk
from desktop_rater.ui.review.items import ItemKey, method_text, percent_text, verdict_text
from desktop_rater.ui.review.list_pane import ReviewListPane
from desktop_rater.ui.review.navigation import ReviewNavigator
from desktop_rater.ui.review.own_rating import OwnRatingController, own_label
from desktop_rater.ui.review.verdict_recorder import VerdictRecorder
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.bars import Draft
from desktop_rater.ui.widgets.labels import isolated

# By a plug-in: place, question, value, and what takes the sentence that asks for a reason, or "".
DecisionCheck = Callable[[ReviewItem, str, Value | None, Callable[[str], None]], None]


class VerdictCommands(QObject):
    """Runs the commands, then goes on to the next rating; no verdict is possible on hidden answers."""

    def __init__(
        self,
        desk: ReviewDesk,
        navigator: ReviewNavigator,
        recorder: VerdictRecorder,
        compare: ComparePage,
        list_pane: ReviewListPane,
        own: OwnRatingController,
        drafts: Drafts,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._own = own
        self._desk, self._navigator, self._recorder, self._compare = desk, navigator, recorder, compare
        self._bar, self._decide, self._sample = compare.verdict, compare.decide, compare.sample
        self._list, self._labels, self._filters = list_pane.list, list_pane.labels, list_pane.filters
        self._current: tuple[ItemKey, str] = ("", ""), ""
        self._offered: tuple[ItemKey, GroupName, ReviewItem] | None = None  # offered by the bar for final labels
        self._drafts = drafts
        self.before_decision: DecisionCheck = lambda _item, _question, _value, then: then("")
        navigator.moved.connect(self._show)
        recorder.item_wanted.connect(self._navigator.go)
        own.correction_ready.connect(self._correction_ready)
        navigator.answers_needed.connect(self.correct)
        self._bar.accept_wanted.connect(self.accept)
        self._bar.correct_wanted.connect(self.correct)
        self._bar.draft_wanted.connect(self.write_return)
        self._bar.confirmed.connect(self._draft_confirmed)
        self._bar.edited.connect(self._keep_draft)
        self._decide.because.textEdited.connect(lambda text: self._reason_draft().keep(text))
        self._bar.left.connect(self._restore_focus)
        self._decide.decided.connect(self._decided)
        self._decide.left.connect(self._restore_focus)
        self._decide.chosen.connect(self._show_support)
        self._decide.open_wanted.connect(self.leave_open)
        self._sample.wanted.connect(recorder.draw)
        self._sample.left.connect(self._restore_focus)
        self._labels.wanted.connect(recorder.choose_labels)
        self._labels.bulk_wanted.connect(self._decide_listed)
        self._labels.left.connect(self._restore_focus)
        recorder.decided.connect(self._show_decided)
        self._show()

    # -- content

    def _show(self) -> None:
        item, entry = self._navigator.item, self._navigator.entry
        where = (self._desk.name, entry.rater if entry is not None else "")
        if where != self._current:
            self._current = where
            self._bar.shut()
            self._decide.hide()
            self._compare.banners.drop("reason")
            self._compare.refold()
        possible = entry is not None and not self._navigator.is_hidden
        verdict = entry.verdict if entry is not None and not entry.outdated else None
        hidden = self._navigator.is_hidden
        self._bar.show_rater(where[1], verdict, self._state_text(item, entry), possible=possible, hidden=hidden)
        self._show_group(item)

    def _show_group(self, item: ReviewItem | None) -> None:
        """Offer the label of the chosen group; not while a rater is chosen."""
        group = self._navigator.group
        if item is None or group is None:
            if self._decide.stays:
                self._decide.stays = False
                self._decide.hide()
                self._compare.refold()
            return
        name, (label, _skipped) = self._desk.name, group
        if self._offered is not None and self._decide.is_open and self._offered[:2] == (name, group):
            if self._offered[2] is item:
                return
            question = self._decide.question  # the item was read again
        else:
            question = ""
        judged = self._decidable_questions(item)
        ids = [question.id for question in judged]
        if not judged:
            return
        if question not in ids:
            question = item.open_question if item.open_question in ids else ids[0]
            decision = item.finals.get(question)
            self._decide.question = question
            written = decision.comment if decision is not None else ""
            self._decide.because.setText(self._reason_draft().text or written)
        self._offer(item, judged[ids.index(question)], ids[0], stays=True)
        at_once = self._offered is None or self._offered[0] != name  # the group is not the lead's own choice
        self._offered = name, group, item
        if at_once and question == ids[0] and not item.decided and is_tied(item.posterior):
            self._decide.choose(None)
            label = None
        elif label is not None and label.question == question:
            self._decide.choose(label.value)
        self._show_support(label.value if label is not None else None)
        self._compare.refold()

    def _show_support(self, value: Value | None) -> None:
        """Show how many raters, and the model, say the same as a label; and what was written on its decision."""
        item = self._navigator.item
        if item is None or not self._decide.stays:
            return
        votes = [entry.label for entry in item.entries if entry.label is not None and not entry.model]
        same = sum(label.value == value for label in votes)
        text = self.tr("{n} of {m} raters say the same").format(
            n=formatting.number(same), m=formatting.number(len(votes))
        )
        modelled = item.method in MODEL_METHODS and bool(item.posterior)
        if modelled and item.posterior[0][0] == value:
            text = self.tr("{n} of {m} raters and the model say the same").format(
                n=formatting.number(same), m=formatting.number(len(votes))
            )
        asks_label = votes and votes[0].question == self._decide.question
        self._decide.show_support(text if asks_label and value is not None else "")

    def _draft(self, kind: VerdictKind) -> Draft:
        """Return the reason and the comment of a verdict that was begun here."""
        (task, where), rater = self._current
        return self._drafts.draft(self._desk.bundle, task, f"{kind} {rater} {where}")

    def _keep_draft(self) -> None:
        kind, reason, comment = self._bar.draft
        self._draft(kind).keep(f"{reason} {comment}" if comment else "")

    def _reason_draft(self) -> Draft:
        """Return the reason of a decision that was begun here."""
        task, where = self._desk.name
        return self._drafts.draft(self._desk.bundle, task, f"decide {self._decide.question} {where}")

    def _state_text(self, item: ReviewItem | None, entry: ReviewEntry | None) -> str:
        if item is None:
            return ""
        if self._navigator.is_hidden:
            return self.tr("Answer first. Press M to open the form.")
        parts = []
        if self._draft("returned").text:
            parts.append(self.tr("Draft not sent. Press B to continue."))
        if entry is not None and entry.outdated and entry.verdict is not None:
            kind = verdict_text(entry.verdict.kind)
            parts.append(self.tr("{kind}: for an earlier rating").format(kind=kind))
        elif entry is not None and entry.verdict is not None and entry.verdict.reason:
            kind, reason = verdict_text(entry.verdict.kind), return_reason_text(entry.verdict.reason)
            parts.append(self.tr("{kind}: {why}").format(kind=kind, why=reason))
        parts += [self._own_label_text(item), self._final_label_text(item)]
        return " · ".join(part for part in parts if part)

    def _own_label_text(self, item: ReviewItem) -> str:
        task = self._desk.task
        if task is None or task.own is None or not task.own.blind:
            return ""
        label = own_label(task, item.where, tuple(self._desk.looks.judged.values()))
        text = self._desk.looks.text(label)
        return self.tr("Your answer: {label}").format(label=isolated(text)) if text else ""

    def _final_label_text(self, item: ReviewItem) -> str:
        looks = self._desk.looks
        modelled = bool(item.posterior) and item.method in MODEL_METHODS and not item.decided
        if item.final is None:
            if not modelled:
                return self.tr("No final label. Press L to decide.") if item.tied else ""
            return self.tr("Open: {labels}. Press L to decide.").format(labels=self._probable_labels(item))
        label = isolated(looks.text(item.final))
        text = self.tr("Final: {label}, by you") if item.decided else self.tr("Final: {label}")
        if item.in_bulk:
            text = self.tr("Final: {label}, taken from {method} in bulk")
        elif modelled:
            text = self.tr("Final: {label}, {share} by {method}")
        share = percent_text(probability_of(item.posterior, item.final.value))
        others = (f"{looks.title(other.question)}: {isolated(looks.text(other))}" for other in item.other_finals)
        taken_over = next((final.by for final in item.finals.values() if final.by), item.method)
        parts = [text.format(label=label, share=share, method=method_text(taken_over)), *others]
        if item.tied:
            text = self.tr("{question}: no final answer. Press L to decide.")
            parts.append(text.format(question=looks.title(item.open_question)))
        return " · ".join(parts)

    def _probable_labels(self, item: ReviewItem) -> str:
        labels = [entry.label for entry in item.entries if entry.label is not None]
        return ", ".join(
            f"{isolated(self._desk.looks.text(replace(labels[0], value=value)))} {percent_text(probability)}"
            for value, probability in item.posterior[:2]
        )

    # -- verdicts

    def accept(self) -> None:
        """Accept the rating and go on (Enter); an open panel or draft comes first."""
        if self._bar.is_writing:
            self._bar.comment.setFocus()
            return
        if self._decide.because.hasFocus():
            self._compare.grid.setFocus()
            return
        if self._sample.is_open or self._labels.is_open or self._decide.is_open:
            if not self._decide.confirm() and self._decide.is_open:
                text = self.tr("No label is chosen. Press the key of one, or Shift X to leave this place open.")
                self._compare.banners.show_banner("reason", "warn", text)
            return
        if self._navigator.is_hidden:
            self.correct()
            return
        item, entry = self._current_entry()
        if item is None or entry is None:
            return
        if not (entry.reviewed and entry.verdict is not None and entry.verdict.kind == "accepted"):
            self._recorder.accept(item, [entry])
        self._navigator.go_on()

    def accept_all(self) -> None:
        """Accept every rating of this item that has no verdict, and go on."""
        item, _entry = self._current_entry()
        if item is None:
            return
        waiting = [entry for entry in item.entries if not entry.reviewed]
        if waiting:
            self._recorder.accept(item, waiting)
        self._navigator.go_on()

    def write_return(self) -> None:
        _item, entry = self._current_entry()
        if entry is None:
            self._offer_raters()
            return
        verdict = entry.verdict if entry.verdict is not None and entry.verdict.kind == "returned" else None
        before = (verdict.reason, verdict.comment) if verdict is not None and not entry.outdated else ("", "")
        draft = self._draft("returned").text
        if draft:
            before = _reason_and_comment(draft)
        self._decide.hide()
        self._bar.write("returned", *before)
        self._compare.refold()
        self._compare.grid.setFocus()  # the next key chooses a reason

    def confirm(self) -> None:
        """Confirm what is being written (Ctrl Enter)."""
        if self._sample.confirm() or self._labels.confirm():
            return
        if not self._bar.confirm() and not self._decide.confirm() and self._navigator.item is not None:
            self.accept()

    def _draft_confirmed(self, kind: VerdictKind, reason: str, comment: str) -> None:
        item, entry = self._current_entry()
        self._compare.refold()
        if item is None or entry is None:
            return
        self._draft(kind).keep("")
        say = self._recorder.correct if kind == "corrected" else self._recorder.send_back
        if kind != "corrected" or reason or comment:
            say(item, entry, reason, comment)
        self._compare.grid.setFocus()
        self._navigator.go_on()

    def correct(self) -> None:
        """Open the lead's own rating: as a correction, or first of all where the answers are hidden."""
        task, item, entry = self._desk.task, self._navigator.item, self._navigator.entry
        if task is None or item is None:
            return
        if self._navigator.is_hidden:
            self._own.answer_first(task, item.where)
        elif entry is not None:
            self._own.correct(task, item, entry)
        else:
            self._offer_raters()

    def _offer_raters(self) -> None:
        """Ask whose rating is meant while a group of raters is chosen."""
        if self._navigator.group is not None:
            self._navigator.raters_wanted.emit()

    def _correction_ready(self, item: ReviewItem, rater: str) -> None:
        """Store the correction at once, and offer to add a reason."""
        entry = item.entry(rater)
        if entry is not None:
            self._recorder.correct(item, entry, "", "")
            self._bar.write("corrected", *_reason_and_comment(self._draft("corrected").text))
            self._compare.refold()
            self._compare.grid.setFocus()

    def take_back(self) -> None:
        """Remove the verdict; while a decision is open, remove the decision."""
        if self._decide.is_open:
            self._decide.take_back()
            return
        item, entry = self._current_entry()
        if item is not None and entry is not None and entry.verdict is not None:
            self._recorder.take_back(item, entry)

    # -- the final label

    def decide(self) -> None:
        """Offer what the lead has to decide first, otherwise the label; while the bar is open, the next judgement."""
        item, _entry = self._current_entry()
        audit = self._desk.audit
        judged = self._decidable_questions(item) if item is not None else []
        if item is None or audit is None or not judged:
            return
        self._bar.shut()
        ids = [question.id for question in judged]
        if self._decide.is_open and self._decide.question in ids:
            question = judged[(ids.index(self._decide.question) + 1) % len(ids)]
        else:
            question = judged[ids.index(item.open_question) if item.open_question in ids else 0]
        self._offer(item, question, ids[0], stays=self._navigator.group is not None)
        self._compare.refold()
        self._compare.grid.setFocus()

    def _offer(self, item: ReviewItem, question: JudgedQuestion, label: str, *, stays: bool) -> None:
        """Offer the answers to a judgement; `label` is the one that is the label of the place."""
        finals = {final.question: final.value for final in (item.final, *item.other_finals) if final is not None}
        decision = item.finals.get(question.id) or item.finals.get(question.question)
        is_label = question.id == label
        title = self.tr("The final label is") if is_label else f"{self._desk.looks.title(question.id)}:"
        is_modelled = is_label and item.method in MODEL_METHODS
        self._decide.open(
            self._desk.looks.keys(question.id),
            question,
            finals.get(question.id),
            decided=decision is not None,
            title=title,
            probabilities=dict(item.posterior) if is_modelled and not stays else {},
            stays=stays,
        )

    def _decidable_questions(self, item: ReviewItem) -> list[JudgedQuestion]:
        """Return the label of a place, then its other judgements."""
        labels = [entry.label for entry in item.entries if entry.label is not None]
        judged = self._desk.looks.judged
        if not labels or self._desk.task is None:
            return []
        label = judged[labels[0].question]
        values = [of.received.digest.values.get(item.where, {}) for of in self._desk.task.raters]
        others = (question for question in judged.values() if question.decisive and question.question != label.question)
        return [label, *(other for other in others if any(other.value(given) is not None for given in values))]

    def _decided(self, value: Value | None) -> None:
        item, name = self._navigator.item, self._desk.name
        if item is None:
            return
        question, draft, because = self._decide.question, self._reason_draft(), self._decide.because
        reason = because.text().strip() if because.isVisibleTo(self._decide) else ""

        def checked(why: str) -> None:
            is_here = name == self._desk.name
            if why and not reason:
                self._compare.banners.show_banner("reason", "warn", why)
                if is_here and question == self._decide.question:
                    self._decide.ask_reason(value, draft.text)
                    self._compare.refold()
            else:
                self._compare.banners.drop("reason")
                self._recorder.decide(item, question, value, reason)
                draft.keep("")
                if is_here and value is not None:
                    self._compare.refold()
                    self._compare.grid.setFocus()
                    if self._decide.stays:
                        self._navigator.go_on()

        self.before_decision(item, question, value, checked)

    def leave_open(self) -> None:
        """Take back the decision on this item, if there is one, and go on."""
        item, _entry = self._current_entry()
        if item is not None:
            for question, decision in item.finals.items():
                if decision.value is not None:
                    self._recorder.decide(item, question, None)
            self._navigator.go_on()

    def _write_reason(self) -> None:
        if self._decide.is_open and self._decide.stays:
            self._decide.because.setFocus()

    def choose_labels(self) -> None:
        """Offer the methods that decide where the lead has not."""
        reviews = self._desk.reviews
        if reviews is not None:
            self._bar.shut()
            self._decide.hide()
            self._sample.hide()
            self._labels.open(reviews.labels, self._navigator.listed)
            self._compare.refold()
            self._list.setFocus()  # a folded list shows itself

    def _decide_listed(self, threshold: float) -> None:
        self._recorder.decide_places([(item.task, item.where) for item in self._navigator.listed], threshold)

    def _show_decided(self, count: int) -> None:
        text = self.tr("1 place was decided.") if count == 1 else self.tr("{n} places were decided.")
        undo = [(self.tr("Undo"), self._recorder.undo)]
        self._compare.banners.show_banner("all", "info", text.format(n=formatting.number(count)), undo)

    def draw(self) -> None:
        self._bar.shut()
        self._decide.hide()
        self._labels.hide()
        reviews = self._desk.reviews
        self._sample.open(reviews.sample if reviews is not None else None, self._recorder.day, self._filters.filter)
        self._compare.refold()
        self._compare.grid.setFocus()

    # -- the interface of a screen

    def _current_entry(self) -> tuple[ReviewItem | None, ReviewEntry | None]:
        """Return the current item and entry; nothing while the answers are hidden, or those of another place shown."""
        if self._navigator.is_hidden or not self._navigator.is_shown:
            return None, None
        return self._navigator.item, self._navigator.entry

    def take_key(self, key: str) -> bool:
        """Handle a key: a reason, a final label, a sampling method, or a column."""
        if self._sample.is_open or self._labels.is_open:
            return self._sample.take_key(key) or self._labels.take_key(key)
        if self._navigator.item is not None and not self._navigator.is_shown:
            self._navigator.when_shown(lambda: self.take_key(key))
            return True
        bar = self._bar if self._bar.is_writing else self._decide
        return bar.take_key(key) or self._navigator.take_key(key)

    def leave(self) -> bool:
        """Close what is open (Esc); return whether anything was."""
        return self._sample.leave() or self._labels.leave() or self._bar.leave() or self._decide.leave()

    def _restore_focus(self) -> None:
        self._compare.refold()
        focus = QApplication.focusWidget()
        if focus is None or any(
            panel.isAncestorOf(focus) for panel in (self._bar, self._decide, self._sample, self._labels)
        ):
            self._compare.grid.setFocus()

    def actions(self) -> Mapping[str, Callable[[], object]]:
        return {
            "review_accept": self.accept,
            "review_accept_all": self.accept_all,
            "review_correct": lambda: self._navigator.when_shown(self.correct),
            "review_send_back": lambda: self._navigator.when_shown(self.write_return),
            "review_confirm": self.confirm,
            "review_decide": lambda: self._navigator.when_shown(self.decide),
            "review_leave_open": self.leave_open,
            "review_because": lambda: self._navigator.when_shown(self._write_reason),
            "review_take_back": self.take_back,
            "review_sample": self.draw,
            "review_labels": self.choose_labels,
        }


def _reason_and_comment(draft: str) -> tuple[str, str]:
    reason, _, comment = draft.partition(" ")
    return reason, comment
