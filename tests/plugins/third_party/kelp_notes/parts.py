"""What the plug-in adds."""

import click

from desktop_rater.hub.address import FolderAddress


@click.command()
@click.argument("meters", type=int)
def kelp(meters):
    """Print the height of a kelp of so many METERS."""
    click.echo(f"The kelp is {kelp_height(meters)}.")


def kelp_height(meters):
    """Return a height in words."""
    return f"{meters} m high"


def parse_address(text):
    """Return the folder of a forest."""
    return FolderAddress(f"/forests/{text.partition(':')[2]}")


RUBRIC = "span-factuality"


def records(path):
    """Yield a task for each line of a log."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        yield {"id": f"k-{number}", "prompt": {"text": "How high?"}, "responses": [{"id": "a", "text": line}]}


class KelpReader:
    """Reads files of kelp as results, of which there are none."""

    def choose(self, paths):
        return [path for path in paths if path.suffix == ".kelp"]

    def read(self, store, paths, *, audit, lead, now, progress):
        from desktop_rater.operations.audit.listed_places import open_results  # noqa: PLC0415

        return open_results(store, [path.with_suffix(".zip") for path in paths], lead=lead, now=now, progress=progress)

    def show(self, imported, banners):
        """Show nothing more."""


class KelpPart:
    """Measures kelp, and would export in place of the program if it could."""

    def __init__(self, application):
        self.window = application.window
        self.measured = []

    def actions(self):
        return {"kelp_measure": lambda: self.measured.append(kelp_height(3)), "export": self.measured.clear}
