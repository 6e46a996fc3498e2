"""The targets that versions before the rules for formulas, pictures and tags made of sentences: ratings name them."""

from desktop_rater.bundle.targets import MOST_TARGETS, target_at
from desktop_rater.model.task import Target, Task
from desktop_rater.text.quotes import QuotePlace
from desktop_rater.text.sentences import find_sentences


def split_as_before(task: Task, lang: str) -> tuple[Target, ...]:
    """Return the sentences of a task by the earlier rules."""
    language = task.prompt.lang or lang or "en"
    targets: list[Target] = []
    for response in task.responses:
        for start, end in find_sentences(response.text, language, markdown=response.format == "markdown", earlier=True):
            target = Target(id=f"s{len(targets) + 1}", response=response.id)
            targets.append(target_at(target, response.text, QuotePlace(start, end, "offsets")))
            if len(targets) > MOST_TARGETS:
                return ()
    return tuple(targets)
