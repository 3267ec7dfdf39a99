// Package verdicts sends the verdicts on imported traces back to the backend that has their spans: as log records of
// OpenTelemetry, as annotations of Phoenix, or as scores of Langfuse.
package verdicts
