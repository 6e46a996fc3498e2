"""The figures of a bundle's results as one struct: the commands, the CSV, the HTML page and the window show the same."""

from __future__ import annotations

import msgspec

from desktop_rater.audit.judged import Judged, Value


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """A figure, the ends of its 95 % interval, and how many units or tasks it rests on. Without a value `why` says why."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    why: str = ""


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """How far raters agree on one question. `figures`: name as in `stats.agreement_figures` → figure.

    `units` have two ratings or more; `pairs` are pairs of ratings of one unit.
    """

    question: Judged
    figures: dict[str, Figure]
    units: int = 0
    ratings: int = 0
    pairs: int = 0


class Confusion(msgspec.Struct, frozen=True, kw_only=True):
    """Values given (rows) against what most of the others gave (columns), in the order of `values`.

    `tied`: ratings of units where the others have no majority; they are in no cell.
    """

    question: str
    values: tuple[Value, ...]
    counts: tuple[tuple[int, ...], ...]
    tied: int = 0


class Differing(msgspec.Struct, frozen=True, kw_only=True):
    """A unit on which raters differ. `given`: value → how many gave it, the most first; `distance` is from 0 to 1.

    For one rater `own` is what that rater gave, and `given` what the others did.
    """

    task: str
    where: str
    question: str
    quote: str
    given: tuple[tuple[Value, int], ...]
    distance: float
    own: Value | None = None


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """Active seconds: median, the 10th and the 90th percentile; `n` of them."""

    median: float
    low: float
    high: float
    n: int


class OfRater(msgspec.Struct, frozen=True, kw_only=True):
    """All figures of one rater. `labels`: question → how often each value was given, in the order of its values.

    `alone`: the figure against the majority of the others for the main question.
    """

    rater: str
    model: bool = False
    tasks: int = 0
    skipped: int = 0
    targets: int = 0
    per_task: Spread | None = None
    per_target: Spread | None = None
    labels: dict[str, tuple[int, ...]] = {}
    claims: int = 0
    evidence: int = 0
    unopened: int = 0
    unquoted: int = 0
    unkept: int = 0
    warnings_left: int = 0
    warnings_let_stand: int = 0
    revisions: int = 0
    others: dict[str, Figure] = {}  # question → Krippendorff's alpha of this rater with the others
    gold: Figure = Figure()
    repeats: Figure = Figure()
    texts: Figure = Figure()
    differing: tuple[Differing, ...] = ()


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All of it. `raters` by name, never in another order. `results`: how many zips of results it rests on.

    `values`: question → its values in the order of the rubric. `guideline_seconds`: what a rule asks to search for at
    least before a label, with that label's words.
    """

    bundle: str
    title: str
    seed: int
    computed: str
    results: int
    tasks: int
    targets: int
    raters: tuple[OfRater, ...]
    agreement: tuple[Agreement, ...]
    confusions: tuple[Confusion, ...]
    differing: tuple[Differing, ...] = ()
    guideline_seconds: float | None = None
    guideline_label: str = ""
