"""Split of a target that a language model proposes, where one is set up. Nothing is sent before the rater agrees.

What speaks to the model is loaded with the first request: it is slow to load, and few raters need it.
"""

import os
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject

from desktop_rater.app.assembly import Application
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.rating import Claim
from desktop_rater.format.task import Target
from desktop_rater.format.values import Place
from desktop_rater.operations.credentials import SecretStore
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.banners import BannerAction, BannerKind
from desktop_rater.ui.widgets.callbacks import LatestRequest
from desktop_rater.ui.widgets.labels import isolated

BANNER = "model_split"


class ModelSplitCommands(QObject):
    """Ask the model of the settings to split the current target, one target at a time."""

    def __init__(self, application: Application) -> None:
        super().__init__(application.window.form_pane)
        self._context = application.context
        self._banners = application.window.form_pane.banners
        self._session = session = application.session
        self._perform = application.perform
        self._agreed: set[str] = set()  # endpoints to which the rater agreed to send, in this sitting
        self._shown_at: Place | None = None  # stop at which the banner was shown
        self._running: Progress | None = None
        self._latest = LatestRequest()
        session.leaving.connect(self.cancel)
        session.updated.connect(self._drop_old_banner)

    def actions(self) -> dict[str, Callable[[], object]]:
        return {"split_by_model": self.split}

    def split(self) -> None:
        """Ask the model for a split of the current target; before the first time, ask the rater."""
        session, target, endpoint = self._session, self._session.target, self._context.preferences.now.endpoint
        if self._running is not None:
            self._show_request()  # its banner may have been closed
        elif target is None or target.end is None or not session.accepts_claims or session.read_only:
            session.hinted.emit(session.read_only or self.tr("Claims can't be recorded here."))
        elif session.claims:
            session.hinted.emit(self.tr("This target has claims already. A model only splits a target without any."))
        elif endpoint in self._agreed:
            self._send(target)
        else:
            self._ask_consent(endpoint)

    def cancel(self) -> None:
        """Cancel the request, if there is one."""
        if self._running is not None:
            self._perform.cancel(self._running)
        self._end()

    def _ask_consent(self, endpoint: str) -> None:
        from desktop_rater.plugins.scoring.client import endpoint_host  # noqa: PLC0415 - see above

        try:
            host = endpoint_host(endpoint, allow_loopback=True)
        except RaterError as error:
            self._failed(error)
            return

        def agree() -> None:
            self._agreed.add(endpoint)
            self.split()

        text = self.tr("The target and its response are sent to {host}.").format(host=isolated(host))
        ways = [(self.tr("Send"), agree), (self.tr("Not now"), self._end)]
        self._show("info", text, ways)

    def _send(self, target: Target) -> None:
        from desktop_rater.plugins.scoring.model_oracle import (  # noqa: PLC0415
            OracleEnvironment,
            OracleServer,
            SplitTask,
            split_by_model,
        )

        settings, task = self._context.preferences.now, self._session.task
        response = task.response(target.response) if task is not None else None
        if response is None or target.start is None or target.end is None:
            return
        # The address is in the settings and its host was shown, so http to this computer is allowed.
        server = OracleServer(settings.endpoint, settings.model, allow_loopback=True)
        means = OracleEnvironment(self._context.now)
        split_task = SplitTask(response.text, target.start, target.end)
        self._latest.replace()  # a cancelled request may still call back
        self._running = self._perform.fetch(
            lambda progress: split_by_model(server, SecretStore(os.environ), means, split_task, progress),
            done=self._latest.only(partial(self._done, target)),
            failed=self._latest.only(self._failed),
        )
        self._show_request()

    def _show_request(self) -> None:
        message = self.tr("The model {model} is asked for a split.").format(
            model=isolated(self._context.preferences.now.model)
        )
        self._show("info", message, [(self.tr("Cancel"), self.cancel)])

    def _done(self, target: Target, split: tuple[tuple[Claim, ...], int]) -> None:
        self._end()
        session = self._session
        (claims, unused), state, dropped = split, session.state, ""
        if unused:
            template = self.tr("Proposed claims that could not be used: {n}.")
            dropped = template.format(n=formatting.number(unused))
        if len(claims) < 2:
            message = self.tr("The model proposes no split.")
        elif state is None or session.current_rating.claims.get(target.id) or state.task.target(target.id) != target:
            message = self.tr("The target was changed meanwhile, so the model’s split was dropped.")
        else:
            session.proposals.propose(state, target, claims)
            session.show_place()
            here = self.tr("The model proposes {n} claims. Confirm, change or remove them.")
            elsewhere = self.tr("The model proposes {n} claims for another target of this task.")
            template = here if session.target == target else elsewhere
            message = template.format(n=formatting.number(len(claims)))
        self._show("info", f"{message} {dropped}".strip())

    def _failed(self, error: Exception) -> None:
        from desktop_rater.plugins.scoring.client import HINT_RESUME  # noqa: PLC0415 - see above

        self._end()
        if isinstance(error, RaterError):
            hint = "" if error.hint == HINT_RESUME else error.hint  # it speaks of a command
            self._show("warn", str(RaterError(error.title, error.message, hint)))

    def _show(self, kind: BannerKind, text: str, ways: Sequence[BannerAction] = ()) -> None:
        self._shown_at = self._session.stop
        self._banners.show_banner(BANNER, kind, text, ways)

    def _drop_old_banner(self) -> None:
        """Drop the banner once the rater is elsewhere or has recorded claims, except while the model is asked."""
        is_old = bool(self._session.claims) or self._session.stop != self._shown_at
        if is_old and self._running is None and self._shown_at is not None:
            self._end()

    def _end(self) -> None:
        self._latest.replace()
        self._running = self._shown_at = None
        self._banners.drop(BANNER)
