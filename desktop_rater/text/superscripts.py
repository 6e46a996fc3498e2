"""Superscripts and subscripts in plain text: 10⁹, CO₂, or `x^(n-1)` where Unicode lacks a character."""

import re
import unicodedata

_SUPERSCRIPTS = dict(
    zip(
        "0123456789+-\u2212\u2013=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ",
        strict=True,
    )
)
_SUBSCRIPTS = dict(
    zip(
        "0123456789+-\u2212\u2013=()aehijklmnoprstuvx\u03b2\u03b3\u03c1\u03c6\u03c7",
        "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ",
        strict=True,
    )
)
_TABLES = _SUBSCRIPTS, _SUPERSCRIPTS
_SCRIPT_DIGITS = tuple({ord(digit): table[digit] for digit in "0123456789"} for table in _TABLES)
# Each becomes one character, so that offsets stay the same.
_ORDINARY = {ord(script): unicodedata.normalize("NFKC", script) for table in _TABLES for script in table.values()}
# After a digit or a Roman numeral these are endings of ordinal numbers, which plain text writes as they are.
_ORDINAL_ENDINGS = frozenset(("st", "nd", "rd", "th", "e", "er", "re", "ère", "ème"))
_NUMERAL = re.compile("[0-9IVXLC]")
# A quote may have the notation of a power, an index or a note where its page has another, or none.
_WITHOUT_NOTATION = _ORDINARY | dict.fromkeys(map(ord, "^_()[]"), " ")
_POWER = re.compile(r"\^\(?([0-9n+\-\u2212]+)\)?")
_INDEX = re.compile(r"(?<=[A-Za-z)])[0-9]+")


def raised_text(text: str, *, lowered: bool = False, before: str = "") -> str:
    """Return a superscript, or a subscript if `lowered`, as plain text after the character `before`.

    Signs without a letter or digit, such as ® and *, and endings of ordinal numbers stay as they are. So do words that
    raise nothing, at the start of a line or after a blank: they are only small.
    """
    inner = text.strip()
    table = _SUBSCRIPTS if lowered else _SUPERSCRIPTS
    is_ordinal = not lowered and inner in _ORDINAL_ENDINGS and _NUMERAL.fullmatch(before) is not None
    if is_ordinal or (inner[:1].isalpha() and not before.strip()):
        return text
    blank = " " if text.endswith(" ") else ""
    if all(character in table for character in inner):
        return "".join(table[character] for character in inner) + blank
    if not any(character.isalnum() for character in inner):
        return text
    return f"{'_' if lowered else '^'}({inner}){blank}"


def without_notation(text: str) -> str:
    """Return a text of the same length with ordinary characters for scripts, and blanks for notations of powers."""
    return text.translate(_WITHOUT_NOTATION)


def written_forms(query: str) -> tuple[str, ...]:
    """Return a query in the forms in which a page may write it: CO2 and CO₂, 10^9 and 10⁹, km2 and km²."""
    plain = query.translate(_ORDINARY)
    powers = _POWER.sub(lambda power: raised_text(power[1], before="x"), query)
    subscripts, superscripts = (
        _INDEX.sub(lambda index, digits=digits: index[0].translate(digits), plain) for digits in _SCRIPT_DIGITS
    )
    return tuple(dict.fromkeys((query, plain, powers, subscripts, superscripts)))
