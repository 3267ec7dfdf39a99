"""Runs: an agent in this process, its results, the gate, and what can go wrong."""

import json
import os
import signal
import stat
import subprocess
import sys
import textwrap
import threading
import urllib.error
import urllib.request

import pytest

import concur_eval as concur
from concur_eval._server import Server

QUESTIONS = [("What is 6 times 7?", 42), ("How long?", "30 days"), ("Who?", "Ann Perry")]
ANSWERS = dict(QUESTIONS)


@concur.agent
def answer(task):
    return ANSWERS[task.query]


@concur.agent
def worse(task):
    return 41 if "times" in task.query else ANSWERS[task.query]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    place = tmp_path / "Zoë's runs"
    place.mkdir()
    monkeypatch.chdir(place)
    return place


def test_run():
    run = concur.run(answer, QUESTIONS, k=3)
    assert run.figures.counts.correct == 3
    assert run.figures.pass_rate == 1.0
    assert isinstance(run.figures.pass_rate, float)
    assert run.figures.title == "answer"
    assert [(q.query, q.answer, q.verdict) for q in run.queries][0] == ("q-0001", "42", "correct")
    record = run.records[0]
    assert (record.consensus.method, record.consensus.agreement, len(record.answers)) == ("exact", 1.0, 3)
    assert record.verdict.verdict == "correct"
    assert run.trace("q-0001").records[0].query == "q-0001"
    assert "3 of 3 correct" in repr(run)
    assert "LOCAL_AGENT" not in run.summary.versions
    again = concur.Run(run.folder)
    assert again.summary == run.summary
    with pytest.raises(concur.ConcurError, match="is not the folder of a run"):
        concur.Run("nowhere")


def test_questions_as_dicts_and_settings():
    questions = [
        {"id": f"q{n}", "category": c, "query": f"{n}?", "gold": {"type": "integer", "answer": str(n)}} for n, c in [(1, "a"), (2, "b"), (3, "b")]
    ]
    run = concur.run(lambda task: task.query.rstrip("?"), questions, k=2, categories="b", limit=1, seed=5, name="mine", config={"agent": {"temperature": 0.2}})
    assert [q.query for q in run.queries] == ["q2"]
    assert (run.summary.seed, run.figures.k) == (5, 2)
    assert "temperature: 0.2" in (run.folder / "run.yaml").read_text()
    with pytest.raises(TypeError, match="a question is a dict, or a pair"):
        concur.run(answer, ["What?"])
    with pytest.raises(ValueError, match="the dataset has no questions"):
        concur.run(answer, [])
    with pytest.raises(concur.ConcurError, match="no-such-set"):
        concur.run(answer, "no-such-set")


def test_configuration_file(folder):
    (folder / "concur.yaml").write_bytes(b"\xef\xbb\xbfk: 2\r\nlimits: {concurrency: 3}\r\n")
    run = concur.run(answer, QUESTIONS)
    assert run.figures.k == 2
    (folder / "concur.yaml").write_text("k: 2\nagent: {temperature: 0.1}\n")
    with pytest.raises(concur.ConcurError, match="concur.yaml has an agent already"):
        concur.run(answer, QUESTIONS)
    assert concur.run(answer, QUESTIONS, config={"k": 1}).figures.k == 1


def test_two_functions_have_two_agents_and_a_port_is_none():
    first, second = concur.run(answer, QUESTIONS, k=1), concur.run(answer, QUESTIONS, k=1)
    assert first.figures.agent == second.figures.agent
    other = concur.run(concur.agent(version="2")(lambda task: 1), QUESTIONS, k=1)
    assert other.figures.agent != first.figures.agent


def test_gate():
    for seed in (1, 2, 3):
        concur.run(answer, QUESTIONS, k=5, seed=seed).accept()
    run = concur.run(answer, QUESTIONS, k=5, seed=4)
    assert run.gate().decision == "PASS"
    found = concur.run(worse, QUESTIONS, k=5, seed=5).gate()  # the gate runs fresh traces of the function
    assert found.decision == "REGRESSION"
    assert [q.query for q in found.queries if q.status == "broken"] == ["q-0001"]
    with pytest.raises(concur.ConcurError, match="REGRESSION"):
        rejected = concur.run(worse, QUESTIONS, k=5, seed=6)
        rejected.gate()
        rejected.accept()


def test_an_agent_that_fails_everywhere():
    def broken(task):
        raise ValueError("no such page")

    with pytest.raises(concur.InvalidRun, match="ValueError: no such page") as caught:
        concur.run(broken, QUESTIONS, k=2)
    assert caught.value.exit_code == 3
    assert caught.value.run.records == [] or caught.value.run.records[0].answers[0].outcome == "infra"


def test_an_agent_that_fails_sometimes_and_prints(capfd):
    def odd(task):
        print('{"answer": "wrong"}')
        os.write(1, b'{"answer": "wrong"}\n')
        if task.trace == 1:
            raise RuntimeError("lost")
        return float("nan") if task.query == "Who?" else ANSWERS[task.query]

    run = concur.run(odd, QUESTIONS, k=3)
    outcomes = {r.question: [a.outcome for a in r.answers] for r in run.records}
    assert outcomes["How long?"] == ["answered", "infra", "answered"]
    assert outcomes["Who?"] == ["no_answer", "infra", "no_answer"]
    assert run.figures.counts.correct == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_an_agent_that_forks():
    def forks(task):
        os.fork()
        return ANSWERS[task.query]

    assert concur.run(forks, QUESTIONS, k=2).figures.counts.correct == 3


def test_two_runs_at_once():
    results = {}

    def go(name, agent):
        results[name] = concur.run(agent, QUESTIONS, k=3)

    threads = [threading.Thread(target=go, args=a) for a in (("good", answer), ("bad", worse))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (results["good"].figures.counts.correct, results["bad"].figures.counts.correct) == (3, 2)


def test_model_calls_through_the_proxy():
    @concur.agent
    def asks(task):
        body = {"model": task.model.name, "messages": [{"role": "user", "content": task.query}]}
        request = urllib.request.Request(
            task.model.openai()["base_url"] + "/chat/completions", json.dumps(body).encode(),
            {"Content-Type": "application/json", "Authorization": "Bearer " + task.model.openai()["api_key"]},
        )
        with urllib.request.urlopen(request) as reply:
            return concur.Reply(message=json.load(reply)["choices"][0]["message"]["content"] or "")

    run = concur.run(asks, QUESTIONS, k=2)
    assert run.figures.usage.model_calls >= 6
    assert (run.folder / "chat.jsonl").read_text().count('"purpose"') >= 6


def test_the_server_needs_its_key():
    with Server(answer) as server:
        def post(path):
            request = urllib.request.Request(f"http://127.0.0.1:{server.port}{path}", b'{"query": "Who?"}')
            with urllib.request.urlopen(request) as reply:
                return json.load(reply)

        assert post(f"/?key={server.key}") == {"answer": "Ann Perry"}
        for path in ("/", "/?key=", "/?key=" + "0" * len(server.key), "/?key=ü".encode().decode("latin-1").replace("\xc3\xbc", "%C3%BC")):
            with pytest.raises(urllib.error.HTTPError, match="403"):
                post(path)


def test_no_binary(monkeypatch):
    monkeypatch.setenv("CONCUR_BINARY", "nowhere")
    with pytest.raises(concur.ConcurError, match="CONCUR_BINARY names nowhere, which is not a file"):
        concur.binary()
    monkeypatch.delenv("CONCUR_BINARY")
    monkeypatch.setattr("concur_eval._binary._folders", lambda: ["nowhere"])
    with pytest.raises(concur.ConcurError, match="has no concur command: install the wheel of your platform"):
        concur.run(answer, QUESTIONS)


@pytest.mark.skipif(sys.platform == "win32", reason="the command is a shell script")
def test_a_binary_that_is_killed(monkeypatch, folder):
    script = folder / "concur"
    script.write_text("#!/bin/sh\necho begins >&2\nkill -9 $$\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("CONCUR_BINARY", str(script))
    with pytest.raises(concur.ConcurError, match="concur run was killed by signal 9: begins") as caught:
        concur.run(answer, QUESTIONS)
    assert caught.value.exit_code == -9


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_interrupted_and_resumed(folder):
    (folder / "slow.py").write_text(textwrap.dedent("""
        import signal, sys, time
        import concur_eval as concur

        signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background is started without it

        @concur.agent(version="1")
        def slow(task):
            if sys.argv[1] == "slow" and task.query != "1?":
                print("waits", flush=True)
                time.sleep(1)
            return task.query[0]

        try:
            run = concur.run(slow, [(f"{n}?", n) for n in range(1, 9)], k=1, concurrency=1, resume="latest" if sys.argv[1] == "fast" else None)
            print(run.figures.counts.correct)
        except KeyboardInterrupt as e:
            print(type(e).__name__, e)
        """))
    script = subprocess.Popen([sys.executable, "slow.py", "slow"], stdout=subprocess.PIPE, encoding="utf-8", start_new_session=True)
    assert script.stdout.readline() == "waits\n"
    os.killpg(script.pid, signal.SIGINT)  # as a terminal does
    out = script.communicate(timeout=60)[0]
    assert "Interrupted the run was stopped by Ctrl-C" in out
    assert "finish it with concur.run(agent, resume='20" in out
    done = subprocess.run([sys.executable, "slow.py", "fast"], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == "8\n"


def test_own_agent_of_the_configuration():
    run = concur.run(None, "gold29", k=1, limit=2)
    assert run.figures.model == "offline:reader"


def test_an_error_of_the_command():
    with pytest.raises(concur.ConcurError, match="the configuration has no such part") as caught:
        concur.run(answer, QUESTIONS, without=["memory"])
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("options", [["--target", "lib of Zoë"], ["--prefix", "Zoë's prefix"], ["--user"]])
def test_installed_in_other_ways(folder, monkeypatch, options):
    """Every kind of installation finds its own command, also if the interpreter has another one."""
    wheel = os.environ.get("CONCUR_WHEEL")
    if not wheel:
        pytest.skip("CONCUR_WHEEL names no wheel")
    monkeypatch.delenv("CONCUR_BINARY", raising=False)
    python = getattr(sys, "_base_executable", sys.executable)
    monkeypatch.setenv("PYTHONUSERBASE", str(folder / "user"))
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-index", "--no-warn-script-location", "--ignore-installed", *options, wheel], check=True)
    [package] = folder.rglob("concur_eval")
    done = subprocess.run(
        [python, "-c", "import concur_eval; print(concur_eval.binary())"], env={**os.environ, "PYTHONPATH": str(package.parent)},
        capture_output=True, encoding="utf-8", check=True,
    )
    assert done.stdout.strip().startswith(str(folder))
    assert "concur" in subprocess.run([done.stdout.strip(), "version"], capture_output=True, encoding="utf-8", check=True).stdout
