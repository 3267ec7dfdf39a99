"""concur: self-consistency evaluation and a regression gate for agents.

    import concur_eval as concur

    @concur.agent
    def answer(task):
        return "42"

    run = concur.run(answer, [("What is 6 times 7?", 42)], k=3)
    print(run.figures.pass_rate)

Examples write `import concur_eval as concur`, because another package on PyPI has the name concur.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import schemas
    from ._agent import Agent, agent
    from ._binary import ConcurError, binary
    from ._command import Interrupted
    from ._reply import ABSTAIN, REFUSE, Document, Model, Reply, Step, Task, Turn, Usage
    from ._run import InvalidRun, Run, run
    from ._vote import consensus, score

__all__ = [
    "ABSTAIN",
    "REFUSE",
    "Agent",
    "ConcurError",
    "Document",
    "Interrupted",
    "InvalidRun",
    "Model",
    "Reply",
    "Run",
    "Step",
    "Task",
    "Turn",
    "Usage",
    "agent",
    "binary",
    "consensus",
    "run",
    "schemas",
    "score",
]

_PLACES = {
    "_agent": ("Agent", "agent"),
    "_binary": ("ConcurError", "binary"),
    "_command": ("Interrupted",),
    "_reply": ("ABSTAIN", "REFUSE", "Document", "Model", "Reply", "Step", "Task", "Turn", "Usage"),
    "_run": ("InvalidRun", "Run", "run"),
    "_vote": ("consensus", "score"),
}


def __getattr__(name: str) -> Any:
    """Imports a name at its first use, because pytest imports this package in all projects."""
    for module, names in _PLACES.items():
        if name in names:
            value = getattr(importlib.import_module("." + module, __name__), name)
            globals()[name] = value
            return value
    if name == "schemas":
        return importlib.import_module(".schemas", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
