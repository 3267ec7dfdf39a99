"""Counts what Inspect AI reads in a log, as one JSON object."""

import json
import sys

from inspect_ai.log import read_eval_log

log = read_eval_log(sys.argv[1])
values = [s.scores["concur"].value if s.scores else "" for s in log.samples]
print(json.dumps({
    "status": log.status,
    "samples": len(log.samples),
    "epochs": max(s.epoch for s in log.samples),
    "correct": values.count("C"),
    "incorrect": values.count("I"),
    "calls": sum(len(m.tool_calls or []) for s in log.samples for m in s.messages if m.role == "assistant"),
}))
