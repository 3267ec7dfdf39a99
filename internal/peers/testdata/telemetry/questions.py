"""What the programs of this folder ask, and the tool that they have."""

INSTRUCTIONS = "Use calc. End with a line 'Answer: ...'."
QUESTIONS = ["What is 17 * 23?", "What is 123 + 456?"]


def calculate(expression):
    return str(eval(expression, {"__builtins__": {}}))  # only the offline model writes expressions
