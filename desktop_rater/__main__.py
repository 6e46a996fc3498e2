"""`desktop-rater` and `python -m desktop_rater`."""

import sys

from desktop_rater.cli.root import main

if __name__ == "__main__":
    sys.exit(main())
