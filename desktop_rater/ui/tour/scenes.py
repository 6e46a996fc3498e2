"""The screens of the tour as one table: what a rater does to come to each, and in which frames it is drawn.

They are played from the first to the last, also where only some are drawn: each begins where the one before ended.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog

from desktop_rater.model.rating import SUPPORTING
from desktop_rater.store.backups import listed
from desktop_rater.ui.signing.signer import BANNER as SIGNING
from desktop_rater.ui.store_care.backing_up import BackingUp
from desktop_rater.ui.store_care.restore_dialog import RestoreDialog
from desktop_rater.ui.store_care.store_check import CheckDialog
from desktop_rater.ui.tour import audits, hubs
from desktop_rater.ui.tour.custom import play_custom_rubric
from desktop_rater.ui.tour.frames import DARK, IN_ALL, IN_BOTH, LAPTOP, LARGE, LIGHT, ONCE, Frame
from desktop_rater.ui.tour.pairs import play_failed_tool, play_one_response, play_pair
from desktop_rater.ui.tour.reports import leave_report_tables, play_report, play_report_tables
from desktop_rater.ui.tour.returned import play_returned
from desktop_rater.ui.tour.reviews import leave_blind, leave_send_back, play_blind, play_review, play_send_back
from desktop_rater.ui.tour.scales import play_risks, play_scales
from desktop_rater.ui.tour.scorings import leave_scoring, play_scoring

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.ui.tour.stage import Stage

BEGUN: dict[str, tuple[str, ...] | None] = {
    "t-0001": ("s1", "s2", "s3", "s4", "s5"),
    "t-0002": None,
    "t-0003": None,
    "t-0007": ("s1", "s2", "s3", "s4"),
    "t-0008": ("s1", "s2", "s3", "s4"),
    "t-0012": None,
}
ALL = {f"t-{number:04d}": None for number in range(1, 13)}
FOUND, NOT_FOUND, ASKED = "pyramid", "no such words", "evidence"
PASSES = "https://alpine-history.example/hannibal/which-pass"
PASSAGE = "So the question is open.", "still choose different roads."
NOT_STORED = "https://en.wikipedia.org/wiki/Col_de_Clapier"
PAGE = "https://www.britannica.com/biography/Hannibal-Carthaginian-general-247-183-BCE"
SCALES: tuple[Frame, ...] = (*IN_BOTH, (LAPTOP, LIGHT), (LAPTOP, DARK))
DIALOGS: tuple[Frame, ...] = (*SCALES, (LARGE, LIGHT), (LARGE, DARK))


@dataclass(frozen=True)
class Scene:
    """`settle` is done again in each frame; `leave` puts back what the next scene does not expect."""

    name: str
    play: Callable[[Stage], object]
    frames: tuple[Frame, ...] = ONCE
    leave: Callable[[Stage], object] = lambda _stage: None
    settle: Callable[[Stage], object] = lambda _stage: None


def _first_run(stage: Stage) -> None:
    stage.wait(lambda: stage.window.stack.currentWidget() is stage.window.empty_page)


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
    stage.session.set_rail("accuracy")
    stage.window.form_pane.form.setFocus()


def _problems(stage: Stage) -> None:
    stage.answer("A")


def _show_form(stage: Stage) -> None:
    """Where there is room for one pane: the focus has to come to it."""
    stage.window.text_pane.panes[0].view.setFocus()
    stage.window.form_pane.form.setFocus()


def _evidence(stage: Stage) -> None:
    stage.go("s6")
    stage.answer("Y")
    name = stage.session.add_evidence(PAGE)
    stage.session.change_evidence(name or "", stance=SUPPORTING, title="Hannibal, Carthaginian general")
    stage.act("quote")


def _preview(stage: Stage) -> None:
    """A link of the response, and a passage of its page chosen."""
    stage.window.form_pane.form.setFocus()
    stage.go("s4")
    stage.read(lambda: stage.browsing.open(PASSES))
    _choose_passage(stage)


def _choose_passage(stage: Stage) -> None:
    """What is in view differs in each frame, so it is chosen in each."""
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
    stage.session.set_rail("accuracy")
    stage.act("guideline")


def _history(stage: Stage) -> None:
    """What was done in this task, and how it stood before the last of it."""
    stage.act("history")
    pane = stage.commands.history.pane
    stage.wait(lambda: pane.model.rowCount() > 1)
    pane.list.setCurrentIndex(pane.model.index(1))
    stage.commands.history.show_chosen()


def _palette(stage: Stage) -> None:
    stage.act("palette")
    palette = stage.commands.view.palette
    if palette is not None:
        palette.field.setText(ASKED)


def _leave_palette(stage: Stage) -> None:
    palette = stage.commands.view.palette
    if palette is not None:
        palette.reject()


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
    """Two backups, of which the older one is damaged."""
    dialog, backing_up = stage.window.findChild(RestoreDialog), stage.window.findChild(BackingUp)
    assert dialog is not None
    assert backing_up is not None
    made: list[object] = []
    backing_up.ended.connect(made.append)
    for count in (1, 2):
        stage.act("back_up")
        stage.wait(lambda count=count: len(made) == count)
    older = listed(stage.folder / "store")[-1].path
    older.write_bytes(older.read_bytes()[:-1])
    stage.window.banners.drop("backup")
    stage.act("restore")
    stage.wait(lambda: dialog.is_read)


def _check_store(stage: Stage) -> None:
    """Sound, but for the backup that the scene before has damaged."""
    dialog = stage.window.findChild(CheckDialog)
    assert dialog is not None
    stage.act("check_store")
    stage.wait(lambda: dialog.is_read)


def _close_dialogs(stage: Stage) -> None:
    for dialog in stage.window.findChildren(QDialog):
        if dialog.isWindow() and dialog.isVisible():
            dialog.reject()


def _practice(stage: Stage) -> None:
    """The first task of the sample for practice, with one target judged otherwise than in the gold."""
    stage.transfer.open_practice()
    stage.wait(lambda: stage.session.task is not None and stage.session.task.id == "p-1")
    stage.wait(lambda: not stage.transfer.is_running)
    stage.window.banners.drop("transfer")
    for target, keys in (("s1", "N"), ("s2", "Y1A"), ("s3", "Y1A"), ("s4", "N")):
        stage.go(target)
        for key in keys:
            stage.answer(key)
    stage.act("finish")
    stage.wait(lambda: stage.session.beside_gold)


SCENES: tuple[Scene, ...] = (
    Scene("first-run", _first_run, IN_BOTH),
    Scene("new-task", _new_task),
    Scene("rating", _rating, IN_ALL),
    Scene("problems", _problems, IN_ALL, lambda stage: stage.act("undo"), _show_form),
    Scene("evidence", _evidence, IN_BOTH),
    Scene("preview", _preview, IN_ALL, settle=_choose_passage),
    Scene("page-offline", _page_offline, IN_BOTH),
    Scene("no-page", _no_page),
    Scene("page-of-evidence", _page_of_evidence, IN_BOTH, _close_preview),
    Scene("tool-output", _tools, IN_BOTH),
    Scene("right-to-left", _backwards, IN_BOTH),
    Scene("cjk", _cjk),
    Scene("suggestions", _suggestions),
    Scene("find", _find, leave=lambda stage: stage.commands.view.find_bar.shut()),
    Scene("guidelines", _guidelines, leave=lambda stage: stage.act("guideline")),
    Scene("history", _history, IN_BOTH, lambda stage: stage.commands.history.leave()),
    Scene("palette", _palette, IN_BOTH, _leave_palette),
    Scene("keys", lambda stage: stage.act("keys"), leave=_close_dialogs),
    Scene("settings", lambda stage: stage.act("settings"), IN_BOTH, _close_dialogs),
    Scene("restore", _restore, IN_BOTH, _close_dialogs),
    Scene("check-store", _check_store, IN_BOTH, _close_dialogs),
    Scene("skip", lambda stage: stage.act("skip"), leave=lambda stage: stage.commands.leave()),
    Scene("nothing-found", _nothing_found, leave=_clear_filter),
    Scene("not-saved", _not_saved, leave=_saved_again),
    Scene("export-refused", lambda stage: stage.export()),
    Scene("finished-task", _finished),
    Scene("exported", lambda stage: stage.export(), leave=lambda stage: stage.window.banners.drop(SIGNING)),
    Scene("read-only", _read_only),
    Scene("pair", play_pair, IN_ALL),
    Scene("pair-tools", play_failed_tool, IN_BOTH, lambda stage: stage.act("tools")),
    Scene("pair-of-one", play_one_response),
    Scene("scales", play_scales, SCALES),
    Scene("risks", play_risks, SCALES),
    Scene("practice", _practice, IN_BOTH),
    Scene("returned", play_returned, IN_ALL, settle=_show_form),
    Scene("results", audits.play_results, IN_ALL, audits.leave),
    Scene("review", play_review, IN_ALL, audits.leave),
    Scene("review-send-back", play_send_back, IN_ALL, leave_send_back),
    Scene("review-blind", play_blind, IN_BOTH, leave_blind),
    Scene("report", play_report, IN_ALL, audits.leave),
    Scene("report-table", play_report_tables, IN_BOTH, leave_report_tables),
    Scene("scoring", play_scoring, IN_ALL, leave_scoring),
    Scene("custom-rubric", play_custom_rubric, IN_BOTH),
    Scene("hub-connect", hubs.play_connect, DIALOGS, settle=hubs.settle),
    Scene("hub-probed", hubs.play_probed, DIALOGS, settle=hubs.settle),
    Scene("hub-arrivals", hubs.play_arrivals, IN_BOTH),
    Scene("hub-offline", hubs.play_offline, IN_BOTH),
    Scene("hub-state", hubs.play_state, DIALOGS, settle=hubs.settle),
    Scene("hub-disconnect", hubs.play_disconnect, IN_BOTH, hubs.leave),
    Scene("hub-publish", hubs.play_publish, IN_BOTH, hubs.leave_publish),
)


def chosen(scenes: tuple[Scene, ...] | None, *, everywhere: bool) -> tuple[Scene, ...]:
    """Those screens, else all of them; `everywhere` each in every size and look."""
    scenes = SCENES if scenes is None else scenes
    return tuple(replace(scene, frames=IN_ALL) for scene in scenes) if everywhere else scenes
