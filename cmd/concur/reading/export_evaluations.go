package reading

import (
	"context"
	"fmt"
	"io"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/reports/otel"
	"github.com/seed-5817661a/concur/reports/otel/send"
	"github.com/seed-5817661a/concur/reports/otel/verdicts"
	"github.com/seed-5817661a/concur/runner/store"
)

// formatEvaluations is the form of verdicts for the spans from which a run was imported.
const formatEvaluations = "otlp-evaluations"

// writeEvaluations writes the verdicts on imported traces as JSON lines of OTLP.
func writeEvaluations(ctx context.Context, out io.Writer, run *store.Run, configuration string, o otel.Options) error {
	_, err := verdicts.Run(ctx, verdicts.Lines{Out: out, From: telemetrySource(run)}, run, configuration, o)
	return err
}

// sendEvaluations sends the verdicts on imported traces to a collector, to Phoenix or to Langfuse.
func sendEvaluations(ctx context.Context, c *console.Console, given *exportOptions, run *store.Run,
	configuration string) error {
	to, known, err := verdicts.Open(given.to, c.Environ)
	if err != nil {
		return console.Usagef("--%s: %w", flagTo, err)
	}
	if !known {
		endpoint, enabled, err := send.Read(given.to, c.Environ)
		if err != nil {
			return console.Usagef("--%s: %w", flagTo, err)
		}
		if !enabled {
			return console.Usagef("OTEL_SDK_DISABLED is true, so nothing is sent: unset it")
		}
		source := telemetrySource(run)
		source.Service, source.More = endpoint.Service, endpoint.Resource
		to = verdicts.Collector{Client: send.NewClient(endpoint), From: source}
	}
	counts, err := verdicts.Run(ctx, to, run, configuration, given.describe(c))
	if err == nil {
		fmt.Fprintln(c.Err, counts)
	}
	return err
}
