"""Texts that are translated where they are shown, and their mark."""

from typing import Self


def N_(context: str, text: str) -> str:  # noqa: N802 - the name that gettext gave this mark
    """Mark a text for the translation tools and return it unchanged. It needs no Qt."""
    del context
    return text


class Phrase(str):  # noqa: SLOT000 - it carries its template
    """An English text with values in it: what is translated is its `template`, which the `values` fill again."""

    template: str
    values: dict[str, object]

    def __new__(cls, template: str, **values: object) -> Self:
        """Fill the template."""
        phrase = super().__new__(cls, template.format(**values))
        phrase.template, phrase.values = template, values
        return phrase


def phrase_text(value: object) -> str:
    """Return a phrase as a plain string, for encoders that know no subclass of it."""
    if isinstance(value, Phrase):
        return str(value)
    raise TypeError(type(value).__name__)
