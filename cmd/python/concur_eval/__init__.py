"""concur: self-consistency evaluation and a regression gate for agents.

    import concur_eval as concur

    @concur.agent
    def answer(task):
        return "42"

    run = concur.run(answer, [("What is 6 times 7?", 42)], k=3)
    print(run.figures.pass_rate)

Examples write `import concur_eval as concur`, because another package on PyPI has the name concur.
"""

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
