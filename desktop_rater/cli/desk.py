"""What the commands of a QA lead share: the store with its results, and who the lead is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from desktop_rater.cli.answer import WORDS, updating
from desktop_rater.model.limits import now
from desktop_rater.paths import settings_file
from desktop_rater.store.opening import open_reader, open_writer
from desktop_rater.store.trouble import NotThere
from desktop_rater.work.keep_settings import settings_as_they_are
from desktop_rater.work.review import Lead

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_rater.store.store import Store

lead_option = click.option("--lead", type=WORDS, help="Whose word it is; the name in the settings without it.")


def lead_of(folder: Path, given: str | None) -> Lead:
    """The lead by the option, else by the settings of the store's user."""
    name = given or settings_as_they_are(settings_file(folder)).rater
    if not name.strip():
        raise click.UsageError("Whose word it is has to be known: give --lead.")
    return Lead(name, now)


def desk_to_read(folder: Path, bundle: str) -> Store:
    """The store that holds the results. Raises `NotThere`."""
    store = open_reader(folder)
    if store is None:
        raise NotThere(f"There are no results of a bundle {bundle!r} in the store.", f"{folder} is no store yet.")
    return store


def desk_to_write(folder: Path, bundle: str, command: str) -> Store:
    """The same to write; it has to be there, so that what is refused makes none."""
    desk_to_read(folder, bundle).close()
    return open_writer(folder, command=command, updating=updating)
