"""PDFs as programs write them, one for each feature that a reader meets, made by hand or by pypdf."""

import base64
import io
import zlib
from pathlib import Path

from pypdf import PdfReader, PdfWriter

REAL = Path(__file__).parent / "pdfs"
# What each real file holds. README.md there names their sources.
REAL_WORDS = {
    "cairo": "It holds 120 ships.",
    "libreoffice": "This is a link to an awesome blog.",
    "pdftex": "Lorem ipsum dolor sit amet",
    "quartz": "BigSmall",
    "reportlab": "The first office of the harbour was built in 1874.",
}
HELVETICA = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
LINE = "The harbour of 1874 holds 120 ships."


def stream(data, entries=b""):
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(data), data)


def drawn(line):
    """The drawing of one line; its bytes are codes of the font."""
    codes = line if isinstance(line, bytes) else line.encode("cp1252")
    return b"BT /F1 12 Tf 20 700 Td <%s> Tj ET" % codes.hex().encode()


def objects(*drawings, font=HELVETICA, more=(), resources=b""):
    """The objects of a document with a page for each drawing; `more` are those after the font, from number 4 on."""
    first = 4 + len(more)
    pages = range(first, first + 2 * len(drawings), 2)
    kids = b" ".join(b"%d 0 R" % page for page in pages)
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, len(drawings)),
        font,
        *more,
    ]
    for page, drawing in zip(pages, drawings, strict=True):
        content = drawing if drawing.startswith(b"<<") else stream(drawing)
        parts.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents %d 0 R/Resources<</Font<</F1 3 0 R>>%s>>>>"
            % (page + 1, resources)
        )
        parts.append(content)
    return parts


def pdf(parts, end=b""):
    """The file: header, objects, table of their places, trailer."""
    out, places = b"%PDF-1.7\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(parts) + 1
    trailer = b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n"
    return out + trailer % (size, table, size, end, len(out))


def packed_pdf(parts):
    """The file with its objects in an object stream, and a stream in place of the table."""
    plain = [(number, part) for number, part in enumerate(parts, 1) if b"stream\n" not in part]
    places, body = b"", b""
    for number, part in plain:
        places += b"%d %d " % (number, len(body))
        body += part + b" "
    holder = len(parts) + 1
    entries = b"/Type/ObjStm/N %d/First %d/Filter/FlateDecode" % (len(plain), len(places))
    out, rows = b"%PDF-1.7\n", {0: (0, 0, 255)}
    for number, part in [*enumerate(parts, 1), (holder, stream(zlib.compress(places + body), entries))]:
        if (number, part) in plain:
            rows[number] = (2, holder, plain.index((number, part)))
            continue
        rows[number] = (1, len(out), 0)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    start, table = len(out), holder + 1
    rows[table] = (1, start, 0)
    data = b"".join(
        bytes([kind]) + place.to_bytes(3, "big") + bytes([index]) for _, (kind, place, index) in sorted(rows.items())
    )
    entries = b"/Type/XRef/Size %d/W[1 3 1]/Root 1 0 R/Filter/FlateDecode" % len(rows)
    return out + b"%d 0 obj\n%s\nendobj\nstartxref\n%d\n%%%%EOF\n" % (
        table,
        stream(zlib.compress(data), entries),
        start,
    )


def to_unicode(pairs, width):
    """A map from codes of `width` bytes to text, with ranges of both kinds."""
    lines = "\n".join(f"<{code:0{2 * width}x}> <{text.encode('utf-16-be').hex()}>" for code, text in pairs)
    last = "ff" * width
    return stream(
        f"/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
        f"1 begincodespacerange\n<{'00' * width}> <{last}>\nendcodespacerange\n"
        f"{len(pairs)} beginbfchar\n{lines}\nendbfchar\n"
        f"2 beginbfrange\n<{0x61:0{2 * width}x}> <{0x7A:0{2 * width}x}> <0061>\n"
        f"<{0x41:0{2 * width}x}> <{0x42:0{2 * width}x}> [<0041> <0042>]\nendbfrange\nendcmap\nend\nend".encode()
    )


def mapped(width, kind):
    """A subset font of TeX, cairo or ReportLab: codes that only its map explains. Two of them stand for ligatures."""
    letters = sorted(set("The first office of 1874."))
    pairs = [*((index, letter) for index, letter in enumerate(letters, 1)), (40, "\ufb01"), (41, "ffi")]
    codes = {letter: index for index, letter in pairs}
    line = [codes[letter] for letter in "The "] + [40] + [codes[letter] for letter in "rst o"] + [41]
    line += [codes[letter] for letter in "ce of 1874."]
    drawing = drawn(b"".join(code.to_bytes(width, "big") for code in line))
    if width == 2:
        font = (
            b"<</Type/Font/Subtype/Type0/BaseFont/ABC+Sans/Encoding/Identity-H/DescendantFonts[5 0 R]/ToUnicode 4 0 R>>"
        )
        more = [
            b"<</Type/Font/Subtype/%s/BaseFont/ABC+Sans"
            b"/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"
            b"/DW 500/W[1[500 600]]/FontDescriptor 6 0 R>>" % kind,
            b"<</Type/FontDescriptor/FontName/ABC+Sans/Flags 4/Ascent 800/Descent -200>>",
        ]
    else:
        widths = b" ".join([b"500"] * 41)
        font = b"<</Type/Font/Subtype/%s/BaseFont/ABC+Sans/FirstChar 1/LastChar 41/Widths[%s]/ToUnicode 4 0 R" % (
            kind,
            widths,
        )
        font += (
            b"/FontBBox[0 0 9 9]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<<>>/Encoding<</Differences[1/a1]>>>>"
            if kind == b"Type3"
            else b">>"
        )
        more = []
    return pdf(objects(drawing, font=font, more=[to_unicode(pairs, width), *more]))


def encoded(encoding, line, base=b"Helvetica", kind=b"Type1"):
    """A font with an encoding by name, or with glyphs by name."""
    font = b"<</Type/Font/Subtype/%s/BaseFont/%s/Encoding %s>>" % (kind, base, encoding)
    return pdf(objects(drawn(line), font=font))


def eastern(cmap, line, codec):
    """A font of a CID character collection, in one of the encodings of China, Japan or Korea."""
    font = b"<</Type/Font/Subtype/Type0/BaseFont/Song/Encoding/%s/DescendantFonts[4 0 R]>>" % cmap
    system = b"<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>"
    child = b"<</Type/Font/Subtype/CIDFontType0/BaseFont/Song/CIDSystemInfo%s>>" % system
    return pdf(objects(drawn(line.encode(codec)), font=font, more=[child]))


def encrypted(algorithm):
    """Locked for changes, and open to read: an empty password."""
    writer = PdfWriter(PdfReader(io.BytesIO(pdf(objects(drawn(LINE))))))
    writer.encrypt(user_password="", owner_password="owner", algorithm=algorithm)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def run_lengths(data):
    return (
        b"".join(bytes([len(data[at : at + 128]) - 1]) + data[at : at + 128] for at in range(0, len(data), 128))
        + b"\x80"
    )


def lzw(data):
    """Codes of nine bits without a single repetition, which any decoder of LZW reads."""
    codes = []
    for at in range(0, len(data), 200):  # cleared before codes grow to ten bits
        codes += [256, *data[at : at + 200]]
    bits = "".join(f"{code:09b}" for code in [*codes, 257])
    bits += "0" * (-len(bits) % 8)
    return int(bits, 2).to_bytes(len(bits) // 8, "big")


def filtered(names, data):
    return pdf(objects(stream(data, b"/Filter[%s]" % names)))


def with_image(name, parameters=b""):
    """A page with a picture that another library would have to decode, and an inline one."""
    image = stream(
        bytes(99),
        b"/Type/XObject/Subtype/Image/Width 8/Height 8/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/%s%s"
        % (name, parameters),
    )
    form = stream(drawn(LINE), b"/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>")
    drawing = b"q 9 0 0 9 0 0 cm /I1 Do Q /X1 Do q BI /W 2 /H 2 /BPC 8 /CS /G /F /AHx ID 00ff00ff> EI Q"
    return pdf(objects(drawing, more=[image, form], resources=b"/XObject<</I1 4 0 R/X1 5 0 R>>"))


def titled(title):
    return pdf(
        [*objects(drawn(LINE)), b"<</Title<%s>/CreationDate(D:20240229120000Z)>>" % title.hex().encode()],
        b"/Info 6 0 R",
    )


DRAWING = drawn(LINE)
DIFFERENCES = (
    b"<</Type/Encoding/BaseEncoding/WinAnsiEncoding/Differences[1/fi/ffi/eacute/Euro/uni20AC/u1F600/g7/a.alt/f_l]>>"
)
# By name: the file, and words of its text.
FILES = {
    "one-byte map of Type 1": (mapped(1, b"Type1"), "The first office of 1874."),
    "one-byte map of TrueType": (mapped(1, b"TrueType"), "The first office of 1874."),
    "one-byte map of Type 3": (mapped(1, b"Type3"), "The first office of 1874."),
    "two-byte map of TrueType": (mapped(2, b"CIDFontType2"), "The first office of 1874."),
    "two-byte map of CFF": (mapped(2, b"CIDFontType0"), "The first office of 1874."),
    "glyph names": (encoded(DIFFERENCES, b"o\x02ce \x01rst caf\x03 5 \x04"), "office first café 5 €"),
    **{
        name.decode(): (encoded(b"/" + name, line), "Caf")
        for name, line in (
            (b"WinAnsiEncoding", b"Caf\xe9 \x80"),
            (b"MacRomanEncoding", b"Caf\x8e"),
            (b"StandardEncoding", b"Caf\xae"),
            (b"PDFDocEncoding", b"Caf\xe9"),
            (b"MacExpertEncoding", b"Caf"),
        )
    },
    "symbols": (encoded(b"/StandardEncoding", b"abc", b"Symbol"), "abc"),
    "dingbats": (encoded(b"/StandardEncoding", b"abc", b"ZapfDingbats"), "abc"),
    **{
        cmap.decode(): (eastern(cmap, line, codec), line)
        for cmap, line, codec in (
            (b"UniGB-UCS2-H", "大桥", "utf-16-be"),
            (b"UniJIS-UTF16-H", "大橋", "utf-16-be"),
            (b"GBK-EUC-H", "大桥", "gbk"),
            (b"GBK2K-H", "大桥", "gb18030"),
            (b"ETen-B5-H", "大橋", "cp950"),
            (b"90ms-RKSJ-H", "大橋", "cp932"),
        )
    },
    "LZW": (filtered(b"/LZWDecode", lzw(DRAWING)), LINE),
    "ASCII 85": (filtered(b"/ASCII85Decode", base64.a85encode(DRAWING) + b"~>"), LINE),
    "hexadecimal": (filtered(b"/ASCIIHexDecode", DRAWING.hex().encode() + b">"), LINE),
    "run lengths": (filtered(b"/RunLengthDecode", run_lengths(DRAWING)), LINE),
    "two filters": (filtered(b"/ASCII85Decode/FlateDecode", base64.a85encode(zlib.compress(DRAWING)) + b"~>"), LINE),
    "packed objects": (packed_pdf(objects(DRAWING)), LINE),
    **{name: (encrypted(name), LINE) for name in ("RC4-40", "RC4-128", "AES-128", "AES-256-R5", "AES-256")},
    **{
        f"picture of {name.decode()}": (with_image(name), LINE)
        for name in (b"JBIG2Decode", b"JPXDecode", b"DCTDecode", b"CCITTFaxDecode", b"FlateDecode", b"BrotliDecode")
    },
    "title in UTF-16": (titled("\ufeffBrücke 桥".encode("utf-16-be")), LINE),
    "title in PDFDoc": (titled(b"Br\xfccke \x80"), LINE),
    "title in UTF-8": (titled("\ufeffBrücke".encode()), LINE),
    "wrong places": (pdf(objects(DRAWING)).replace(b"%PDF-1.7\n", b"%PDF-1.7\n%moved\n"), LINE),
    "junk before": (b"\r\n\x00junk " + pdf(objects(DRAWING)), LINE),
    **{name: ((REAL / f"{name}.pdf").read_bytes(), words) for name, words in REAL_WORDS.items()},
}  # fmt: skip
