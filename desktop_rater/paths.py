"""Paths of the program's resources and of the user's folders."""

from pathlib import Path

from platformdirs import user_config_path, user_data_path

_HERE = Path(__file__).parent


def resources() -> Path:
    """Return the folder of rubrics, guidelines, schemas and samples; a checkout has it beside the package."""
    installed = _HERE / "resources"
    return installed if installed.is_dir() else _HERE.parent / "resources"


def default_store() -> Path:
    """Return the user's default store folder, without creating it."""
    return user_data_path("desktop-rater", appauthor=False) / "store"


def settings_file(store: Path) -> Path:
    """Return the settings file: in the user's configuration folder, or inside a store given explicitly."""
    if store == default_store():
        return user_config_path("desktop-rater", appauthor=False) / "settings.json"
    return store / "settings.json"
