# Runs tests in Python: `python3 RUNNER TESTS`. The tests call a program that is elsewhere: each call is a line of JSON
# on descriptor 3, and its reply a line of standard input. The last line on descriptor 3 is the verdict.
import ast
import json
import linecache
import os
import sys
import traceback

NAME = "tests.py"


def send(value):
    rest = (json.dumps(value) + "\n").encode()
    while rest:
        rest = rest[os.write(3, rest):]


class ProgramError(Exception):
    """An exception of the program. type is its class, such as ValueError."""

    def __init__(self, text):
        super().__init__(text)
        self.type = text.partition(":")[0]


class Program:
    """The program under test: program.f(1, 2) calls its function f. Arguments and results are JSON."""

    def __init__(self, name=""):
        self.__dict__["_name"] = name

    def __getattr__(self, name):
        return Program(self._name + "." + name if self._name else name)

    def __call__(self, *args, **keywords):
        if args and keywords:
            raise TypeError("give positional or keyword arguments, not both")
        send({"call": self._name, "args": keywords or list(args)})
        line = sys.stdin.readline()
        if not line:
            raise ProgramError("the program has ended")
        answer = json.loads(line)
        if answer.get("error"):
            raise ProgramError(answer["error"])
        return answer.get("result")


def failure(problem, first):
    """Returns the line of the tests that failed, and why."""
    line = first
    for frame in traceback.extract_tb(problem.__traceback__):
        if frame.filename == NAME:
            line = frame.lineno
    text = linecache.getline(NAME, line).strip()
    why = str(problem) if isinstance(problem, (AssertionError, ProgramError)) else \
        "%s: %s" % (type(problem).__name__, problem)
    return "line %d: %s" % (line, text) + (": " + why if why else "")


def main():
    json.loads(sys.stdin.readline())
    with open(sys.argv[1], encoding="utf-8") as f:
        source = f.read()
    linecache.cache[NAME] = (len(source), None, source.splitlines(True), NAME)
    scope = {"program": Program(), "ProgramError": ProgramError, "__name__": "tests"}
    passed = total = 0
    reasons = []

    def attempt(run, line, counts):
        nonlocal passed, total
        total += counts
        try:
            run()
            passed += counts
            return True
        except Exception as problem:
            reasons.append(failure(problem, line))
            total += not counts
            return False

    tree = ast.parse(source, NAME)
    for statement in tree.body:
        code = compile(ast.Module([statement], []), NAME, "exec")
        counts = isinstance(statement, ast.Assert)
        if not attempt(lambda: exec(code, scope), statement.lineno, counts) and not counts:
            break  # what follows needs this statement
    else:
        for name, value in list(scope.items()):
            if name.startswith("test") and callable(value):
                attempt(value, value.__code__.co_firstlineno, True)
    send({"verdict": {"passed": passed, "total": total, "reason": reasons[0] if reasons else ""}})


main()
