"""What the palette can't say: borders, corners and padding of the standard controls."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.ui.theme_tokens import Tokens

FIELD_FRAME = 5  # border and padding of a field, above and below

# Sizes stand as {number}: pixels at 100 %. Each field keeps its size when its border grows for the focus.
_SHEET = """
QLineEdit, QPlainTextEdit[readOnly="false"] {
  background: <surface>; color: <text>; border: {1} solid <edge>; border-radius: {4}; padding: {4} {7};
  selection-background-color: <pick>; selection-color: <text>;
}
QLineEdit:focus, QPlainTextEdit[readOnly="false"]:focus {
  border: {2} solid <accent>; padding: {3} {6};
}
QLineEdit:disabled, QLineEdit:read-only { color: <text3>; background: <panel>; }
QPushButton {
  background: <raised>; color: <text>; border: {1} solid <edge>; border-radius: {4};
  padding: {4} {11}; min-height: {20};
}
QPushButton:hover { background: <hover>; }
QPushButton:focus { border: {2} solid <accent>; padding: {3} {10}; }
QPushButton:disabled { color: <text3>; }
QListView#claim_list, QListView#evidence_list {
  background: <surface>; border: {1} solid <line>; border-radius: {6};
}
QToolTip { background: <raised>; color: <text>; border: {1} solid <edge>; padding: {4} {8}; }
QMenuBar { background: <win>; color: <text>; spacing: 0; }
QMenuBar::item { background: transparent; padding: {4} {8}; border-radius: {4}; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: <hover>; }
QMenu { background: <raised>; color: <text>; border: {1} solid <edge>; padding: {4} 0; }
QMenu::item { padding: {5} {24}; }
QMenu::item:selected { background: <sel>; color: <text>; }
QMenu::item:disabled { color: <text3>; background: <raised>; }
QMenu::separator { height: 1px; background: <line>; margin: {4} 0; }
QTabBar#prompt_tabs::tab {
  background: transparent; border: none; border-bottom: {2} solid transparent; color: <text2>;
  padding: {2} 0; margin-right: {16};
}
QTabBar#prompt_tabs::tab:selected { color: <text>; border-bottom: {2} solid <accent>; }
QTabBar#prompt_tabs::tab:hover { color: <text>; }
QScrollBar:vertical { background: transparent; border: none; width: {10}; margin: 0; }
QScrollBar:horizontal { background: transparent; border: none; height: {10}; margin: 0; }
QScrollBar::handle { background: <edge>; border-radius: {3}; margin: {2}; }
QScrollBar::handle:vertical { min-height: {24}; }
QScrollBar::handle:horizontal { min-width: {24}; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; background: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: none; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QSplitter::handle { background: <line>; }
QStatusBar { background: <win>; border: none; }
QStatusBar::item { border: none; }
"""


def style_sheet(colors: Tokens, px: Callable[[float], int]) -> str:
    """The sheet for a set of colours at the zoom of the window."""
    text = _SHEET
    for size in range(30, 0, -1):
        text = text.replace(f"{{{size}}}", f"{max(1, px(size))}px")
    return re.sub(r"<(\w+)>", lambda found: getattr(colors, found[1]), text)
