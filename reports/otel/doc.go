// Package otel describes the traces of a run as spans and log records of OpenTelemetry, with the names of its
// conventions for generative AI (https://opentelemetry.io/schemas/gen-ai/1.42.0, state Development).
//
// A query of a configuration is a span invoke_workflow. Its K traces are its children, spans invoke_agent, and these
// have a span for each request to a model, each call of a tool, and each agent that they called. Requests of verifier,
// judges and extractor are children of the query. Verdicts are attributes of the query's span, and also log records
// gen_ai.evaluation.result for the spans that they judge. All names are in names.go.
//
// A Describer gets exchanges, events and records, as an output of a run gets them or as the run folder has them, and
// returns the spans that each of them completes. The ids of spans are hashes of the run's name and of the place in the
// run, so that the same trace, described twice, has the same ids. Spans are written in the form in which they are sent,
// without the official types, which the tests use to read them. The package describes only what the run folder has,
// and sends nothing.
package otel
