"""Settings of a user, as one table. The dialog, the file and the checks are built from it."""

import re
from collections.abc import Iterable
from typing import Any, Literal

import msgspec
from msgspec import Struct

from desktop_rater.translation import N_

SETTINGS_CONTEXT = "Settings"
RATER_SECTION = N_("Settings", "Rater")
APPEARANCE_SECTION = N_("Settings", "Appearance")
WORK_SECTION = N_("Settings", "Work")
PAGES_SECTION = N_("Settings", "Pages")
HUB_SECTION = N_("Settings", "Hub")
MODEL_SECTION = N_("Settings", "Language model")
UPDATES_SECTION = N_("Settings", "Updates")
KEYS_SECTION = N_("Settings", "Keys")

SettingKind = Literal["text", "choice", "number", "keys", "texts", "sizes"]
MAX_PANE_SIZES, MAX_PANE_SIZE = 100, 10_000
MAX_TEXT_NAME, MAX_TEXTS_LENGTH = 60, 100_000
PRICE_PATTERN = r"[0-9]{1,6}(\.[0-9]{1,6})?"


class Setting(Struct, frozen=True):
    """A row: a text up to `max` characters, one of the `choices` (id, text), or a number from `min` to `max`.

    A text with a `pattern` is empty or matches it; one that `names` a person has one spelling. A setting without a
    section is set in the window itself.
    """

    id: str
    section: str
    kind: SettingKind
    label: str
    choices: tuple[tuple[str, str], ...] = ()
    min: int = 0
    max: int = 0
    step: int = 1
    unit: str = ""
    hint: str = ""
    pattern: str = ""
    names: bool = False

    @property
    def default(self) -> Any:
        return getattr(Settings(), self.id)

    def accepts(self, value: Any) -> bool:
        match self.kind:
            case "text":
                if not isinstance(value, str) or len(value) > self.max or not value.isprintable():
                    return False
                return not (self.pattern and value) or re.fullmatch(self.pattern, value) is not None
            case "choice":
                return value in [name for name, _label in self.choices]
            case "number":
                return isinstance(value, int) and not isinstance(value, bool) and self.min <= value <= self.max
            case "sizes":
                return isinstance(value, dict) and len(value) <= MAX_PANE_SIZES and all(map(_is_size, value.values()))
        return isinstance(value, dict) and (_are_texts(value) if self.kind == "texts" else _are_strings(value.values()))


def _are_texts(value: dict[Any, Any]) -> bool:
    texts = (*value, *value.values())
    names = _are_strings(texts) and all(name.isprintable() and 0 < len(name) <= MAX_TEXT_NAME for name in value)
    return names and sum(map(len, texts)) <= MAX_TEXTS_LENGTH


def _are_strings(values: Iterable[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MAX_PANE_SIZE


LEAD_ROLE = "lead"
"""Value of the setting `role` for a QA lead."""
AS_SYSTEM = ("system", N_("Settings", "Follow the system"))

SETTINGS: tuple[Setting, ...] = (
    Setting(
        "rater",
        RATER_SECTION,
        "text",
        N_("Settings", "Your name in ratings"),
        max=80,
        hint=N_("Settings", "Earlier ratings keep the name under which they were made."),
        names=True,
    ),
    Setting(
        "role",
        RATER_SECTION,
        "choice",
        N_("Settings", "Role"),
        choices=(
            ("rater", N_("Settings", "Rater")),
            (LEAD_ROLE, N_("Settings", "QA lead")),
        ),
        hint=N_("Settings", "QA leads have three additional screens: review, report and systems."),
    ),
    Setting(
        "theme",
        APPEARANCE_SECTION,
        "choice",
        N_("Settings", "Theme"),
        choices=(
            AS_SYSTEM,
            ("light", N_("Settings", "Light")),
            ("dark", N_("Settings", "Dark")),
        ),
    ),
    Setting(
        "contrast",
        APPEARANCE_SECTION,
        "choice",
        N_("Settings", "Contrast"),
        choices=(
            AS_SYSTEM,
            ("high", N_("Settings", "High")),
            ("normal", N_("Settings", "Normal")),
        ),
    ),
    Setting("zoom", APPEARANCE_SECTION, "number", N_("Settings", "Zoom"), min=50, max=300, step=10, unit=" %"),
    Setting(
        "reading_size",
        APPEARANCE_SECTION,
        "number",
        N_("Settings", "Text size of responses"),
        min=13,
        max=24,
        unit=" px",
    ),
    Setting(
        "language",
        APPEARANCE_SECTION,
        "choice",
        N_("Settings", "Language"),
        choices=(AS_SYSTEM, ("en", "English"), ("de", "Deutsch")),
        hint=N_("Settings", "Questions are always shown in the language of their rubric."),
    ),
    Setting(
        "pause_after",
        WORK_SECTION,
        "number",
        N_("Settings", "Pause the timer after"),
        min=10,
        max=600,
        step=10,
        unit=" s",
    ),
    Setting(
        "open_with",
        WORK_SECTION,
        "choice",
        N_("Settings", "Open with"),
        choices=(
            ("start", N_("Settings", "The start page")),
            ("place", N_("Settings", "Where I left off")),
        ),
    ),
    Setting(
        "goal",
        WORK_SECTION,
        "number",
        N_("Settings", "Goal: targets a day"),
        max=2_000,
        step=5,
        hint=N_("Settings", "0: no goal. Only you see it."),
    ),
    Setting(
        "differences",
        WORK_SECTION,
        "choice",
        N_("Settings", "Mark differences between two responses"),
        choices=(("off", N_("Settings", "Off")), ("on", N_("Settings", "By sentence"))),
    ),
    Setting(
        "scroll_together",
        WORK_SECTION,
        "choice",
        N_("Settings", "Scroll two responses"),
        choices=(
            ("off", N_("Settings", "Separately")),
            ("on", N_("Settings", "Together")),
        ),
    ),
    Setting(
        "spelling",
        WORK_SECTION,
        "choice",
        N_("Settings", "Check the spelling of comments"),
        choices=(
            ("off", N_("Settings", "Off")),
            ("task", N_("Settings", "In the task's language")),
            ("en", "English"),
            ("de", "Deutsch"),
        ),
        hint=N_("Settings", "With the dictionaries that the system has."),
    ),
    Setting(
        "text_blocks",
        WORK_SECTION,
        "texts",
        N_("Settings", "Text blocks"),
        hint=N_("Settings", "In a comment, type ; and the name of a block, then Tab."),
    ),
    Setting(
        "search_engine",
        PAGES_SECTION,
        "choice",
        N_("Settings", "Search for a claim with"),
        choices=(("duckduckgo", "DuckDuckGo"), ("bing", "Bing"), ("google", "Google"), ("wikipedia", "Wikipedia")),
        hint=N_("Settings", "The text of the claim is sent to the search engine. Google results require JavaScript."),
    ),
    Setting(
        "proxy",
        PAGES_SECTION,
        "text",
        N_("Settings", "Company proxy"),
        max=200,
        pattern=r"http://[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?:[1-9][0-9]{0,4}",
        hint=N_(
            "Settings",
            "http://host:port, or empty for none. All pages are then loaded through the proxy, and "
            "only the proxy blocks private addresses.",
        ),
    ),
    Setting(
        "sync_minutes",
        HUB_SECTION,
        "number",
        N_("Settings", "Sync automatically every"),
        max=1_440,
        step=5,
        unit=" min",
        hint=N_("Settings", "0: sync only manually."),
    ),
    Setting(
        "sync_red_days",
        HUB_SECTION,
        "number",
        N_("Settings", "Warn after no sync for"),
        min=1,
        max=90,
        unit=" d",
    ),
    Setting(
        "notify",
        HUB_SECTION,
        "choice",
        N_("Settings", "Notify when work arrives"),
        choices=(("on", N_("Settings", "On")), ("off", N_("Settings", "Off"))),
        hint=N_("Settings", "Only while the window is in the background. The message names no task."),
    ),
    Setting(
        "hub_certificates",
        HUB_SECTION,
        "text",
        N_("Settings", "Certificate file"),
        max=2_000,
        pattern=r".+",  # anything; it may also be empty
        hint=N_(
            "Settings",
            "A PEM file, needed if the hub's certificate is not issued by a public authority. Your "
            "project tells you if you need one.",
        ),
    ),
    Setting(
        "endpoint",
        MODEL_SECTION,
        "text",
        N_("Settings", "Endpoint address"),
        max=200,
        pattern=r"https?://[^\s@?#]+",
        hint=N_(
            "Settings",
            "Needed only to score justifications, or to let a model propose how a target is split into claims, for "
            "example https://host/v1. The texts concerned are sent there.",
        ),
    ),
    Setting("model", MODEL_SECTION, "text", N_("Settings", "Model"), max=200),
    Setting(
        "price_in",
        MODEL_SECTION,
        "text",
        N_("Settings", "Price per million input tokens"),
        max=13,
        pattern=PRICE_PATTERN,
    ),
    Setting(
        "price_out",
        MODEL_SECTION,
        "text",
        N_("Settings", "Price per million output tokens"),
        max=13,
        pattern=PRICE_PATTERN,
        hint=N_("Settings", "In any currency. Costs are shown only if both prices are set."),
    ),
    Setting(
        "update_place",
        UPDATES_SECTION,
        "text",
        N_("Settings", "Place of updates"),
        max=2_000,
        hint=N_("Settings", "A folder, an https:// address, or hub for your team's hub. Your project tells you."),
    ),
    Setting(
        "update_check",
        UPDATES_SECTION,
        "choice",
        N_("Settings", "Look for updates"),
        choices=(
            ("off", N_("Settings", "Never")),
            ("daily", N_("Settings", "Once a day")),
        ),
        hint=N_("Settings", "Only at that place. Nothing is installed."),
    ),
    Setting("keys", KEYS_SECTION, "keys", N_("Settings", "Keyboard shortcuts")),
    Setting("own_words", "", "texts", ""),
    Setting("panes", "", "sizes", ""),
    Setting("guide", "", "choice", "", choices=(("new", ""), ("ended", ""))),
    Setting("bundle_order", "", "choice", "", choices=tuple((order, order) for order in ("due", "recent", "name"))),
    Setting("window_place", "", "text", "", max=400, pattern=r"[A-Za-z0-9+/]+={0,2}"),
    Setting("page_window_place", "", "text", "", max=400, pattern=r"[A-Za-z0-9+/]+={0,2}"),
)
SETTINGS_BY_ID = {setting.id: setting for setting in SETTINGS}


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Values of all settings, a field for each row of the table. `keys`: action id → key that replaces its first.

    `panes`: layout and pane → width at 100 %, or share of the available width in thousandths. `window_place`: place,
    size and state of the window, as Qt saves them, in Base64; `page_window_place`: those of the window of the page.
    """

    rater: str = ""
    role: str = "rater"
    theme: str = "system"
    contrast: str = "system"
    zoom: int = 100
    reading_size: int = 15
    language: str = "system"
    pause_after: int = 120
    open_with: str = "start"
    goal: int = 0
    differences: str = "off"
    scroll_together: str = "off"
    search_engine: str = "duckduckgo"
    proxy: str = ""
    sync_minutes: int = 15
    sync_red_days: int = 3
    notify: str = "on"
    hub_certificates: str = ""
    endpoint: str = ""
    model: str = ""
    price_in: str = ""
    price_out: str = ""
    update_place: str = ""
    update_check: str = "off"
    keys: dict[str, str] = {}
    spelling: str = "task"
    text_blocks: dict[str, str] = {}
    own_words: dict[str, str] = {}
    panes: dict[str, int] = {}
    guide: str = "new"
    bundle_order: Literal["due", "recent", "name"] = "due"
    window_place: str = ""
    page_window_place: str = ""


def with_setting(settings: Settings, name: str, value: Any) -> Settings:
    """Return `settings` with one value changed. Raises `ValueError` if the setting does not accept it."""
    if not SETTINGS_BY_ID[name].accepts(value):
        raise ValueError(f"{name} can't be {value!r}")
    return msgspec.structs.replace(settings, **{name: value})


def stepped_value(settings: Settings, name: str, steps: int) -> int:
    """Return a number setting moved by `steps` of its step size, within its bounds; 0 steps is the default."""
    row = SETTINGS_BY_ID[name]
    value = getattr(settings, name) + steps * row.step if steps else row.default
    return max(row.min, min(row.max, value))


def parse_settings(raw: dict[str, Any]) -> tuple[Settings, tuple[str, ...]]:
    """Return the settings from decoded JSON, and the names of those with invalid values, which get the default."""
    wrong = tuple(row.id for row in SETTINGS if row.id in raw and not row.accepts(raw[row.id]))
    return Settings(**{row.id: raw[row.id] for row in SETTINGS if row.id in raw and row.id not in wrong}), wrong
