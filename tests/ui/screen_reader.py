"""A screen reader that rates by what it hears: `python screen_reader.py PLAY`, on an accessibility bus.

It is a program of its own, for the Python that has the bindings of AT-SPI, and imports nothing of this project. PLAY is
a JSON list of what to do; it prints what it found as JSON, and what it heard meanwhile.
"""

import json
import sys
import time

import gi  # ty: ignore[import-not-found] - of the Python that runs this

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # ty: ignore[import-not-found]  # noqa: E402 - only after the version is chosen

PATIENCE = 60.0
NAME = "desktop-rater"


class ScreenReader:
    """What can be found by role and name, pressed, and heard."""

    def __init__(self):
        Atspi.init()
        self.announced = []
        self._listener = Atspi.EventListener.new(lambda event: self.announced.append(str(event.any_data)))
        self._listener.register("object:announcement")
        self.program = self.wait(self._program, "the program on the bus")

    def _program(self):
        desktop = Atspi.get_desktop(0)
        for at in range(desktop.get_child_count()):
            one = desktop.get_child_at_index(at)
            if one is not None and one.get_name() == NAME and one.get_child_count():
                one.set_cache_mask(Atspi.Cache.NONE)  # what is on the screen now, not what was
                return one
        return None

    def wait(self, look, what):
        """Return what `look` finds, as soon as it finds it."""
        end = time.monotonic() + PATIENCE
        loop = GLib.MainContext.default()
        while time.monotonic() < end:
            while loop.pending():
                loop.iteration(False)
            try:
                found = look()
            except GLib.Error:  # what was found is gone by now: look again
                found = None
            if found:
                return found
            time.sleep(0.02)
        shown = [
            f"{one.get_role_name()} {one.get_name()!r} {one.get_description()!r}" for one in self.each(self.program)
        ]
        sys.exit(f"not found: {what}; announced: {self.announced}; on the screen: {shown}")

    def each(self, node, depth=0):
        """Yield what is on the screen below a node, in the order of reading."""
        if depth > 1 and not node.get_state_set().contains(Atspi.StateType.SHOWING):
            return
        yield node
        for at in range(node.get_child_count()):
            child = node.get_child_at_index(at)
            if child is not None:
                yield from self.each(child, depth + 1)

    def find(self, role, name, within=None):
        """Return the first one with this role whose name has these words."""
        for node in self.each(within or self.program):
            if node.get_role_name() == role and all(word in node.get_name() for word in name):
                return node
        return None

    def open_question(self):
        """Return the group of the current question."""
        for node in self.each(self.program):
            if node.get_role_name() == "panel" and "current question" in node.get_description():
                return node
        return None


def answer(reader, ask, choice):
    """Answer the current question, by the action of a choice, and hear that it is chosen."""
    group = reader.wait(
        lambda: (found := reader.open_question()) and ask in found.get_name() and found, f"the question {ask!r}"
    )
    button = reader.wait(lambda: reader.find("radio button", [choice], group), f"the choice {choice!r}")
    said = [group.get_name(), group.get_description(), button.get_name()]
    button.do_action(0)

    def chosen():
        again = reader.find("radio button", [choice])
        if again is not None and again.get_state_set().contains(Atspi.StateType.CHECKED):
            return True
        here = reader.open_question()  # an answered question of a pair is folded to one line
        return here is not None and ask not in here.get_name()

    reader.wait(chosen, f"{choice!r} is chosen")
    return said


def press(reader, name):
    button = reader.wait(lambda: reader.find("push button", [name]), f"the button {name!r}")
    said = button.get_name()
    button.do_action(0)
    return said


def reach(reader, ask):
    """Go on by the button until a question is the current one."""
    for _ in range(20):
        group = reader.open_question()
        if group is not None and ask in group.get_name():
            return group.get_name()
        press(reader, "Enter")
        time.sleep(0.2)
    return sys.exit(f"not reached: {ask}")


def find(reader, role, *name):
    found = reader.wait(lambda: reader.find(role, name), f"{role} {name}")
    return [found.get_name(), found.get_description()]


def announced(reader, words):
    return reader.wait(lambda: next((text for text in reader.announced if words in text), None), f"{words!r}")


STEPS = {"answer": answer, "reach": reach, "press": press, "find": find, "announced": announced}


def main():
    reader = ScreenReader()
    said = [STEPS[step](reader, *words) for step, *words in json.loads(sys.argv[1])]
    sys.stdout.write("\n" + json.dumps({"said": said, "announced": reader.announced}) + "\n")


if __name__ == "__main__":
    main()
