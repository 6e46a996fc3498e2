"""Where things lie: the program's resources and the user's folders."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_config_path, user_data_path

_HERE = Path(__file__).parent


def resources() -> Path:
    """The folder of rubrics, guidelines, schemas and samples: inside an installed package, beside it in a checkout."""
    installed = _HERE / "resources"
    return installed if installed.is_dir() else _HERE.parent / "resources"


def default_store() -> Path:
    """The user's own store folder. It is not made here."""
    return user_data_path("desktop-rater", appauthor=False) / "store"


def settings_file(store: Path) -> Path:
    """Where the settings lie: in the user's folder for such files, or inside a store that was named on purpose."""
    if store == default_store():
        return user_config_path("desktop-rater", appauthor=False) / "settings.json"
    return store / "settings.json"
