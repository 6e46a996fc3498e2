"""Wording of a report, and its figures as text and numbers, for charts, tables, pages and commands."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from desktop_rater.audit.questions import JudgedQuestion, Value, ValueStyle
from desktop_rater.audit.report import AuditReport, ConfusionMatrix, QuestionAgreement, RaterFigures, ReportFigure
from desktop_rater.audit.results import Caution, RaterListBasis
from desktop_rater.stats.bootstrap import NO_DATA
from desktop_rater.translation import Phrase

NONE = "–"  # in a cell without a figure
LONGEST_NAME, LONGEST_QUOTE = 120, 400
MOST_LABELS = 30  # a question with more values, such as a number, has neither shares nor a matrix
_MOST_RATERS = 10  # named in a sentence


def untranslated(_context: str, text: str) -> str:
    """Return the text as it is, in English."""
    return text


class Wording(Struct, frozen=True, kw_only=True):
    """Language of a report: `translate` returns the text of a context, `point` and `group` are marks in numbers."""

    translate: Callable[[str, str], str] = untranslated
    point: str = "."
    group: str = ","

    def number(self, value: float, places: int = 0) -> str:
        rounded = round(value, places) + 0.0  # no minus sign for zero
        plain = f"{rounded:,.{places}f}".replace("-", "−")
        return plain.replace(",", "\0").replace(".", self.point).replace("\0", self.group)

    def percent_of(self, share: float) -> str:
        return f"{self.number(share * 100)} %"

    def per_cent(self, share: float) -> str:
        """Return a share in per cent with one decimal, without the sign."""
        return self.number(share * 100, 1)

    def why(self, reason: str) -> str:
        """Translate the reason for a missing figure; "" where there is nothing to compute it from."""
        if isinstance(reason, Phrase):
            return self.translate("Report", reason.template).format(**reason.values)
        return self.translate("Report", reason) if reason and reason != NO_DATA else ""

    def counted(self, per: str, count: int) -> str:
        """Return a number of targets, responses or tasks."""
        if count == 1:
            one = {"target": self.translate("Report", "1 target"), "response": self.translate("Report", "1 response")}
            return one.get(per) or self.translate("Report", "1 task")
        words = {
            "target": self.translate("Report", "{n} targets"),
            "response": self.translate("Report", "{n} responses"),
        }.get(per) or self.translate("Report", "{n} tasks")
        return words.format(n=self.number(count))

    def raters_counted(self, count: int) -> str:
        if count == 1:
            return self.translate("Report", "1 rater")
        return self.translate("Report", "{n} raters").format(n=self.number(count))


ENGLISH = Wording()


def raters_basis(basis: RaterListBasis, texts: Wording) -> str:
    """Return what the list of raters rests on, as a sentence."""
    if basis == "assignments":
        return texts.translate("Report", "The list of raters is that of the lead’s signed assignments.")
    return texts.translate("Report", "No signed assignments: the list of raters is that of the results received.")


def caution_text(caution: Caution, texts: Wording) -> str:
    """Return why figures are not final, as a sentence."""
    translate = texts.translate
    templates = {
        "disputed": translate(
            "Report",
            "{n} ratings are of another text or rubric than others. Open the bundle itself, which decides what counts.",
        ),
        "held": translate("Report", "{n} results of {raters} wait for the lead’s decision and count for nothing."),
        "unsigned": translate(
            "Report", "{n} results of {raters} count by the lead’s decision, although no known key has signed them."
        ),
        "fork": translate("Report", "{n} forks: results of {raters} do not follow each other."),
        "look-alike": translate("Report", "These ids look alike: {raters}."),
        "rubric": translate(
            "Report", "{n} ratings of {raters} are by another revision of the rubric and in no figure."
        ),
        "copy": translate("Report", "These figures are preliminary until the bundle itself is opened."),
    }
    if caution.count == 1:
        templates |= {
            "disputed": translate(
                "Report",
                "1 rating is of another text or rubric than others. Open the bundle itself, which decides what counts.",
            ),
            "held": translate("Report", "1 result of {raters} waits for the lead’s decision and counts for nothing."),
            "unsigned": translate(
                "Report", "1 result of {raters} counts by the lead’s decision, although no known key has signed it."
            ),
            "rubric": translate(
                "Report", "1 rating of {raters} is by another revision of the rubric and in no figure."
            ),
            "fork": translate("Report", "1 fork: results of {raters} do not follow each other."),
        }
    names = ", ".join(caution.raters[:_MOST_RATERS])
    more = len(caution.raters) - _MOST_RATERS
    raters = f"{names} +{texts.number(more)}" if more > 0 else names
    return templates[caution.kind].format(n=texts.number(caution.count), raters=raters)


def question_text(question: JudgedQuestion, texts: Wording) -> str:
    """Return the text of a question. The label of a place is based on several questions and has a name of its own."""
    if question.id == question.question:
        return question.ask
    return {
        "target": texts.translate("Report", "Label of a target"),
        "response": texts.translate("Report", "Label of a response"),
    }.get(question.per, texts.translate("Report", "Label of a task"))


def shorten(text: str, most: int) -> str:
    """Shorten an untrusted text to one line of at most `most` characters."""
    line = " ".join(text[: 2 * most].split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def rater_label(rater: RaterFigures, texts: Wording) -> str:
    """Return a rater's name; models are marked as such."""
    name = shorten(rater.rater, LONGEST_NAME)
    return texts.translate("Report", "{rater} (model)").format(rater=name) if rater.model else name


def interval_text(figure: ReportFigure, texts: Wording, places: int = 2) -> str:
    """Return the interval of a figure."""
    if figure.low is None or figure.high is None:
        return ""
    low, high = texts.number(figure.low, places), texts.number(figure.high, places)
    # Next to a minus sign the dash needs thin spaces.
    return f"{low}\u202f–\u202f{high}" if figure.high < 0 else f"{low}–{high}"


def with_interval(figure: ReportFigure, texts: Wording, missing: str, *, based: bool = True, places: int = 2) -> str:
    """Return a figure with its interval, or the reason if there is no figure; `based`: and the number of tasks."""
    if figure.value is None:
        return texts.why(figure.why) or missing
    ends = interval_text(figure, texts, places)
    base = texts.counted("task", figure.tasks) if figure.tasks and based else ""
    inside = ", ".join(part for part in (ends, base) if part)
    return texts.number(figure.value, places) + (f" ({inside})" if inside else "")


def figure_line(figure: ReportFigure, places: int = 2) -> str:
    """Return a figure with its interval and base, or the reason if there is none, for the terminal."""
    if figure.value is None:
        return f"undefined: {figure.why}"
    if figure.low is None or figure.high is None:
        return f"{figure.value:.{places}f} ({figure.why or 'no interval'})"
    return (
        f"{figure.value:.{places}f} ({figure.low:.{places}f} to {figure.high:.{places}f}"
        f"{f'; {figure.why}' if figure.why else ''}), {figure.tasks:,} tasks"
    )


def outside_group(report: AuditReport, question: str, rater: RaterFigures) -> str:
    """Return "below" or "above" if a rater's agreement with the others lies outside that of the group, else ""."""
    agreement, own = agreement_on(report, question), rater.others.get(question)
    group = agreement.figures.get("krippendorff_alpha") if agreement is not None else None
    if own is None or group is None or None in (own.low, own.high, group.low, group.high):
        return ""
    assert own.high is not None
    assert group.low is not None
    if own.high < group.low:
        return "below"
    return "above" if (own.low or 0) > (group.high or 0) else ""


def rests_text(agreement: QuestionAgreement, texts: Wording) -> str:
    """Return what the agreement on a question rests on."""
    units, tasks = texts.counted(agreement.question.per, agreement.units), texts.counted("task", agreement.tasks)
    return texts.translate("Report", "{tasks}, {units} with two ratings or more, {pairs} pairs").format(
        units=units, pairs=texts.number(agreement.pairs), tasks=tasks
    )


def share_text(figure: ReportFigure, texts: Wording, *, based: bool = False) -> str:
    """Return a share in per cent with its interval; `based`: and its number of tasks."""
    share = texts.percent_of(figure.value or 0)
    if figure.low is not None and figure.high is not None:
        share += f" ({texts.number(figure.low * 100)}–{texts.number(figure.high * 100)})"
    return f"{share}, {texts.counted('task', figure.tasks)}" if based and figure.tasks else share


def base_text(figure: ReportFigure, per: str, texts: Wording) -> str:
    """Return what a figure rests on: "5 tasks, 310 targets"."""
    parts = [texts.counted("task", figure.tasks)] if figure.tasks and per != "task" else []
    return ", ".join([*parts, texts.counted(per, figure.n)])


def style_of(question: JudgedQuestion, value: Value) -> ValueStyle:
    """Return the style of a value, including values that the rubric does not offer."""
    style = next((look for look in question.looks if look.id == value), None)
    return style or ValueStyle(value, question.text_of(value))


def shown_values(question: JudgedQuestion, used: Sequence[bool]) -> tuple[int, ...]:
    """Return the indices of the shown values: all steps, or the choices given; none if there are too many."""
    whole = question.measure != "nominal" or not any(used)
    indices = tuple(index for index, given in enumerate(used) if given or whole)
    return indices if len(indices) <= MOST_LABELS else ()


def agreement_on(report: AuditReport, question: str) -> QuestionAgreement | None:
    """Return the agreement on a question."""
    return next((agreement for agreement in report.agreement if agreement.question.id == question), None)


def confusion_of(report: AuditReport, question: str) -> ConfusionMatrix | None:
    """Return the confusion matrix of a question."""
    return next((confusion for confusion in report.confusions if confusion.question == question), None)


def main_question_id(report: AuditReport) -> str:
    """Return the question that a report begins with."""
    main = next((agreement.question.id for agreement in report.agreement if agreement.question.main), "")
    return main or (report.agreement[0].question.id if report.agreement else "")


def place_name(task: str, where: str) -> str:
    """Return a short name of a place of a task: "t-0018, s3"."""
    return ", ".join(part for part in (task, where.rpartition("/")[2] if "/" in where else "") if part)
