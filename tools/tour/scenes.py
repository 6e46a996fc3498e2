"""The tour's screens as one table: the steps that lead to each, and the frames in which it is taken.

Scenes are played in order even if only some are taken: each begins where the one before ended.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtWidgets import QDialog

from desktop_rater.format.rating import SUPPORTING
from desktop_rater.plugins.convert.window.dialog import MappingDialog
from desktop_rater.store.backups import list_backups
from desktop_rater.ui.store.connections import BackupRunner
from desktop_rater.ui.store.restore import RestoreDialog
from desktop_rater.ui.store.store_check import StoreCheckDialog
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.window.page_window import USUAL_SIZE
from desktop_rater.ui.window.signing import SIGNING_BANNER
from tools.tour import audits, hubs
from tools.tour.custom import play_changed_rubric, play_custom_rubric
from tools.tour.frames import AND_LARGE, AND_NOTEBOOK, DARK, IN_ALL, IN_BOTH, LAPTOP, LARGE, LIGHT, ONCE, Frame
from tools.tour.libraries import (
    leave_cases,
    leave_document,
    leave_earlier_answer,
    play_cases,
    play_document,
    play_earlier_answer,
    play_library,
)
from tools.tour.pairs import play_failed_tool, play_one_response, play_pair
from tools.tour.reports import (
    leave_report_tables,
    leave_result,
    leave_system_tables,
    play_many_report,
    play_report,
    play_report_tables,
    play_result,
    play_system_tables,
    play_systems,
)
from tools.tour.returned import play_returned
from tools.tour.reviews import (
    leave_blind,
    leave_many,
    leave_review_cases,
    leave_send_back,
    play_blind,
    play_many_graders,
    play_many_raters,
    play_review,
    play_review_cases,
    play_send_back,
)
from tools.tour.rich import play_formulas, play_tool_output
from tools.tour.scales import leave_scale_report, play_risks, play_scale_report, play_scales
from tools.tour.scorings import leave_scoring, leave_validation, play_scoring, play_validation
from tools.tour.stage import Stage
from tools.tour.starts import leave_start, play_start

BEGUN: dict[str, tuple[str, ...] | None] = {
    "t-0001": ("s1", "s2", "s3", "s4", "s5"),
    "t-0002": None,
    "t-0003": None,
    "t-0007": ("s1", "s2", "s3", "s4"),
    "t-0008": ("s1", "s2", "s3", "s4"),
    "t-0012": None,
}
ALL = {f"t-{number:04d}": None for number in range(1, 13)}
FOUND, NOT_FOUND = "pyramid", "no such words"
PASSES = "https://alpine-history.example/hannibal/which-pass"
PASSAGE = "So the question is open.", "still choose different roads."
NOT_STORED = "https://en.wikipedia.org/wiki/Col_de_Clapier"
PAGE = "https://www.britannica.com/biography/Hannibal-Carthaginian-general-247-183-BCE"
SCALES: tuple[Frame, ...] = (*IN_BOTH, (LAPTOP, LIGHT), (LAPTOP, DARK))
DIALOGS: tuple[Frame, ...] = (*SCALES, (LARGE, LIGHT), (LARGE, DARK))


@dataclass(frozen=True)
class Scene:
    """One screen. `settle` runs again in each frame; `leave` restores what the next scene expects."""

    name: str
    play: Callable[[Stage], object]
    frames: tuple[Frame, ...] = ONCE
    leave: Callable[[Stage], object] = lambda _stage: None
    settle: Callable[[Stage], object] = lambda _stage: None


def _first_run(stage: Stage) -> None:
    stage.wait(lambda: stage.window.is_empty)


def _new_task(stage: Stage) -> None:
    stage.transfer.open_sample()
    stage.wait(lambda: stage.session.task is not None)
    stage.wait(lambda: not stage.transfer.is_running)


def _rating(stage: Stage) -> None:
    stage.window.banners.drop("transfer")
    stage.take_ratings(BEGUN)
    stage.open("t-0001")
    stage.go("s4")
    stage.window.form_pane.form.evidence.select("e6")
    stage.session.set_current_question("accuracy")
    stage.window.form_pane.form.setFocus()


def _problems(stage: Stage) -> None:
    stage.answer("A")


def _show_form(stage: Stage) -> None:
    """Move the focus to the form where the window shows one pane at a time."""
    stage.window.text_pane.panes[0].view.setFocus()
    stage.window.form_pane.form.setFocus()


def _evidence(stage: Stage) -> None:
    stage.go("s6")
    stage.answer("Y")
    name = stage.session.add_evidence(PAGE)
    stage.session.change_evidence(name or "", stance=SUPPORTING, title="Hannibal, Carthaginian general")
    stage.act("quote")


def _preview(stage: Stage) -> None:
    """Open a link of the response, and select a passage of its page."""
    stage.window.form_pane.form.setFocus()
    stage.go("s4")
    stage.read(lambda: stage.browsing.open(PASSES))
    _choose_passage(stage)


def _choose_passage(stage: Stage) -> None:
    """Select a visible passage again, as each frame shows another part of the page."""
    reader = stage.window.preview.reader
    stage.wait(lambda: reader.select(reader.text.index(PASSAGE[0]), reader.text.index(PASSAGE[1]) + len(PASSAGE[1])))


def _page_offline(stage: Stage) -> None:
    stage.web.offline = True
    stage.read(stage.browsing.reload)


def _no_page(stage: Stage) -> None:
    stage.read(lambda: stage.browsing.open(NOT_STORED))


def _page_of_evidence(stage: Stage) -> None:
    stage.browsing.close()
    stage.window.form_pane.form.evidence.select("e7")
    stage.read(lambda: stage.act("open_link"))


def _close_preview(stage: Stage) -> None:
    stage.web.offline = False
    stage.browsing.close()


def _tools(stage: Stage) -> None:
    stage.window.form_pane.form.setFocus()
    stage.open("t-0004")


def _backwards(stage: Stage) -> None:
    stage.open("t-0007")
    stage.go("s4")


def _cjk(stage: Stage) -> None:
    stage.open("t-0008")
    stage.go("s4")


def _suggestions(stage: Stage) -> None:
    stage.open("t-0006")
    stage.go("s2")


def _find(stage: Stage) -> None:
    stage.act("find")
    stage.commands.view.find_bar.field.setText(FOUND)
    stage.commands.view.find_bar.go(1)


def _guidelines(stage: Stage) -> None:
    stage.open("t-0001")
    stage.go("s4")
    stage.session.set_current_question("accuracy")
    stage.act("guideline")


def _history(stage: Stage) -> None:
    """Show the changes of this task, and its state before the last one."""
    stage.act("history")
    pane = stage.window.parts["history"].pane
    stage.wait(lambda: pane.model.rowCount() > 1)
    pane.list.setCurrentIndex(pane.model.index(1))
    stage.window.parts["history"].show_chosen()


def _guided_task(stage: Stage) -> None:
    """Show the second step of the guided first task."""
    guide = stage.window.parts["guide"]
    stage.act("guided_task")
    stage.wait(lambda: guide.is_running)
    stage.wait(lambda: not stage.transfer.is_running)
    stage.window.banners.drop("transfer")
    stage.act("next_target")
    stage.window.form_pane.form.setFocus()


def _page_window(stage: Stage) -> None:
    """Take the page out of the window."""
    stage.act("page_window")


def _fit_page_window(stage: Stage) -> None:
    """Give the window of the page the width that it has at this zoom, and its passage."""
    stage.window.preview.window().resize(theme.px(USUAL_SIZE.width()), USUAL_SIZE.height())
    _choose_passage(stage)


def _find_in_palette(stage: Stage, words: str) -> None:
    if stage.window.parts["palette"].isVisible():
        _leave_palette(stage)
    stage.act("palette")
    stage.window.parts["palette"].field.setText(words)


def _find_setting(stage: Stage) -> None:
    """Find a setting, again in each frame: the palette is as wide as its window allows when it opens."""
    _find_in_palette(stage, "dark")


def _leave_palette(stage: Stage) -> None:
    stage.window.parts["palette"].reject()


def _nothing_found(stage: Stage) -> None:
    stage.window.task_list.filter.setText(NOT_FOUND)
    stage.window.task_list.filter.textEdited.emit(stage.window.task_list.filter.text())
    stage.wait(lambda: stage.window.task_list.model.rowCount() == 0)


def _clear_filter(stage: Stage) -> None:
    stage.window.task_list.clear_filter()
    stage.wait(lambda: stage.window.task_list.model.rowCount() == len(ALL))


def _not_saved(stage: Stage) -> None:
    stage.saves.full = True
    stage.go("s6")
    stage.answer("N")
    stage.wait(lambda: stage.saver.failing)


def _saved_again(stage: Stage) -> None:
    stage.saves.full = False
    stage.saver.try_now()
    stage.wait(lambda: not stage.saver.unsaved)


def _read_only(stage: Stage) -> None:
    session = stage.session
    assert session.task is not None
    assert session.rubric is not None
    stage.window.banners.drop("transfer")
    words = "Sent on 20 November: nothing can be changed."
    session.open(session.bundle, session.task, session.rating, session.rubric, at=session.stops[3], read_only=words)


def _finished(stage: Stage) -> None:
    stage.window.banners.drop("transfer")
    stage.take_ratings(ALL)
    stage.open("t-0001")
    stage.go("s2")


def _restore(stage: Stage) -> None:
    """Show two backups, of which the older one is damaged."""
    backing_up = stage.window.findChild(BackupRunner)
    assert backing_up is not None
    made: list[object] = []
    backing_up.ended.connect(made.append)
    for count in (1, 2):
        stage.act("back_up")
        stage.wait(lambda count=count: len(made) == count)
    older = list_backups(stage.folder / "store")[-1].path
    older.write_bytes(older.read_bytes()[:-1])
    stage.window.banners.drop("backup")
    stage.act("restore")
    dialog = stage.window.findChild(RestoreDialog)
    assert dialog is not None
    stage.wait(lambda: dialog.is_read)


def _check_store(stage: Stage) -> None:
    """Check the store: sound, except for the backup damaged by the scene before."""
    stage.act("check_store")
    dialog = stage.window.findChild(StoreCheckDialog)
    assert dialog is not None
    stage.wait(lambda: dialog.is_read)


def _mapping(stage: Stage) -> None:
    """Show the proposed map of a file of records, with a label that has no answer."""
    segments = ("Hannibal crossed the Alps in 218 BC.", "He had 37 elephants.", "The pass is known for certain.")
    labels = ("SUPPORTED", "SUPPORTED", "REFUTED", "UNK")
    records = [
        {
            "id": f"q-{number:03}",
            "model": "heron-2",
            "question": "How did Hannibal cross the Alps?",
            "tool_calls": [{"name": "search", "arguments": {"q": "Hannibal"}, "output": ["Col de Clapier"]}],
            "response": " ".join(segments) if number % 20 else "",
            "segments": [
                {"text": text, "verdict": labels[(number + at) % 4]} for at, text in enumerate(segments, number % 2)
            ],
            "sources": [{"snippet": "218 BC"}],
        }
        for number in range(1, 241)
    ]
    path = stage.folder / "segments.jsonl"
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    stage.window.sources_dropped.emit((path,))
    dialog = stage.window.findChild(MappingDialog)
    assert dialog is not None
    stage.wait(lambda: dialog.is_counted)
    dialog.map_pane.focus_field("context")
    assert dialog.tree.find_text("218 BC")
    dialog.map_pane.take_value("sources[*].snippet")
    stage.wait(lambda: not dialog.is_counted)
    stage.wait(lambda: dialog.is_counted)


def _close_dialogs(stage: Stage) -> None:
    for dialog in stage.window.findChildren(QDialog):
        if dialog.isWindow() and dialog.isVisible():
            dialog.reject()


def _leave_mapping(stage: Stage) -> None:
    """Close the dialog, which asks once because its map was edited."""
    for _attempt in range(2):
        _close_dialogs(stage)


def _practice(stage: Stage) -> None:
    """Open the first practice task, with one target judged differently from the gold answer."""
    stage.transfer.open_sample("practice")
    stage.wait(lambda: stage.session.task is not None and stage.session.task.id == "p-1")
    stage.wait(lambda: not stage.transfer.is_running)
    stage.window.banners.drop("transfer")
    for target, keys in (("s1", "N"), ("s2", "Y1A"), ("s3", "Y1A"), ("s4", "N")):
        stage.go(target)
        for key in keys:
            stage.answer(key)
    stage.act("finish")
    stage.wait(lambda: stage.session.shows_gold)


SCENES: tuple[Scene, ...] = (
    Scene("first-run", _first_run, IN_BOTH),
    Scene("new-task", _new_task),
    Scene("guided-task", _guided_task, AND_LARGE, lambda stage: stage.window.parts["guide"].leave(), _show_form),
    Scene("rating", _rating, IN_ALL),
    Scene("problems", _problems, IN_ALL, lambda stage: stage.act("undo"), _show_form),
    Scene("evidence", _evidence, IN_BOTH),
    Scene("preview", _preview, IN_ALL, settle=_choose_passage),
    Scene("page-window", _page_window, AND_LARGE, lambda stage: stage.act("page_window"), _fit_page_window),
    Scene("page-offline", _page_offline, IN_BOTH),
    Scene("no-page", _no_page),
    Scene("page-of-evidence", _page_of_evidence, IN_BOTH, _close_preview),
    Scene("tool-output", _tools, IN_BOTH),
    Scene("right-to-left", _backwards, IN_BOTH),
    Scene("cjk", _cjk),
    Scene("suggestions", _suggestions),
    Scene("find", _find, leave=lambda stage: stage.commands.view.find_bar.shut()),
    Scene("guidelines", _guidelines, leave=lambda stage: stage.act("guideline")),
    Scene("history", _history, IN_BOTH, lambda stage: stage.window.parts["history"].leave()),
    Scene("palette", lambda stage: _find_in_palette(stage, "evidence"), IN_BOTH, _leave_palette),
    Scene("palette-setting", _find_setting, AND_LARGE, _leave_palette, _find_setting),
    Scene("keys", lambda stage: stage.act("keys"), leave=_close_dialogs),
    Scene("settings", lambda stage: stage.act("settings"), IN_BOTH, _close_dialogs),
    Scene("restore", _restore, IN_BOTH, _close_dialogs),
    Scene("check-store", _check_store, IN_BOTH, _close_dialogs),
    Scene("mapping", _mapping, IN_BOTH, _leave_mapping),
    Scene("skip", lambda stage: stage.act("skip"), leave=lambda stage: stage.commands.leave()),
    Scene("library", play_library, AND_NOTEBOOK),
    Scene("library-document", play_document, IN_BOTH, leave_document),
    Scene("cases", play_cases, AND_NOTEBOOK, leave_cases),
    Scene("earlier-answer", play_earlier_answer, IN_BOTH, leave_earlier_answer),
    Scene("nothing-found", _nothing_found, leave=_clear_filter),
    Scene("not-saved", _not_saved, leave=_saved_again),
    Scene("export-refused", lambda stage: stage.export()),
    Scene("finished-task", _finished),
    Scene("exported", lambda stage: stage.export(), leave=lambda stage: stage.window.banners.drop(SIGNING_BANNER)),
    Scene("read-only", _read_only),
    Scene("pair", play_pair, AND_NOTEBOOK),
    Scene("pair-tools", play_failed_tool, IN_BOTH, lambda stage: stage.act("tools")),
    Scene("pair-of-one", play_one_response),
    Scene("scales", play_scales, SCALES),
    Scene("risks", play_risks, SCALES),
    Scene("formulas", play_formulas, AND_LARGE),
    Scene("tool-values", play_tool_output, AND_LARGE),
    Scene("practice", _practice, IN_BOTH),
    Scene("returned", play_returned, IN_ALL, settle=_show_form),
    Scene("start", play_start, AND_NOTEBOOK, leave_start),
    Scene("results", audits.play_results, IN_ALL, audits.leave),
    Scene("review", play_review, IN_ALL, audits.leave),
    Scene("review-send-back", play_send_back, IN_ALL, leave_send_back),
    Scene("review-blind", play_blind, IN_BOTH, leave_blind),
    Scene("review-cases", play_review_cases, AND_NOTEBOOK, leave_review_cases),
    Scene("many-raters", play_many_raters, AND_NOTEBOOK, leave_many),
    Scene("many-graders", play_many_graders, AND_NOTEBOOK, leave_many),
    Scene("report-many", play_many_report, AND_NOTEBOOK, leave_scale_report),
    Scene("report", play_report, IN_ALL, audits.leave),
    Scene("report-table", play_report_tables, IN_BOTH, leave_report_tables),
    Scene("report-scale", play_scale_report, IN_BOTH, leave_scale_report),
    Scene("audit-result", play_result, IN_ALL, leave_result),
    Scene("systems", play_systems, IN_ALL, audits.leave),
    Scene("systems-table", play_system_tables, IN_BOTH, leave_system_tables),
    Scene("scoring", play_scoring, IN_ALL, leave_scoring),
    Scene("text_scores", play_validation, IN_BOTH, leave_validation),
    Scene("custom-rubric", play_custom_rubric, IN_BOTH),
    Scene("changed-rubric", play_changed_rubric, IN_BOTH, audits.leave),
    Scene("hub-connect", hubs.play_connect, DIALOGS, settle=hubs.settle),
    Scene("hub-probed", hubs.play_probed, DIALOGS, settle=hubs.settle),
    Scene("hub-arrivals", hubs.play_arrivals, IN_BOTH),
    Scene("hub-offline", hubs.play_offline, IN_BOTH),
    Scene("hub-state", hubs.play_state, DIALOGS, settle=hubs.settle),
    Scene("hub-disconnect", hubs.play_disconnect, IN_BOTH, hubs.leave),
    Scene("hub-publish", hubs.play_publish, IN_BOTH, hubs.leave_publish),
)


def chosen(scenes: tuple[Scene, ...] | None, *, everywhere: bool) -> tuple[Scene, ...]:
    """Return the given scenes or all of them; `everywhere`: each in every size and theme."""
    scenes = SCENES if scenes is None else scenes
    return tuple(replace(scene, frames=IN_ALL) for scene in scenes) if everywhere else scenes


MAIN = {
    "first-run",
    "new-task",
    "rating",
    "problems",
    "evidence",
    "preview",
    "pair",
    "scales",
    "start",
    "review",
    "report",
    "systems",
}


def main_scenes() -> tuple[Scene, ...]:
    """Return the main screens, each in one size and theme."""
    return tuple(replace(scene, frames=ONCE) for scene in SCENES if scene.name in MAIN)
