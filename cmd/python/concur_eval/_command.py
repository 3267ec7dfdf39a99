"""Runs a concur command that may take long: its messages are kept, and Ctrl-C ends it in order."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Mapping, Sequence

from ._binary import ConcurError, binary, environment, failure

PATIENCE = 60.0  # seconds that running traces get after Ctrl-C; then they are ended


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a run. run is its name, or "" if it had not begun: concur.run(agent, resume=name) finishes it."""

    def __init__(self, messages: str) -> None:
        found = re.search(r"--resume (\S+)", messages)
        self.run = os.path.basename(found[1].strip("`'\"").rstrip("/\\")) if found else ""
        how = f"; finish it with concur.run(agent, resume={self.run!r})" if self.run else ""
        super().__init__("the run was stopped by Ctrl-C" + how)


class Command:
    """A started command. It has a process group of its own, so that Ctrl-C reaches it once, and only from here."""

    def __init__(self, arguments: Sequence[str], more: Mapping[str, str], *, quiet: bool) -> None:
        self.arguments = list(arguments)
        self.quiet = quiet
        self._tail: deque[str] = deque(maxlen=40)
        windows = sys.platform == "win32"
        self._process = subprocess.Popen(
            [binary(), *arguments],
            env=environment(more),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            start_new_session=not windows,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) if windows else 0,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._tail.append(line)
            if not self.quiet:
                sys.stderr.write(line)

    @property
    def messages(self) -> str:
        """The last lines of standard error."""
        return "".join(self._tail)

    def wait(self, codes: Sequence[int]) -> int:
        """Waits for the end and returns the exit code.

        Raises ConcurError for an exit code that is not in codes, and Interrupted after Ctrl-C.
        """
        try:
            code = self._process.wait()
        except BaseException as e:
            self._end()
            if not isinstance(e, KeyboardInterrupt):
                raise
            raise Interrupted(self.messages) from None
        self._reader.join(timeout=5)
        if code not in codes:
            raise ConcurError(failure(self.arguments, code, self.messages), code)
        return code

    def _end(self) -> None:
        """Ends the command in order: it finishes its traces and writes its files."""
        for stop in (self._interrupt, self._process.terminate, self._process.kill):
            stop()
            try:
                self._process.wait(timeout=PATIENCE)
                break
            except subprocess.TimeoutExpired:
                continue
            except KeyboardInterrupt:  # a second Ctrl-C
                continue
        self._reader.join(timeout=5)

    def _interrupt(self) -> None:
        if sys.platform == "win32":
            os.kill(self._process.pid, signal.CTRL_BREAK_EVENT)
        else:
            self._process.send_signal(signal.SIGINT)
