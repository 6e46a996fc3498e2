"""The file of settings: written whole, read with care, and never thrown away."""

import json

import msgspec
import pytest

from desktop_rater.format.errors import RaterError
from desktop_rater.operations.rating.settings_file import SETTINGS_FORMAT, read_settings, write_settings
from desktop_rater.paths import default_store, settings_file
from desktop_rater.settings import SETTINGS, SETTINGS_BY_ID, Settings, stepped_value, with_setting
from tests.operations.bundles import noon


@pytest.fixture
def file(tmp_path):
    return tmp_path / "config" / "settings.json"


def put(file, content):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return file


def test_the_table_and_the_struct_say_the_same():
    defaults = msgspec.structs.asdict(Settings())
    assert {row.id: row.default for row in SETTINGS} == defaults
    assert all(row.accepts(row.default) for row in SETTINGS)


def test_without_a_file_the_usual_settings_hold_and_nothing_is_made(file):
    kept = read_settings(file, now=noon())
    assert kept.settings == Settings()
    assert not file.parent.exists()


def test_what_is_written_is_read(file):
    settings = Settings(rater="Jörg Öz", theme="dark", zoom=150, keys={"skip": "F9"})
    write_settings(file, settings, {})
    assert read_settings(file, now=noon()).settings == settings
    assert [path.name for path in file.parent.iterdir()] == ["settings.json"]


def test_keys_that_a_newer_program_wrote_are_kept(file):
    put(file, {"format": SETTINGS_FORMAT, "zoom": 120, "hub": {"url": "https://hub.example"}})
    kept = read_settings(file, now=noon())
    write_settings(file, with_setting(kept.settings, "zoom", 130), kept.further)
    written = json.loads(file.read_bytes())
    assert written["hub"] == {"url": "https://hub.example"}
    assert written["zoom"] == 130


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe\x00", b"[" * 100_000, [], {"zoom": 100}, {"format": "something-else"}, b"x" * 1_000_001],
    ids=["empty", "cut off", "no text", "too deep", "a list", "nameless", "foreign", "too large"],
)
def test_a_file_that_can_t_be_used_is_set_aside(file, content):
    put(file, content)
    before = file.read_bytes()
    kept = read_settings(file, now=noon())
    assert kept.settings == Settings()
    assert kept.set_aside is not None
    assert kept.set_aside.read_bytes() == before
    assert not file.exists()


def test_two_files_set_aside_in_one_second_are_both_kept(file):
    aside = [read_settings(put(file, b"{"), now=noon()).set_aside for _ in range(2)]
    assert len(set(aside)) == 2
    assert all(path is not None and path.exists() for path in aside)


def test_one_wrong_value_leaves_the_others_alone(file):
    put(file, {"format": SETTINGS_FORMAT, "zoom": 1_000, "theme": "dark", "reading_size": True, "keys": ["J"]})
    kept = read_settings(file, now=noon())
    assert kept.wrong == ("zoom", "reading_size", "keys")
    assert kept.settings == Settings(theme="dark")
    assert file.exists()


def test_a_folder_in_its_place_is_not_touched(file):
    file.mkdir(parents=True)
    assert read_settings(file, now=noon()).unreadable
    with pytest.raises(RaterError, match="can't be saved"):
        write_settings(file, Settings(), {})
    assert file.is_dir()


def test_a_write_that_fails_leaves_the_old_file(file, monkeypatch):
    write_settings(file, Settings(zoom=120), {})

    def full(*_args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("desktop_rater.files.rename_durably", full)
    with pytest.raises(RaterError, match="No space left"):
        write_settings(file, Settings(zoom=130), {})
    assert read_settings(file, now=noon()).settings.zoom == 120
    assert [path.name for path in file.parent.iterdir()] == ["settings.json"]


@pytest.mark.parametrize(
    ("name", "value"),
    [("zoom", 49), ("zoom", 301), ("theme", "pink"), ("rater", "a\nb"), ("rater", "x" * 81), ("pause_after", 1.5)],
)
def test_a_value_out_of_bounds_is_refused(name, value):
    with pytest.raises(ValueError, match=name):
        with_setting(Settings(), name, value)


def test_steps_stay_within_bounds_and_none_is_the_usual_value():
    assert stepped_value(Settings(zoom=295), "zoom", 1) == 300
    assert stepped_value(Settings(zoom=50), "zoom", -1) == 50
    assert stepped_value(Settings(zoom=170), "zoom", 0) == SETTINGS_BY_ID["zoom"].default


def test_a_store_that_was_named_has_its_own_settings(tmp_path):
    assert settings_file(tmp_path / "s") == tmp_path / "s" / "settings.json"
    usual = settings_file(default_store())
    assert usual.name == "settings.json"
    assert default_store() not in usual.parents
