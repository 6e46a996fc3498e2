"""A bundle with written answers of which a lead knows how good they are, and a model that reads them with errors."""

from random import Random

from tests.operations.bundles import make, task, write_lines
from tests.operations.rated import results_of
from tests.plugins.scoring.scorings import rated

FACTS = ("amber", "birch", "cedar", "dahlia")
TASKS = tuple(f"t-{number:02}" for number in range(12))
RATERS = ("ann", "bob", "cy")


def sentence(name, fact, *, right=True):
    return f"The {fact} of {name} is {'north' if right else 'south'}."


def gold_of(name):
    return " ".join(sentence(name, fact) for fact in FACTS)


def text_of(name, rater):
    """What a rater writes: of each fact it says the right thing, nothing, or the opposite."""
    random = Random(f"{name} {rater}")
    skill = {"ann": 0.8, "bob": 0.5, "cy": 0.3}[rater]
    said = [(fact, random.random()) for fact in FACTS]
    return (
        " ".join(sentence(name, fact, right=draw < skill) for fact, draw in said if draw < skill or draw > 0.8)
        or "I can't say."
    )


def opinion(point, text):
    """The truth about a point and a text: agree, disagree or silent."""
    if point in text:
        return "agree"
    return "disagree" if point.replace("north", "south") in text else "silent"


def grade_of(text, name):
    """The lead's grade, from 1 to 10."""
    says = [opinion(sentence(name, fact), text) for fact in FACTS]
    return max(1, min(10, 4 + 2 * says.count("agree") - 2 * says.count("disagree")))


def open_graded(run, folder):
    """Take in the raters' results and the lead's copy."""
    tasks = [task(name) for name in TASKS]
    raters = {rater: rated({name: text_of(name, rater) for name in TASKS}) for rater in RATERS}
    gold = write_lines(folder / "gold.jsonl", rated({name: gold_of(name) for name in TASKS}))
    copy = make(folder / "b.zip", tasks, gold=gold)
    assert run("audit", "open", *results_of(folder / "raters", tasks, raters), copy).status == 0


def model_reads(point, text):
    """A model that errs for one of the facts, and takes the opposite for agreement in one task."""
    truth = opinion(point, text)
    if "dahlia" in point and truth == "agree":
        return "silent"
    if "t-03" in point and truth == "disagree":
        return "agrees"
    return {"agree": "agrees", "disagree": "disagrees", "silent": "silent"}[truth]


def model_grades(text):
    """The baseline: by length, as models tend to."""
    return str(min(10, 1 + len(text) // 15))
