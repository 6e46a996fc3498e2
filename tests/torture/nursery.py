"""Where victims come from: a process that has everything loaded, and forks one whenever it is asked to.

To load all that a victim needs takes longer than most of them live. `python -m tests.torture.nursery MODULE…` reads
jobs from standard input, a line of JSON each: the module, its words, and where to what the victim says and its
errors go. It answers with two lines: the process, which waits to be continued, and later the status it ended with.
"""

import faulthandler
import importlib
import json
import os
import signal
import sys
import traceback


def main() -> None:
    """Until standard input ends."""
    for module in sys.argv[1:]:
        importlib.import_module(module)
    for line in sys.stdin:
        module, words, said, errors = json.loads(line)
        child = os.fork()
        if child == 0:
            _live(module, words, said, errors)
        os.waitpid(child, os.WUNTRACED)
        _tell(child)
        _, status = os.waitpid(child, 0)
        _tell(os.waitstatus_to_exitcode(status))


def _tell(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


def _live(module: str, words: list[str], said: str, errors: str) -> None:
    """A victim's life, from the moment at which somebody lets it go on."""
    status = 1
    try:
        for number, path in ((1, said), (2, errors)):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), number)
        faulthandler.enable()
        os.kill(os.getpid(), signal.SIGSTOP)
        sys.argv = [module, *words]
        importlib.import_module(module).main()
        sys.stdout.flush()
        status = 0
    except BaseException:  # noqa: BLE001 - told, and then there is nobody above
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(status)


if __name__ == "__main__":
    main()
