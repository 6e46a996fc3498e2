"""Rubrics as TOML, without the lines that all of them have."""


def choices(*names: str, kind: str = "choice", **labels: str) -> str:
    """What these choices are; one without a label of its own is shown by its name: "yes" as "Yes"."""
    labels = {name: name.capitalize() for name in names} | labels
    rows = ", ".join(f'{{ id = "{name}", label = "{label}" }}' for name, label in labels.items())
    return f'kind = "{kind}"\nchoices = [{rows}]\n'


def numbers(least: float, most: float, kind: str = "scale", more: str = "") -> str:
    return f'kind = "{kind}"\nmin = {least}\nmax = {most}\n{more}\n'


YES_NO = choices("yes", "no")
SCALE = numbers(1, 5, more="step = 1")
TEXT = 'kind = "text"\n'


def question(name: str, more: str = "", body: str = YES_NO, per: str = "target", ask: str = "Really?") -> str:
    return f'[[questions]]\nid = "{name}"\nper = "{per}"\nask = "{ask}"\n{body}{more}\n'


def rule(name: str, more: str, per: str = "target", level: str = "block", message: str = "No.") -> str:
    return f'[[rules]]\nid = "{name}"\nlevel = "{level}"\nper = "{per}"\nmessage = "{message}"\n{more}\n'


def decision(name: str, sets: str, then: str, more: str, per: str = "target") -> str:
    return f'[[decide]]\nid = "{name}"\nper = "{per}"\nsets = "{sets}"\nthen = "{then}"\n{more}\n'


def rubric_text(name: str, *parts: str, more: str = "") -> str:
    """A rubric of these questions, decisions and rules; `more` are keys and tables above them."""
    return f'id = "{name}"\n{more}\n{"".join(parts)}'
