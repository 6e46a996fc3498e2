"""Size limits of bundles and results: enough for 100,000 tasks, and safe on a laptop."""

import msgspec

KIB = 1024
MIB = 1024 * KIB
GIB = 1024 * MIB

_LINES = frozenset({"tasks.jsonl", "ratings.jsonl", "history.jsonl"})


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits in bytes, unless noted otherwise. A value equal to its limit is accepted."""

    zip_bytes: int = GIB
    entries: int = 20_000
    directory_bytes: int = 16 * MIB
    """Central directory of a zip."""
    inflated_bytes: int = 2 * GIB
    """All entries together."""
    lines_bytes: int = 3 * GIB // 2
    """Limit of tasks.jsonl, ratings.jsonl and history.jsonl."""
    manifest_bytes: int = 4 * MIB
    """Results list each snapshot, and 20,000 of them take 3.6 MB."""
    rubric_bytes: int = MIB
    guidelines_bytes: int = 4 * MIB
    pictures: int = 30
    """Number of pictures of the guidelines."""
    picture_bytes: int = 4 * MIB
    pictures_bytes: int = 24 * MIB
    picture_side: int = 8_000
    """Pixels."""
    picture_pixels: int = 16_000_000
    """Decoded, a pixel takes four bytes."""
    signature_bytes: int = 64 * KIB
    other_bytes: int = 64 * MIB
    ratio: int = 500
    """Inflated over packed bytes, for an entry of more than `ratio_from` inflated bytes."""
    ratio_from: int = 4 * MIB
    line_bytes: int = 16 * MIB
    line_parts: int = 1_000_000
    """Lists and objects of a line: 16 MiB of "[]," would take 400 MiB once read. Brackets in texts count too."""
    line_quotes: int = 1_300_000
    """Quotation marks of a line, two to a key or a text: 16 MiB of short keys would take 430 MiB."""
    line_commas: int = 3_000_000
    """Commas of a line, one to a value: 16 MiB of "1.5," would take 210 MiB."""
    lines: int = 5_000_000
    """Lines of one file."""

    def entry_bytes(self, name: str) -> int:
        if name in _LINES:
            return self.lines_bytes
        match name:
            case "manifest.json":
                return self.manifest_bytes
            case "rubric.toml":
                return self.rubric_bytes
            case "guidelines.md":
                return self.guidelines_bytes
            case "signature.json":
                return self.signature_bytes
        return self.picture_bytes if name.startswith("guidelines/") else self.other_bytes


LIMITS = Limits()
