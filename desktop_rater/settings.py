"""What a user can set, as one table. The dialog, the file and the checks are built from it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

import msgspec


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # noqa: N802 - the translators' tools find this very name
    """Mark a text for the translators' tools. This floor knows no Qt."""
    del context
    return text


CONTEXT = "Settings"
RATER = QT_TRANSLATE_NOOP("Settings", "Rater")
LOOK = QT_TRANSLATE_NOOP("Settings", "Look")
WORK = QT_TRANSLATE_NOOP("Settings", "Work")
PAGES = QT_TRANSLATE_NOOP("Settings", "Pages")
HUB = QT_TRANSLATE_NOOP("Settings", "Hub")
MODEL = QT_TRANSLATE_NOOP("Settings", "Language model")
KEYS = QT_TRANSLATE_NOOP("Settings", "Keys")

Kind = Literal["text", "choice", "number", "keys", "sizes"]
MOST_SIZES, LARGEST_SIZE = 100, 10_000
PRICE = r"[0-9]{1,6}(\.[0-9]{1,6})?"


@dataclass(frozen=True)
class Setting:
    """One row: a text up to `max` characters, one of the `choices` (id, words), or a number from `min` to `max`.

    A text that has a `pattern` is empty or looks like it. What has no section is set in the window itself.
    """

    id: str
    section: str
    kind: Kind
    default: Any
    label: str
    choices: tuple[tuple[str, str], ...] = ()
    min: int = 0
    max: int = 0
    step: int = 1
    unit: str = ""
    hint: str = ""
    pattern: str = ""
    anew: bool = False  # the window is built again

    def fits(self, value: Any) -> bool:
        """Whether the setting can have that value."""
        match self.kind:
            case "text":
                return isinstance(value, str) and len(value) <= self.max and value.isprintable() and self._alike(value)
            case "choice":
                return value in [name for name, _words in self.choices]
            case "number":
                return isinstance(value, int) and not isinstance(value, bool) and self.min <= value <= self.max
            case "sizes":
                return isinstance(value, dict) and len(value) <= MOST_SIZES and all(map(_is_size, value.values()))
        return isinstance(value, dict) and all(isinstance(key, str) for key in value.values())

    def _alike(self, text: str) -> bool:
        return not (self.pattern and text) or re.fullmatch(self.pattern, text) is not None


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= LARGEST_SIZE


AS_SYSTEM = ("system", QT_TRANSLATE_NOOP("Settings", "As the system"))

TABLE: tuple[Setting, ...] = (
    Setting(
        "rater",
        RATER,
        "text",
        "",
        QT_TRANSLATE_NOOP("Settings", "Your name in ratings"),
        max=80,
        hint=QT_TRANSLATE_NOOP("Settings", "Earlier ratings keep the name that they have."),
        anew=True,
    ),
    Setting(
        "role",
        RATER,
        "choice",
        "rater",
        QT_TRANSLATE_NOOP("Settings", "Your part"),
        choices=(
            ("rater", QT_TRANSLATE_NOOP("Settings", "Rater")),
            ("lead", QT_TRANSLATE_NOOP("Settings", "QA lead")),
        ),
        hint=QT_TRANSLATE_NOOP("Settings", "A QA lead has two rooms more: review and report."),
    ),
    Setting(
        "theme",
        LOOK,
        "choice",
        "system",
        QT_TRANSLATE_NOOP("Settings", "Theme"),
        choices=(
            AS_SYSTEM,
            ("light", QT_TRANSLATE_NOOP("Settings", "Light")),
            ("dark", QT_TRANSLATE_NOOP("Settings", "Dark")),
        ),
    ),
    Setting(
        "contrast",
        LOOK,
        "choice",
        "system",
        QT_TRANSLATE_NOOP("Settings", "Contrast"),
        choices=(
            AS_SYSTEM,
            ("high", QT_TRANSLATE_NOOP("Settings", "High")),
            ("normal", QT_TRANSLATE_NOOP("Settings", "Normal")),
        ),
    ),
    Setting("zoom", LOOK, "number", 100, QT_TRANSLATE_NOOP("Settings", "Zoom"), min=50, max=300, step=10, unit=" %"),
    Setting(
        "reading_size",
        LOOK,
        "number",
        15,
        QT_TRANSLATE_NOOP("Settings", "Size of the text that is rated"),
        min=13,
        max=24,
        unit=" px",
    ),
    Setting(
        "language",
        LOOK,
        "choice",
        "system",
        QT_TRANSLATE_NOOP("Settings", "Language"),
        choices=(AS_SYSTEM, ("en", "English"), ("de", "Deutsch")),
        hint=QT_TRANSLATE_NOOP("Settings", "Questions stay in the language of their rubric."),
        anew=True,
    ),
    Setting(
        "pause_after",
        WORK,
        "number",
        120,
        QT_TRANSLATE_NOOP("Settings", "Time rests without input after"),
        min=10,
        max=600,
        step=10,
        unit=" s",
    ),
    Setting(
        "differences",
        WORK,
        "choice",
        "off",
        QT_TRANSLATE_NOOP("Settings", "Differences between two responses"),
        choices=(
            ("off", QT_TRANSLATE_NOOP("Settings", "Not marked")),
            ("on", QT_TRANSLATE_NOOP("Settings", "Marked by sentence")),
        ),
    ),
    Setting(
        "scroll_together",
        WORK,
        "choice",
        "off",
        QT_TRANSLATE_NOOP("Settings", "Two responses scroll"),
        choices=(
            ("off", QT_TRANSLATE_NOOP("Settings", "Each by itself")),
            ("on", QT_TRANSLATE_NOOP("Settings", "Together")),
        ),
    ),
    Setting(
        "search_engine",
        PAGES,
        "choice",
        "duckduckgo",
        QT_TRANSLATE_NOOP("Settings", "Search for a claim with"),
        choices=(("duckduckgo", "DuckDuckGo"), ("bing", "Bing"), ("google", "Google"), ("wikipedia", "Wikipedia")),
        hint=QT_TRANSLATE_NOOP(
            "Settings", "The engine is sent the words of the claim. Google answers with JavaScript only."
        ),
    ),
    Setting(
        "proxy",
        PAGES,
        "text",
        "",
        QT_TRANSLATE_NOOP("Settings", "Your company's proxy"),
        max=200,
        pattern=r"http://[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?:[1-9][0-9]{0,4}",
        hint=QT_TRANSLATE_NOOP(
            "Settings",
            "As http://host:port, or empty. Every page then comes through it, and it alone keeps you from private"
            " addresses.",
        ),
        anew=True,
    ),
    Setting(
        "sync_minutes",
        HUB,
        "number",
        15,
        QT_TRANSLATE_NOOP("Settings", "Sync by itself every"),
        max=1_440,
        step=5,
        unit=" min",
        hint=QT_TRANSLATE_NOOP("Settings", "0: only when you say so."),
    ),
    Setting(
        "sync_red_days",
        HUB,
        "number",
        3,
        QT_TRANSLATE_NOOP("Settings", "Red without a sync for"),
        min=1,
        max=90,
        unit=" d",
    ),
    Setting(
        "hub_certificates",
        HUB,
        "text",
        "",
        QT_TRANSLATE_NOOP("Settings", "File with own certificates"),
        max=2_000,
        pattern=r".+",  # it may be empty again
        hint=QT_TRANSLATE_NOOP(
            "Settings",
            "As PEM, for a hub that no public authority vouches for. Your project says whether there is one.",
        ),
    ),
    Setting(
        "endpoint",
        MODEL,
        "text",
        "",
        QT_TRANSLATE_NOOP("Settings", "Address of the endpoint"),
        max=200,
        pattern=r"https?://[^\s@?#]+",
        hint=QT_TRANSLATE_NOOP(
            "Settings",
            "Only a QA lead needs it, to score justifications. Such as https://host/v1; "
            "texts that are scored go there.",
        ),
    ),
    Setting("model", MODEL, "text", "", QT_TRANSLATE_NOOP("Settings", "Model"), max=200),
    Setting(
        "price_in",
        MODEL,
        "text",
        "",
        QT_TRANSLATE_NOOP("Settings", "Price of a million tokens that are sent"),
        max=13,
        pattern=PRICE,
    ),
    Setting(
        "price_out",
        MODEL,
        "text",
        "",
        QT_TRANSLATE_NOOP("Settings", "Price of a million tokens that come back"),
        max=13,
        pattern=PRICE,
        hint=QT_TRANSLATE_NOOP("Settings", "In any currency. Without both no cost in money is shown."),
    ),
    Setting("keys", KEYS, "keys", {}, QT_TRANSLATE_NOOP("Settings", "Keys of actions")),
    Setting("panes", "", "sizes", {}, ""),
)
BY_ID = {setting.id: setting for setting in TABLE}


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What is set: a field for each row of the table. `keys` is action id → the key in the place of its first.

    `panes` is layout and pane → its width at 100 %, or its share of the room in thousandths.
    """

    rater: str = ""
    role: str = "rater"
    theme: str = "system"
    contrast: str = "system"
    zoom: int = 100
    reading_size: int = 15
    language: str = "system"
    pause_after: int = 120
    differences: str = "off"
    scroll_together: str = "off"
    search_engine: str = "duckduckgo"
    proxy: str = ""
    sync_minutes: int = 15
    sync_red_days: int = 3
    hub_certificates: str = ""
    endpoint: str = ""
    model: str = ""
    price_in: str = ""
    price_out: str = ""
    keys: dict[str, str] = {}
    panes: dict[str, int] = {}


def changed(settings: Settings, name: str, value: Any) -> Settings:
    """`settings` with another value. Raises `ValueError` where the setting can't have it."""
    if not BY_ID[name].fits(value):
        raise ValueError(f"{name} can't be {value!r}")
    return msgspec.structs.replace(settings, **{name: value})


def stepped(settings: Settings, name: str, steps: int) -> int:
    """The number that lies that many steps from where a setting stands, within its bounds; 0 steps is the default."""
    row = BY_ID[name]
    wanted = getattr(settings, name) + steps * row.step if steps else row.default
    return max(row.min, min(row.max, wanted))


def taken_from(raw: dict[str, Any]) -> tuple[Settings, tuple[str, ...]]:
    """The settings in decoded JSON, and the names of those that can't have their value: they get the default."""
    wrong = tuple(row.id for row in TABLE if row.id in raw and not row.fits(raw[row.id]))
    return Settings(**{row.id: raw[row.id] for row in TABLE if row.id in raw and row.id not in wrong}), wrong
