"""What is said when a command fails: one sentence and an exit code, whatever went wrong; never a traceback."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path

import click

from pbem import errors
from pbem.cli.output import at_terminal, say

STOPPED = 130  # by Ctrl-C, as shells count it
NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS}
BARRED = {
    errno.EACCES,
    errno.EPERM,
    errno.ENOENT,
    errno.ENOTDIR,
    errno.EISDIR,
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.EMFILE,
    errno.ENFILE,
}


Host = Callable[[], Path | None]  # the folder that a fault of ours is logged in, where there is one


def answer(failure: BaseException, host: Host) -> int:
    """Tell what went wrong; gives the exit code."""
    if isinstance(failure, click.exceptions.NoArgsIsHelpError):
        failure.show()
        return errors.USAGE
    if isinstance(failure, BrokenPipeError):
        return errors.OK  # whoever read us has heard enough
    if isinstance(failure, KeyboardInterrupt) and at_terminal(err=True):
        say(err=True)  # after the ^C that the terminal shows
    code, words = _expected(failure) or (errors.INTERNAL, _fault(failure, host))
    say(f"pbem: {words}", err=True)
    return code


def _expected(failure: BaseException) -> tuple[int, str] | None:
    """The code and the sentence for what a person did or can mend; None for a fault of ours."""
    if isinstance(failure, errors.Trouble):
        return failure.exit_code, str(failure)
    if isinstance(failure, click.ClickException):
        return failure.exit_code, _usage(failure)
    if isinstance(failure, click.Abort | KeyboardInterrupt):
        return STOPPED, "stopped."
    if isinstance(failure, OSError) and failure.errno in NO_ROOM:
        place = f"{failure.filename} " if failure.filename else "What was to be written "
        return errors.TRY_AGAIN, f"{place}could not be written ({failure.strerror}); make room and run again."
    if isinstance(failure, OSError) and failure.errno in BARRED and failure.filename:
        return errors.CANNOT, f"{failure.filename} cannot be used ({failure.strerror})."
    return None


def _usage(wrong: click.ClickException) -> str:
    """What is wrong with the command line, in one line, and where the right one is told."""
    words = " ".join(wrong.format_message().split())
    context = getattr(wrong, "ctx", None)
    words = words if words.endswith((".", "?", "!")) else f"{words}."
    return f"{words} See `{context.command_path} --help`." if context else words


def _fault(fault: BaseException, host: Host) -> str:
    from pbem.faultlog import place_of, write_down

    log = write_down(fault, host())
    where = f"The details are in {log}." if log else "The details could not be written down."
    return f"this is a fault of pbem, not of yours ({type(fault).__name__} at {place_of(fault)}). {where}"
