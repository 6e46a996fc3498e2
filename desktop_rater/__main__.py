"""`desktop-rater` and `python -m desktop_rater`."""

import io
import sys
import traceback

READ_PAGES = "read-pages"


def main() -> int:
    """Run the requested command; show in a dialog why it was refused, if there is no console."""
    if sys.stderr is not None:
        return _run()
    sys.stderr = messages = io.StringIO()
    try:
        status = _run()
    except ImportError:
        traceback.print_exc()
        status = 1
    if status and messages.getvalue():
        from desktop_rater.windows_api import show_error  # noqa: PLC0415 - rarely needed

        show_error(messages.getvalue())
    return status


def _run() -> int:
    """Run the requested command. Ctrl-C while the program is still loading is not an error."""
    try:
        # A packaged program has no other way to start the process that reads pages; not a user command.
        if sys.argv[1:2] == [READ_PAGES]:
            from desktop_rater.pages.child import main as read_pages  # noqa: PLC0415

            return read_pages()
        from desktop_rater.cli.frame import open_early  # noqa: PLC0415 - as below

        status = open_early(sys.argv[1:])
        if status is not None:
            return status
        from desktop_rater.cli.root import main as run  # noqa: PLC0415 - loading takes long enough to be interrupted
    except KeyboardInterrupt:
        return 130
    return run()


if __name__ == "__main__":
    sys.exit(main())
