"""Votes and comparisons, by one process of the command."""

import math
import os
import threading

import pytest

import concur_eval as concur
from concur_eval import _vote


def test_consensus():
    got = concur.consensus(["1,771", "1771.0", 1770], type="integer")
    assert (got.answer, got.method) == ("1,771", "majority")
    assert got.agreement == pytest.approx(2 / 3)
    assert concur.consensus([None, math.nan, ""]).answer is None
    assert concur.consensus(["Lima", "Lima"]).method == "exact"
    assert concur.consensus([True, "yes"], type="boolean").method == "exact"


def test_score():
    assert concur.score("1771.0", 1771, type="integer").right
    got = concur.score("1770", 1771, type="integer")
    assert (got.right, bool(got.reason)) == (False, True)
    assert concur.score("Escaut", ["Scheldt", "Escaut"], type="entity").right
    assert not concur.score(None, "x").right


def test_mistakes_do_not_end_the_process():
    with pytest.raises(ValueError, match="there is no answer type"):
        concur.consensus(["1"], type="roman")
    with pytest.raises(ValueError, match="there are 0 answers"):
        concur.consensus([])
    with pytest.raises(ValueError, match="the gold is not of the type integer"):
        concur.score("1", "x", type="integer")
    process = _vote._questions._process
    assert concur.consensus(["1"]).answer == "1"
    assert _vote._questions._process is process  # one process, many questions


def test_many_threads():
    wrong = []

    def ask(n):
        for _ in range(20):
            if concur.consensus([str(n), str(n)], type="integer").answer != str(n):
                wrong.append(n)

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_killed_process():
    concur.consensus(["1"])
    _vote._questions._process.kill()
    _vote._questions._process.wait()
    with pytest.raises(concur.ConcurError, match="concur score"):
        concur.consensus(["1"])
    assert concur.consensus(["2"]).answer == "2"  # the next question starts another one


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_asks_its_own_process():
    concur.consensus(["1"])
    child = os.fork()
    if child == 0:
        os._exit(0 if concur.consensus(["3"]).answer == "3" else 1)
    assert concur.consensus(["2"]).answer == "2"
    assert os.waitpid(child, 0)[1] == 0
