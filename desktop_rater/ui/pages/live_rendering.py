"""Visible part of a live page: as HTML with a picture to store it, and a test that there is anything to see."""

from html import escape

import msgspec
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QImage

from desktop_rater.format.strict_json import prepared_type
from desktop_rater.pages.response import Rendering
from desktop_rater.pages.warc import MAX_PICTURE_BYTES
from desktop_rater.text.urls import page_key

MOST_TEXT, MOST_ELEMENTS = 400_000, 20_000
LONGEST_HTML = 4_000_000  # characters; more can only come from an engine that a page controls
PICTURE_WIDTH = 1_600
LEAST_PICTURE = 40_000  # square pixels of a picture that is the content of a page

# It runs in a world of its own, where scripts of the page change nothing. Properties are read by the engine's own
# functions: a page can give an element a name that hides a property of its parent.
SCRIPT = r"""
(() => {
  const getter = (type, name) => {
    const get = Object.getOwnPropertyDescriptor(type.prototype, name).get;
    return node => get.call(node);
  };
  const kind = getter(Node, "nodeType"), first = getter(Node, "firstChild"), next = getter(Node, "nextSibling");
  const data = getter(CharacterData, "data"), tagOf = getter(Element, "tagName");
  const shadow = getter(Element, "shadowRoot"), rootOf = getter(Document, "documentElement");
  const bodyOf = getter(Document, "body"), href = getter(HTMLAnchorElement, "href");
  const attribute = (element, name) => Element.prototype.getAttribute.call(element, name);
  const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  const escaped = text => text.replace(/[&<>"]/g, character => entities[character]);
  const words = text => new Set(text.split(" "));
  const kept = words("p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre code table thead tbody tfoot tr td th " +
    "caption main article section nav header footer aside figure figcaption a b strong i em sub sup br hr " +
    "s del strike ins u q ruby rt rp dialog math mrow mi mn mo mtext msup msub msubsup mfrac msqrt mroot mover " +
    "munder munderover mtable mtr mtd semantics");
  const left = words("script style noscript template iframe frame object embed svg canvas video audio input textarea " +
    "select option button img head title meta link annotation annotation-xml mphantom");
  const shown = words("img canvas video object embed iframe svg");
  const out = [];
  let text = 0, elements = 0, cut = false, picture = false;
  // What the reader takes from the look of an element, and from its names.
  const looks = (node, tag, own) => {
    const struck = own.textDecorationLine.includes("line-through") ? "text-decoration:line-through;" : "";
    const script = /^(super|sub)$/.test(own.verticalAlign) ? `vertical-align:${own.verticalAlign}` : "";
    let more = struck || script ? ` style="${struck}${script}"` : "";
    if (/^(alert)?dialog$/.test(attribute(node, "role") || "") || attribute(node, "aria-modal") === "true")
      more += ' role="dialog"';
    for (const name of ["id", "class"]) {
      const value = attribute(node, name);
      if (value) more += ` ${name}="${escaped(value.slice(0, 100))}"`;
    }
    if (tag === "td" || tag === "th")
      for (const name of ["colspan", "rowspan"]) more += ` ${name}="${parseInt(attribute(node, name)) || 1}"`;
    return more;
  };
  const range = new Range();
  const seen = (node, style) => {
    Range.prototype.selectNodeContents.call(range, node);
    const box = Range.prototype.getBoundingClientRect.call(range), ink = style.color.match(/[\d.]+/g) || [];
    const clear = ink.length === 4 && parseFloat(ink[3]) < 0.1;
    return box.width > 1 && box.height > 1 && box.right + scrollX > 0 && box.bottom + scrollY > 0 &&
      style.visibility === "visible" && parseFloat(style.fontSize) >= 4 && !clear;
  };
  const each = (node, style) => { for (let child = first(node); child; child = next(child)) walk(child, style); };
  const walk = (node, style) => {
    if (cut) return;
    if (kind(node) === Node.TEXT_NODE) {
      const words = data(node);
      if (!words.trim()) { out.push(" "); return; }
      if (!seen(node, style)) return;
      text += words.length;
      cut = text > MOST_TEXT;
      if (!cut) out.push(escaped(words));
      return;
    }
    if (kind(node) !== Node.ELEMENT_NODE) return;
    const tag = tagOf(node).toLowerCase();
    if (shown.has(tag)) {
      const box = Element.prototype.getBoundingClientRect.call(node);
      picture = picture || box.width * box.height >= LEAST_PICTURE;
    }
    if (left.has(tag)) return;
    elements += 1;
    cut = elements > MOST_ELEMENTS;
    const own = getComputedStyle(node);
    if (own.display === "none" || parseFloat(own.opacity) < 0.1) return;
    const box = Element.prototype.getBoundingClientRect.call(node);
    if (own.overflow !== "visible" && own.display !== "contents" && (box.width <= 1 || box.height <= 1)) return;
    const inline = own.display.startsWith("inline") || own.display === "contents";
    const name = kept.has(tag) ? tag : inline ? "span" : "div";
    const url = node instanceof HTMLAnchorElement ? href(node) : "";
    const more = (/^https?:/.test(url) ? ` href="${escaped(url)}"` : "") + looks(node, tag, own);
    out.push(`<${name}${more}>`);
    const inner = shadow(node);
    if (inner) each(inner, own);
    else if (node instanceof HTMLSlotElement) {
      const given = HTMLSlotElement.prototype.assignedNodes.call(node, { flatten: true });
      if (given.length) given.forEach(child => walk(child, own)); else each(node, own);
    } else each(node, own);
    if (name !== "br" && name !== "hr") out.push(`</${name}>`);
  };
  const body = bodyOf(document);
  if (body) walk(body, getComputedStyle(body));
  const lang = attribute(rootOf(document), "lang") || "";
  return JSON.stringify({ url: location.href, lang, html: out.join(""), cut, text, picture });
})()
""".replace("MOST_TEXT", str(MOST_TEXT)).replace("MOST_ELEMENTS", str(MOST_ELEMENTS)).replace(
    "LEAST_PICTURE", str(LEAST_PICTURE)
)  # fmt: skip


class _Shown(msgspec.Struct):
    """The result of the script."""

    url: str
    lang: str
    html: str
    cut: bool
    text: int
    picture: bool


def _read(result: object) -> _Shown | None:
    if not isinstance(result, str) or len(result) > LONGEST_HTML:
        return None
    try:
        return msgspec.json.decode(result, type=prepared_type(_Shown))
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None


def has_content(result: object) -> bool:
    """Return whether the script has seen text or a large picture."""
    shown = _read(result)
    return shown is not None and (shown.text > 0 or shown.picture)


def rendering_of(result: object, url: str, title: str, picture: bytes) -> Rendering | None:
    """Return the page that the script has read; `None` if it is no longer the page of that URL."""
    shown = _read(result)
    if shown is None or page_key(shown.url) is None or page_key(shown.url) != page_key(url):
        return None
    head = f'<html lang="{escape(shown.lang[:40])}"><head><title>{escape(title[:1_000])}</title></head>'
    html = f"<!doctype html>{head}<body>{shown.html}</body></html>"
    return Rendering(url=url, html=html, picture=picture, cut=shown.cut)


def png_of(image: QImage) -> bytes:
    """Return a picture as PNG, made smaller until it fits the limits; empty if there is none."""
    if image.width() > PICTURE_WIDTH:
        image = image.scaledToWidth(PICTURE_WIDTH, Qt.TransformationMode.SmoothTransformation)
    while not image.isNull():
        data = QByteArray()
        buffer = QBuffer(data)
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        image.save(buffer, "PNG")  # ty: ignore[no-matching-overload]
        if data.size() <= MAX_PICTURE_BYTES:
            return bytes(data.data())
        image = image.scaledToWidth(image.width() // 2, Qt.TransformationMode.SmoothTransformation)
    return b""
