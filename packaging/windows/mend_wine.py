"""Give Wine's C library two functions that numpy calls when it is imported; Wine 10 has only stubs of them.

`mend_wine.py FOLDER` changes FOLDER/ucrtbase.dll; one that has the functions stays as it is.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

STUB = bytes.fromhex("4883ec28488d0d")  # sub rsp, 40; lea rcx, [name of the library]
FUNCTIONS = {
    b"crealf": bytes.fromhex("660f6ec1c3"),  # movd xmm0, ecx; ret
    b"cimagf": bytes.fromhex("48c1e920660f6ec1c3"),  # shr rcx, 32; movd xmm0, ecx; ret
}


def main() -> None:
    """Change the library in the folder that is named."""
    path = Path(sys.argv[1], "ucrtbase.dll")
    before = path.read_bytes()
    library = bytearray(before)
    for name, code in FUNCTIONS.items():
        start = _function_offset(library, name)
        if library[start:].startswith(STUB):
            library[start : start + len(code)] = code
    if library != before:
        path.write_bytes(library)


def _function_offset(library: bytearray, name: bytes) -> int:
    """Return where in the file of a 64-bit library an exported function begins."""

    def number(offset: int, kind: str = "I") -> int:
        return struct.unpack_from("<" + kind, library, offset)[0]

    header = number(0x3C)
    options = header + 24
    sections = [options + number(header + 20, "H") + 40 * index for index in range(number(header + 6, "H"))]

    def place(address: int) -> int:
        section = next(start for start in reversed(sections) if number(start + 12) <= address)
        return address - number(section + 12) + number(section + 20)

    exports = place(number(options + 112))
    functions, names, ordinals = (place(number(exports + offset)) for offset in (28, 32, 36))
    for index in range(number(exports + 24)):
        start = place(number(names + 4 * index))
        if library[start : start + len(name) + 1] == name + b"\0":
            return place(number(functions + 4 * number(ordinals + 2 * index, "H")))
    raise SystemExit(f"Wine's C library exports no {name.decode()}.")


if __name__ == "__main__":
    main()
