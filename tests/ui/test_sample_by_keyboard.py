"""The whole sample is rated by keyboard alone, and the keys are counted."""

from collections import Counter

from PySide6.QtWidgets import QApplication

from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import numbered_lines, read_json_object, read_struct
from desktop_rater.paths import resources
from desktop_rater.ui.pages.browser import PagePassage
from tests.ui.rooms import part, press, type_text

SAMPLES = resources() / "samples"
STANCE_KEYS = {"supporting": "S", "contradicting": "C"}
REASONS = ("cut_off", "wrong_language", "duplicate", "harmful", "other")


def ratings():
    raw = (SAMPLES / "span-factuality-sample.ratings.jsonl").read_bytes()
    lines = (read_json_object(line) for _, line in numbered_lines([raw], 1_000_000))
    return {one.task: one for one in (read_struct(line, Rating) for line in lines)}


class Hand:
    """A rater who knows the answers. What is typed or pasted counts as one key."""

    def __init__(self, room, rooms, wanted):
        self.room = room
        self.rooms = rooms
        self.session = room.session
        self.wanted = wanted
        self.count = 0

    def press(self, *keys):
        press(*keys)
        self.count += len(keys)

    def paste(self, text):
        QApplication.clipboard().setText(text)
        self.press("Ctrl+V")

    def write(self, text):
        self.press("W")
        self.paste(text)
        self.press("Esc")

    def target(self, name):
        """Rate one target, and say how many keys it took, with the one that goes on."""
        self.count = 0
        answers = self.wanted.answers.targets[name]
        claims = self.wanted.claims.get(name, ())
        if "skipped" in answers:
            self.press("Up", str(REASONS.index(answers["skipped"]) + 1))
        else:
            self.press({"yes": "Y", "no": "N"}[answers["factual"]])
        for at in range(len(claims)):
            self.record(2 * at)
        if claims:
            self.rate_claims(name, claims)
        else:
            self.gather(name, None)
            self.answer(answers)
        if "comment" in answers:
            self.write(answers["comment"])
        self.press("Return")
        return self.count

    def record(self, at):
        """Choose words of a claim with the arrows. The sample's claims are in its author's words, so any words do."""
        self.press("L", *["Right"] * at, "Shift+Right", "Return")

    def rate_claims(self, name, claims):
        ids = [one.id for one in self.session.claims]
        for claim, own in zip(reversed(claims), reversed(ids), strict=True):
            while self.session.place.claim != own:
                self.press("Shift+K")
            self.gather(name, claim.id)
            self.answer(claim.answers)

    def gather(self, name, claim):
        for piece in self.wanted.evidence:
            if (piece.target, next(iter(piece.claim_ids), None)) != (name, claim):
                continue
            QApplication.clipboard().setText(piece.url)
            self.press("E")
            if part(self.room, "new_address").hasFocus():  # the same page once more: it has to be meant
                self.press("Ctrl+V", "Return", "Return")
            self.press("O")
            self.rooms.wait_for_page(self.room, piece.url)
            if self.room.window.preview.shows_reader and piece.quote:
                self.take(piece)
                continue
            if piece.quote:
                self.press("Q")
                self.paste(piece.quote)
                self.press("Esc")
            self.press(STANCE_KEYS[piece.stance])

    def take(self, piece):
        """Take the passage where it is read. The mouse chooses it, which counts as one key: it is no whole sentence."""
        assert self.room.window.preview.reader.show_passage(PagePassage(piece.quote))
        self.count += 1
        self.press(STANCE_KEYS[piece.stance], "Esc")

    def answer(self, answers):
        """Answer what is open by the key that its cap shows, from top to bottom."""
        while True:
            shown = next((one for one in self.session.form_questions if one.open), None)
            if shown is None:
                return
            assert self.session.current_question == shown.question.id, "the rail stands where something is open"
            row = self.room.window.form_pane.form.row(shown.question.id)
            value = answers[shown.question.id]
            at = [choice.id for choice in shown.question.choices].index(value)
            self.press(row.buttons[at].key)


def kind_of(wanted, name):
    """What kind of target it is, for the count of keys."""
    answers = wanted.answers.targets[name]
    pieces = [one for one in wanted.evidence if one.target == name]
    if "comment" in answers or name in wanted.claims or "skipped" in answers:
        return "other"
    if answers["factual"] == "no":
        return "no fact"
    if not pieces:
        return "common knowledge"
    return "one page" if len(pieces) == 1 and pieces[0].quote else "other"


def told(rating):
    """What was judged: answers, the answers of each claim, and its evidence; claims by their number."""
    number = {(target, one.id): at for target, claims in rating.claims.items() for at, one in enumerate(claims)}
    claims = {(target, at): one.answers for target, claims in rating.claims.items() for at, one in enumerate(claims)}
    evidence: Counter[object] = Counter()
    for one in rating.evidence:
        claims_of_it = frozenset(number.get((one.target, name)) for name in one.claim_ids)
        evidence[one.target, claims_of_it, one.stance, one.url, one.quote] += 1
    return rating.answers.targets, claims, evidence


def test_the_whole_sample_by_keyboard_alone(rooms):
    room = rooms.empty()
    rooms.press_for_task(room, "t-0001", "Ctrl+Shift+O")
    keys: dict[str, set[int]] = {}
    for name, wanted in ratings().items():
        rooms.wait_for_task(room, name)
        hand = Hand(room, rooms, wanted)
        if wanted.status == "skipped":
            hand.press("X", str(REASONS.index(wanted.skipped.reason) + 1), "W")
            assert part(room, "skip_comment").hasFocus()
            type_text(wanted.skipped.comment)
            hand.press("Return", "Return", "Return")
            continue
        for target in room.session.task.targets:
            assert room.session.place.target == target.id
            keys.setdefault(kind_of(wanted, target.id), set()).add(hand.target(target.id))
    rooms.qtbot.waitUntil(lambda: room.window.banners.text("all_done") is not None)
    rooms.wait_until_saved(room)
    assert keys["no fact"] == {2}
    assert keys["common knowledge"] == {4}
    assert max(keys["one page"]) <= 10  # a sentence that may make several claims is asked about its parts
    for name, wanted in ratings().items():
        stored = rooms.stored(name, room.desk.bundle)
        assert stored.status == wanted.status
        assert told(stored) == told(wanted)
