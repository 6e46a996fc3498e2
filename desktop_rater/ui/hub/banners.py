"""Where the hub's banners stand: what comes by itself moves no line of the form that is being rated."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.ui.banner import Banner, Banners, Kind, Way
    from desktop_rater.ui.main_window import MainWindow


class HubBanners:
    """At the form's foot where one rates, where they open upwards; else at the top of the window."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    @property
    def _places(self) -> tuple[Banners, Banners]:
        return self._window.banners, self._window.form_pane.banners

    def show_banner(self, key: str, kind: Kind, text: str, ways: Sequence[Way] = ()) -> Banner:
        """Show a banner in the place that is right by now."""
        top, foot = self._places
        here = foot if self._window.form_pane.isVisible() else top
        (top if here is foot else foot).drop(key)
        return here.show_banner(key, kind, text, ways)

    def drop(self, key: str) -> None:
        """Take a banner away, wherever it is."""
        for place in self._places:
            place.drop(key)

    def banner(self, key: str) -> Banner | None:
        """The banner, wherever it is."""
        return next((found for place in self._places if (found := place.banner(key)) is not None), None)

    def text(self, key: str) -> str | None:
        """What it says; `None` where it is not shown."""
        banner = self.banner(key)
        return banner.label.text() if banner is not None else None
