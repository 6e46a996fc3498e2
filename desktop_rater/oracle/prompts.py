"""What a language model is told to do: fixed texts, which no data ever comes into."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from desktop_rater.model.canonical import canonical, sha256
from desktop_rater.oracle.shield import block

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from desktop_rater.oracle.request import Piece

About = Literal["summarise", "answer", "judge"]
Message = dict[str, str]


class Prompt(msgspec.Struct, frozen=True):
    """`system` is what is to be done, `noted` what the model is taken to have said after each piece of data."""

    system: str
    noted: str
    reminder: str

    @property
    def sha256(self) -> str:
        """By which of our prompts something was asked."""
        return sha256(canonical([self.system, self.noted, self.reminder]))

    def messages(self, pieces: Sequence[Piece], nonce: str) -> list[Message]:
        """The conversation: who speaks alternates, since many models take no other, and each piece stands alone."""
        found = [{"role": "system", "content": self.system}]
        for piece in pieces:
            found.append({"role": "user", "content": block(piece.name, piece.text, nonce)})
            found.append({"role": "assistant", "content": self.noted})
        return [*found, {"role": "user", "content": self.reminder}]


def prompt_of(folder: Path, about: About) -> Prompt:
    """The prompt that lies in a folder of them."""
    read = [(folder / f"{name}.md").read_text(encoding="utf-8").strip() for name in (about, "noted", "reminder")]
    return Prompt(*read)
