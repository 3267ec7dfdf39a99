package store

// Telemetry counts the spans and verdicts of a run that were sent to a tracing backend.
type Telemetry struct {
	To       string `yaml:"to"` // scheme and host of the backend
	Spans    int    `yaml:"spans"`
	Verdicts int    `yaml:"verdicts"` // log records
	// Dropped are spans and verdicts that were not sent, because the queue was full, or the backend did not take them.
	Dropped int `yaml:"dropped"`
	// Rejected are spans and verdicts that the backend took and then rejected.
	Rejected int `yaml:"rejected"`
	// Queries are queries that were to be read from the run folder and were not.
	Queries int `yaml:"queries_dropped,omitempty"`
}

// plus returns the sums of two sessions.
func (t Telemetry) plus(other Telemetry) *Telemetry {
	return &Telemetry{other.To, t.Spans + other.Spans, t.Verdicts + other.Verdicts, t.Dropped + other.Dropped,
		t.Rejected + other.Rejected, t.Queries + other.Queries}
}

// AddTelemetry adds the counts of this session to those that Finish writes.
func (w *Writer) AddTelemetry(t Telemetry) {
	before := Telemetry{}
	if w.manifest.Telemetry != nil {
		before = *w.manifest.Telemetry
	}
	w.manifest.Telemetry = before.plus(t)
}
