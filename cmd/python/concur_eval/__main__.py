"""Serves an agent on standard input: python -m concur_eval my_agent.py:answer."""

from __future__ import annotations

import importlib.util
import os
import sys

from ._agent import agent


def main(arguments: list[str]) -> int:
    path, colon, name = arguments[0].rpartition(":") if len(arguments) == 1 else ("", "", "")
    if not colon or not path or not name:
        print("give FILE:NAME, such as: python -m concur_eval my_agent.py:answer", file=sys.stderr)
        return 2
    spec = importlib.util.spec_from_file_location("agent", path)
    if spec is None or spec.loader is None or not os.path.isfile(path):
        print(f"{path} is not a Python file", file=sys.stderr)
        return 2
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    module = importlib.util.module_from_spec(spec)
    sys.modules["agent"] = module
    spec.loader.exec_module(module)
    function = getattr(module, name, None)
    if function is None:
        print(f"{path} has no {name}", file=sys.stderr)
        return 2
    agent(function).serve()
    return 0


sys.exit(main(sys.argv[1:]))
