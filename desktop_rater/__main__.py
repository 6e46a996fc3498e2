"""`desktop-rater` and `python -m desktop_rater`."""

import sys


def main() -> int:
    """Run the command that was asked for. Ctrl-C while the program is still loading is no fault either."""
    try:
        from desktop_rater.cli.root import main as run  # noqa: PLC0415 - loading takes long enough to be interrupted
    except KeyboardInterrupt:
        return 130
    return run()


if __name__ == "__main__":
    sys.exit(main())
