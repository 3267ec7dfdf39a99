"""Votes and comparisons of answers, by the concur command."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import tempfile
import threading
from collections.abc import Iterable
from typing import IO, Any

from . import schemas
from ._binary import ConcurError, binary, environment, failure
from ._decode import decode
from ._reply import plain

ARGUMENTS = ("score", "-", "--decisions")


class _Questions:
    """A process of the command that answers one question after the other. It is started at the first question."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._errors: IO[bytes] | None = None
        self._owner = 0

    def ask(self, question: dict[str, Any]) -> schemas.DecisionsReply:
        with self._lock:
            line = self._exchange(json.dumps(question) + "\n")
        reply = decode(schemas.DecisionsReply, json.loads(line))
        if reply.error:
            raise ValueError(reply.error)
        return reply

    def _exchange(self, line: str) -> str:
        if self._process is None or self._owner != os.getpid():  # a forked child has no right to its parent's process
            self._start()
        assert self._process and self._process.stdin and self._process.stdout
        reply = ""
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
            reply = self._process.stdout.readline()
        except OSError:
            pass
        except BaseException:
            self._end()  # the reply to this question must not be taken for that to the next
            raise
        if reply.endswith("\n"):
            return reply
        raise ConcurError(*self._end())

    def _start(self) -> None:
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            [binary(), *ARGUMENTS], env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
            encoding="utf-8", errors="replace",
        )
        self._owner = os.getpid()

    def _end(self) -> tuple[str, int]:
        """Ends the process, and says why it ended."""
        assert self._process and self._errors
        process, self._process = self._process, None
        try:
            code = process.wait(timeout=1)  # it has ended by itself
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        self._errors.seek(0)
        text = self._errors.read().decode(errors="replace")
        self._errors.close()
        for stream in (process.stdin, process.stdout):
            try:
                stream.close()  # type: ignore[union-attr]
            except OSError:
                pass
        return failure(ARGUMENTS, code, text), code

    def close(self) -> None:
        if self._process is not None and self._owner == os.getpid() and self._process.stdin:
            try:
                self._process.stdin.close()
                self._process.wait(timeout=5)
            except (OSError, subprocess.TimeoutExpired):
                self._process.kill()


_questions = _Questions()
atexit.register(_questions.close)


def consensus(answers: Iterable[Any], type: str = "text") -> schemas.ConsensusDecision:
    """Returns the answer on which answers to one question agree, by the rules of a run.

    They are compared as values of the type: "1,771" and "1771.0" are one integer. None and "" do not vote. The decision
    has the answer, the method, the agreement and the votes. Raises ValueError for an unknown type or no answers.
    """
    reply = _questions.ask({"answers": [_text(a) for a in answers], "type": type})
    assert reply.decision is not None
    return reply.decision


def score(answer: Any, gold: Any, type: str = "text") -> schemas.DecisionsScore:
    """Compares an answer with the right one, as a run does. The result has right and reason.

    gold may be a list, the right answer and its aliases. Raises ValueError for an unknown type, and for a gold that is
    not of the type.
    """
    golds = gold if isinstance(gold, (list, tuple)) else [gold]
    reply = _questions.ask({"answers": [_text(answer)], "gold": [_text(g) for g in golds], "type": type})
    return reply.scores[0]


def _text(value: Any) -> str:
    """Returns an answer as text; "" for None and NaN, which do not vote."""
    value = plain(value)
    if value is None:
        return ""
    if isinstance(value, list):
        return "; ".join(_text(item) for item in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
