# The runner of a script in Python: `python3 RUNNER SCRIPT`, the request on standard input, the reply on descriptor 3.
import ast
import io
import json
import linecache
import os
import sys
import traceback

NAME = "script.py"


class Writer:
    """Writes values as JSON, cut a little after limit characters.

    Beyond json.dumps: NaN and infinities are texts, tuples, sets and generators are lists, dates are ISO texts,
    numbers of numpy are numbers, bytes and objects of other classes are their repr, a cycle is "[circular]".
    """

    class Full(Exception):
        pass

    def __init__(self, limit):
        self.limit, self.parts, self.size, self.above = limit, [], 0, []

    def put(self, part):
        self.parts.append(part)
        self.size += len(part)
        if self.size > self.limit:
            raise Writer.Full

    def whole(self, n):
        bits = n.bit_length()
        if bits > 4 * self.limit:
            return json.dumps("[integer of %d bits]" % bits)
        if hasattr(sys, "set_int_max_str_digits"):
            sys.set_int_max_str_digits(0)
        return int.__repr__(n)

    def scalar(self, v):
        if v is None:
            return "null"
        if v is True or v is False:
            return "true" if v else "false"
        if isinstance(v, str):
            return json.dumps(str(v), ensure_ascii=False)
        if isinstance(v, int):
            return self.whole(v)
        if isinstance(v, float):
            if v != v:
                return '"NaN"'
            if v in (float("inf"), float("-inf")):
                return '"Infinity"' if v > 0 else '"-Infinity"'
            return float.__repr__(v)
        if isinstance(v, (bytes, bytearray)):
            return json.dumps(repr(bytes(v)))
        kind = type(v)
        if kind.__module__ == "datetime" and hasattr(v, "isoformat"):
            return json.dumps(v.isoformat())
        if kind.__module__ in ("decimal", "fractions", "uuid") or isinstance(v, complex):
            return json.dumps(str(v))
        return None

    def items(self, values, opening, closing, write):
        self.put(opening)
        for i, v in enumerate(values):
            if i:
                self.put(",")
            write(v)
        self.put(closing)

    def mapping(self, v):
        def pair(item):
            self.put(json.dumps(str(item[0]), ensure_ascii=False) + ":")
            self.write(item[1])

        pairs = list(v.items())
        if len({str(key) for key, _ in pairs}) == len(pairs):
            return self.items(pairs, "{", "}", pair)
        self.items(pairs, "[", "]", self.write)  # {1: "a", "1": "b"}

    def compound(self, v):
        if isinstance(v, dict):
            return self.mapping(v)
        if isinstance(v, (set, frozenset)):
            try:
                v = sorted(v)
            except TypeError:
                v = sorted(v, key=repr)
        if isinstance(v, (list, tuple, range)) or hasattr(v, "__next__") or type(v).__module__ == "collections" \
                and hasattr(v, "__iter__"):
            return self.items(v, "[", "]", self.write)
        if hasattr(v, "__dataclass_fields__") and not isinstance(v, type):
            return self.mapping({name: getattr(v, name) for name in v.__dataclass_fields__})
        for convert in ("item", "tolist"):  # numbers and arrays of numpy
            if type(v).__module__.partition(".")[0] == "numpy" and hasattr(v, convert):
                try:
                    return self.write(getattr(v, convert)())
                except ValueError:
                    pass
        self.put(json.dumps(repr(v)[:1000]))

    def write(self, v):
        text = self.scalar(v)
        if text is not None:
            return self.put(text)
        if any(v is other for other in self.above):
            return self.put('"[circular]"')
        if len(self.above) >= 100:
            return self.put('"[too deep]"')
        self.above.append(v)
        self.compound(v)
        self.above.pop()

    def text(self, v):
        try:
            self.write(v)
        except Writer.Full:
            return "".join(self.parts)[: self.limit], True
        return "".join(self.parts), False


def reply(text, write=os.write):
    rest = text.encode("utf-8", "backslashreplace")
    while rest:
        rest = rest[write(3, rest):]


def run(source, scope):
    """Runs the script, and returns the value of its last statement if that is an expression."""
    tree = ast.parse(source, NAME)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, NAME, "exec"), scope)
    if last is not None:
        return eval(compile(ast.Expression(last.value), NAME, "eval"), scope)


def awaited(value):
    if hasattr(value, "__await__"):
        import asyncio

        async def wait():
            return await value

        return asyncio.run(wait())
    return value


def answer(scope, request, number):
    """Makes one call, and returns its reply as JSON."""
    wanted = request["calls"][number]
    try:
        first, *rest = wanted["call"].split(".")
        target = scope[first]
        for name in rest:
            target = getattr(target, name)
        args = wanted.get("args") or []
        value = awaited(target(**args) if isinstance(args, dict) else target(*args))
        text, cut = Writer(request["limit"]).text(value)
        return '{"error":"the result is too long"}' if cut else '{"result":%s}' % text
    except KeyError as problem:
        if problem.args == (wanted["call"].split(".")[0],) and problem.args[0] not in scope:
            return json.dumps({"error": "NameError: the program does not define %s" % problem.args[0]})
        return json.dumps({"error": describe(problem, request["lines"])})
    except BaseException as problem:
        return json.dumps({"error": describe(problem, request["lines"])})


def serve(scope, request):
    """Answers one call per line of standard input, until that ends."""
    lines = sys.stdin
    sys.stdin = io.StringIO("")
    reply('{"ready":true}\n')
    for line in lines:
        request["calls"] = [json.loads(line)]
        reply(answer(scope, request, 0) + "\n")


def call(request, source):
    import types

    module = types.ModuleType("__main__")
    module.__dict__.update(args=request["arguments"], __file__=NAME)
    sys.modules["__main__"] = module
    value = run(source, module.__dict__)
    if request.get("calls"):
        replies = (answer(module.__dict__, request, i) for i in range(len(request["calls"])))
        reply('{"replies":[%s]}' % ",".join(replies))
        return None, None
    if request.get("serve"):
        serve(module.__dict__, request)
        return None, None
    main = module.__dict__.get("main")
    if callable(main):
        return True, awaited(main(**request["arguments"]))
    value = awaited(value)
    return value is not None, value


def describe(problem, lines):
    """Prints the end of the traceback without the frames of this file, and returns its last line."""
    frames = problem.__traceback__
    while frames and frames.tb_frame.f_code.co_filename == __file__:
        frames = frames.tb_next
    text = "".join(traceback.format_exception(type(problem), problem, frames, limit=-lines)).rstrip()
    sys.stderr.write("\n".join(text.split("\n")[-lines:]) + "\n")
    return "".join(traceback.format_exception_only(type(problem), problem)).strip().split("\n")[-1]


def main():
    request = json.loads(sys.stdin.readline())
    with open(sys.argv[1], encoding="utf-8", errors="replace", newline=None) as f:
        source = f.read()
    linecache.cache[NAME] = (len(source), None, source.splitlines(True), NAME)  # lines of the script in tracebacks
    sys.argv, code = [NAME], 0
    try:
        given, value = call(request, source)
        text, cut = Writer(request["limit"]).text(value) if given else ("", False)
        if given is None:
            pass  # the calls have been answered
        elif cut:
            reply(json.dumps({"result": text, "cut": True}))
        else:
            reply('{"result":%s}' % text if given else '{"none":true}')
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        if isinstance(end.code, str):
            sys.stderr.write(end.code + "\n")
        reply('{"none":true}' if code == 0 else json.dumps({"error": "the script ended with exit code %d" % code}))
    except MemoryError as problem:
        code = 1
        describe(problem, request["lines"])
        reply(json.dumps({"error": "MemoryError", "memory": True}))
    except BaseException as problem:
        code = 1
        reply(json.dumps({"error": describe(problem, request["lines"])}))
    sys.stdout.flush()
    sys.stderr.flush()
    if code:
        sys.exit(code)


main()
