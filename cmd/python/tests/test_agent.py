"""Agents: what a function may be, may return, and may do wrong."""

import asyncio
import datetime
import decimal
import json
import math
import subprocess
import sys
import textwrap
import threading

import pytest

import concur_eval as concur

REQUEST = {
    "schema": "concur/agent/v1", "call": 7, "id": "q1", "query": "What is 6 times 7?", "answer_type": "integer",
    "history": [{"role": "user", "content": "Hello"}], "trace": 1, "seed": 5,
    "settings": {"model": "openai:gpt-4o-mini", "temperature": 0.3},
    "limits": {"timeout_s": 60, "max_steps": 4, "max_tool_calls": 2}, "off": ["calc"],
    "endpoint": {"openai_base_url": "http://127.0.0.1:1/v1", "anthropic_base_url": "http://127.0.0.1:1", "api_key": "k"},
}


def reply(function, **changes):
    return concur.agent(function).reply({**REQUEST, **changes})


def test_task():
    seen = []
    reply(seen.append)
    task = seen[0]
    assert (task.query, task.id, task.answer_type, task.trace, task.seed) == ("What is 6 times 7?", "q1", "integer", 1, 5)
    assert (task.timeout_s, task.max_steps, task.max_tool_calls, task.off) == (60, 4, 2, ("calc",))
    assert task.history == (concur.Turn("user", "Hello"),)
    assert (task.model.provider, task.model.name, task.model.temperature) == ("openai", "gpt-4o-mini", 0.3)
    assert task.model.openai() == {"base_url": "http://127.0.0.1:1/v1", "api_key": "k", "max_retries": 0}
    assert task.model.anthropic()["base_url"] == "http://127.0.0.1:1"


def test_names():
    for name in concur.__all__:
        assert getattr(concur, name) is not None
    assert dir(concur) == sorted(concur.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        concur.nothing


def test_without_proxy_a_client_reads_its_own_environment():
    seen = []
    reply(seen.append, endpoint=None)
    assert seen[0].model.openai() == {} == seen[0].model.anthropic()


@pytest.mark.parametrize(
    "value, want",
    [
        ("42", {"answer": "42"}),
        (42, {"answer": 42}),
        (10**40, {"answer": 10**40}),
        (True, {"answer": True}),
        (decimal.Decimal("1.50"), {"answer": "1.50"}),
        (datetime.date(2024, 5, 3), {"answer": "2024-05-03"}),
        (["a", 1], {"answer": ["a", 1]}),
        (("a", "b"), {"answer": ["a", "b"]}),
        ({"b", "a"}, {"answer": ["a", "b"]}),
        (concur.ABSTAIN, {"answer": "[ABSTAIN]"}),
        ("", {"answer": ""}),
        (None, {"outcome": "no_answer"}),
        (math.nan, {"outcome": "no_answer"}),
        (-math.inf, {"outcome": "no_answer"}),
        (decimal.Decimal("NaN"), {"outcome": "no_answer"}),
        ({"message": "It is 42."}, {"message": "It is 42."}),
        (concur.Reply(), {"outcome": "no_answer"}),
        (concur.Reply(answer=0), {"answer": 0}),
        (concur.Reply(message="no", outcome="refused"), {"message": "no", "outcome": "refused"}),
    ],
)
def test_returned_values(value, want):
    assert reply(lambda task: value) == {**want, "call": 7}


def test_full_reply():
    got = reply(
        lambda task: concur.Reply(
            message="Kiwi [wiki_1].",
            evidence=[concur.Document("wiki_1", title="Kiwi", text="A bird.", score=math.nan)],
            steps=[concur.Step("look", "search", {"q": "kiwi"}, ["A bird."]), concur.Step("done")],
            usage=concur.Usage(model_calls=2, input_tokens=10),
        )
    )
    assert got["evidence"] == [{"id": "wiki_1", "title": "Kiwi", "url": "", "text": "A bird.", "score": None}]
    assert got["steps"][0]["action"] == {"name": "search", "input": {"q": "kiwi"}}
    assert got["steps"][1]["action"] is None
    assert got["usage"]["model_calls"] == 2


@pytest.mark.parametrize("value", [b"42", bytearray(b"42"), object(), [b"x"], {"answer": b"42"}, concur.Reply(answer=b"1")])
def test_values_that_no_reply_can_have(value):
    got = reply(lambda task: value)
    assert got["error"].startswith("TypeError: the agent returned ")
    assert got["call"] == 7


def test_failures_are_errors(capsys):
    def agent(task):
        raise ValueError("no such page " + "x" * 10_000)

    got = reply(agent)
    assert got["error"].startswith("ValueError: no such page x")
    assert len(got["error"]) <= 2000
    assert "in agent" in capsys.readouterr().err  # the traceback, for run.log
    assert reply(lambda task: sys.exit(3))["error"] == "SystemExit: 3"
    assert reply(lambda task: 1 / 0)["error"] == "ZeroDivisionError: division by zero"


def test_async_functions_share_an_event_loop():
    loops = []

    @concur.agent
    async def agent(task):
        loops.append(asyncio.get_running_loop())
        await asyncio.sleep(0)
        return task.query.upper()

    results = []
    threads = [threading.Thread(target=lambda: results.append(agent.reply(REQUEST))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [r["answer"] for r in results] == ["WHAT IS 6 TIMES 7?"] * 4
    assert len(set(map(id, loops))) == 1


def test_an_async_function_that_hangs_is_cancelled():
    cancelled = threading.Event()

    async def agent(task):
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    got = reply(agent, limits={"timeout_s": 0.1})
    assert "TimeoutError" in got["error"]
    assert cancelled.wait(60)


def test_objects_and_methods():
    class Bot:
        def __call__(self, task):
            return "called"

        async def later(self, task):
            return "later"

    assert reply(Bot())["answer"] == "called"
    assert reply(Bot().later)["answer"] == "later"
    assert concur.agent(Bot()).name == "Bot"
    with pytest.raises(TypeError, match="an agent is a function or an object with __call__, and not a int"):
        concur.agent(3)


def test_decorator():
    @concur.agent(name="mine", version="2", parts=["calc"])
    def answer(task):
        """Answers."""
        return task.query

    assert answer("Why?") == "Why?"
    assert (answer.name, answer.parts, answer.__doc__) == ("mine", ("calc",), "Answers.")
    assert answer.identity() == {"version": "2"}
    assert concur.agent(answer) is answer


def test_identity(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text("def answer(task):\n    return 1\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    import mine

    assert concur.agent(mine.answer).identity() == {"files": ["mine.py"]}
    monkeypatch.chdir(tmp_path.parent)
    below = f"{tmp_path.name}/mine.py"
    assert concur.agent(mine.answer).identity() == {"files": [below]}
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert concur.agent(mine.answer).identity()["version"].startswith("source ")
    assert concur.agent(len).identity() == {}


def test_requests_that_cannot_be_read():
    agent = concur.agent(lambda task: 1)
    for request in (b"", b"[]", b"{}", b"\xff", b'{"query"'):
        assert "cannot be read" in json.loads(agent.line(request))["error"]


# A program that serves an agent on standard input.


def serve(tmp_path, body, lines, end="\n", **options):
    path = tmp_path / "agent of Zoë.py"
    text = "import concur_eval as concur\n\n" + textwrap.dedent(body)
    path.write_bytes(text.replace("\n", end).encode())
    return subprocess.run([sys.executable, str(path)], input="".join(lines), capture_output=True, encoding="utf-8", timeout=60, **options)


LINES = [json.dumps({"query": q, "call": n + 1}) + "\n" for n, q in enumerate(["a", "b", "ü"])]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_serve(tmp_path, end):
    done = serve(tmp_path, """
        @concur.agent
        def answer(task):
            print("working on", task.query)
            return task.query

        answer.serve()
        """, LINES, end)
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert replies == [{"answer": q, "call": n + 1} for n, q in enumerate(["a", "b", "ü"])]
    assert "working on a" in done.stderr
    assert done.returncode == 0


def test_output_of_every_kind_does_not_disturb_replies(tmp_path):
    done = serve(tmp_path, """
        import os, subprocess, sys

        @concur.agent
        def answer(task):
            os.write(1, b'{"answer": "wrong", "call": 1}')
            sys.__stdout__.write("print")
            sys.__stdout__.flush()
            subprocess.run([sys.executable, "-c", "print('child', repr(input()))"], check=False)
            sys.stdin.read()
            return "right"

        answer.serve()
        """, LINES[:2])
    assert [json.loads(line)["answer"] for line in done.stdout.splitlines()] == ["right", "right"]


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="needs fork")
def test_a_forked_child_gives_no_second_reply(tmp_path):
    done = serve(tmp_path, """
        import os

        @concur.agent
        def answer(task):
            os.fork()
            return str(os.getpid())

        pid = os.getpid()
        answer.serve()
        """, LINES)
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert [r["call"] for r in replies] == [1, 2, 3]
    assert len({r["answer"] for r in replies}) == 1


def test_module_serves_a_function(tmp_path):
    (tmp_path / "mine.py").write_text("async def answer(task):\n    return task.query\n")

    def call(*arguments):
        return subprocess.run([sys.executable, "-m", "concur_eval", *arguments], input=LINES[0], capture_output=True, encoding="utf-8")

    assert json.loads(call(f"{tmp_path}/mine.py:answer").stdout) == {"answer": "a", "call": 1}
    for arguments, message in {
        (f"{tmp_path}/mine.py:nothing",): "has no nothing", (f"{tmp_path}/none.py:answer",): "is not a Python file",
        ("mine",): "give FILE:NAME", (): "give FILE:NAME",
    }.items():
        done = call(*arguments)
        assert (done.returncode, message in done.stderr) == (2, True)
