"""Scenes of the hub: a folder beside the store, over a network that can be switched off."""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import NoReturn

from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import Secret
from desktop_rater.hub.address import FolderAddress, open_hub
from desktop_rater.hub.errors import HubError
from desktop_rater.hub.interface import Hub
from desktop_rater.operations.hub.connect import HubSecrets, init_hub, store_hub_environment
from desktop_rater.operations.hub.keys import open_rater_keys
from desktop_rater.operations.hub.publish import publish_bundle
from desktop_rater.operations.self_test import sample_bundle_path
from desktop_rater.ui.hub.exchange import HubAccess
from desktop_rater.ui.hub.lead import PublishDialog
from tools.tour.stage import Stage, rest

PROJECT, TITLE, FOLDER = "long-answers", "Long answers, November", "hub"
ADDRESS, USER, PASSWORD = "webdavs://hub.example.org/rating/long-answers", "r-17", "kept by nobody"


class Unreachable:
    """Hub that no request reaches."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.skew: float | None = None

    def _no_answer(self, *_given: object, **_named: object) -> NoReturn:
        raise HubError("away", "The hub did not answer within 20 s.")

    probe = list = get = put_new = exists = _no_answer

    def close(self) -> None:
        """Do nothing: no connection is open."""


class StagedReach(HubAccess):
    """Access to hubs without passwords or a keyring; `offline` makes them unreachable."""

    def __init__(self, folder: Path, now: Callable[[], datetime]) -> None:
        nothing = HubSecrets({}, keyrings=list)
        super().__init__(folder, now, passwords=nothing, keys=open_rater_keys(folder, {}, keyrings=list))
        self.offline = False

    def open(self, url: str, user: str) -> Hub:
        """Open the hub, or one that is unreachable."""
        return Unreachable(url) if self.offline else super().open(url, user)


def _make_hub(stage: Stage) -> str:
    """Make a hub with two bundles for the tour's rater, and return its address."""
    folder = stage.folder / FOLDER
    address = FolderAddress(str(folder))
    token = secrets.token_hex
    means = store_hub_environment(stage.folder, clock=time.monotonic, now=stage.now, token=lambda: token(8))
    hub = open_hub(address, means)
    progress = Progress()
    init_hub(hub, PROJECT, TITLE, stage.now(), progress)
    for bundle in (sample_bundle_path(), sample_bundle_path("practice")):
        publish_bundle(hub, bundle, [stage.rater], chance=random.random, progress=progress)
    hub.close()
    return address.url


def play_connect(stage: Stage) -> None:
    """Enter the address of the hub."""
    for banner in ("transfer", "signing"):
        stage.window.banners.drop(banner)
    stage.act("hub")
    fields = stage.hub.joining.dialog.connect_page.fields
    fields.address.setText(ADDRESS)
    fields.user.setText(USER)
    fields.password.setText(Secret(PASSWORD).reveal())
    fields.password.setFocus()


def play_probed(stage: Stage) -> None:
    """Show what the hub supports and holds."""
    joining, exchange = stage.hub.joining, stage.hub.exchange
    page = joining.dialog.connect_page
    page.fields.address.setText(_make_hub(stage))
    page.confirm()
    stage.wait(lambda: joining.dialog.page is joining.dialog.found_page)
    stage.wait(lambda: len(exchange.hub_state.to_import) == 2 and not exchange.is_running)


def play_arrivals(stage: Stage) -> None:
    """Show new bundles in the banner that appears during work."""
    stage.hub.joining.dialog.accept()
    stage.hub.exchange.start()
    stage.wait(lambda: stage.hub.banners.banner("arrivals") is not None)


def play_offline(stage: Stage) -> None:
    """Queue results without a network."""
    stage.hub.arrivals.import_all()
    stage.wait(lambda: not stage.hub.arrivals.is_running)
    stage.hub.banners.drop("importing")
    staged(stage).offline = True
    _sync(stage)


def play_state(stage: Stage) -> None:
    """Show the queues and the time of the last sync."""
    staged(stage).offline = False
    _sync(stage)
    stage.hub.banners.drop("hub")
    stage.act("hub")


def play_disconnect(stage: Stage) -> None:
    """Show the confirmation before disconnecting."""
    stage.hub.joining.dialog.state_page.ask("disconnect")


def settle(stage: Stage) -> None:
    """Lay out the dialog again for another frame."""
    stage.hub.joining.dialog.fit(anew=True)


def leave(stage: Stage) -> None:
    """Close the dialog."""
    stage.hub.joining.dialog.accept()


def play_publish(stage: Stage) -> None:
    """Publish a bundle as a lead."""
    dialog = PublishDialog(stage.window)
    dialog.ask(TITLE, ("ana", "ben", "cleo"))
    dialog.set_bundle(Path("long-answers-part-2.zip"))
    dialog.raters.show_text("ana\nben")
    dialog.show_error("")


def leave_publish(stage: Stage) -> None:
    """Close the publish dialog."""
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
    """Return the tour's access to hubs."""
    assert isinstance(stage.reach, StagedReach)
    return stage.reach
