package running

import (
	"fmt"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/reports/otel"
	"github.com/seed-5817661a/concur/reports/otel/live"
	"github.com/seed-5817661a/concur/reports/otel/send"
	"github.com/seed-5817661a/concur/reports/progress"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// telemetryOf returns where a run sends its spans, by the key telemetry of the configuration file and the environment;
// nil if it sends none. An error in a variable is an error of the run only if the file asks for telemetry, because the
// variables may be meant for other programs.
func telemetryOf(c *console.Console, s *flags.Settings) (*live.Options, error) {
	f, _ := s.FromFile(config.New()) // a run that needs the file has reported its errors
	set := f.Telemetry
	if set.Off {
		return nil, nil
	}
	endpoint, enabled, err := send.Read(set.OTLP, c.Environ)
	switch {
	case err != nil && set.OTLP != "":
		return nil, console.Usagef("telemetry: %w", err)
	case err != nil:
		c.Note(fmt.Sprintf("telemetry: %v; no spans are sent; telemetry: off in concur.yaml hides this", err))
		return nil, nil
	case !enabled:
		return nil, nil
	}
	return &live.Options{Endpoint: endpoint, Sample: set.Sample,
		Describe: otel.Options{Content: set.Content, Hide: c.KeyHider()}}, nil
}

// tellTelemetry prints where the spans of the run are sent, because a variable alone can switch this on.
func (e Execution) tellTelemetry(c *console.Console) {
	if e.Telemetry != nil && !e.Quiet {
		c.Note("telemetry: " + e.Telemetry.String())
	}
}

// sendTo adds an output that sends the spans of a run, if telemetry is on.
func (e Execution) sendTo(to *runner.Control, s *assemble.Session, out *store.Writer, shown *progress.Run) {
	if e.Telemetry == nil {
		return
	}
	m, o := s.Manifest(), *e.Telemetry
	o.Version, o.Log, o.Warn = m.Versions["concur"], shown.Note, shown.Warn
	spans := live.Start(m, out, to.Prior, o)
	to.Outputs, to.Parents = append(to.Outputs, spans), spans
}
