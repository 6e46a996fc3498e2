"""The colours of a report's pictures by name, from the tokens of the window: for pages that are written, without Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.audit.charts.shapes import INKS

if TYPE_CHECKING:
    from desktop_rater.ui.theme_tokens import Tokens


def inks(colors: Tokens) -> dict[str, str]:
    """The colours by their names, the inks and the tints of the tones too."""
    tones = colors.tones.items()
    plain = {name: getattr(colors, name) for name in (*INKS, "win")}
    return plain | {f"ink {name}": one.ink for name, one in tones} | {f"tint {name}": one.tint for name, one in tones}
