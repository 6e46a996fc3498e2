"""The figures of a bundle's results as one struct: commands, CSV, the HTML page and the window show the same."""

from __future__ import annotations

import msgspec

from desktop_rater.audit.judged import Judged, Value


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """A figure, the ends of its 95 % interval, and the units or tasks it rests on. Without a value `why` says why."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    why: str = ""


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """How far raters agree on one question. `figures`: name as in `stats.agreement_figures` → figure.

    `units` have two ratings or more; `pairs` are pairs of ratings of one unit. `rated` units have one or more, by so
    many `raters`. On a scale `krippendorff_alpha` is the ordinal one, and `krippendorff_alpha.interval` takes the steps
    for distances.
    """

    question: Judged
    figures: dict[str, Figure]
    units: int = 0
    ratings: int = 0
    pairs: int = 0
    rated: int = 0
    raters: int = 0


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


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """Two raters on one question, over the units that both rated: `figures` as in `Agreement`."""

    question: str
    one: str
    other: str
    figures: dict[str, Figure]


class Changed(msgspec.Struct, frozen=True, kw_only=True):
    """Of the main labels in a rater's superseded results, how many are still the same in the ones that count."""

    same: int = 0
    total: int = 0


class OfRater(msgspec.Struct, frozen=True, kw_only=True):
    """All figures of one rater. `labels`: question → how often each value was given, in the order of its values.

    `claims` are the things that evidence was asked for: recorded claims, and targets or responses without any. Of the
    evidence `unopened` was never opened, `unquoted` has no quote, and of `unkept` no page is stored. Of the warnings
    `warnings_let_stand` were acknowledged and `warnings_left` were not. `others`: question → alpha with the others;
    `alike`: question → the share of the others who say the same. `gold`: the share of judgements that are as in the
    gold. `repeats`: the share of the same answers on tasks that stand twice, under two ids. `texts`: the mean score of
    written justifications. `written`: characters.
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
    others: dict[str, Figure] = {}
    alike: dict[str, Figure] = {}
    gold: Figure = Figure()
    repeats: Figure = Figure()
    texts: Figure = Figure()
    differing: tuple[Differing, ...] = ()
    changed: Changed = Changed()
    written: int = 0


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """What of the results counts; empty lets everything in. `since` and `until` are days, as 2026-11-01, both included.

    Several `raters` are compared with each other alone, and a single one with all the others.
    `models`: they count as raters too. `tolerance`: how many steps of a scale an answer may lie from gold and still
    agree. `question`: the only one whose figures are wanted.
    """

    raters: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    question: str = ""
    models: bool = False
    tolerance: int = 0


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All of it. `raters` by name, never in another order. `results`: how many zips of results it rests on.

    `tasks` and `targets` were rated by somebody. `guideline_seconds`: what a rule asks to search for at least before a
    label, with that label's words. `differing`: the units that disagree most, of each question. `all_raters`: who there
    is to choose from, and `days` the first and the last on which a rating was changed. `forked`, `stale`: raters whose
    results do not name each other, and ratings of a text that does not count. `repeated`: tasks that stand twice.
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
    filter: Filter = Filter()
    rubric: str = ""
    ratings: int = 0
    all_raters: tuple[str, ...] = ()
    days: tuple[str, str] | None = None
    pairs: tuple[Pair, ...] = ()
    gold_tasks: int = 0
    repeated: int = 0
    forked: tuple[str, ...] = ()
    stale: int = 0
