"""The panel of preferences: strengths, order and comparisons of two, beside one even line."""

from collections.abc import Iterable
from functools import partial

from desktop_rater.audit.charts.svg import DrawingArea, Picture
from desktop_rater.audit.charts.system_drawing import (
    DuelRow,
    EvenChart,
    IntervalCell,
    IntervalRow,
    arranged,
    draw_duels,
    draw_even,
)
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.report_format import (
    LONGEST_NAME,
    NONE,
    Wording,
    shorten,
)
from desktop_rater.audit.report_panels import (
    ReportCell,
    ReportPanel,
    ReportTableData,
    table_columns,
    with_meanings,
)
from desktop_rater.plugins.statistics.systems import SystemDuel, SystemPreferences
from desktop_rater.plugins.statistics.systems_meanings import (
    figure_sentence,
)
from desktop_rater.plugins.statistics.systems_texts import (
    labels_note,
    metric_interval,
    metric_value,
    of_two,
    prompts_counted,
    wide_ends,
)


def preferences_panel(preferences: SystemPreferences, texts: Wording, fragile: str = "") -> ReportPanel:
    """Return which system is preferred to the others, and the wins, ties and losses of each two.

    `fragile`: how few judgements decide which one leads.
    """
    rows = []
    for strength in preferences.strengths:
        figure, name = strength.figure, shorten(strength.name, LONGEST_NAME)
        count = texts.translate("Report", "{n} pairs").format(n=texts.number(strength.pairs))
        if preferences.judgements:
            count = texts.translate("Report", "{n} judgements").format(n=texts.number(figure.n))
        count = f"{count}, {prompts_counted(figure.tasks, texts)}"
        value = "" if figure.value is None else metric_value(figure.value, texts)
        key = ("strength", preferences.question, strength.name)
        meaning = figure_sentence("strength", name, figure, texts)
        rows.append(even_row(name, figure, count, value, metric_interval(figure, texts), texts, key, meaning))
    chart = EvenChart(rows=tuple(rows), even=0.5, even_text=texts.translate("Report", "even"))
    duels = tuple(
        DuelRow(
            name=of_two(texts.translate("Report", "{one} : {other}"), duel.one, duel.other),
            parts=(duel.wins, duel.ties, duel.losses),
            count=_duel_text(duel, texts),
            tooltip=texts.translate(
                "Report", "{one} against {other}: {wins} preferred, {ties} ties, {losses} the other; share {share}"
            ).format(
                one=duel.one,
                other=duel.other,
                wins=texts.number(duel.wins),
                ties=texts.number(duel.ties),
                losses=texts.number(duel.losses),
                share=f"{_duel_text(duel, texts)}. {texts.why(duel.figure.why)}".removesuffix(". "),
            )
            + "\n"
            + figure_sentence("duel", f"{duel.one} : {duel.other}", duel.figure, texts),
            key=("duel", preferences.question, duel.one, duel.other),
        )
        for duel in preferences.duels
    )

    def draw(area: DrawingArea) -> Picture:
        parts = ("", partial(draw_even, chart)), ("", partial(draw_duels, duels))
        return arranged(parts, area, rows_text(rows))

    base = preferences.base
    raters = texts.raters_counted(base.raters)
    note = texts.translate("Report", "{pairs} pairs of {prompts} prompts, {raters}").format(
        pairs=texts.number(preferences.pairs), prompts=texts.number(base.prompts), raters=raters
    )
    return ReportPanel(
        title=texts.translate("Report", "Preferred, side by side"),
        draw=draw if preferences.duels else None,
        table=_preferences_table(preferences, texts),
        note=note,
        foot=(
            *_preference_notes(preferences, texts),
            labels_note((duel.figure for duel in preferences.duels[:1]), texts),
            fragile,
        ),
        rows=len(rows) + len(duels),
    )


def _duel_text(duel: SystemDuel, texts: Wording) -> str:
    """Return the share of the first of two systems with its interval, if it has one, and the prompts behind."""
    figure = duel.figure
    ends = metric_interval(figure, texts)
    share = metric_value(figure.value or 0, texts) + (f" ({ends})" if ends else "")
    return f"{share}, {prompts_counted(figure.tasks, texts)}"


def _preference_notes(preferences: SystemPreferences, texts: Wording) -> list[str]:
    notes = [
        texts.translate(
            "Report",
            "Dots: probability of being preferred to another system (Bradley–Terry, ties after Davidson), without the "
            "advantage of the first place. Bars, from left to right: preferred, tied (grey), the other preferred; then "
            "the share of the first, ties as half, with its interval.",
        )
    ]
    if preferences.first.value is not None:
        ends = metric_interval(preferences.first, texts)
        template = (
            texts.translate("Report", "The response shown first was preferred in {share} ({interval}).")
            if ends
            else texts.translate("Report", "The response shown first was preferred in {share}.")
        )
        notes.append(template.format(share=metric_value(preferences.first.value, texts), interval=ends))
    if preferences.judgements:
        notes.append(
            texts.translate(
                "Report",
                "Raters saw pairs in different orders: dots, and the share of the first place, rest on {n} single "
                "judgements, each in the order in which it was seen. Bars rest on final labels.",
            ).format(n=texts.number(preferences.judgements))
        )
    if preferences.open:
        notes.append(
            texts.translate("Report", "{n} pairs have no final preference.").format(n=texts.number(preferences.open))
        )
    return notes


def _preferences_table(preferences: SystemPreferences, texts: Wording) -> ReportTableData:
    columns = table_columns(
        (texts.translate("Report", "System"),),
        (
            texts.translate("Report", "Preferred"),
            texts.translate("Report", "Ties"),
            texts.translate("Report", "Other preferred"),
            texts.translate("Report", "Pairs"),
            texts.translate("Report", "Prompts"),
            texts.translate("Report", "Value"),
            texts.translate("Report", "95 % interval"),
        ),
    )
    rows = []
    for strength in preferences.strengths:
        of = [duel for duel in preferences.duels if strength.name in {duel.one, duel.other}]
        wins = sum(duel.wins if duel.one == strength.name else duel.losses for duel in of)
        ties = sum(duel.ties for duel in of)
        counts = (wins, ties, strength.pairs - wins - ties, strength.pairs, strength.figure.tasks)
        rows.append((strength.name, counts, strength.figure))
    rows += [
        (
            texts.translate("Report", "{one} : {other}").format(one=duel.one, other=duel.other),
            (duel.wins, duel.ties, duel.losses, duel.pairs, duel.figure.tasks),
            duel.figure,
        )
        for duel in preferences.duels
    ]
    table = ReportTableData(
        columns,
        tuple(
            (
                ReportCell(shorten(name, LONGEST_NAME)),
                *(ReportCell(texts.number(count)) for count in counts),
                ReportCell(NONE if figure.value is None else metric_value(figure.value, texts)),
                ReportCell(metric_interval(figure, texts) or texts.why(figure.why)),
            )
            for name, counts, figure in rows
        ),
    )
    kinds = ["strength"] * len(preferences.strengths) + ["duel"] * len(preferences.duels)
    figures = ((kind, *row) for kind, row in zip(kinds, rows, strict=True))
    sentences = [figure_sentence(kind, name, figure, texts) for kind, name, _counts, figure in figures]
    return with_meanings(table, sentences, texts)


def even_row(
    name: str, figure: ReportFigure, count: str, value: str, ends: str, texts: Wording, key: tuple[str, ...],
    meaning: str = "",
) -> IntervalRow:  # fmt: skip
    """Return the row of a figure that belongs to no group: a strength or a difference, with its sentence."""
    if figure.value is None:
        missing = texts.why(figure.why) or NONE
        return IntervalRow(name=name, cells=(IntervalCell(missing=missing, tooltip=f"{name}: {missing}", key=key),))
    tooltip = f"{name}: {value} ({ends or texts.why(figure.why)}), {count}\n{meaning}".rstrip()
    cell = IntervalCell(
        value=figure.value, low=figure.low, high=figure.high, wide=wide_ends(figure), value_text=value,
        interval_text=ends, count=count, missing="" if ends else texts.why(figure.why), tooltip=tooltip, key=key,
    )  # fmt: skip
    return IntervalRow(name=name, cells=(cell,))


def rows_text(rows: Iterable[IntervalRow]) -> str:
    """Return the rows for screen readers."""
    return ". ".join(cell.tooltip for row in rows for cell in row.cells)
