"""The shapes of labels as SVG, on a field of 16 by 16 about nought: the same that the window paints.

`currentColor` is the ink, `--surface` what it stands on.
"""

from __future__ import annotations

_INK = 'fill="currentColor" stroke="none"'
_LINE = 'fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"'
_CUT = 'fill="none" stroke="var(--surface)" stroke-linecap="round" stroke-linejoin="round"'
_HOOK = "M-1.7,-1.6C-1.7,-4.2 1.9,-4 1.7,-1.6C1.6,-0.2 0,-0.2 0,1.1M0,3.2h0.01"
_SKIPPED = f'<path {_LINE} stroke-width="1.3" d="M-4.2,-4.2L1.4,0L-4.2,4.2ZM4.4,-4.2V4.2"/>'

SIGNS: dict[str, str] = {
    "circle-tick": f'<circle r="6" {_INK}/><path {_CUT} stroke-width="1.6" d="M-2.8,0.2L-0.9,2.1L2.8,-2"/>',
    "square-cross": f'<rect x="-5.5" y="-5.5" width="11" height="11" rx="1" {_INK}/>'
    f'<path {_CUT} stroke-width="1.6" d="M-2.2,-2.2L2.2,2.2M-2.2,2.2L2.2,-2.2"/>',
    "diamond-question": f'<path {_INK} d="M0,-6.8L6.8,0L0,6.8L-6.8,0Z"/><path {_CUT} stroke-width="1.4" d="{_HOOK}"/>',
    "half-circle": f'<circle r="5.5" {_LINE} stroke-width="1.3"/><path {_INK} d="M0,-5.5A5.5,5.5 0 0 0 0,5.5Z"/>',
    "ring-bar": f'<circle r="5.5" {_LINE} stroke-width="1.3"/><path {_LINE} stroke-width="1.3" d="M-2.8,0H2.8"/>',
    "ring-plus": f'<circle r="6" {_LINE} stroke-width="1.3"/><path {_LINE} stroke-width="1.5" d="M-3,0H3M0,-3V3"/>',
    "square-minus": f'<rect x="-6" y="-6" width="12" height="12" rx="1" {_INK}/>'
    f'<path {_CUT} stroke-width="1.8" d="M-3,0H3"/>',
    "circle": f'<circle r="5.5" {_INK}/>',
    "square": f'<rect x="-5.5" y="-5.5" width="11" height="11" rx="1" {_INK}/>',
    "bar-triangle": _SKIPPED,
    "skipped": _SKIPPED,
}


def symbols() -> str:
    """All of them, to be named once in a page and used anywhere in it."""
    drawn = (f'<g id="sign-{name}">{inside}</g>' for name, inside in SIGNS.items())
    return f'<svg width="0" height="0" aria-hidden="true" style="position:absolute"><defs>{"".join(drawn)}</defs></svg>'
