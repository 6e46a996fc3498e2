"""The guided first task: five steps on the sample, each of which ends when the rater has done what it says."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from desktop_rater.format.rating import Rating
from desktop_rater.format.values import Place
from desktop_rater.paths import SAMPLE_BUNDLES
from desktop_rater.translation import N_
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_loader import TaskLoader
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.banners import BannerAction
from desktop_rater.ui.widgets.theme import color
from desktop_rater.ui.window import keys
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.ui.window.transfer import Transfer

CONTEXT = "GuidedTask"
BANNER = "guide"
OUTLINE_WIDTH = 2


@dataclass(frozen=True)
class GuideStep:
    """A step: its text, with the keys of actions by their ids; the part that it is about; and what ends it.

    `is_done` is given the place and the rating at the beginning of the step.
    """

    text: str
    part: Callable[[MainWindow], QWidget]
    is_done: Callable[[Session, Place, Rating], bool]


def _is_elsewhere(session: Session, place: Place, _rating: Rating) -> bool:
    return session.place.target != place.target


def _has_answered(session: Session, _place: Place, rating: Rating) -> bool:
    return session.rating is not None and session.rating.answers != rating.answers


def _has_evidence(session: Session, place: Place, rating: Rating) -> bool:
    quoted = any(piece.quote for piece in session.evidence)
    return _is_complete(session, place, rating) or (quoted and session.rating != rating)


def _is_complete(session: Session, _place: Place, _rating: Rating) -> bool:
    return not any(question.open for question in session.form_questions)


STEPS = (
    GuideStep(
        N_(
            "GuidedTask",
            "Read the prompt and the response. The box marks the target: the sentence that is judged now. "
            "{next_target} goes to the next one.",
        ),
        lambda window: window.text_pane,
        _is_elsewhere,
    ),
    GuideStep(
        N_(
            "GuidedTask",
            "Answer the question at the blue line: click a choice, or press the key on it. Then comes the next one.",
        ),
        lambda window: window.form_pane.form,
        _has_answered,
    ),
    GuideStep(
        N_(
            "GuidedTask",
            "Look it up: {next_link} opens a link of the response, {evidence} adds another page. There the arrow keys "
            "choose a sentence; {supports} takes it as supporting, {contradicts} as contradicting. {link_matches} says "
            "that a link shows what the text says, {link_differs} that it does not.",
        ),
        lambda window: window.form_pane.form,
        _has_evidence,
    ),
    GuideStep(
        N_(
            "GuidedTask",
            "Answer what is still open, down to the label. Rest the pointer on a label to read what it means; "
            "{guideline} opens the guideline. What does not fit together is named below, with a way out.",
        ),
        lambda window: window.form_pane.form,
        _is_complete,
    ),
    GuideStep(
        N_(
            "GuidedTask",
            "Enter goes on to the next target. When all tasks are done, {export} writes the results. Nothing leaves "
            "this computer before.",
        ),
        lambda window: window.form_pane,
        _is_elsewhere,
    ),
)


class PartOutline(QWidget):
    """A frame around a part of the window that takes no clicks."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._part: QWidget | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def surround(self, part: QWidget | None) -> None:
        """Move the frame around a part, or hide it."""
        for widget, change in ((self._part, QObject.removeEventFilter), (part, QObject.installEventFilter)):
            if widget is not None:
                change(widget, self)
        self._part = part
        self._place()

    def _place(self) -> None:
        part = self._part
        self.setVisible(part is not None and part.isVisible())
        if part is not None:
            self.setGeometry(QRect(part.mapTo(self._window, QPoint(0, 0)), part.size()))
            self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        alive = isValid(self) and isValid(watched)  # a window that is closed hides its parts while it goes
        if alive and event.type() in {QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide}:
            self._place()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        width = theme.px(OUTLINE_WIDTH)
        painter = QPainter(self)
        painter.setPen(QPen(color(self, "accent"), width))
        painter.drawRect(self.rect().adjusted(width // 2, width // 2, -(width // 2) - 1, -(width // 2) - 1))


class GuidedTask(QObject):
    """Leads through the first task of a rater, step by step, and is not offered again once it has ended."""

    announced = Signal(str)  # a step, for screen readers

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        desk: TaskLoader,
        transfer: Transfer,
        ended: Callable[[], object],
    ) -> None:
        super().__init__(window)
        self._ended = ended
        self._window = window
        self._session = session
        self._desk = desk
        self._transfer = transfer
        self._outline = PartOutline(window)
        self._step = -1
        self._is_waiting = False
        self._began: tuple[Place, Rating] | None = None
        for signal in (session.opened, session.updated):
            signal.connect(self._follow)
        transfer.import_ended.connect(self._import_ended)

    def actions(self) -> Mapping[str, Callable[[], object]]:
        return {"guided_task": self.begin}

    @property
    def is_running(self) -> bool:
        return self._step >= 0

    def begin(self) -> None:
        """Open the sample, and begin with its open task."""
        self.begin_when_open()
        self._transfer.open_sample()

    def begin_when_open(self) -> None:
        """Begin as soon as the sample, which is being imported, is open."""
        self._is_waiting = True

    def _import_ended(self) -> None:
        if not self._desk.is_opening_bundle:  # it was open already
            self._follow()

    def leave(self) -> bool:
        """End the guide; return whether it was running."""
        if not self.is_running:
            return False
        self._step, self._began = -1, None
        self._window.form_pane.banners.drop(BANNER)
        self._outline.surround(None)
        self._ended()
        return True

    def _follow(self) -> None:
        session = self._session
        if session.task is None:
            return
        if self.is_running and self._desk.bundle not in SAMPLE_BUNDLES:
            self.leave()  # the rater has gone on to work
        elif self._is_waiting and self._desk.bundle in SAMPLE_BUNDLES:
            self._is_waiting = False
            self._show(0)
        elif self._began is not None and STEPS[self._step].is_done(session, *self._began):
            self._go_on()

    def _go_on(self) -> None:
        if self._step + 1 < len(STEPS):
            self._show(self._step + 1)
        else:
            self.leave()

    def _show(self, step: int) -> None:
        session = self._session
        if session.rating is None:
            return
        self._step, self._began = step, (session.place, session.rating)
        place = self.tr("Step {n} of {total}").format(n=step + 1, total=len(STEPS))
        text = QCoreApplication.translate(CONTEXT, STEPS[step].text).format_map(ActionKeys(self._window))
        last = step + 1 == len(STEPS)
        actions: list[BannerAction] = [(self.tr("End the guide"), self.leave)]
        if not last:
            actions.insert(0, (self.tr("Next step"), self._go_on))
        banner = self._window.form_pane.banners.show_banner(BANNER, "info", f"{place}: {text}", actions)
        banner.close_button.clicked.connect(self.leave)
        self._outline.surround(STEPS[step].part(self._window))
        self.announced.emit(banner.label.text())


class ActionKeys(dict[str, str]):
    """The keys of the window's actions by their ids, as they are written on caps."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__()
        self._window = window

    def __missing__(self, name: str) -> str:
        action = self._window.findChild(QAction, f"action_{name}")
        return keys.key_text(action.shortcut().toString()) if action is not None else name
