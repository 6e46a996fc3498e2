"""A lead and two raters, each with a window on a store of their own, and a team's hub between them."""

from desktop_rater import app
from desktop_rater.audit.results import Verdict
from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import Secret
from desktop_rater.hub.interface import SignIn
from desktop_rater.operations.hub.connect import HubSecrets, init_hub
from desktop_rater.operations.hub.keys import open_rater_keys
from desktop_rater.operations.rating.settings_file import SettingsFile
from desktop_rater.settings import Settings
from desktop_rater.store import mailbox, reviews
from desktop_rater.ui.hub.exchange import HubAccess
from tests.operations.bundles import NOON, make, noon, task
from tests.operations.test_keep_secrets import keyring
from tests.readers import reader_of
from tests.ui.rooms import Rooms, Text, loopback_web, part, press, type_text

PROJECT, TITLE = "kelp-2026", "Kelp in November"
LONGEST_MS = 30_000


class OnAStick:
    """A hub in a folder that can be taken away."""

    user = password = ""

    def __init__(self, folder):
        self.files = folder / "stick"
        self.files.mkdir()
        self.url = f"folder:{self.files}"

    def away(self):
        self.files.rename(self.files.with_name("pocket"))

    def back(self):
        self.files.with_name("pocket").rename(self.files)


class OnAServer:
    """A hub on Apache, which can be stopped. `proxy`: what stands before it, if anything does."""

    def __init__(self, apache, user, password, proxy=None):
        self.apache, self.proxy = apache, proxy
        self.user, self.password = user, password
        self.url = apache.url("kelp") if proxy is None else f"webdav://127.0.0.1:{proxy.port}/dav/kelp"
        self.files = apache.files / "kelp"

    def away(self):
        self.apache.stop()

    def back(self):
        self.apache.start()


class HubPlay:
    """The windows, by who sits there; whoever comes to the front has the keyboard."""

    def __init__(self, qtbot, folder, clock, place, keyrings=("keyring.backends.SecretService.Keyring",)):
        self.qtbot, self.folder, self.clock, self.place = qtbot, folder, clock, place
        self.rooms, self.windows, self.reaches = {}, {}, {}
        self._keyrings = keyrings
        tasks = [task("t1", "Paris is the capital of France.", "It lies on the Loire."), task("t2")]
        self.bundle = make(folder / "kelp.zip", tasks, title="Kelp")
        self._set_up()

    def _set_up(self):
        """What the lead does once, on the command line."""
        reach = self.reach("Lena")
        hub = reach.open_for_trial(self.place.url, self.sign_in, "")
        key = reach.keys.for_use("Lena").key
        init_hub(hub, PROJECT, TITLE, NOON, Progress(), key.public if key is not None else "")
        hub.close()

    @property
    def sign_in(self):
        return SignIn(self.place.user, Secret(self.place.password))

    def reach(self, who):
        """How that person's window reaches hubs: with a keyring of their own."""
        if who not in self.reaches:
            home = self.folder / who
            home.mkdir()
            own = [keyring(name) for name in self._keyrings]
            passwords, keys = HubSecrets({}, lambda: own), open_rater_keys(home / "store", {}, lambda: own)
            self.reaches[who] = HubAccess(home / "store", noon, passwords=passwords, keys=keys, allow_loopback=True)
        return self.reaches[who]

    def window(self, who, role="rater"):
        """Somebody opens the program."""
        rooms = self.rooms.setdefault(who, Rooms(self.qtbot, self.folder / who, self.clock))
        room = app.build_application(
            self.folder / who / "store",
            rater="",
            now=noon,
            clock=self.clock,
            files=rooms.files,
            web=loopback_web(),
            settings=SettingsFile(self.folder / who / "settings.json", Settings(rater=who, role=role, sync_minutes=0)),
            reach=self.reach(who),
        )
        rooms.open_now.append(room)
        self.windows[who] = room
        room.window.resize(1440, 900)
        room.window.show()
        self.to_front(who)
        return room

    def to_front(self, who):
        room = self.windows[who]
        room.window.activateWindow()
        self.wait(room.window.isActiveWindow)
        return room

    def close(self):
        for rooms in self.rooms.values():
            rooms.close()

    def wait(self, there):
        self.qtbot.waitUntil(there, timeout=LONGEST_MS)

    def press_until(self, there, *keys):
        press(*keys)
        self.wait(there)

    # -- what everybody does

    def connect(self, who):
        """By the hub's dialog, as far as to what was found there."""
        room = self.to_front(who)
        dialog = room.hub.joining.dialog
        press("Ctrl+Shift+H")
        self.wait(dialog.isActiveWindow)
        type_text(self.place.url)
        if self.place.user:
            press("Tab", "Tab", Text(self.place.user), "Tab", Text(self.place.password))
        press("Return")
        self.wait(lambda: dialog.page is dialog.found_page)
        self.wait(lambda: not room.hub.exchange.is_running and room.hub.exchange.hub_state.hub is not None)
        return room

    def sync(self, who):
        """F5, until it is over: what it came to."""
        room = self.to_front(who)
        self.wait(lambda: not room.hub.exchange.is_running)
        with self.qtbot.waitSignal(room.hub.exchange.ended, timeout=LONGEST_MS) as ended:
            press("F5")
        self.wait(lambda: not room.hub.exchange.is_running)
        return ended.args[0]

    def rate_all(self, who, accuracy="A"):
        """Each target of each task, by key: factual, common knowledge, and how accurate."""
        room = self.to_front(who)
        for name, targets in (("t1", 2), ("t2", 1)):
            self.wait(lambda name=name: room.session.task is not None and room.session.task.id == name)
            for _ in range(targets):
                press("Y", "1", accuracy, "Return")
            if room.session.task.id == name:
                self.wait(lambda: room.session.rating.status == "complete")
                self.rooms[who].wait_until_saved(room)
        self.rooms[who].wait_until_saved(room)

    def says(self, who, key):
        """A banner of somebody's window; "" where it is not shown."""
        return self.windows[who].hub.banners.text(key) or ""

    def text(self, who, name):
        return part(self.windows[who], name).text()

    def look(self, who, look):
        """What a store says, read past the window."""
        with reader_of(self.folder / who / "store") as reader:
            return look(reader)

    def outgoing(self, who):
        """Kind and state of all that goes from there."""
        return [(one.kind, one.state) for one in self.look(who, lambda store: mailbox.list_items(store, PROJECT))]

    def came(self, who):
        return [(one.kind, one.state) for one in self.look(who, lambda store: mailbox.list_arrivals(store, PROJECT))]

    def verdict(self, rater, place=("t1", "targets/s2")):
        """What the lead said of a rating; "" where nothing."""
        found = self.look("Lena", lambda store: reviews.newest_review(store, "kelp", ("verdict", *place, rater)))
        return "" if found is None else found.read(Verdict).kind
