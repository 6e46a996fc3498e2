"""The colours of the window by use, in four sets. A test compares their names with the table in `docs/design.md`."""

from typing import Literal

from msgspec import Struct, structs

UnderlineStyle = Literal["solid", "zigzag", "dots", "dashes", "dotted", "none"]


class Tone(Struct, frozen=True):
    """The look of a label: its ink, the tint under its text, its shape and the line under its text."""

    ink: str
    tint: str
    shape: str
    line: UnderlineStyle
    width: float = 0.0


class Tokens(Struct, frozen=True):
    """A set of colours. Adjacent pairs have the contrast of WCAG AA: 4.5 for text, 3 for edges and shapes."""

    dark: bool
    high: bool
    win: str
    panel: str
    surface: str
    raised: str
    line: str
    edge: str
    text: str
    text2: str
    text3: str
    accent: str
    accent_text: str
    sel: str
    hover: str
    cur: str
    cur_edge: str
    pick: str
    block: str
    block_back: str
    warn: str
    warn_back: str
    info: str
    info_back: str
    ok: str
    box: float = 1.5  # the width of the box around the current target
    tones: dict[str, Tone] = {}


def _tones(inks: dict[str, tuple[str, str]]) -> dict[str, Tone]:
    return {name: structs.replace(TONE_LOOKS[name], ink=ink, tint=tint) for name, (ink, tint) in inks.items()}


# Shape and line are the primary cues, the same in every set; ink and tint depend on the set.
TONE_LOOKS: dict[str, Tone] = {
    "accurate": Tone("", "", "circle-tick", "solid", 1.6),
    "inaccurate": Tone("", "", "square-cross", "zigzag", 1.2),
    "unsupported": Tone("", "", "diamond-question", "dots", 2.0),
    "disputed": Tone("", "", "half-circle", "dashes", 1.6),
    "not factual": Tone("", "", "ring-bar", "none"),
    "skipped": Tone("", "", "bar-triangle", "none"),
}

LIGHT = Tokens(
    dark=False,
    high=False,
    win="#F1F1EF",
    panel="#F8F8F6",
    surface="#FFFFFF",
    raised="#FFFFFF",
    line="#DCDCD8",
    edge="#7E8187",
    text="#1A1C1F",
    text2="#50545A",
    text3="#676B72",
    accent="#1A5AC8",
    accent_text="#FFFFFF",
    sel="#DCE8FC",
    hover="#EAEAE7",
    cur="#CFE1FF",
    cur_edge="#1A5AC8",
    pick="#A9CBFF",
    block="#B0241C",
    block_back="#FDEEEC",
    warn="#775000",
    warn_back="#FDF5DC",
    info="#1A1C1F",
    info_back="#E9F1FE",
    ok="#0B6A58",
    tones=_tones(
        {
            "accurate": ("#0B6A58", "#D9F1EB"),
            "inaccurate": ("#AC2A14", "#FDE0D8"),
            "unsupported": ("#775000", "#FAEEC9"),
            "disputed": ("#7030A0", "#F0E4F9"),
            "not factual": ("#565A60", "#EAEAE7"),
            "skipped": ("#565A60", "#FFFFFF"),
        }
    ),
)
DARK = Tokens(
    dark=True,
    high=False,
    win="#141517",
    panel="#191A1D",
    surface="#1E2023",
    raised="#26282C",
    line="#34373C",
    edge="#82868D",
    text="#E9E9E7",
    text2="#B4B8BE",
    text3="#989CA4",
    accent="#84B2FF",
    accent_text="#0E1A2E",
    sel="#233A5E",
    hover="#2A2D31",
    cur="#27477A",
    cur_edge="#84B2FF",
    pick="#3A64A8",
    block="#FF9F96",
    block_back="#331E1D",
    warn="#EDC560",
    warn_back="#2D2716",
    info="#E9E9E7",
    info_back="#1C2838",
    ok="#76D6BF",
    tones=_tones(
        {
            "accurate": ("#76D6BF", "#15392F"),
            "inaccurate": ("#FFA08E", "#4A251D"),
            "unsupported": ("#EDC560", "#3D3214"),
            "disputed": ("#D6A9F7", "#3A2749"),
            "not factual": ("#B0B3B9", "#2F3236"),
            "skipped": ("#B0B3B9", "#1E2023"),
        }
    ),
)


def _high(dark: bool, text: str, surface: str, accent: str, *, pick: str) -> Tokens:
    """Return a high-contrast set: all backgrounds are the surface, all lines, edges and inks the text colour."""
    grounds = ("win", "panel", "surface", "raised", "sel", "hover", "cur", "block_back", "warn_back", "info_back")
    inks = ("line", "edge", "text", "text2", "text3", "cur_edge", "block", "warn", "info", "ok")
    return Tokens(
        dark=dark,
        high=True,
        accent=accent,
        accent_text=surface,
        pick=pick,
        box=3.0,
        tones=_tones(dict.fromkeys(TONE_LOOKS, (text, surface))),
        **dict.fromkeys(grounds, surface),
        **dict.fromkeys(inks, text),
    )


HIGH_LIGHT = _high(False, "#000000", "#FFFFFF", "#003399", pick="#A9CBFF")
HIGH_DARK = _high(True, "#FFFFFF", "#000000", "#9CC4FF", pick="#24457F")
SETS: dict[str, Tokens] = {"light": LIGHT, "dark": DARK, "high light": HIGH_LIGHT, "high dark": HIGH_DARK}

# Spacing and type of the design, in pixels at 100 %.
SPACES = (4, 8, 12, 16, 24, 32)
PANE, BETWEEN, UNDER_LABEL, CHOICES = 16, 16, 6, 5
ROW, ONE_LINE_ROW, CONTROL, TOOL, CONTROL_RADIUS, BOX_RADIUS, MARK_RADIUS = 44, 30, 30, 26, 4, 6, 2
TYPE: dict[str, tuple[int, int]] = {
    "small": (12, 16),
    "interface": (13, 18),
    "prompt": (14, 21),
    "reading": (15, 27),
    "tall reading": (17, 33),
    "title": (19, 26),
}
