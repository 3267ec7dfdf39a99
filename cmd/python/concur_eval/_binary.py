"""Finds the concur command that this package was installed with, and starts it."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path

NAME = "concur.exe" if sys.platform == "win32" else "concur"


class ConcurError(Exception):
    """A failure of the concur command. exit_code is its exit code, or None if it did not end by itself."""

    def __init__(self, message: str, exit_code: int | None = None) -> None:
        super().__init__(message)
        self.exit_code = exit_code


def binary() -> str:
    """Returns the path of the concur command of this installation.

    The environment variable CONCUR_BINARY names another one. The PATH is not searched, because a command of another
    version may be there. Raises ConcurError if there is no command.
    """
    named = os.environ.get("CONCUR_BINARY", "")
    if named:
        if os.path.isfile(named):
            return named
        raise ConcurError(f"CONCUR_BINARY names {named}, which is not a file: correct it, or unset it")
    for folder in _folders():
        path = os.path.join(folder, NAME)
        if os.path.isfile(path):
            return path
    raise ConcurError(
        "this installation of concur-eval has no concur command: install the wheel of your platform "
        f"({sysconfig.get_platform()}), or name a command in CONCUR_BINARY"
    )


def _folders() -> list[str]:
    """Returns the folders into which an installer may have put the command, the most exact one first."""
    package = Path(__file__).resolve().parent.parent
    return [
        *_recorded(package),
        str(package / "bin"),  # pip install --target, which does not record the place
        str(package / "Scripts"),
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", scheme=sysconfig.get_preferred_scheme("user")),
    ]


def _recorded(package: Path) -> list[str]:
    """Returns the folder that the installer recorded for the command of this package."""
    import importlib.metadata  # slow, and pytest imports this module in all projects

    try:
        distribution = importlib.metadata.distribution("concur-eval")
    except importlib.metadata.PackageNotFoundError:
        return []
    if Path(str(distribution.locate_file("."))).resolve() != package:
        return []  # another installation
    return [os.path.dirname(os.path.realpath(str(f.locate()))) for f in distribution.files or [] if f.name == NAME]


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Returns the environment of a command: this process's, with other variables."""
    env = {name: value for name, value in os.environ.items() if name != "CONCUR_BINARY"}
    env.update(more or {})
    return env


def output_of(arguments: Sequence[str], *, codes: Sequence[int] = (0,)) -> str:
    """Runs the command and returns its standard output. Raises ConcurError for an exit code not in codes."""
    done = subprocess.run([binary(), *arguments], env=environment(), capture_output=True, encoding="utf-8", errors="replace")
    if done.returncode not in codes:
        raise ConcurError(failure(arguments, done.returncode, done.stderr), done.returncode)
    return done.stdout


def failure(arguments: Sequence[str], code: int, errors: str) -> str:
    """Returns a message about a command that failed."""
    command = "concur " + " ".join(arguments[:1])
    text = errors.strip()
    if code < 0:  # a signal
        return f"{command} was killed by signal {-code}" + (f": {text}" if text else "")
    return text or f"{command} ended with exit code {code}"
