"""The plugin in the controlling process of pytest-xdist: it makes the runs once, and the workers show them."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ._binary import ConcurError


class Controller:
    """Makes the runs before the workers start."""

    def __init__(self, suites: Any) -> None:
        self.suites = suites
        self.runs: dict[str, str] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_xdist_setupnodes(self, config: pytest.Config, specs: Any) -> None:
        from .pytest_plugin import prepared

        if not (config.option.concur or _mention(config)) or config.option.collectonly:
            return
        session: Any = config.pluginmanager.get_plugin("session")
        reporter = config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:  # the workers report what was collected
            config.pluginmanager.unregister(reporter)
        try:
            session.perform_collect()
        except pytest.UsageError:
            return  # the workers report it
        finally:
            if reporter is not None:
                config.pluginmanager.register(reporter, "terminalreporter")
        try:
            self.runs = {suite: str(run.folder.resolve()) for suite, run in prepared(session)}
        except ConcurError as e:
            raise pytest.UsageError(str(e)) from None
        finally:
            session.items, session.testscollected, session.testsfailed, session.shouldfail = [], 0, 0, False

    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput["concur_runs"] = self.runs


def _mention(config: pytest.Config) -> bool:
    """Reports whether a test file that pytest may collect mentions concur, so that other projects pay little."""
    return any(b"concur" in text for text in _test_files(config))


def _test_files(config: pytest.Config) -> Iterator[bytes]:
    skipped, patterns = config.getini("norecursedirs"), config.getini("python_files")
    for argument in config.args:
        path = Path(str(argument).split("::")[0])
        if path.is_file():
            yield path.read_bytes()
        for folder, folders, files in os.walk(path):
            folders[:] = [
                f for f in folders
                if not any(fnmatch.fnmatch(f, pattern) for pattern in skipped) and not os.path.exists(os.path.join(folder, f, "pyvenv.cfg"))
            ]
            for file in files:
                if any(fnmatch.fnmatch(file, pattern) for pattern in patterns):
                    try:
                        yield Path(folder, file).read_bytes()
                    except OSError:  # such as a broken link
                        continue
