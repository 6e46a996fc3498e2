"""`desktop-rater` and `python -m desktop_rater`."""

import sys

READ_PAGES = "read-pages"


def main() -> int:
    """Run the command that was asked for. Ctrl-C while the program is still loading is no fault either."""
    try:
        # A packaged program has no other way to start the process that reads pages; it is nobody's command.
        if sys.argv[1:2] == [READ_PAGES]:
            from desktop_rater.web.child import main as read_pages  # noqa: PLC0415

            return read_pages()
        from desktop_rater.cli.root import main as run  # noqa: PLC0415 - loading takes long enough to be interrupted
    except KeyboardInterrupt:
        return 130
    return run()


if __name__ == "__main__":
    sys.exit(main())
