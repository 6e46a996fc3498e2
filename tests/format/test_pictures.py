"""A bundle brings the pictures that its guidelines name, and no others."""

import re

import pytest

from desktop_rater.format.archive import check_picture, named_pictures, open_bundle
from desktop_rater.format.errors import BundleError, BundleFault
from desktop_rater.format.make import BundleDraft, make_bundle
from desktop_rater.format.safe_zip import LIMITS, Limits
from tests.format.zips import CREATED, jsonl, manifest, pack, task
from tests.pictures import JPEG, LOSSY_WEBP, WEBP, WIDE_WEBP, huge_png, png

NAME = "guidelines/steps.png"
TEXT = f"# How to rate\n\n![The steps]({NAME})\n"


def files(text=TEXT, **pictures):
    return {
        "tasks.jsonl": jsonl(task()),
        "guidelines.md": text.encode(),
        **{f"guidelines/{name.replace('_', '.')}": data for name, data in pictures.items()},
    }


def written(path, content, **more):
    return pack(path, {"manifest.json": manifest(content, **more), **content})


def refusal(path, limits=LIMITS):
    with pytest.raises(BundleError) as refused, open_bundle(path, limits) as bundle:
        bundle.verify_rest()
    return refused.value.message


def test_pictures_of_every_type_come_with_the_bundle(tmp_path):
    datas = {"a.png": png(), "b.jpg": JPEG, "c.jpeg": JPEG, "d.webp": WEBP, "e.webp": LOSSY_WEBP}
    pictures = {f"guidelines/{name}": data for name, data in datas.items()}
    text = "\n\n".join(f"![{name}]({name})" for name in pictures)
    draft = BundleDraft(id="kelp", created=CREATED, rubric="span-factuality@3", guidelines=text, pictures=pictures)
    made = make_bundle(tmp_path / "kelp.zip", draft, [jsonl(task()).strip()])
    assert set(pictures) < set(made.files)
    with open_bundle(tmp_path / "kelp.zip") as bundle:
        bundle.verify_rest()
        assert bundle.pictures() == pictures


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("![a](guidelines/a.png) and ![b](guidelines/b.webp 'title')", ["a.png", "b.webp"]),
        ("![a](<guidelines/a.png>) ![again](guidelines/a.png)", ["a.png"]),
        ("![one [two]](guidelines/a.png)", ["a.png"]),
        ("![a][steps]\n\n[steps]: guidelines/a.png", ["a.png"]),
        ("[a link](guidelines/a.png), `![code](guidelines/b.png)`", []),
        ("```\n![code](guidelines/a.png)\n```\n![b](guidelines/b.png)", ["b.png"]),
        ("![elsewhere](https://example.org/guidelines/a.png) ![up](../guidelines/a.png)", []),
        ("no pictures", []),
    ],
)
def test_the_pictures_that_a_text_names(text, named):
    assert [name.removeprefix("guidelines/") for name in named_pictures(text)] == named


@pytest.mark.parametrize("piece", ["![", "`", "```\n", "![[", "[a]: ", "![a](guidelines/", "` `` "])
def test_a_text_made_to_be_slow_is_read_all_the_same(piece):
    assert len(named_pictures(piece * (200_000 // len(piece)))) <= 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (files(), "guidelines.md names the picture guidelines/steps.png, which is missing"),
        (files("# None", steps_png=png()), "guidelines/steps.png is a picture that guidelines.md does not name"),
        (files(steps_png=JPEG), "guidelines/steps.png is not a PNG picture"),
        (files(steps_png=b"<svg/>"), "guidelines/steps.png is not a PNG picture"),
        (files(steps_png=png()[:20]), "guidelines/steps.png is damaged"),
        (files(steps_png=huge_png(0, 5)), "guidelines/steps.png is damaged"),
        (files(steps_png=huge_png(60_000, 60_000)), "60,000 × 60,000 pixels"),
        (files(steps_png=huge_png(7_999, 7_999)), "7,999 × 7,999 pixels"),
        (files(TEXT.replace("png", "webp"), steps_webp=WIDE_WEBP), "10,000 × 5 pixels"),
        (files(TEXT.replace("png", "webp"), steps_webp=WIDE_WEBP[:20]), "guidelines/steps.webp is damaged"),
        (files(TEXT.replace("png", "jpg"), steps_jpg=JPEG[:12]), "guidelines/steps.jpg is damaged"),
        (files(TEXT.replace("png", "svg"), steps_svg=b"<svg/>"), "guidelines/steps.svg is not allowed"),
        (files(TEXT.replace("steps", "ä")), "guidelines/ä.png; a name has only letters"),
        (files(TEXT.replace("steps", "a/b")), "guidelines/a/b.png; a name has only letters"),
    ],
)
def test_what_is_wrong_with_a_picture_is_named(tmp_path, content, words):
    assert words in refusal(written(tmp_path / "b.zip", content))


def test_pictures_may_be_neither_too_many_nor_too_large(tmp_path):
    two = files("![a](guidelines/a.png) ![b](guidelines/b.png)", a_png=png(), b_png=png())
    path = written(tmp_path / "b.zip", two)
    size = len(png())
    assert "have 2 pictures; the maximum is 1" in refusal(path, Limits(pictures=1))
    assert "guidelines/a.png is larger" in refusal(path, Limits(picture_bytes=size - 1))
    assert "more than" in refusal(path, Limits(pictures_bytes=2 * size - 1))
    with open_bundle(path, Limits(pictures=2, picture_bytes=size, pictures_bytes=2 * size)) as bundle:
        assert len(bundle.pictures()) == 2


def test_a_picture_must_be_listed_and_unchanged(tmp_path):
    content = files(steps_png=png())
    unlisted = {"manifest.json": manifest({key: content[key] for key in ("tasks.jsonl", "guidelines.md")}), **content}
    assert f"{NAME} is not listed" in refusal(pack(tmp_path / "a.zip", unlisted))
    changed = {"manifest.json": manifest(content), **content, NAME: png(color=(1, 2, 3))}
    altered = changed[NAME].ljust(len(content[NAME]), b"\0")[: len(content[NAME])]
    assert "has been altered" in refusal(pack(tmp_path / "b.zip", {**changed, NAME: altered}))


def test_every_beginning_of_a_picture_is_judged_without_an_error_of_the_program():
    for name, data in (
        ("a.png", png()),
        ("a.jpg", JPEG),
        ("a.webp", WEBP),
        ("a.webp", LOSSY_WEBP),
        ("a.webp", WIDE_WEBP),
    ):
        for end in range(len(data)):
            try:
                check_picture(name, data[:end], LIMITS)
            except BundleFault as fault:
                assert re.match(f"{name} is (not a|damaged|10,000)", str(fault))
