"""Agents: functions that concur can call."""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import json
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, overload

from ._reply import Task, reply_of

MAX_ERROR = 2000  # characters of an error that are sent


class Agent:
    """A function, sync or async, or an object with __call__, as an agent that concur can evaluate.

    Calling it calls the function, with a Task or with the text of a question.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        name: str | None = None,
        version: str = "",
        files: Sequence[str] = (),
        parts: Sequence[str] = (),
        proxy: bool = True,
        timeout: str = "",
    ) -> None:
        if not callable(function):
            raise TypeError(f"an agent is a function or an object with __call__, and not a {type(function).__name__}")
        self.function = function
        self.name: str = name or getattr(function, "__name__", None) or type(function).__name__
        self.version = version
        self.files = tuple(files)
        self.parts = tuple(parts)
        self.proxy = proxy
        self.timeout = timeout
        self.__doc__ = getattr(function, "__doc__", None)
        self.__name__ = self.name
        self.__wrapped__ = function
        if hasattr(function, "pytestmark"):
            self.pytestmark = function.pytestmark

    def __call__(self, task: Task | str) -> Any:
        return self.function(Task(query=task) if isinstance(task, str) else task)

    def __repr__(self) -> str:
        return f"<concur agent {self.name}>"

    def reply(self, request: dict[str, Any]) -> dict[str, Any]:
        """Answers a request of the contract. A failure of the function is an error in the reply."""
        process = os.getpid()
        try:
            task = Task.from_request(request)
            result = self.function(task)
            if inspect.isawaitable(result):
                result = _await(result, task.timeout_s)
            answer = reply_of(result)
        except BaseException as e:  # also sys.exit() in an agent
            if isinstance(e, KeyboardInterrupt) and threading.current_thread() is threading.main_thread():
                raise
            if os.getpid() == process:
                traceback.print_exc()
            text = str(e).strip()
            answer = {"error": (type(e).__name__ + (": " + text if text else ""))[:MAX_ERROR]}
        if os.getpid() != process:  # the function forked, and the child returned too
            os._exit(0)
        call = request.get("call")
        if call:
            answer["call"] = call
        return answer

    def line(self, request: bytes) -> bytes:
        """Answers a request and returns the reply, both as one line of JSON."""
        try:
            read = json.loads(request)
            if not isinstance(read, dict) or "query" not in read:
                raise ValueError("the request is no JSON object with a query")
        except ValueError as e:
            return _encode({"error": f"concur's request cannot be read: {e}"})
        return _encode(self.reply(read))

    def serve(self) -> None:
        """Answers requests on standard input, one per line, until its end. It is the main program of an agent file.

        Output that the function prints goes to standard error, because standard output is for replies.
        """
        requests = os.fdopen(os.dup(0), "rb")
        replies = os.fdopen(os.dup(1), "wb")
        with open(os.devnull, "rb") as nothing:
            os.dup2(nothing.fileno(), 0)
        sys.stdout.flush()
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        try:
            for request in requests:
                if request.strip():
                    replies.write(self.line(request) + b"\n")
                    replies.flush()
        except KeyboardInterrupt:
            sys.exit(128 + signal.SIGINT)
        except BrokenPipeError:
            sys.exit(1)

    def identity(self) -> dict[str, Any]:
        """Returns the keys of the configuration that say which version of the agent runs: version and files.

        Without either, the file that defines the function decides, or in a notebook its source.
        """
        out: dict[str, Any] = {}
        if self.version:
            out["version"] = self.version
        files = list(self.files)
        source = None if files or self.version else self._source()
        if isinstance(source, Path):
            files = [source.as_posix()]
        elif source:
            out["version"] = "source " + hashlib.sha256(source.encode()).hexdigest()[:12]
        if files:
            out["files"] = files
        return out

    def _source(self) -> Path | str | None:
        """Returns the file of the function, if it is below the working folder; otherwise its text."""
        of = inspect.unwrap(self.function)
        if not (inspect.isfunction(of) or inspect.ismethod(of)):
            of = type(of)
        try:
            path = Path(inspect.getsourcefile(of) or "").resolve()
            inside = path.relative_to(Path.cwd().resolve())
            if path.is_file() and not any(c in str(inside) for c in "*?[]{}\\"):
                return inside
        except (TypeError, ValueError, OSError):
            pass
        try:
            return inspect.getsource(of)
        except (TypeError, OSError):
            return None


def _encode(reply: dict[str, Any]) -> bytes:
    return json.dumps(reply, allow_nan=False).encode()


_loop: asyncio.AbstractEventLoop | None = None
_loop_process = 0
_loop_lock = threading.Lock()


def _await(result: Any, timeout: float) -> Any:
    """Waits for an awaitable on an event loop that all agents share, so that clients may be reused in later calls."""
    global _loop, _loop_process
    with _loop_lock:
        if _loop is None or _loop_process != os.getpid():
            _loop, _loop_process = asyncio.new_event_loop(), os.getpid()
            threading.Thread(target=_loop.run_forever, name="concur agents", daemon=True).start()

    async def wait() -> Any:
        return await result

    future = asyncio.run_coroutine_threadsafe(wait(), _loop)
    try:
        return future.result(timeout)
    except BaseException:
        future.cancel()
        raise


@overload
def agent(function: Callable[..., Any], /) -> Agent: ...


@overload
def agent(
    *,
    name: str | None = None,
    version: str = "",
    files: Sequence[str] = (),
    parts: Sequence[str] = (),
    proxy: bool = True,
    timeout: str = "",
) -> Callable[[Callable[..., Any]], Agent]: ...


def agent(function: Callable[..., Any] | None = None, /, **settings: Any) -> Any:
    """Turns a function, sync or async, or an object with __call__, into an agent.

    The function gets a Task and returns the answer, a Reply, or a dict with the fields of the contract.

        @concur.agent
        def answer(task):
            return "42"

    name is the name in tables (default: the function's). version and files say which version of the agent ran (default:
    the file that defines it). parts can be switched off by --without; task.off has those. With proxy=False the agent's
    model calls are not recorded, and its Reply may have a usage. timeout is the limit of a trace, such as 2m.
    """
    if function is None:
        return lambda f: Agent(f, **settings)
    return function if isinstance(function, Agent) else Agent(function, **settings)
