"""Drop answers, claims, evidence and research about targets, responses or links that the task does not have."""

from msgspec.structs import replace

from desktop_rater.model.rating import Evidence, Rating, ResearchEntry
from desktop_rater.model.task import Task
from desktop_rater.rubric.links import task_links
from desktop_rater.text.urls import page_key


def drop_unknown_references(rating: Rating, task: Task) -> tuple[Rating, list[str]]:
    """Return the rating without references to unknown targets, responses and links, and what is unknown."""
    targets = {target.id for target in task.targets or ()}
    responses = {response.id for response in task.responses}
    answers = rating.answers
    ids = [*answers.targets, *rating.claims, *rating.time.targets, *rating.borders]
    ids += [piece.target for piece in (*rating.evidence, *rating.research) if piece.target is not None]
    unknown = [name for name in ids if name not in targets]
    of_responses = [piece.response for piece in (*rating.evidence, *rating.research) if piece.response is not None]
    ids = [*answers.responses, *of_responses]
    unknown += [name for name in ids if name not in responses]
    pages = {link.page for link in task_links(task, ())} if rating.link_verdicts else set()
    unknown += [url for url in rating.link_verdicts if page_key(url) not in pages]
    verdicts = {page: given for url, given in rating.link_verdicts.items() if (page := page_key(url)) in pages and page}
    if not unknown:
        return replace(rating, link_verdicts=verdicts), []
    rating = replace(
        rating,
        answers=replace(
            answers,
            targets={name: answer for name, answer in answers.targets.items() if name in targets},
            responses={name: answer for name, answer in answers.responses.items() if name in responses},
        ),
        claims={name: claims for name, claims in rating.claims.items() if name in targets},
        borders={name: border for name, border in rating.borders.items() if name in targets},
        evidence=tuple(piece for piece in rating.evidence if _is_known(piece, targets, responses)),
        link_verdicts=verdicts,
        research=tuple(entry for entry in rating.research if _is_known(entry, targets, responses)),
        time=replace(
            rating.time, targets={name: spent for name, spent in rating.time.targets.items() if name in targets}
        ),
    )
    return rating, list(dict.fromkeys(unknown))


def _is_known(piece: Evidence | ResearchEntry, targets: set[str], responses: set[str]) -> bool:
    return (piece.target is None or piece.target in targets) and (piece.response is None or piece.response in responses)
