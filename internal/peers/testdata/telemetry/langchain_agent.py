"""Asks questions with LangChain under OpenInference's instrumentation, and prints what it saw as JSON lines."""

import json

from openinference.instrumentation.langchain import LangChainInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

spans = TracerProvider()
spans.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
LangChainInstrumentor().instrument(tracer_provider=spans)

from langchain_core.messages import HumanMessage, SystemMessage  # noqa: E402
from langchain_core.runnables import RunnableLambda  # noqa: E402
from langchain_core.tools import tool  # noqa: E402
from langchain_openai import ChatOpenAI  # noqa: E402

from questions import INSTRUCTIONS, QUESTIONS, calculate  # noqa: E402

calls, tokens = [], [0, 0]


@tool
def calc(expression: str) -> str:
    """calculator"""
    calls.append(["calc", expression, calculate(expression)])
    return calls[-1][2]


model = ChatOpenAI(model="offline:reader").bind_tools([calc])


def answer(question):
    messages = [SystemMessage(INSTRUCTIONS), HumanMessage(question)]
    while True:
        reply = model.invoke(messages)
        messages.append(reply)
        tokens[0] += reply.usage_metadata["input_tokens"]
        tokens[1] += reply.usage_metadata["output_tokens"]
        if not reply.tool_calls:
            return reply.content
        messages.extend(calc.invoke(call) for call in reply.tool_calls)


agent = RunnableLambda(answer).with_config(run_name="sums")
for question in QUESTIONS:
    calls.clear()
    tokens[:] = [0, 0]
    text = agent.invoke(question)
    print(json.dumps({"question": question, "answer": text, "calls": calls, "tokens": tokens}))
spans.shutdown()
