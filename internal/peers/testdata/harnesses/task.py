"""Three evaluations of Inspect AI with a mock of a model: one in which an epoch fails, one without
a failure, and a worse one. For each it prints a line of JSON with Inspect's own figures."""

import json
import sys

from inspect_ai import Task, eval, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import includes, match
from inspect_ai.solver import solver

QUESTIONS = {  # id: question, target, the answer of each epoch
    "capital": ("What is the capital of France?", "Paris", ["Paris", "Lyon", "Paris"]),
    "sum": ("What is 1 + 1?", "2", ["The answer is 2"] * 3),
    "unknown": ("How long is a piece of string?", "7", ["I do not know"] * 3),
    "broken": ("What is 6 * 7?", "42", ["42"] * 3),
}


@solver
def answers(how):
    async def solve(state, generate):
        if how == "failing" and state.sample_id == "broken" and state.epoch == 2:
            raise ValueError("the tool is broken")
        answer = QUESTIONS[state.sample_id][2][state.epoch - 1]
        if how == "worse" and state.sample_id == "capital":
            answer = "Lyon"
        state.output = ModelOutput.from_content("mockllm/model", answer)
        state.messages.append(state.output.message)
        return state

    return solve


@task
def small(how):
    samples = [Sample(id=id, input=question, target=target) for id, (question, target, _) in QUESTIONS.items()]
    return Task(dataset=samples, solver=answers(how), scorer=[match(location="any"), includes()])


for how, form in [("failing", "eval"), ("whole", "json"), ("worse", "json")]:
    (log,) = eval(small(how), model="mockllm/model", epochs=3, fail_on_error=False, log_format=form, log_dir=sys.argv[1], display="none")
    values = [s.scores["match"].value for s in log.samples if s.error is None]
    print(json.dumps({
        "how": how, "log": log.location, "samples": log.results.total_samples, "completed": log.results.completed_samples,
        "correct": values.count("C"), "incorrect": values.count("I"), "accuracy": log.results.scores[0].metrics["accuracy"].value}))
