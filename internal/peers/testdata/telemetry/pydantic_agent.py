"""Asks questions with an agent of Pydantic AI, and prints what it saw as JSON lines."""

import json

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from pydantic_ai import Agent
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai.models.openai import OpenAIChatModel

from questions import INSTRUCTIONS, QUESTIONS, calculate

spans = TracerProvider()
spans.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
agent = Agent(OpenAIChatModel("offline:reader"), name="sums", instructions=INSTRUCTIONS)
agent.instrument = InstrumentationSettings(tracer_provider=spans)
calls = []


@agent.tool_plain
def calc(expression: str) -> str:
    calls.append(["calc", expression, calculate(expression)])
    return calls[-1][2]


for question in QUESTIONS:
    calls.clear()
    result = agent.run_sync(question)
    tokens = [result.usage.input_tokens, result.usage.output_tokens]
    print(json.dumps({"question": question, "answer": result.output, "calls": calls, "tokens": tokens}))
spans.shutdown()
