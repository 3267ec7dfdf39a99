"""Asks questions with OpenAI's client under one of three instrumentations, and prints what it saw as JSON lines."""

import json
import sys

from opentelemetry import _logs, trace
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

spans, logs = TracerProvider(), LoggerProvider()
spans.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
logs.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
trace.set_tracer_provider(spans)
_logs.set_logger_provider(logs)
if sys.argv[1] == "official":
    from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor
elif sys.argv[1] == "openinference":
    from openinference.instrumentation.openai import OpenAIInstrumentor
else:
    from opentelemetry.instrumentation.openai import OpenAIInstrumentor
OpenAIInstrumentor().instrument(tracer_provider=spans)

import openai  # noqa: E402

from questions import INSTRUCTIONS, QUESTIONS, calculate  # noqa: E402

CALC = {"type": "function", "function": {"name": "calc", "description": "calculator", "parameters": {
    "type": "object", "properties": {"expression": {"type": "string"}}, "required": ["expression"]}}}
client = openai.OpenAI()
for question in QUESTIONS:
    messages = [{"role": "system", "content": INSTRUCTIONS}, {"role": "user", "content": question}]
    calls, tokens = [], [0, 0]
    with trace.get_tracer("agent").start_as_current_span("ask"):
        while True:
            reply = client.chat.completions.create(model="offline:reader", messages=messages, tools=[CALC])
            tokens = [tokens[0] + reply.usage.prompt_tokens, tokens[1] + reply.usage.completion_tokens]
            message = reply.choices[0].message
            messages.append(message.model_dump(exclude_none=True))
            if not message.tool_calls:
                break
            for call in message.tool_calls:
                arguments = json.loads(call.function.arguments)
                result = calculate(arguments["expression"])
                calls.append([call.function.name, arguments["expression"], result])
                messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
    print(json.dumps({"question": question, "answer": message.content, "calls": calls, "tokens": tokens}))
spans.shutdown()
logs.shutdown()
