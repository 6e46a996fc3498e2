"""Pages that are hard to read: hostile answers of a server, by path, and pages as large as they may be."""

SHOWN = {
    "/page": "Canberra is the capital city",
    "/chain/3": "Canberra is the capital city",
    "/gzip": "Canberra is the capital city",
    "/wrong-charset": "Cr\ufffdme br\ufffdl\ufffde.",
    "/rot13": "Uryyb",
    "/pdf": "Canberra is the capital of Australia.",
    "/pdf-as-html": "Canberra is the capital of Australia.",
    "/text": "The café opens at nine.",
    "/links": "Where would you like to go?",
    "/paywall": "Subscribe to read on.",
}
NOT_SHOWN = {
    "/missing": "not_found",
    "/gone": "not_found",
    "/forbidden": "refused",
    "/error": "failed",
    "/chain/6": "failed",
    "/loop": "failed",
    "/to-file": "blocked",
    "/to?url=http://169.254.169.254/latest": "blocked",
    "/drip": "timeout",
    "/drip-headers": "timeout",
    "/endless": "too_large",
    "/bomb/300": "too_large",
    "/big": "too_large",
    "/endless-hints": "too_large",
    "/endless-headers": "failed",
    "/tiny-chunks": "broken",
    "/bad-chunks": "failed",
    "/reset": "unreachable",
    "/double-gzip": "broken",
    "/br": "broken",
    "/nested": "broken",
    "/nested-bold": "broken",
    "/attributes": "broken",
    "/image": "other_type",
    "/liar": "other_type",
}
SENTENCE = "Canberra is the capital of Australia and was founded in 1913. "
CELLS = "<tr><td>Canberra</td><td>1913</td><td>456,692</td></tr>"
LINKED = "Canberra <a href='/x'>is the <b>capital</b></a> of Australia. "
# As large as a page may be, in the shapes that are the most work to lay out.
LONG = {
    "paragraphs": f"<h1>Long</h1>{f'<p>{SENTENCE * 8}</p>' * 3700}",
    "paragraph": f"<h1>Long</h1><p>{SENTENCE * 30_000}</p>",
    "word": f"<h1>Long</h1><p>{'x' * 1_900_000}</p>",
    "table": f"<h1>Long</h1><table>{CELLS * 4500}</table>",
    "links": f"<h1>Long</h1>{f'<p>{LINKED * 10}</p>' * 400}",
}
