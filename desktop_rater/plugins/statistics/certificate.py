"""The certificate of an audit: one signed page that says what the audit found, and how; and its verification.

The signature is over the bytes of the page and stands in its last line, so any change of the page makes it invalid.
"""

import os
import re
from collections import Counter
from pathlib import Path

import click

from desktop_rater.audit.html_report import PageColors, PageSection, render_panels
from desktop_rater.audit.report_format import ENGLISH
from desktop_rater.audit.report_panels import ReportCell, ReportColumn, ReportPanel, ReportTableData
from desktop_rater.audit.reviews import Reviews
from desktop_rater.audit.sampling import ReviewSample
from desktop_rater.cli.audit import audit_lead, lead_option, open_results_store
from desktop_rater.cli.output import EXIT_ATTENTION, EXIT_OK, ID, INPUT, OUTPUT, json_option, print_result
from desktop_rater.files import replaced_file
from desktop_rater.format.errors import RaterError, bundle_errors
from desktop_rater.format.hub_names import fingerprint
from desktop_rater.format.signing import SigningKey, verify_certificate
from desktop_rater.format.values import utc_now
from desktop_rater.format.write import NOTHING_WRITTEN
from desktop_rater.operations.audit.load_audit import load_audit
from desktop_rater.operations.audit.review import load_reviews
from desktop_rater.operations.hub.keys import open_rater_keys
from desktop_rater.plugins.statistics.operations import load_result
from desktop_rater.plugins.statistics.result import AuditResult, ResultRequest
from desktop_rater.plugins.statistics.result_figures import NO_SAMPLE
from desktop_rater.plugins.statistics.result_panels import errors_panel, goal_text, result_base

_LAST_LINE = re.compile(rb"<!-- desktop-rater certificate, key ([0-9a-f]{64}), signature ([0-9a-f]{128}) -->\n")
NOT_MADE = "No certificate was made."
MOST_BYTES = 4_000_000
SHORTEST_KEY = 16  # digits of a fingerprint
GOAL = click.FloatRange(0, 1, min_open=True, max_open=True)


def certified_sample(result: AuditResult, reviews: Reviews) -> ReviewSample:
    """Return the sample that a certificate rests on. Raises `RaterError` if the result shows nothing about all work."""
    sample, errors = reviews.sample, result.errors
    if sample is None or not sample.is_random:
        hint = "Draw one with audit sample --how share or stratified, and judge its places."
        raise RaterError(NOT_MADE, f"{NO_SAMPLE[:1].upper()}{NO_SAMPLE[1:]}, so nothing is known about all work.", hint)
    if errors.waiting:
        why = f"{errors.waiting:,} drawn ratings are not judged yet; a choice of those judged is no random sample."
        raise RaterError(NOT_MADE, why, "Judge all of them first.")
    if errors.bound is None:
        raise RaterError(NOT_MADE, f"The error rate has no bound: {errors.figure.why}.", "Draw and judge more places.")
    return sample


def make_certificate(result: AuditResult, reviews: Reviews, key: SigningKey, lead: str, colors: PageColors) -> bytes:
    """Return the signed page. Raises `RaterError` if there is nothing to certify."""
    sample, errors = certified_sample(result, reviews), result.errors
    drawn, groups = frozenset(sample.places), f" within groups by {sample.by}" if sample.by else ""
    judged = Counter(verdict.lead for (task, where, _), verdict in reviews.verdicts.items() if (task, where) in drawn)
    judged += Counter(
        final.lead for (task, where, _), final in reviews.finals.items() if (task, where) in drawn and not final.by
    )
    tasks = {task for task, _ in drawn}
    judged += Counter(own.own.lead for task, own in reviews.owns.items() if task in tasks)
    goal = {"shown": "shown", "refuted": "refuted"}.get(errors.state, "neither shown nor refuted")
    facts = {
        "Audited work": f"{result.title} ({result.bundle}), rubric {result.rubric}",
        "Sample": f"{len(drawn):,} of {sample.of:,} places at random{groups}, seed {sample.seed}, "
        f"drawn by {sample.lead or lead}, {sample.changed[:10]}",
        "Judged by": ", ".join(f"{name} ({count:,})" for name, count in sorted(judged.items())),
        "Found": f"{errors.wrong:,} of {errors.figure.n:,} judged ratings are wrong",
        "Bound": f"With 95 % confidence at most {100 * (errors.bound or 0):.2f} % of all ratings are wrong.",
        "Goal": f"Under {goal_text(errors, ENGLISH)} %: {goal}",
        "Signed by": f"{lead}, key {fingerprint(key.public)}",
        "Verification": "desktop-rater audit verify-certificate FILE --key "
        f"{fingerprint(key.public).replace(' ', '')}; the lead confirms the digits of the key by another way.",
    }  # fmt: skip
    rows = tuple((ReportCell(name), ReportCell(text)) for name, text in facts.items())
    panels = [
        ReportPanel(title="Certificate of an audit", table=ReportTableData((ReportColumn(""), ReportColumn("")), rows)),
        errors_panel(result, ENGLISH),
    ]
    section = PageSection("", tuple((panel, True) for panel in panels))
    about = ("Certificate of an audit", result_base(result, ENGLISH))
    page = render_panels(result, [section], about, ENGLISH, colors, lead=lead).encode()
    last = f"<!-- desktop-rater certificate, key {key.public}, signature {key.sign_certificate(page)} -->\n"
    return page + last.encode()


def check_certificate(content: bytes, key: str = "") -> tuple[str, str]:
    """Return the key that a certificate names, and why it is invalid; "" if it is valid.

    `key`: the key, or its first digits, that must have signed it.
    """
    page, _, last = content.rstrip(b"\n").rpartition(b"\n")
    signed = _LAST_LINE.fullmatch(last + b"\n")
    if signed is None:
        return "", "It has no signature in its last line."
    used, signature = (group.decode() for group in signed.groups())
    if not verify_certificate(used, signature, page + b"\n") or not content.endswith(last + b"\n"):
        return used, "It was changed after signing."
    wanted = re.sub(r"\s", "", key).lower()
    return used, "" if used.startswith(wanted) else f"Another key signed it: {fingerprint(used)}."


@click.command()
@click.argument("bundle", type=ID)
@click.option(
    "--out", required=True, type=OUTPUT, metavar="FILE", help="The HTML page to write; it prints on one page."
)
@click.option("--goal", type=GOAL, default=0.05, show_default=True, help="The error rate to be under.")
@lead_option
@json_option
@click.pass_obj
def certificate(folder: Path, bundle: str, out: Path, goal: float, lead: str | None, *, as_json: bool) -> int:
    """Write a signed certificate of an audit on one page: sample, seed, counts, who judged, and the bound.

    It is signed with the lead's key, made in the keyring if missing. Without a random sample, or while a drawn rating
    is not judged, it is refused. Exit status 1 if the goal is not shown.
    """
    name = audit_lead(folder, lead).name
    with open_results_store(folder, bundle) as store:
        result = load_result(store, bundle, ResultRequest(goal=goal), now=utc_now())
        reviews = load_reviews(store, load_audit(store, bundle))
    certified_sample(result, reviews)
    lookup = open_rater_keys(folder, os.environ).for_use(name)
    if lookup.key is None:
        raise RaterError(NOT_MADE, lookup.why, f"Make a key: desktop-rater key --rater {name} --make.")
    from desktop_rater.ui.report.texts_and_colors import page_colors  # noqa: PLC0415 - loads Qt, for the page alone

    page = make_certificate(result, reviews, lookup.key, name, page_colors())
    with bundle_errors(out, "written", NOTHING_WRITTEN), replaced_file(out) as part:
        part.write_bytes(page)
    plain = {"file": str(out), "key": lookup.key.public, "state": result.errors.state, "bound": result.errors.bound}
    bound = f"at most {result.errors.bound or 0:.2%} are wrong"
    line = f"{out}: signed by {name} with {fingerprint(lookup.key.public)}; {bound}"
    print_result(plain, [line], as_json=as_json)
    return EXIT_OK if result.errors.state == "shown" else EXIT_ATTENTION


@click.command("verify-certificate")
@click.argument("path", metavar="FILE", type=INPUT)
@click.option("--key", default="", metavar="DIGITS", help="The lead's public key, or its first digits.")
@json_option
def verify_certificate_file(path: Path, key: str, *, as_json: bool) -> int:
    """Verify the certificate of an audit: exit status 0 if it is valid, 1 if not.

    A valid one is as it was signed. Only --key shows that it was signed by the lead whose key it is.
    """
    if len(key.replace(" ", "")) not in {0, *range(SHORTEST_KEY, 65)}:
        raise click.BadParameter(f"give at least {SHORTEST_KEY} digits.", param_hint="--key")
    used, why = check_certificate(path.read_bytes() if path.stat().st_size <= MOST_BYTES else b"", key)
    unknown = "" if key else " Compare these digits with the lead by another way, or give them with --key."
    line = f"invalid: {why}" if why else f"valid: signed with {fingerprint(used)}.{unknown}"
    print_result({"valid": not why, "key": used, "why": why}, [line], as_json=as_json)
    return EXIT_ATTENTION if why else EXIT_OK
