"""The plugin for pytest, in sessions of its own."""

import os
import re
import signal
import subprocess
import sys
import xml.etree.ElementTree

import pytest

pytest.importorskip("xdist")

MODULE = """
    import pytest
    import concur_eval as concur

    QUESTIONS = [
        {"id": "product", "category": "sums", "query": "6 times 7?", "gold": {"type": "integer", "answer": "42"}},
        {"id": "river", "category": "facts", "query": "Which river?", "gold": {"type": "entity", "answer": "Scheldt"}},
        {"id": "bird", "category": "facts", "query": "Which bird?", "gold": {"type": "entity", "answer": "Kiwi"}},
    ]
    ANSWERS = {"6 times 7?": 42, "Which river?": "Scheldt", "Which bird?": BIRD}

    @pytest.mark.concur(dataset=QUESTIONS, k=3)
    def answer(task):
        return ANSWERS[task.query]

    def test_ordinary():
        assert callable(answer)
"""


@pytest.fixture(autouse=True)
def installed(monkeypatch):
    """Lets the sessions find the plugin also where the package is not installed but on PYTHONPATH."""
    from importlib.metadata import entry_points

    if not any(e.value == "concur_eval.pytest_plugin" for e in entry_points(group="pytest11")):
        monkeypatch.setenv("PYTEST_PLUGINS", "concur_eval.pytest_plugin")


@pytest.fixture
def module(pytester):
    def write(bird="Kiwi", name="test_agent", text=MODULE, **more):
        return pytester.makepyfile(**{name: text.replace("BIRD", repr(bird)), **more})

    return write


def session(pytester, *arguments):
    return pytester.runpytest_subprocess("-p", "no:cacheprovider", *arguments) if "--lf" not in arguments else pytester.runpytest_subprocess(*arguments)


def runs(pytester):
    folder = pytester.path / "runs"
    return sorted(f.name for f in folder.iterdir() if f.name[0] != ".") if folder.is_dir() else []


def test_queries_are_tests(pytester, module):
    module("Moa")
    result = session(pytester, "-v")
    result.stdout.fnmatch_lines([
        "test_agent.py::answer::product PASSED*", "test_agent.py::answer::river PASSED*", "test_agent.py::answer::bird FAILED*",
        "test_agent.py::test_ordinary PASSED*",
        "incorrect: *", "question   Which bird?", "expected   Kiwi", "answer     Moa", "votes      *3*", "see why    concur trace * bird*",
    ])
    result.assert_outcomes(passed=3, failed=1)
    assert len(runs(pytester)) == 1


def test_silent_without_a_marker(pytester):
    pytester.makepyfile("def test_ordinary(): pass")
    (pytester.path / "concur.yaml").write_text("dataset: gold29\n")
    result = session(pytester)
    result.assert_outcomes(passed=1)
    assert "concur" not in re.sub(r"plugins: .*|rootdir: .*", "", result.stdout.str())
    assert runs(pytester) == []


def test_collect_only_makes_no_run(pytester, module):
    module()
    result = session(pytester, "--collect-only", "-q")
    result.stdout.fnmatch_lines(["test_agent.py::answer::product", "test_agent.py::answer::bird"])
    assert runs(pytester) == []


def test_selected_queries_only(pytester, module):
    module("Moa")
    session(pytester, "-k", "river or product").assert_outcomes(passed=2, deselected=2)
    [run] = runs(pytester)
    results = (pytester.path / "runs" / run / "results.jsonl").read_text()
    assert '"query":"river"' in results and '"query":"bird"' not in results
    session(pytester, "test_agent.py::answer::bird").assert_outcomes(failed=1)


def test_last_failed(pytester, module):
    module("Moa")
    pytester.runpytest_subprocess().assert_outcomes(passed=3, failed=1)
    module("Kiwi")
    session(pytester, "--lf").assert_outcomes(passed=1)
    assert len(runs(pytester)) == 2


def test_junit(pytester, module):
    module("Moa")
    session(pytester, "--junitxml", "out.xml")
    suite = xml.etree.ElementTree.parse(pytester.path / "out.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("4", "1", "0")
    cases = {c.get("name"): c for c in suite.iter("testcase")}
    properties = {p.get("name"): p.get("value") for p in cases["bird"].iter("property")}
    assert (properties["concur_expected"], properties["concur_answer"], properties["concur_verdict"]) == ("Kiwi", "Moa", "incorrect")
    assert properties["concur_trace"].startswith("concur trace ")
    assert "answer     Moa" in cases["bird"].find("failure").text


def accepted(pytester, module, passes=3):
    """Accepts runs of the right agent, five traces each."""
    module(text=MODULE.replace("k=3", "k=5"))
    from concur_eval import Run

    os.chdir(pytester.path)
    for _ in range(passes):
        session(pytester).assert_outcomes(passed=4)
        Run(f"runs/{runs(pytester)[-1]}").accept()


def test_gate(pytester, module):
    accepted(pytester, module)
    result = session(pytester, "--concur-gate", "baseline.jsonl")
    result.assert_outcomes(passed=5)
    result.stdout.fnmatch_lines(["test_agent.py::answer: PASS"])
    module("Moa", text=MODULE.replace("k=3", "k=5"))
    result = session(pytester, "--concur-gate", "baseline.jsonl", "-v")
    result.stdout.fnmatch_lines([
        "test_agent.py::answer::product PASSED*", "test_agent.py::answer::bird FAILED*", "test_agent.py::answer::gate FAILED*",
        "broken: 15 of 15 right before, 0 of 5 now", "REGRESSION", "bird is broken: *", "test_agent.py::answer: REGRESSION",
    ])
    result.assert_outcomes(passed=3, failed=2)
    assert result.ret == 1


def test_gate_passes_a_query_that_was_always_wrong(pytester, module):
    module("Moa", text=MODULE.replace("k=3", "k=5"))
    from concur_eval import Run

    os.chdir(pytester.path)
    for _ in range(3):
        session(pytester).assert_outcomes(passed=3, failed=1)
        Run(f"runs/{runs(pytester)[-1]}").accept()
    session(pytester, "--concur-gate", "baseline.jsonl").assert_outcomes(passed=5)


def test_gate_without_history(pytester, module):
    module()
    result = session(pytester, "--concur-gate", "missing.jsonl")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*missing.jsonl*"])


@pytest.mark.parametrize("arguments", [("-n", "2"), ("-n", "1"), ("--dist", "load", "--tx", "popen")])
def test_gate_with_workers_is_refused(pytester, module, arguments):
    module()
    result = session(pytester, "--concur-gate", "baseline.jsonl", *arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--concur-gate does not go with -n*leave out -n*"])
    assert runs(pytester) == []


def test_workers_show_one_run(pytester, module):
    module("Moa")
    result = session(pytester, "-n", "2", "-v")
    result.assert_outcomes(passed=3, failed=1)
    assert len(runs(pytester)) == 1
    assert "answer     Moa" in result.stdout.str()
    session(pytester, "-n", "2", "-k", "river").assert_outcomes(passed=1)
    assert len(runs(pytester)) == 2


def test_workers_without_a_marker(pytester):
    pytester.makepyfile("def test_ordinary(): pass")
    session(pytester, "-n", "2").assert_outcomes(passed=1)


def test_only_test_files_are_searched_for_the_marker(pytester):
    from concur_eval._xdist import _test_files

    texts = {
        "test_a.py": "a", "deep/b_test.py": "b", "helper.py": "c", "node_modules/test_d.py": "d", ".tox/test_e.py": "e",
        "myenv/pyvenv.cfg": "", "myenv/lib/test_f.py": "f",
    }
    for name, text in texts.items():
        path = pytester.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    config = pytester.parseconfig()
    assert sorted(_test_files(config)) == [b"a", b"b"]
    assert list(_test_files(pytester.parseconfig("helper.py"))) == [b"c"]


def test_workers_and_a_module_that_cannot_be_imported(pytester, module):
    module(test_other="import no_such_module_of_ours  # concur")
    result = session(pytester, "-n", "2")
    assert result.ret != 0
    result.stdout.fnmatch_lines(["*no_such_module_of_ours*"])


def test_workers_and_a_run_that_cannot_be_made(pytester, module):
    module(text=MODULE.replace("k=3", "k=0"))
    result = session(pytester, "-n", "2")
    assert result.ret != 0
    assert "k" in result.stderr.str() + result.stdout.str()


@pytest.mark.parametrize(
    "decorators",
    [
        "@pytest.mark.concur('questions.csv', k=1)",
        "@concur.agent\n@pytest.mark.concur(dataset='questions.csv', k=1)",
        "@pytest.mark.concur(dataset='questions.csv', k=1)\n@concur.agent(version='1')",
    ],
)
@pytest.mark.parametrize("kind", ["def", "async def"])
def test_ways_to_write_it(pytester, decorators, kind):
    folder = pytester.mkdir("Zoë's tests")
    (folder / "questions.csv").write_bytes("question,answer\r\n6 times 7?,42\r\nWho is Zoë?,Zoë\r\n".encode())
    (folder / "test_it.py").write_text(
        f"import pytest\nimport concur_eval as concur\n\n{decorators}\n{kind} test_answer(task):\n    return 42 if '6' in task.query else 'Zoë'\n",
        encoding="utf-8",
    )
    result = session(pytester)
    result.assert_outcomes(passed=2)


def test_filters_of_the_marker(pytester, module):
    module(text=MODULE.replace("k=3", "k=1, categories=['facts'], limit=1"))
    session(pytester, "-v").assert_outcomes(passed=2)


def test_mistakes_of_the_marker(pytester):
    pytester.makepyfile("""
        import pytest

        @pytest.mark.concur(k=3)
        def answer(task): ...
        """)
    session(pytester).stdout.fnmatch_lines(["*the marker concur of answer names no dataset*"])
    pytester.makepyfile("""
        import pytest

        @pytest.mark.concur(dataset="nowhere.csv")
        def answer(task): ...
        """)
    session(pytester).stdout.fnmatch_lines(["*nowhere.csv*"])


def test_an_agent_that_fails(pytester, module):
    module(text=MODULE.replace("return ANSWERS[task.query]", "raise ValueError('no such page')"))
    result = session(pytester)
    result.assert_outcomes(passed=1, failed=3)
    result.stdout.fnmatch_lines(["*ValueError: no such page*"])
    assert len(runs(pytester)) == 1  # the second query does not run it again


def test_configuration(pytester):
    (pytester.path / "concur.yaml").write_text("dataset: gold29\nk: 1\n")
    result = session(pytester, "--concur", "-v", "-k", "retrieval-02 or calc-01")
    result.stdout.fnmatch_lines(["*concur.yaml::retrieval-02 *", "*concur.yaml::calc-01 PASSED*"])
    assert len(runs(pytester)) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_interrupted_and_resumed(pytester, module):
    slow = MODULE.replace("return ANSWERS", "import time; print('waits', flush=True); task.query[0] == '6' or time.sleep(float(open('sleep').read()))\n        return ANSWERS")
    signals = "    import signal\n    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background is started without it\n"
    module(text=signals + slow.replace("k=3", "k=1, concurrency=1").lstrip("\n"))
    (pytester.path / "sleep").write_text("2")
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-s", "-p", "no:cacheprovider"], cwd=pytester.path, stdout=subprocess.PIPE, encoding="utf-8", start_new_session=True
    )
    lines = []
    while not lines or "waits" not in lines[-1]:
        lines.append(process.stdout.readline())
        assert lines[-1], lines
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    out = process.communicate(timeout=60)[0]
    found = re.search(r"finish it: pytest --concur-resume (\S+)", out)
    assert found, out
    assert process.returncode == 2
    (pytester.path / "sleep").write_text("0")
    session(pytester, "--concur-resume", found[1]).assert_outcomes(passed=4)
    assert runs(pytester) == [found[1]]
