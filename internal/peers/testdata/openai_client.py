"""OpenAI's own client against concur serve. Usage: python openai_client.py BASE_URL KEY MODEL"""

import json
import sys
import traceback

import openai

base_url, api_key, model = sys.argv[1:]
client = openai.OpenAI(base_url=base_url, api_key=api_key, max_retries=0, timeout=30)
question, product = "What is 1234567 times 89?", "109876463"
calculator = {
    "name": "calc",
    "description": "Computes an expression.",
    "parameters": {"type": "object", "properties": {"expression": {"type": "string"}}, "required": ["expression"]},
}
messages = [{"role": "user", "content": question}]
chat_tools = [{"type": "function", "function": calculator}]
tools = [{"type": "function", "strict": False, **calculator}]


def report(name, status, detail=""):
    print(json.dumps({"name": name, "status": status, "detail": detail}), flush=True)


def check(case):
    """Runs a case and prints one line of JSON, which the Go test reads."""
    try:
        case()
        report(case.__name__, "pass")
    except Exception:
        report(case.__name__, "fail", traceback.format_exc())
    return case


def calculate(arguments):
    """The calculator of the tests knows one product."""
    assert json.loads(arguments)["expression"].replace(" ", "") == "1234567*89", arguments
    return json.dumps({"value": product})


def failure(call):
    """The error that a call must end in."""
    try:
        value = call()
    except openai.APIStatusError as e:
        return e
    raise AssertionError(f"no error, but {value!r}")


@check
def models():
    assert [m.id for m in client.models.list()] == [model]
    assert client.models.retrieve(model).id == model


@check
def chat_round_trip():
    first = client.chat.completions.create(model=model, messages=messages, tools=chat_tools, max_completion_tokens=900, top_p=0.9, store=False, tool_choice="required")
    (call,) = first.choices[0].message.tool_calls
    said = [*messages, first.choices[0].message, {"role": "tool", "tool_call_id": call.id, "content": calculate(call.function.arguments)}]
    last = client.chat.completions.create(model=model, messages=said, tools=chat_tools)
    assert f"Answer: {product}" in last.choices[0].message.content.splitlines(), last
    assert last.usage.total_tokens > 0 and last.usage.completion_tokens_details.reasoning_tokens == 0, last.usage


@check
def chat_stream():
    whole = client.chat.completions.create(model=model, messages=messages).choices[0].message.content
    with client.chat.completions.stream(model=model, messages=messages) as stream:
        pieces = [e.delta for e in stream if e.type == "content.delta"]
        reply = stream.get_final_completion()
    assert len(pieces) >= len(whole) / 64 and "".join(pieces) == whole == reply.choices[0].message.content, pieces


def accepted(reply):
    """The client's own types take every field of the reply."""
    return type(reply).model_validate(reply.to_dict(warnings=False))


@check
def types():
    accepted(client.chat.completions.create(model=model, messages=messages, tools=chat_tools))
    first = client.responses.create(model=model, input=question, tools=tools, store=False, include=["reasoning.encrypted_content"], reasoning={"effort": "low"})
    accepted(first)
    accepted(client.responses.create(model=model, input=question, text={"format": {"type": "text"}, "verbosity": "low"}))
    assert first.usage.input_tokens_details.cache_write_tokens == 0, first.usage
    with client.responses.stream(model=model, input=question) as stream:
        events = [accepted(e) for e in stream]
    assert [e.sequence_number for e in events] == list(range(len(events))), events


@check
def response_round_trip():
    first = client.responses.create(model=model, input=question, tools=tools, instructions="Answer the question.", max_output_tokens=900, store=False)
    (call,) = [item for item in first.output if item.type == "function_call"]
    items = [{"role": "user", "content": question}, *first.output, {"type": "function_call_output", "call_id": call.call_id, "output": calculate(call.arguments)}]
    last = client.responses.create(model=model, input=items, tools=tools)
    assert f"Answer: {product}" in last.output_text.splitlines(), last
    assert last.usage.total_tokens == last.usage.input_tokens + last.usage.output_tokens > 0, last.usage


@check
def response_stream():
    whole = client.responses.create(model=model, input=question).output_text
    with client.responses.stream(model=model, input=question) as stream:
        pieces = [e.delta for e in stream if e.type == "response.output_text.delta"]
        reply = stream.get_final_response()
    assert len(pieces) >= len(whole) / 64 and "".join(pieces) == whole == reply.output_text, pieces
    with client.responses.stream(model=model, input=question, tools=tools) as stream:
        (call,) = [item for item in stream.get_final_response().output if item.type == "function_call"]
    calculate(call.arguments)


@check
def errors():
    e = failure(lambda: client.responses.create(model=model, input=question, previous_response_id="resp_1"))
    assert isinstance(e, openai.BadRequestError) and e.param == "previous_response_id", e
    e = failure(lambda: client.models.retrieve("no-such-model"))
    assert isinstance(e, openai.NotFoundError) and e.code == "model_not_found", e
    e = failure(lambda: client.with_options(api_key="wrong").responses.create(model=model, input=question))
    assert isinstance(e, openai.AuthenticationError), e


report("", "done")
