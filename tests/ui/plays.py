"""Plays of a rater at one task: anything that can be done, in any order, beside the simplest model of what undo is."""

from hypothesis import strategies as st
from msgspec.structs import replace

from desktop_rater.ui.pages.evidence_fields import REASONS
from desktop_rater.ui.pages.evidence_pane import switched_claims
from tests.operations.bundles import make, take_in, task, writer
from tests.ui.rooms import SENTENCES
from tests.ui.sittings import Sitting

TEXTS = ("", "Because.", "Za\u0308hlt nicht: \U0001f469\u200d\U0001f52c \u200fمرحبا", "two\r\nlines\u2028and one")
URLS = ("https://example.org/a", "https://example.org/b", "not a link")


# -- what a rater does; `n` chooses among what there is to choose from


def answer(session, n):
    asked = [one.question for one in session.form_questions if one.question.choices]
    if asked:
        question = asked[n % len(asked)]
        choice = question.choices[n // 7 % len(question.choices)].id
        session.answer(question.id, [choice] if question.kind == "choices" else choice)


def clear(session, n):
    given_now = [one.question.id for one in session.form_questions if one.asked.value is not None]
    if given_now:
        session.answer(given_now[n % len(given_now)], None)


def write(session, n):
    texts = [one.question.id for one in session.form_questions if one.question.kind == "text"]
    for end in range(1, len(TEXTS[n % len(TEXTS)]) + 1) if texts else ():
        session.answer(texts[0], TEXTS[n % len(TEXTS)][:end], typing=True)
    session.pause_typing()


def claim(session, n):
    target = session.target
    if target is not None:
        session.add_claim(target.start + n % 5, target.end - n % 3)


def remove_claim(session, n):
    if session.claims:
        session.remove_claim(session.claims[n % len(session.claims)].id)


def reword_claim(session, n):
    claim, text = session.claim_at_hand, TEXTS[n % len(TEXTS)]
    if claim is not None and text:
        session.put_claim(replace(claim, text=text), "change claim", typing=bool(n % 2))
    session.pause_typing()


def split(session, n):
    if session.state is not None and session.proposals.split(session.state, session.place):
        session.confirm_claims([claim.id for claim in session.open_proposals][: 1 + n % 3])


def evidence(session, n):
    session.add_evidence(URLS[n % len(URLS)])


def change_evidence(session, n):
    if session.evidence:
        name = session.evidence[n % len(session.evidence)].id
        if n % 2:
            session.set_stance(name, ("supporting", "contradicting", "neutral")[n // 3 % 3], REASONS[n // 9 % 4])
        else:
            session.change_evidence(name, quote=TEXTS[n // 5 % len(TEXTS)])


def switch_claims(session, n):
    if session.evidence and session.claims:
        piece = session.evidence[n % len(session.evidence)]
        claims = switched_claims([one.id for one in session.claims], piece.claim_ids, n % 4)
        session.change_evidence(piece.id, claim=None, claims=claims)


def remove_evidence(session, n):
    if session.evidence:
        session.remove_evidence(session.evidence[n % len(session.evidence)].id)


def acknowledge(session, n):
    warnings = [one for one in session.outcome.problems if one.level == "warn"]
    if warnings:
        session.acknowledge(warnings[n % len(warnings)].rule, warnings[n % len(warnings)].where, "I know.")


def border(session, n):
    if session.target is not None:
        session.correct_border(session.target.start + n % 3, session.target.end - n % 4)


def skip(session, n):
    if session.rating.status == "skipped":
        session.withdraw_skip()
    else:
        session.skip_task("other", TEXTS[n % len(TEXTS)])


ACTS = {
    "answer": answer,
    "clear": clear,
    "write": write,
    "claim": claim,
    "remove claim": remove_claim,
    "reword claim": reword_claim,
    "split": split,
    "evidence": evidence,
    "change evidence": change_evidence,
    "remove evidence": remove_evidence,
    "switch claims": switch_claims,
    "judge a link": lambda session, n: session.judge_link(URLS[n % 2], ("matches", "differs", None)[n // 2 % 3]),
    "acknowledge": acknowledge,
    "border": border,
    "skip": skip,
    "note": lambda session, n: session.note_to_lead(TEXTS[n % len(TEXTS)]),
    "finish": lambda session, _n: session.finish(),
    "confirm": lambda session, _n: session.confirm_suggestions(),
}
# What is no answer, and is never taken back.
BESIDE = {
    "go": lambda session, n: session.go_to(session.stops[n % len(session.stops)]),
    "open a page": lambda session, n: session.record_opened_link(URLS[n % 2], "2026-11-20T12:00:00Z"),
    "count a page": lambda session, n: session.record_opened_link(URLS[n % 2], "2026-11-20T12:00:00Z", seen=False),
}
WAYS = ("undo", "redo", "restart", "come back", "pass time", "disk full", "disk free")
PLAYS = st.lists(
    st.tuples(
        st.one_of(st.sampled_from(("answer", "undo")), st.sampled_from((*ACTS, *BESIDE, *WAYS))), st.integers(0, 200)
    ),
    max_size=22,
)


class Play:
    """A session as it is played, beside the simplest thing that it could be: a list of states and a finger on it."""

    def __init__(self, folder):
        self.sitting = Sitting(folder)
        self.states, self.at = [self.sitting.now], 0
        self.full = self.rough = False
        self.sitting.session.answer("factual", "yes")  # from here on claims and evidence are asked for
        self.took_step()
        self.sitting.wait_until_saved()

    def do(self, name, n):
        session = self.sitting.session
        if name in WAYS:
            {"undo": self.undo, "redo": self.redo, "restart": self.restart, "come back": self.come_back}.get(
                name, lambda: self.beside(name)
            )()
        else:
            {**ACTS, **BESIDE}[name](session, n)
            self.took_step()
        if not self.full:
            self.sitting.wait_until_saved()

    def took_step(self):
        if self.sitting.now != self.states[self.at]:
            self.states[self.at + 1 :] = [self.sitting.now]
            self.at += 1

    def undo(self):
        if self.sitting.undo():
            self.at -= 1
        else:
            assert self.at == 0, "a step can't be taken back"
        assert self.sitting.now == self.states[self.at]

    def redo(self):
        if self.sitting.redo():
            self.at += 1
        else:
            assert self.at == len(self.states) - 1, "a step can't be done again"
        assert self.sitting.now == self.states[self.at]

    def beside(self, name):
        if name == "pass time":
            self.sitting.clock.seconds += 7
            return
        self.full = name == "disk full"
        self.rough |= self.full
        self.sitting.refuse_writes(on=self.full)
        if not self.full:
            self.sitting.saver.try_now()

    def come_back(self):
        """Leave the task and take it up again in the same sitting."""
        self.sitting.session.close()
        self.sitting.open()
        assert self.sitting.now == self.states[self.at]

    def restart(self):
        self.full = False
        before = self.sitting.now
        self.sitting.again()
        assert self.sitting.now == before, "an answer is lost"
        if self.rough:
            self.learn()

    def learn(self):
        """Saves that came late came together: the steps between are fewer, and both ends are where they were."""
        here, first = self.sitting.now, self.states[0]
        back = self.sitting.all_back()
        assert back[0] == first, "undone to the end it is the beginning"
        assert back[-1] == here
        self.states = self.sitting.all_forth()
        self.at = len(back) - 1
        assert self.states[: len(back)] == back
        for _ in self.states[len(back) :]:
            assert self.sitting.undo()
        self.sitting.wait_until_saved()
        self.rough = False


def store_with_a_task(folder):
    """A store to begin with."""
    claims = [{"id": "c1", "text": "Paris is a capital."}, {"id": "c2", "text": "Paris is in France."}]
    suggested = {"targets": {"s1": {"factual": "yes", "common_knowledge": "right"}}, "claims": {"s1": claims}}
    bundle = make(folder / "bundle.zip", [task("t1", *SENTENCES, suggestions=suggested), task("t2")])
    with writer(folder / "store") as store:
        take_in(store, bundle)
    return folder / "store"
