"""A plugin for pytest: each query of a run is a test.

It does nothing unless --concur is given or a marker `concur` is used: docs/pytest.md of the project.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ._binary import ConcurError, output_of

if TYPE_CHECKING:  # other modules are imported when a marker is found: pytest imports this one in all projects
    from . import schemas
    from ._agent import Agent
    from ._command import Interrupted
    from ._run import Run

PASS = "PASS"
NAMED = ("broken", "safety", "lost")  # beginnings of the states of queries that the gate names


@dataclass(frozen=True)
class Query:
    """A query of a dataset, as far as a test shows it."""

    id: str
    category: str
    text: str
    tags: tuple[str, ...] = ()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("concur", "evaluation of agents by concur")
    group.addoption("--concur", action="store_true", help="also run the agent and the dataset of concur.yaml in this folder")
    group.addoption(
        "--concur-gate", metavar="FILE",
        help="let concur gate decide by the accepted runs in the baseline FILE: only queries that it names fail",
    )
    group.addoption("--concur-resume", metavar="RUN", help="finish the interrupted RUN, a name or latest, and show its queries")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "concur(dataset, k=3, ...): run this agent over a dataset; the arguments are those of concur_eval.run"
    )
    parallel = getattr(config.option, "numprocesses", None) or getattr(config.option, "dist", "no") != "no"
    if config.option.concur_gate and (parallel or hasattr(config, "workerinput")):
        raise pytest.UsageError(
            "--concur-gate does not go with -n, because one process decides on the whole run: leave out -n"
        )
    plugin = Suites(config)
    config.pluginmanager.register(plugin, "concur-suites")
    if parallel and not hasattr(config, "workerinput"):
        from . import _xdist

        config.pluginmanager.register(_xdist.Controller(plugin), "concur-controller")


class Suites:
    """The runs of a session."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.interrupted: Interrupted | None = None
        self.decisions: dict[str, schemas.Gate] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makeitem(self, collector: pytest.Collector, name: str, obj: object) -> Any:
        found = _marked(obj)
        if found is None:
            return None
        return Suite.from_parent(collector, name=name, agent=found[0], settings=found[1])

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> Any:
        if self.config.option.concur and file_path.name == "concur.yaml" and file_path.parent == Path.cwd():
            return ConfiguredSuite.from_parent(parent, path=file_path)
        return None

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        from ._command import Interrupted

        if isinstance(excinfo.value, Interrupted):
            self.interrupted = excinfo.value

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if any(g.decision != PASS for g in self.decisions.values()) and exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.interrupted is not None:
            terminalreporter.section("concur")
            terminalreporter.line("the run was stopped by Ctrl-C, and its results so far are kept")
            if self.interrupted.run:
                terminalreporter.line(f"finish it: pytest --concur-resume {self.interrupted.run}")
        if self.decisions:
            terminalreporter.section("concur gate")
        for name, gate in self.decisions.items():
            terminalreporter.line(f"{name}: {gate.decision}")
            for reason in [*gate.reasons, *gate.warnings]:
                terminalreporter.line(f"  {reason}")


def _marked(obj: object) -> tuple[Agent, dict[str, Any]] | None:
    """Returns the agent and the arguments of a marker `concur`; None for everything else in a module."""
    of: Any = obj
    if isinstance(obj, pytest.MarkDecorator):  # the marker was put on an Agent, which pytest takes for an argument
        if obj.name != "concur" or not obj.args or not _is_agent(obj.args[-1]):
            return None
        of, arguments, settings = obj.args[-1], obj.args[:-1], dict(obj.kwargs)
    elif isinstance(obj, type) or not callable(obj):
        return None
    else:
        marks = getattr(obj, "pytestmark", None)
        found = [m for m in (marks if isinstance(marks, list) else [marks]) if isinstance(m, pytest.Mark) and m.name == "concur"]
        if not found:
            return None
        arguments, settings = found[0].args, dict(found[0].kwargs)
    from ._agent import agent

    if arguments:
        settings["dataset"] = arguments[0]
    return agent(of), settings


def _is_agent(value: object) -> bool:
    module = sys.modules.get("concur_eval._agent")
    return module is not None and isinstance(value, module.Agent)


class _Queries(pytest.Collector):
    """The queries of one run as tests. The run is made when the first of them is needed."""

    _run: Run | None = None
    _failure: BaseException | None = None
    _rows: dict[str, schemas.ConcurQueryRow]
    _gate: schemas.Gate | None = None
    _told = False

    def make(self, queries: list[str] | None) -> Run:
        """Makes the run, of some queries or of all."""
        raise NotImplementedError

    def listed(self) -> list[Query]:
        """Returns the queries that the run may have."""
        raise NotImplementedError

    def collect(self) -> Iterable[pytest.Item]:
        try:
            queries = self.listed()
        except (ConcurError, ValueError, TypeError, OSError) as e:
            raise self.CollectError(str(e)) from None
        self._all = [q.id for q in queries]
        for query in queries:
            yield QueryItem.from_parent(self, name=query.id, query=query)
        if self.config.option.concur_gate:
            yield GateItem.from_parent(self, name="gate")

    def result(self, session: pytest.Session) -> Run:
        """Returns the run of the queries that were selected. A failure is raised again for each of them."""
        if self._failure is not None:
            raise ConcurError(f"the run failed: {str(self._failure).splitlines()[0]}")
        if self._run is None:
            folder = getattr(self.config, "workerinput", {}).get("concur_runs", {}).get(self.nodeid)
            from ._run import Run

            try:
                self._run = Run(folder) if folder else self._make(session)
            except ConcurError as e:
                self._failure = e
                raise
            self._rows = {row.query: row for row in self._run.queries}
        return self._run

    def _make(self, session: pytest.Session) -> Run:
        from ._run import InvalidRun

        selected = [i.query.id for i in session.items if isinstance(i, QueryItem) and i.parent is self]
        if self.config.option.concur_resume:
            suites = {i.parent for i in session.items if isinstance(i, (QueryItem, GateItem))}
            if len(suites) > 1:
                raise ConcurError("--concur-resume is for one agent: choose its tests with -k or by their name")
        try:
            return self.make(selected if selected and len(selected) < len(self._all) else None)
        except InvalidRun as e:
            if not e.run.queries:
                raise
            return e.run

    def gate(self, session: pytest.Session) -> schemas.Gate:
        """Returns the gate's decision on the run."""
        if self._gate is None:
            run = self.result(session)
            self._gate = run.gate(self.config.option.concur_gate)
            suites: Any = self.config.pluginmanager.get_plugin("concur-suites")
            suites.decisions[self.nodeid] = self._gate
        return self._gate


class Suite(_Queries):
    """A function with the marker `concur`."""

    def __init__(self, *, agent: Agent, settings: dict[str, Any], **given: Any) -> None:
        super().__init__(**given)
        self.agent, self.settings = agent, settings

    @property
    def settings_of_run(self) -> dict[str, Any]:
        settings = dict(self.settings)
        dataset = settings.pop("dataset", None)
        if dataset is None:
            raise ValueError(f"the marker concur of {self.name} names no dataset: write @pytest.mark.concur(dataset=…)")
        beside = self.path.parent / dataset if isinstance(dataset, (str, os.PathLike)) else None
        if beside is not None and beside.is_file():
            dataset = os.path.relpath(beside)
        return {**settings, "dataset": dataset}

    def listed(self) -> list[Query]:
        settings = self.settings_of_run
        runs_dir = Path(settings.get("runs_dir") or os.environ.get("CONCUR_RUNS_DIR") or "runs")
        from ._run import dataset_name

        found = _queries_of(dataset_name(settings["dataset"], runs_dir))
        for name in ("queries", "categories", "tags"):
            wanted = settings.get(name) or ()
            wanted = [wanted] if isinstance(wanted, str) else list(wanted)
            if wanted:
                found = [q for q in found if set(wanted) & set({"queries": (q.id,), "categories": (q.category,), "tags": q.tags}[name])]
        return found[: settings.get("limit")]

    def make(self, queries: list[str] | None) -> Run:
        settings = self.settings_of_run
        if queries is not None:
            settings["queries"] = queries
            for name in ("categories", "tags", "limit"):
                settings.pop(name, None)
        settings.setdefault("name", self.name)
        from ._run import run

        return run(self.agent, resume=self.config.option.concur_resume, **settings)


class ConfiguredSuite(pytest.File, _Queries):
    """The agent and the dataset of concur.yaml."""

    def listed(self) -> list[Query]:
        plan = json.loads(output_of(["run", "--dry-run", "--format", "json", "--config", str(self.path)]))
        return _queries_of(plan["source"])

    def make(self, queries: list[str] | None) -> Run:
        from ._run import run

        return run(None, queries=queries or (), config=self.path, resume=self.config.option.concur_resume)


def _queries_of(dataset: str) -> list[Query]:
    """Returns the queries of a dataset, in its order."""
    with tempfile.TemporaryDirectory(prefix="concur-") as folder:
        path = os.path.join(folder, "queries.jsonl")
        output_of(["datasets", "convert", dataset, "--out", path])
        with open(path, encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
    return [Query(r["id"], r.get("category", ""), r["query"], tuple(r.get("tags") or ())) for r in rows if "id" in r]


class QueryItem(pytest.Item):
    """A query. It passes if the answer on which the traces agree is right, or with the gate if it names no loss."""

    def __init__(self, *, query: Query, **given: Any) -> None:
        super().__init__(**given)
        self.query = query

    @property
    def suite(self) -> _Queries:
        assert isinstance(self.parent, _Queries)
        return self.parent

    def runtest(self) -> None:
        run = self.suite.result(self.session)
        row = self.suite._rows.get(self.query.id)
        if row is None:
            raise QueryFailed(["the run has no result for this query", f"question   {self.query.text}"])
        about = {
            "concur_query": row.query, "concur_expected": row.expected, "concur_answer": row.answer, "concur_votes": row.votes,
            "concur_verdict": row.verdict, "concur_run": run.folder.name, "concur_trace": row.trace,
        }
        self.user_properties.extend(about.items())
        lines = [
            f"{row.verdict}: {row.reason}", f"question   {row.question}", f"expected   {row.expected}", f"answer     {row.answer}",
            f"votes      {row.votes}", f"see why    {row.trace}",
        ]
        if self.config.option.concur_gate:
            found = {q.query: q for q in self.suite.gate(self.session).queries}.get(row.query)
            if found is not None and found.status.startswith(NAMED):
                now, before = found.now, found.before
                fell = f"{before.right} of {before.right + before.wrong} right before, {now.right} of {now.right + now.wrong} now"
                raise QueryFailed([f"{found.status}: {fell}", *lines[1:]])
        elif row.verdict != "correct":
            raise QueryFailed(lines)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, (QueryFailed, ConcurError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"{self.suite.name}: {self.name}"


class GateItem(pytest.Item):
    """The gate's decision on the run as a test."""

    def runtest(self) -> None:
        assert isinstance(self.parent, _Queries)
        gate = self.parent.gate(self.session)
        self.user_properties.append(("concur_decision", gate.decision))
        if gate.decision != PASS:
            raise QueryFailed([gate.decision, *gate.reasons, *gate.warnings])

    repr_failure = QueryItem.repr_failure

    def reportinfo(self) -> tuple[Path, int | None, str]:
        assert self.parent is not None
        return self.path, None, f"{self.parent.name}: gate"


class QueryFailed(Exception):
    """A query that is not right, or a decision that is not PASS."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__("\n".join(lines))


def prepared(session: pytest.Session) -> Iterator[tuple[str, Run]]:
    """Makes the runs of all collected queries, and returns each with the id of its suite."""
    done: set[pytest.Collector] = set()
    for item in session.items:
        if isinstance(item, QueryItem) and item.suite not in done:
            done.add(item.suite)
            yield item.suite.nodeid, item.suite.result(session)
