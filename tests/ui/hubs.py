"""Windows and a team's hub: how the tests of the window set up the one and the other."""

import time
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

from PySide6.QtWidgets import QApplication

from desktop_rater import app
from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import Secret
from desktop_rater.hub.interface import SignIn
from desktop_rater.operations.hub.connect import HubSecrets, init_hub
from desktop_rater.operations.hub.keys import open_rater_keys
from desktop_rater.operations.rating.settings_file import SettingsFile
from desktop_rater.settings import Settings
from desktop_rater.store import mailbox
from desktop_rater.ui.hub.exchange import HubAccess
from tests.operations.bundles import NOON, RATER, make, noon, task
from tests.operations.hubs import PROJECT, Around, Failing, Team, fails
from tests.readers import reader_of
from tests.ui.rooms import Rooms, press, press_until
from tests.ui.window_parts import WindowParts

NEVER = Settings(rater=RATER, sync_minutes=0)  # only when the test says so


def reach_for(folder: Path, keyrings: Any = list, now: Any = noon) -> HubAccess:
    """Reaches hubs on this computer, and asks no keyring of this computer."""
    keys = open_rater_keys(folder, {}, keyrings=list)
    return HubAccess(folder, now, passwords=HubSecrets({}, keyrings=keyrings), keys=keys, allow_loopback=True)


def window_on(rooms: Rooms, **given: Any) -> app.Application:
    """A window on the test's store, which syncs when it is told to."""
    folder = rooms.folder / "store"
    given.setdefault("reach", reach_for(folder))
    given.setdefault("settings", SettingsFile(settings=NEVER))
    given.setdefault("rater", RATER)
    given.setdefault("now", noon)
    room = rooms.open(**given)
    rooms.qtbot.waitUntil(lambda: WindowParts(room).stack.currentIndex() > 0, timeout=15_000)
    return room


def assigned(team: Any, folder: Path, name: str = "kelp", *tasks: str, rater: str = RATER) -> Path:
    """A bundle that lies on the hub for the rater."""
    path = make(folder / f"{name}.zip", [task(one) for one in tasks or ("t1",)])
    team.publish(path, rater, tasks=len(tasks) or 1)
    return path


def dialog_of(room: app.Application) -> Any:
    return room.hub.joining.dialog


def open_dialog(rooms: Rooms, room: app.Application) -> Any:
    """By key, until the dialog has the keys."""
    press("Ctrl+Shift+H")
    dialog = dialog_of(room)
    rooms.qtbot.waitUntil(lambda: QApplication.activeWindow() is dialog and dialog.focusWidget() is not None)
    return dialog


def connect(rooms: Rooms, room: app.Application, url: str) -> None:
    """Connect as a rater does: by key, the address, Enter."""
    dialog = open_dialog(rooms, room)
    dialog.connect_page.fields.address.setText(url)
    press("Return")
    rooms.qtbot.waitUntil(lambda: dialog.page is dialog.found_page, timeout=15_000)
    settled(rooms, room)


def settled(rooms: Rooms, room: app.Application) -> None:
    """Until no sync runs, and what the window shows of the hub is what the store knows."""
    exchange = room.hub.exchange
    rooms.qtbot.waitUntil(lambda: not exchange.is_running and exchange.hub_state.hub is not None, timeout=15_000)
    read: list[object] = []
    room.perform.ask(lambda _store: None, done=read.append)  # the queue is one after the other
    rooms.qtbot.waitUntil(lambda: bool(read))


def sync(rooms: Rooms, room: app.Application) -> Any:
    """F5, and what came of it."""
    ended: list[Any] = []
    room.hub.exchange.ended.connect(ended.append)
    rooms.qtbot.waitUntil(lambda: QApplication.activeWindow() is room.window)
    press("F5")
    rooms.qtbot.waitUntil(lambda: bool(ended), timeout=15_000)
    room.hub.exchange.ended.disconnect(ended.append)
    settled(rooms, room)
    return ended[0]


def close_dialog(rooms: Rooms, room: app.Application) -> None:
    """Esc, until the window has the keys again."""
    press_until(rooms.qtbot, lambda: not dialog_of(room).isVisible(), "Escape")
    rooms.qtbot.waitUntil(lambda: QApplication.activeWindow() is room.window)


def banner(room: app.Application, key: str) -> str | None:
    return room.hub.banners.text(key)


def rate_all(rooms: Rooms, room: app.Application) -> None:
    """Rate what the bundle holds: of each task there is one question with one answer that ends it."""
    done: list[object] = []
    room.desk.all_done.connect(partial(done.append, True))
    while not done:
        rooms.wait_for_task(room)
        here = room.session.task
        press("N", "Ctrl+Shift+Return")
        rooms.qtbot.waitUntil(lambda here=here: bool(done) or room.session.task is not here)
    rooms.wait_until_saved(room)


class ServedTeam(Team):
    """A hub on a server that wants a password."""

    def __init__(self, url: str, user: str, password: str, folder: Path) -> None:
        super().__init__(url, lambda: None)
        self._reach = reach_for(folder)
        self._sign_in = SignIn(user, Secret(password))
        with self.opened() as hub:
            init_hub(hub, PROJECT, "Kelp", NOON, Progress())

    def opened(self) -> Any:
        return closing(self._reach.open_for_trial(self.url, self._sign_in, ""))


def joined_window(rooms: Rooms, team: Any, **given: Any) -> app.Application:
    """A window that is connected, and has taken in what was assigned."""
    room = window_on(rooms, **given)
    connect(rooms, room, team.url)
    rooms.qtbot.waitUntil(lambda: bool(room.hub.exchange.hub_state.to_import), timeout=15_000)
    press("Return")
    rooms.wait_for_task(room)
    rooms.qtbot.waitUntil(lambda: QApplication.activeWindow() is room.window)
    settled(rooms, room)
    return room


def status(room: app.Application) -> str:
    return WindowParts(room).status.hub.text()


def failing(room: Any, kind: str, verb: str = "list", part_of_name: str = "", **more: Any) -> Any:
    """From now on the hub fails so, until what is given back is called."""
    means = room.hub.exchange._means
    whole = means.open
    means.open = lambda url, user: Failing(whole(url, user), fails(kind, verb, part_of_name, **more))

    def mend() -> None:
        means.open = whole

    return mend


def slow(room: Any, verb: str, begins: str = "") -> Event:
    """From now on the hub takes for ever over that, and listens to who cancels; set as soon as it was asked."""
    means, asked = room.hub.exchange._means, Event()
    whole = means.open

    def opened(url: str, user: str) -> Any:
        hub = whole(url, user)

        def for_ever(name: str, *given: Any) -> Any:
            if not name.startswith(begins):
                return getattr(hub, verb)(name, *given)
            asked.set()
            progress = next(one for one in given if isinstance(one, Progress))
            while True:
                progress(0, 0)
                time.sleep(0.001)

        return Around(hub, **{verb: for_ever})

    means.open = opened
    return asked


def outgoing(rooms: Rooms) -> list[tuple[str, str]]:
    """The results in the outbox: (bundle, state)."""
    with reader_of(rooms.folder / "store") as reader:
        return [(one.bundle, one.state) for one in mailbox.list_items(reader, PROJECT) if one.kind == "results"]
