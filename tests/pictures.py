"""Small pictures of each type, and ones whose headers promise more than there is."""

import base64
import struct
import zlib


def png(width=12, height=5, color=(26, 90, 200)):
    """A PNG of one colour."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + bytes(color) * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def huge_png(width, height):
    """A PNG whose header promises that many pixels."""
    small = bytearray(png())
    small[16:24] = struct.pack(">II", width, height)
    return bytes(small)


WEBP = base64.b85decode("Qb|Te9smFUS4BclR!}%h5dZ)HFAD$x00&U5Y81Kufr#jT000")
LOSSY_WEBP = base64.b85decode("Qb|TeG5`PoS4BclR!}$~CIA2cZ~*|F0V)gt1po&?mL;G9bOAsB0RG{_exiE_@4nvP*&>{f000")
WIDE_WEBP = b"RIFF\0\0\0\0WEBPVP8X\n\0\0\0\0\0\0\0" + (9_999).to_bytes(3, "little") + (4).to_bytes(3, "little")
# Start, a comment, and the frame header of 12 × 5 pixels.
JPEG = b"\xff\xd8\xff\xfe\0\x06kelp\xff\xff\xc0\0\x11\x08\0\x05\0\x0c\x03\1\x11\0\2\x11\0\3\x11\0\xff\xd9"
