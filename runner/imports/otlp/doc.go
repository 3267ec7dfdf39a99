// Package otlp reads recorded spans of OpenTelemetry and finds the conversations with agents and models in them.
//
// It reads files and folders of OTLP in JSON, JSON lines and protobuf, also compressed, with spans in any order. A
// temporary file keeps what is needed of the spans; memory has an index of about 100 bytes for each span, and one
// conversation. The names of attributes are in names.tsv, each with the conventions that it comes from.
package otlp
