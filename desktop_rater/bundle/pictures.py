"""Pictures of the guidelines: which ones the text names, and checks of their files without decoding them."""

import re
import struct
from collections.abc import Iterable, Iterator, Mapping

from desktop_rater.bundle.errors import BundleFault
from desktop_rater.bundle.limits import Limits
from desktop_rater.bundle.safe_zip import quoted_name

PICTURE_FOLDER = "guidelines/"
PICTURE = r"guidelines/[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.(?:png|jpg|jpeg|webp)"

_FENCED = re.compile(r"^ {0,3}(`{3,}|~{3,}).*?(?:^ {0,3}\1[`~]*\s*?$|\Z)", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"(?<!`)(`+)(?!`)[^\n]{0,1000}?(?<!`)\1(?!`)")
_INLINE = re.compile(r"!\[(?:[^\[\]\n]|\[[^\[\]\n]{0,200}\]){0,1000}\]\(\s*<?(guidelines/[^\s<>()]{1,200})")
_DEFINITION = re.compile(r"^ {0,3}\[[^\]\n]{1,200}\]:\s*<?(guidelines/[^\s<>]{1,200})", re.MULTILINE)

_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
_TYPES = {"png": "PNG", "jpg": "JPEG", "jpeg": "JPEG", "webp": "WebP"}
# Start of frame, with the dimensions; C4, C8 and CC in that range are other segments.
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})  # markers without a length


def named_pictures(markdown: str) -> tuple[str, ...]:
    """Return the pictures in `guidelines/` that a Markdown text names outside of code, in order, each once."""
    text = _CODE.sub("", _FENCED.sub("", markdown))
    links = (match for pattern in (_INLINE, _DEFINITION) for match in pattern.finditer(text))
    return tuple(dict.fromkeys(match[1] for match in sorted(links, key=re.Match.start)))


def check_picture_list(named: Iterable[str], sizes: dict[str, int], limits: Limits) -> None:
    """Raise `BundleFault` unless the pictures are those that the text names, and neither too many nor too large."""
    named = tuple(named)
    for name in named:
        if not re.fullmatch(PICTURE, name):
            plain = "letters without accents, digits and . _ -, ending in .png, .jpg, .jpeg or .webp"
            raise BundleFault(f"guidelines.md names the picture {quoted_name(name)}; a name has only {plain}")
        if name not in sizes:
            raise BundleFault(f"guidelines.md names the picture {name}, which is missing")
    for name in sizes:
        if name not in named:
            raise BundleFault(f"{name} is a picture that guidelines.md does not name")
    if len(sizes) > limits.pictures:
        raise BundleFault(f"The guidelines have {len(sizes)} pictures; the maximum is {limits.pictures}")
    for name, size in sizes.items():
        if size > limits.picture_bytes:
            raise BundleFault(f"{name} is larger than {limits.picture_bytes:,} bytes")
    if sum(sizes.values()) > limits.pictures_bytes:
        raise BundleFault(f"The pictures of the guidelines take more than {limits.pictures_bytes:,} bytes together")


def check_pictures(guidelines: str | None, pictures: Mapping[str, bytes], limits: Limits) -> None:
    """Check the list of pictures and each of them. Raises `BundleFault`."""
    check_picture_list(named_pictures(guidelines or ""), {name: len(data) for name, data in pictures.items()}, limits)
    for name, data in pictures.items():
        check_picture(name, data, limits)


def check_picture(name: str, data: bytes, limits: Limits) -> None:
    """Raise `BundleFault` unless it is a picture of the type that its name says, with dimensions that can be shown."""
    kind = _TYPES[name.rpartition(".")[2]]
    if kind != _type_of(data):
        raise BundleFault(f"{name} is not a {kind} picture")
    try:
        width, height = next(_dimensions(kind, data), (0, 0))
    except (struct.error, IndexError):
        width = height = 0
    if not (width and height):
        raise BundleFault(f"{name} is damaged: it does not say how wide and high it is")
    if max(width, height) > limits.picture_side or width * height > limits.picture_pixels:
        most = f"{limits.picture_side:,} pixels a side and {limits.picture_pixels:,} in all"
        raise BundleFault(f"{name} is {width:,} × {height:,} pixels; the maximum is {most}")


def _type_of(data: bytes) -> str:
    if data.startswith(_PNG):
        return "PNG"
    if data.startswith(_JPEG):
        return "JPEG"
    return "WebP" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else ""


def _dimensions(kind: str, data: bytes) -> Iterator[tuple[int, int]]:
    """Yield width and height as the header says; nothing, `struct.error` or `IndexError` for a damaged one."""
    match kind, data[12:16]:
        case "PNG", b"IHDR":
            yield struct.unpack_from(">II", data, 16)
        case "JPEG", _:
            yield from _jpeg_dimensions(data)
        case "WebP", b"VP8X" if data[29:]:
            yield int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
        case "WebP", b"VP8L" if data[20] == 0x2F:
            (bits,) = struct.unpack_from("<I", data, 21)
            yield (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case "WebP", b"VP8 " if data[23:26] == b"\x9d\x01\x2a":
            width, height = struct.unpack_from("<HH", data, 26)
            yield width & 0x3FFF, height & 0x3FFF


def _jpeg_dimensions(data: bytes) -> Iterator[tuple[int, int]]:
    at = 2
    while data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # a fill byte
            at += 1
        elif marker in _JPEG_ALONE:
            at += 2
        elif marker in _JPEG_FRAMES:
            height, width = struct.unpack_from(">HH", data, at + 5)
            yield width, height
            return
        else:
            (length,) = struct.unpack_from(">H", data, at + 2)
            at += 2 + length
