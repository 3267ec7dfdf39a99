// Package send sends messages of OpenTelemetry over HTTP to a collector or a tracing backend: OTLP/HTTP
// (https://opentelemetry.io/docs/specs/otlp/). It reads the variables OTEL_EXPORTER_OTLP_* as their specification
// says, repeats a request only where that can help, and never sends the headers to another host than that of the URL.
package send
