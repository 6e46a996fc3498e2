"""Results that a lead opens as the annotations of other tools."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication

from desktop_rater.format.change import Progress
from desktop_rater.format.opened_files import is_source
from desktop_rater.store.store import Store
from desktop_rater.translation import N_
from desktop_rater.ui.review.results_import import BANNER
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.banners import Banners

if TYPE_CHECKING:
    from desktop_rater.plugins.convert.annotations.import_annotations import ImportedAnnotations

translate = QCoreApplication.translate

LOSSES = {
    "file": N_("Losses", "files without records"),
    "record": N_("Losses", "records that can’t be read"),
    "no_rater": N_("Losses", "annotations without a rater"),
    "no_task": N_("Losses", "annotations without a task"),
    "unknown_task": N_("Losses", "annotations of other tasks"),
    "unknown_question": N_("Losses", "answers to unknown questions"),
    "unknown_label": N_("Losses", "labels that answer no question"),
    "unknown_place": N_("Losses", "answers about unknown places"),
    "wrong_value": N_("Losses", "answers that are not offered"),
    "not_asked": N_("Losses", "answers to questions that are not asked there"),
    "repeated": N_("Losses", "repeated answers"),
    "response": N_("Losses", "responses without a value"),
    "column": N_("Losses", "columns that belong to raters"),
    "prediction": N_("Losses", "predictions of models"),
    "relation": N_("Losses", "relations between spans"),
    "other": N_("Losses", "results of other kinds"),
    "unreadable_time": N_("Losses", "times that can’t be read"),
    "number": N_("Losses", "numbers that can’t be read"),
    "empty": N_("Losses", "annotations without an answer"),
}
"""Kind of loss of an import → its title."""


class AnnotationsReader:
    """Reads what people answered in other tools about the tasks of the open bundle."""

    def choose(self, paths: Sequence[Path]) -> list[Path]:
        return [path for path in paths if is_source(path)]

    def read(
        self, store: Store, paths: list[Path], *, audit: str, lead: str, now: datetime, progress: Progress
    ) -> "ImportedAnnotations":
        from desktop_rater.plugins.convert.annotations import AnnotationFiles  # noqa: PLC0415 - only when it is used
        from desktop_rater.plugins.convert.annotations.import_annotations import (  # noqa: PLC0415 - as above
            AnnotationImport,
            import_annotations,
        )

        wanted = AnnotationImport(files=AnnotationFiles(paths=tuple(paths)), audit=audit)
        return import_annotations(store, wanted, lead=lead, now=now, progress=progress)

    def show(self, imported: "ImportedAnnotations", banners: Banners) -> None:
        text = translate("Losses", "Imported: {ratings} ratings of {raters} raters.")
        numbers = {"ratings": imported.ratings, "raters": imported.raters}
        parts = [text.format(**{name: formatting.number(number) for name, number in numbers.items()})]
        losses = [
            f"{translate('Losses', LOSSES[kind])} ({formatting.number(loss['count'])})"
            for kind, loss in imported.losses.items()
        ]
        if losses:
            parts.append(translate("Losses", "Not taken: {list}.").format(list=", ".join(losses)))
        broken = sum(bool(results.broken) for results in imported.took)
        if broken:
            parts.append(
                translate("Losses", "Raters whose ratings break a rule: {n}.").format(n=formatting.number(broken))
            )
        copied = partial(_copy_losses, imported)
        actions = [(translate("Losses", "Copy the details"), copied)] if imported.losses else []
        banners.show_banner(BANNER, "warn" if imported.losses or broken else "info", " ".join(parts), actions)


def _copy_losses(imported: "ImportedAnnotations") -> None:
    lines = [
        line
        for loss in imported.losses.values()
        for line in (
            f"{formatting.number(loss['count'])} {loss['why']}",
            *(f"  {example}" for example in loss["examples"]),
        )
    ]
    QGuiApplication.clipboard().setText("\n".join(lines))
