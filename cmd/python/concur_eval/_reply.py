"""The contract between concur and an agent: the task that it gets, and the reply that it gives.

docs/your-agent.md of the project explains both.
"""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import fractions
import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

ABSTAIN = "[ABSTAIN]"
"""The answer of an agent that does not know."""

REFUSE = "[REFUSE]"
"""The answer of an agent that does not want to answer."""


@dataclass(frozen=True)
class Turn:
    """An earlier message of the conversation. role is user or assistant."""

    role: str
    content: str


@dataclass(frozen=True)
class Model:
    """The model of the configuration, and the address of the proxy that records its calls.

    Without the proxy the addresses and the key are None.
    """

    provider: str = ""
    name: str = ""
    temperature: float = 0.7
    openai_base_url: str | None = None
    anthropic_base_url: str | None = None
    api_key: str | None = None

    def openai(self) -> dict[str, Any]:
        """Returns arguments for OpenAI's client: OpenAI(**task.model.openai()). concur repeats failed calls itself.

        Without the proxy there are none, and the client reads its own environment.
        """
        if self.api_key is None:
            return {}
        return {"base_url": self.openai_base_url, "api_key": self.api_key, "max_retries": 0}

    def anthropic(self) -> dict[str, Any]:
        """Returns arguments for Anthropic's client, like openai."""
        if self.api_key is None:
            return {}
        return {"base_url": self.anthropic_base_url, "api_key": self.api_key, "max_retries": 0}


@dataclass(frozen=True)
class Task:
    """One request to an agent: a question, for one of the K traces."""

    query: str
    id: str = ""
    answer_type: str = ""  # the type of the expected answer, such as integer; "" if the dataset states none
    history: Sequence[Turn] = ()
    trace: int = 0  # the number of the trace, 0 to K-1
    seed: int = 0  # differs in each trace
    model: Model = field(default_factory=Model)
    timeout_s: float = 300.0
    max_steps: int = 10
    max_tool_calls: int = 8
    off: Sequence[str] = ()  # parts that the agent must not use
    call: int = 0  # the number of the request to a process that stays

    @classmethod
    def from_request(cls, request: Mapping[str, Any]) -> Task:
        """Reads a request of the contract."""
        settings, limits = request.get("settings") or {}, request.get("limits") or {}
        endpoint = request.get("endpoint") or {}
        provider, colon, name = str(settings.get("model", "")).partition(":")
        return cls(
            query=request["query"],
            id=request.get("id", ""),
            answer_type=request.get("answer_type", ""),
            history=tuple(Turn(t["role"], t["content"]) for t in request.get("history") or ()),
            trace=request.get("trace", 0),
            seed=request.get("seed", 0),
            model=Model(
                provider=provider if colon else "",
                name=name if colon else provider,
                temperature=settings.get("temperature", 0.7),
                openai_base_url=endpoint.get("openai_base_url"),
                anthropic_base_url=endpoint.get("anthropic_base_url"),
                api_key=endpoint.get("api_key"),
            ),
            timeout_s=limits.get("timeout_s", 300.0),
            max_steps=limits.get("max_steps", 10),
            max_tool_calls=limits.get("max_tool_calls", 8),
            off=tuple(request.get("off") or ()),
            call=request.get("call", 0),
        )


@dataclass(frozen=True)
class Document:
    """A document that the agent used; the message cites it as [id]. score is its relevance, 0 to 1."""

    id: str
    title: str = ""
    url: str = ""
    text: str = ""
    score: float = 0.0


@dataclass(frozen=True)
class Step:
    """A step that the agent took: a thought, and perhaps a tool call with its result."""

    thought: str = ""
    tool: str = ""
    input: Any = None
    observation: Any = None


@dataclass(frozen=True)
class Usage:
    """Calls and tokens that the agent used; only needed for model calls that do not go through the proxy."""

    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0


@dataclass(frozen=True)
class Reply:
    """The reply of an agent. One of answer, message, outcome and error is enough.

    answer is the short answer; without it, concur reads the answer from the message. outcome is answered, refused,
    abstained or no_answer. error is the reason why the agent could not work; such a trace does not vote.
    """

    answer: Any = None
    message: str = ""
    outcome: str = ""
    error: str = ""
    evidence: Sequence[Document] = ()
    steps: Sequence[Step] = ()
    usage: Usage | None = None


def reply_of(value: Any) -> dict[str, Any]:
    """Returns what an agent returned as a reply of the contract.

    A text, number, True, False or a list is the short answer, a dict has the fields of the contract, and None and NaN
    mean that there is no answer. Raises TypeError for other values, such as bytes.
    """
    if isinstance(value, Reply):
        return _fields(value)
    if isinstance(value, Mapping):
        reply: dict[str, Any] = plain(value)
        return reply
    answer = plain(value)
    if answer is None:
        return {"outcome": "no_answer"}
    return {"answer": answer}


def _fields(reply: Reply) -> dict[str, Any]:
    out: dict[str, Any] = {}
    answer = plain(reply.answer)
    if answer is not None:
        out["answer"] = answer
    for name in ("message", "outcome", "error"):
        text = getattr(reply, name)
        if text:
            out[name] = plain(text)
    if not out:
        out["outcome"] = "no_answer"
    if reply.evidence:
        out["evidence"] = [plain(d) for d in reply.evidence]
    if reply.steps:
        out["steps"] = [_step(s) for s in reply.steps]
    if reply.usage is not None:
        out["usage"] = plain(reply.usage)
    return out


def _step(step: Any) -> Any:
    if not isinstance(step, Step):
        return plain(step)
    action = {"name": step.tool, "input": plain(step.input)} if step.tool else None
    return {"thought": step.thought, "action": action, "observation": plain(step.observation)}


def plain(value: Any) -> Any:
    """Returns a value as JSON can have it: NaN and infinity are None, and a decimal keeps its digits as text."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, enum.Enum):
        return plain(value.value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, decimal.Decimal):
        return str(value) if value.is_finite() else None
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, fractions.Fraction):
        return str(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        raise TypeError("the agent returned bytes: return text, such as value.decode()")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Set):
        return sorted((plain(item) for item in value), key=str)
    if isinstance(value, Sequence):
        return [plain(item) for item in value]
    for convert in ("item", "model_dump"):  # numbers of NumPy, models of Pydantic
        method = getattr(value, convert, None)
        if callable(method) and not isinstance(value, type):
            return plain(method())
    raise TypeError(f"the agent returned a {type(value).__name__}: return text, a number, a list, a dict or a Reply")
