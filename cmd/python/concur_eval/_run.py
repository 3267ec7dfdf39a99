"""Runs of an agent over a dataset, and their results."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import re
import secrets
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import schemas
from ._agent import Agent
from ._agent import agent as as_agent
from ._binary import ConcurError, output_of
from ._command import Command
from ._decode import decode
from ._reply import plain
from ._server import ADDRESS, Server

Dataset = str | os.PathLike[str] | Iterable[Mapping[str, Any] | tuple[str, Any]]

DONE, REGRESSION, INVALID, INCONCLUSIVE = 0, 1, 3, 4  # exit codes of concur


class InvalidRun(ConcurError):
    """A run in which a query has no valid trace. run has its results."""

    def __init__(self, message: str, run: Run) -> None:
        super().__init__(message, INVALID)
        self.run = run


class Run:
    """A finished run: its folder, records and figures."""

    def __init__(self, folder: str | os.PathLike[str], agent: Agent | None = None) -> None:
        self.folder = Path(folder)
        self.agent = agent
        if not (self.folder / "run.yaml").is_file():
            raise ConcurError(f"{self.folder} is not the folder of a run: give a folder below runs/")

    def __repr__(self) -> str:
        counts = self.figures.counts
        return f"<concur run {self.folder.name}: {counts.correct} of {counts.queries} correct>"

    @functools.cached_property
    def summary(self) -> schemas.Summary:
        """The figures of all configurations, as in concur report RUN --format json."""
        return decode(schemas.Summary, self._json("report", str(self.folder)))

    @property
    def figures(self) -> schemas.ResultConfiguration:
        """The figures of the run's configuration. An ablation has several, see summary."""
        return self.summary.configurations[0]

    @functools.cached_property
    def records(self) -> list[schemas.StoreRecord]:
        """The records of all queries: answers, votes, decision and verdict."""
        last: dict[tuple[str, str], schemas.StoreRecord] = {}
        with open(self.folder / "results.jsonl", encoding="utf-8") as lines:
            next(lines, None)  # the name of the schema
            for line in lines:
                record = decode(schemas.StoreRecord, json.loads(line))
                last[record.configuration, record.query] = record
        return list(last.values())

    @functools.cached_property
    def queries(self) -> list[schemas.ConcurQueryRow]:
        """One row for each query, as in concur report RUN --rows queries, in the order of the dataset."""
        return decode(schemas.Queries, self._json("report", str(self.folder), "--rows", "queries")).queries

    def trace(self, query: str) -> schemas.Transcript:
        """The traces of a query, as in concur trace RUN QUERY."""
        return decode(schemas.Transcript, self._json("trace", str(self.folder), query))

    def gate(self, baseline: str | os.PathLike[str] = "baseline.jsonl", *, arguments: Sequence[str] = (), quiet: bool = True) -> schemas.Gate:
        """Compares the run with the accepted runs of a baseline file.

        The decision is PASS, REGRESSION, DRIFT, INCONCLUSIVE or INVALID. The gate may run fresh traces of the agent.
        arguments are further arguments of concur gate, such as ["--wait"].
        """
        given = ["gate", str(self.folder), "--baseline", os.fspath(baseline), "--yes", *arguments]
        result, _ = _json_of(given, self.agent, quiet, codes=(DONE, REGRESSION, INVALID, INCONCLUSIVE))
        return decode(schemas.Gate, result)

    def accept(self, baseline: str | os.PathLike[str] = "baseline.jsonl", *, override: str | None = None) -> None:
        """Accepts the run into a baseline file. override is the reason to do so against the gate's decision."""
        more = [] if override is None else ["--override", override]
        output_of(["baseline", "add", str(self.folder), "--baseline", os.fspath(baseline), *more])

    def _json(self, *arguments: str) -> Any:
        return json.loads(output_of([*arguments, "--format", "json"]))


def run(
    agent: Agent | Callable[..., Any] | None,
    dataset: Dataset | None = None,
    k: int | None = None,
    *,
    seed: int | None = None,
    name: str | None = None,
    limit: int | None = None,
    queries: Sequence[str] = (),
    categories: Sequence[str] = (),
    tags: Sequence[str] = (),
    without: Sequence[str] = (),
    model: str | None = None,
    concurrency: int | None = None,
    config: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    runs_dir: str | os.PathLike[str] | None = None,
    resume: str | None = None,
    arguments: Sequence[str] = (),
    quiet: bool = True,
) -> Run:
    """Runs an agent over a dataset, K traces for each query, and returns the run.

    agent is a function that concur calls in this process, or None for the agent of the configuration. dataset is the
    name of a built-in one, a file, or questions: dicts as in a dataset file, or pairs of a question and its answer.
    config is the configuration, as a dict or a file; without it concur.yaml is used if it exists. resume is the name of
    an interrupted run, or latest. runs_dir is the folder of runs. arguments are further arguments of concur run.

    Raises InvalidRun if a query has no valid trace, ConcurError if the run cannot be made, and Interrupted after Ctrl-C.
    """
    given = ["run"]
    runs_dir = runs_dir or os.environ.get("CONCUR_RUNS_DIR") or "runs"
    with contextlib.ExitStack() as stack:
        of = None if agent is None else as_agent(agent)
        if resume is not None:
            given += ["--resume", resume]
        else:
            if dataset is not None:
                given.append(dataset_name(dataset, Path(runs_dir)))
            if seed is None and of is not None and not os.environ.get("CONCUR_SEED"):
                seed = secrets.randbelow(2**31)  # a function need not repeat its answers, whatever the model of config
            settings: dict[str, Any] = {
                "-k": k, "--seed": seed, "--limit": limit, "--model": model, "--concurrency": concurrency,
                "--name": name or (of.name if of else None),
            }
            for flag, value in settings.items():
                given += [] if value is None else [flag, str(value)]
            for flag, values in {"--query": queries, "--category": categories, "--tag": tags, "--without": without}.items():
                for value in [values] if isinstance(values, str) else values:
                    given += [flag, value]
            text = _configuration(of, config)
            if text is not None:
                given += ["--config", stack.enter_context(_temporary_file(text, "concur.yaml"))]
        given += ["--runs-dir", os.fspath(runs_dir), "--yes", *arguments]
        result, messages = _json_of(given, of, quiet, codes=(DONE, INVALID))
    out = Run(Path(runs_dir) / result["run"], of)
    if messages is not None:
        raise InvalidRun(messages, out)
    return out


def _json_of(arguments: list[str], agent: Agent | None, quiet: bool, codes: Sequence[int]) -> tuple[Any, str | None]:
    """Runs a command that may call the agent. Returns its result, and its messages if a run was invalid."""
    with contextlib.ExitStack() as stack:
        more = stack.enter_context(Server(agent)).environment() if agent else {}
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="concur-"))
        out = os.path.join(folder, "result.json")
        full = [*arguments, "--format", "json", "--out", out, *(["--quiet"] if quiet else [])]
        command = Command(full, more, quiet=quiet)
        code = command.wait(codes)
        try:
            with open(out, encoding="utf-8") as f:
                result = json.load(f)
        except (OSError, ValueError):
            raise ConcurError(command.messages.strip() or f"concur {arguments[0]} printed no result", code) from None
    invalid = code == INVALID and arguments[0] == "run"
    return result, command.messages.strip() or "a query has no valid trace" if invalid else None


@contextlib.contextmanager
def _temporary_file(text: str, name: str) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="concur-") as folder:
        path = os.path.join(folder, name)
        Path(path).write_text(text, encoding="utf-8", newline="\n")
        yield path


def dataset_name(dataset: Dataset, runs_dir: Path) -> str:
    """Returns the name of a dataset for the command line. Questions are written to a file beside the runs, which the
    gate and a resumed run read again."""
    if isinstance(dataset, (str, os.PathLike)):
        return os.fspath(dataset)
    rows = []
    for row in dataset:
        if isinstance(row, Mapping):
            rows.append(plain(row))
        elif isinstance(row, (tuple, list)) and len(row) == 2:
            rows.append({"question": plain(row[0]), "answer": plain(row[1])})
        else:
            raise TypeError(f"a question is a dict, or a pair of question and answer, and not {row!r}")
    if not rows:
        raise ValueError("the dataset has no questions")
    text = "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n"
    folder = runs_dir / ".datasets"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"questions-{hashlib.sha256(text.encode()).hexdigest()[:8]}.json"
    handle, part = tempfile.mkstemp(dir=folder)
    with open(handle, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    os.replace(part, path)  # other processes may read the file at this moment
    return str(path)


def _configuration(agent: Agent | None, config: str | os.PathLike[str] | Mapping[str, Any] | None) -> str | None:
    """Returns the text of a configuration in which the function is the agent; None for the file that concur finds."""
    own: dict[str, Any] = {}
    if agent is not None:
        own = {"http": ADDRESS, "proxy": agent.proxy, **agent.identity()}
        own.update({"parts": list(agent.parts)} if agent.parts else {})
        own.update({"timeout": agent.timeout} if agent.timeout else {})
    if isinstance(config, Mapping):
        whole = dict(plain(config))
        if own:
            whole["agent"] = {**(whole.get("agent") or {}), **own}
        return json.dumps(whole)
    path = Path(config) if config is not None else Path("concur.yaml")
    if config is None and not path.is_file():
        return json.dumps({"agent": own}) if own else None
    if not own:
        return path.read_text(encoding="utf-8-sig") if config is not None else None
    text = path.read_text(encoding="utf-8-sig").replace("\r\n", "\n")
    if re.search(r"""^(["']?)agent\1[ \t]*:""", text, re.MULTILINE):
        raise ConcurError(f"{path} has an agent already: remove it there, or give config= without it")
    if text.lstrip().startswith("{"):
        raise ConcurError(f"{path} is JSON: give config=json.load(open({str(path)!r}))")
    return text.rstrip() + "\n\nagent: " + json.dumps(own) + "\n"
