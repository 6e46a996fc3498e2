"""Reports that stand for any: that of the design's picture, and one that means harm."""

from desktop_rater.audit.questions import JudgedQuestion, ValueStyle
from desktop_rater.audit.report import (
    AuditReport,
    ConfusionMatrix,
    DifferingUnit,
    QuestionAgreement,
    RaterFigures,
    ReportFigure,
    TimeSpread,
)

LABEL = JudgedQuestion(
    id="label",
    question="accuracy",
    ask="Label",
    per="target",
    measure="nominal",
    decisive=True,
    main=True,
    looks=(
        ValueStyle("accurate", "Accurate", "accurate", "circle-tick"),
        ValueStyle("inaccurate", "Inaccurate", "inaccurate", "square-cross"),
        ValueStyle("unsupported", "Unsupported", "unsupported", "diamond-question"),
        ValueStyle("disputed", "Disputed", "disputed", "half-circle"),
        ValueStyle("not factual", "Not factual", "not factual", "ring-bar"),
    ),
)
FACTUAL = JudgedQuestion(
    id="factual",
    question="factual",
    ask="Is it a fact?",
    per="target",
    measure="nominal",
    looks=(ValueStyle("yes", "Yes"), ValueStyle("no", "No", "not factual", "ring-bar")),
)
CONSENSUS = JudgedQuestion(
    id="consensus",
    question="consensus",
    ask="Consensus",
    per="target",
    measure="nominal",
    looks=(ValueStyle("for", "For"),),
)
SCALE = JudgedQuestion(
    id="helpful",
    question="helpful",
    ask="How helpful is it?",
    per="response",
    measure="ordinal",
    looks=tuple(
        ValueStyle(float(step), f"{step} {words}") for step, words in enumerate(("Not", "Little", "Half", "Much"), 1)
    ),
)
COUNTS = ((214, 9, 6, 11, 2), (12, 88, 7, 5, 0), (5, 11, 31, 4, 1), (8, 6, 3, 42, 0), (3, 0, 1, 0, 58))
SHARES = ((598, 227, 31, 62, 113), (485, 217, 93, 144, 92), (454, 206, 134, 134, 103), (629, 144, 41, 93, 124))
TIMES = ((1.1, 0.4, 3.2), (1.6, 0.6, 6.1), (2.2, 0.8, 11.4), (1.3, 0.5, 4.4), (1.7, 0.6, 7.0))
NAMES = ("r-04", "r-11", "r-17", "r-22", "r-31")


def figure(value: float, low: float, high: float, n: int = 212) -> ReportFigure:
    return ReportFigure(value=value, low=low, high=high, n=n)


def differing(own: str | None = "inaccurate") -> tuple[DifferingUnit, ...]:
    said = (
        ("t-0018", "targets/s3", "Its captain is Réka Somogyi, who joined the club in 2019.", "unsupported"),
        ("t-0027", "targets/s1", "Lead pipes poisoned Rome.", "disputed"),
        ("t-0009", "targets/s2", "Candia held out for twenty-one years.", "accurate"),
    )
    return tuple(
        DifferingUnit(task=task, where=where, question="label", quote=quote, given=((others, 3), ("disputed", 1)),
                  distance=1, own=own)
        for task, where, quote, others in said
    )  # fmt: skip


def rater(name: str, at: int = 0) -> RaterFigures:
    counts = (*SHARES, (44, 17, 7, 10, 10))[at % 5]
    median, low, high = (60 * part for part in TIMES[at % 5])
    spread = TimeSpread(median=median, low=low, high=high, n=sum(counts))
    return RaterFigures(
        rater=name,
        tasks=94 if at % 5 < 4 else 9,
        targets=sum(counts),
        per_target=spread,
        per_task=spread,
        labels={"label": counts, "factual": (sum(counts[:4]), counts[4])},
        claims=1_000,
        evidence=800 + 100 * at,
        unopened=31 - at,
        warnings_left=14,
        others={"label": figure(0.48, 0.38, 0.57)},
        gold=figure(0.55, 0.41, 0.67) if at % 5 < 4 else ReportFigure(n=3, why="3 tasks: too few"),
        repeats=ReportFigure() if at % 5 == 4 else figure(0.86, 0.7, 0.95, 12),
        differing=differing(),
    )


def picture_report(names: tuple[str, ...] = NAMES, title: str = "Long answers, November") -> AuditReport:
    label = QuestionAgreement(
        question=LABEL,
        figures={
            "percent": figure(0.78, 0.72, 0.83),
            "cohen_kappa": ReportFigure(why="it compares two raters, and there are 5"),
            "fleiss_kappa": figure(0.61, 0.53, 0.68),
            "krippendorff_alpha": figure(0.62, 0.54, 0.69),
            "gwet_ac1": figure(0.70, 0.63, 0.76),
        },
        units=212,
        ratings=540,
        pairs=498,
    )
    factual = QuestionAgreement(question=FACTUAL, figures={"krippendorff_alpha": figure(0.81, 0.70, 0.90)}, units=212)
    consensus = QuestionAgreement(
        question=CONSENSUS, figures={"krippendorff_alpha": ReportFigure(why="every rating is the same")}, units=20
    )
    return AuditReport(
        bundle="long-answers",
        title=title,
        seed=20261118,
        computed="2026-11-18 16:52",
        results=5,
        tasks=94,
        targets=1_031,
        raters=tuple(rater(name, at) for at, name in enumerate(names)),
        agreement=(label, factual, consensus),
        confusions=(
            ConfusionMatrix(question="label", values=tuple(one.id for one in LABEL.looks), counts=COUNTS, tied=7),
        ),
        differing=differing(own=None),
        guideline_seconds=600,
        guideline_label="Unsupported",
        all_raters=names,
        days=("2026-11-01", "2026-11-18"),
    )
