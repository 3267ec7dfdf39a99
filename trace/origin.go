package trace

// OriginName is the name of an Origin among the extras of a trace (Extras).
const OriginName = "span"

// Origin names the span of OpenTelemetry from which a trace was imported, so that verdicts can be sent back for it.
type Origin struct {
	TraceID string `json:"trace_id"` // 32 hexadecimal digits
	SpanID  string `json:"span_id"`  // 16 hexadecimal digits
}
