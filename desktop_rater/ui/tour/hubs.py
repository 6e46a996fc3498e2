"""A team's hub in the tour: a folder beside the store, and a network that is there or not."""

from __future__ import annotations

import random
import secrets
import time
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from desktop_rater.hub.address import FolderAddress
from desktop_rater.hub.open_hub import open_hub
from desktop_rater.hub.trouble import HubTrouble
from desktop_rater.model.progress import Progress
from desktop_rater.model.secret import Secret
from desktop_rater.ui.hub.publish_dialog import PublishDialog
from desktop_rater.ui.hub.reach import Reach
from desktop_rater.ui.tour.stage import rest
from desktop_rater.work.hub_marker import init_hub
from desktop_rater.work.hub_secrets import HubSecrets
from desktop_rater.work.publish_bundle import publish_bundle
from desktop_rater.work.rater_key import rater_keys
from desktop_rater.work.reach_hub import means_for
from desktop_rater.work.self_test import practice_bundle, sample_bundle

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from desktop_rater.hub.interface import Hub
    from desktop_rater.ui.tour.stage import Stage

PROJECT, TITLE, FOLDER = "long-answers", "Long answers, November", "hub"
ADDRESS, USER, PASSWORD = "webdavs://hub.example.org/rating/long-answers", "r-17", "kept by nobody"


class Unreachable:
    """A hub on the far side of a network that is not there."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.skew: float | None = None

    def _no_answer(self, *_given: object, **_named: object) -> NoReturn:
        raise HubTrouble("away", "The hub did not answer within 20 s.")

    probe = list = get = put_new = exists = _no_answer

    def close(self) -> None:
        """Nothing is open."""


class StagedReach(Reach):
    """Keeps no password and asks no keyring. `offline` while the tour says so."""

    def __init__(self, folder: Path, now: Callable[[], datetime]) -> None:
        nothing = HubSecrets({}, keyrings=list)
        super().__init__(folder, now, passwords=nothing, keys=rater_keys(folder, {}, keyrings=list))
        self.offline = False

    def open(self, url: str, user: str) -> Hub:
        """The hub, or none that answers."""
        return Unreachable(url) if self.offline else super().open(url, user)


def _make_hub(stage: Stage) -> str:
    """The address of a hub with two bundles for the rater of the tour."""
    folder = stage.folder / FOLDER
    address = FolderAddress(str(folder))
    token = secrets.token_hex
    means = means_for(stage.folder, clock=time.monotonic, now=stage.now, token=lambda: token(8))
    hub = open_hub(address, means)
    progress = Progress()
    init_hub(hub, PROJECT, TITLE, stage.now(), progress)
    for bundle in (sample_bundle(), practice_bundle()):
        publish_bundle(hub, bundle, [stage.rater], chance=random.random, progress=progress)
    hub.close()
    return address.url


def play_connect(stage: Stage) -> None:
    """Say where the hub is."""
    for banner in ("transfer", "signing"):
        stage.window.banners.drop(banner)
    stage.act("hub")
    fields = stage.hub.joining.dialog.connect_page.fields
    fields.address.setText(ADDRESS)
    fields.user.setText(USER)
    fields.password.setText(Secret(PASSWORD).revealed())
    fields.password.setFocus()


def play_probed(stage: Stage) -> None:
    """What the hub can do, and what is there."""
    joining, exchange = stage.hub.joining, stage.hub.exchange
    page = joining.dialog.connect_page
    page.fields.address.setText(_make_hub(stage))
    page.confirm()
    stage.wait(lambda: joining.dialog.page is joining.dialog.found_page)
    stage.wait(lambda: len(exchange.shown.to_import) == 2 and not exchange.is_running)


def play_arrivals(stage: Stage) -> None:
    """The same in a banner, for who is at work."""
    stage.hub.joining.dialog.accept()
    stage.hub.exchange.start()
    stage.wait(lambda: stage.hub.banners.banner("arrivals") is not None)


def play_offline(stage: Stage) -> None:
    """What was rated waits for the network."""
    stage.hub.arrivals.take()
    stage.wait(lambda: not stage.hub.arrivals.is_running)
    stage.hub.banners.drop("importing")
    staged(stage).offline = True
    _sync(stage)


def play_state(stage: Stage) -> None:
    """What goes, what came, and how old all that is."""
    staged(stage).offline = False
    _sync(stage)
    stage.hub.banners.drop("hub")
    stage.act("hub")


def play_disconnect(stage: Stage) -> None:
    """The question before it."""
    stage.hub.joining.dialog.state_page.ask()


def settle(stage: Stage) -> None:
    """The dialog in another frame."""
    stage.hub.joining.dialog.fit(anew=True)


def leave(stage: Stage) -> None:
    """Out of the dialog, wherever it is."""
    stage.hub.joining.dialog.accept()


def play_publish(stage: Stage) -> None:
    """A lead gives out a bundle."""
    dialog = PublishDialog(stage.window)
    dialog.ask(TITLE, ("ana", "ben", "cleo"))
    dialog.take_bundle(Path("long-answers-part-2.zip"))
    dialog.raters.show_text("ana\nben")
    dialog.show_trouble("")


def leave_publish(stage: Stage) -> None:
    """Out of it again."""
    dialog = stage.window.findChild(PublishDialog)
    assert dialog is not None
    dialog.reject()


def _sync(stage: Stage) -> None:
    ended: list[object] = []
    stage.hub.exchange.ended.connect(ended.append)
    stage.act("sync")
    stage.wait(lambda: bool(ended))
    rest(stage.app)


def staged(stage: Stage) -> StagedReach:
    """The tour's own way to hubs."""
    assert isinstance(stage.reach, StagedReach)
    return stage.reach
