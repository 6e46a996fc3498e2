"""The style sheet of a report's page: light or dark as the reader's system is, and light on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_RULES = """
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 24px; max-width: 1480px; background: var(--win); color: var(--text);
  font: 13px/18px Inter, system-ui, sans-serif; font-variant-numeric: tabular-nums; }
h1 { font-size: 19px; line-height: 26px; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 15px; margin: 24px 0 8px; overflow-wrap: anywhere; }
h3 { font-size: 13px; margin: 0; }
p { margin: 4px 0 0; color: var(--text2); }
header { margin-bottom: 16px; }
small { font-size: 12px; color: var(--text2); }
.board { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(470px, 100%), 1fr)); gap: 12px; }
figure { margin: 0; padding: 12px 16px; background: var(--surface); border: 1px solid var(--line);
  border-radius: 6px; min-width: 0; break-inside: avoid; }
figure.wide { grid-column: 1 / -1; break-inside: auto; }
figcaption { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 8px; margin-bottom: 8px; }
.chart { overflow-x: auto; }
.chart svg { display: block; max-width: 100%; height: auto; }
.chart text { font-family: inherit; unicode-bidi: isolate; }
.mark { fill: transparent; }
.mark:hover { stroke: var(--accent); }
.table { overflow-x: auto; margin-top: 8px; }
table { border-collapse: collapse; width: 100%; }
th { font-size: 12px; font-weight: 400; color: var(--text2); text-align: start; vertical-align: bottom;
  border-bottom: 1px solid var(--edge); padding: 4px 8px; }
td { border-bottom: 1px solid var(--line); padding: 5px 8px; overflow-wrap: anywhere; vertical-align: top; }
td:first-child { font-weight: 600; min-width: 80px; }
.figures { text-align: end; }
td.figures { white-space: nowrap; }
.quiet { color: var(--text2); }
.sign { width: 15px; height: 15px; vertical-align: -3px; margin-inline-end: 5px; }
details { margin-top: 8px; }
summary { color: var(--text2); font-size: 12px; cursor: pointer; }
summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
@media print {
  body { padding: 0; max-width: none; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
"""


def style(light: Mapping[str, str], dark: Mapping[str, str]) -> str:
    """The sheet. Colours are given by name, as "text" or "ink not factual"."""
    by_night = f"@media screen and (prefers-color-scheme: dark){{:root{{{_named(dark)}}}}}"
    return f":root{{color-scheme:light dark;{_named(light)}}}{by_night}{_RULES}"


def _named(colors: Mapping[str, str]) -> str:
    return "".join(f"--{name.replace(' ', '-')}:{value};" for name, value in colors.items())
