"""Completion of commands, options and file names with Tab in bash, zsh and fish."""

import click
from click.shell_completion import get_completion_class, shell_complete

from desktop_rater.cli.frame import COMPLETE_VARIABLE
from desktop_rater.cli.output import EXIT_ATTENTION, EXIT_OK

PROGRAM = "desktop-rater"
_SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(_SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> int:
    """Print a script for a shell that completes commands, options and file names with Tab.

    For bash, add `eval "$(desktop-rater completion bash)"` to ~/.bashrc; for zsh, the same with zsh to ~/.zshrc. For
    fish, save it as ~/.config/fish/completions/desktop-rater.fish.
    """
    shell_class = get_completion_class(shell)
    assert shell_class is not None, "click knows all of them"
    script = shell_class(context.find_root().command, {}, PROGRAM, COMPLETE_VARIABLE)
    click.echo((script.source_template % script.source_vars()).strip())
    return EXIT_OK


def complete(command: click.Command, instruction: str) -> int:
    """Print the completions of the words in the environment. Nothing else is done, and no error is shown."""
    try:
        return shell_complete(command, {}, PROGRAM, COMPLETE_VARIABLE, instruction)
    except Exception:  # noqa: BLE001 - a message would appear in the middle of a typed line
        return EXIT_ATTENTION
