package reading

import (
	"context"
	"fmt"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/reports/otel"
	"github.com/seed-5817661a/concur/reports/otel/send"
	"github.com/seed-5817661a/concur/runner/store"
)

// formatOTLP is the form of exports for programs that read OpenTelemetry.
const formatOTLP = "otlp"

// The flags of exports as OpenTelemetry.
const (
	flagTo      = "to"
	flagContent = "content"
)

// checkTelemetry returns an error for flags that do not fit together.
func (given *exportOptions) checkTelemetry(format string) error {
	if format != formatOTLP && format != formatEvaluations {
		return given.Idle("without --format otlp", flagTo, flagContent)
	}
	if given.to != "" {
		return given.Idle("with --to, which writes no file", flags.NameOut, "force")
	}
	return nil
}

// sendRun sends a run to a collector.
func sendRun(
	ctx context.Context, c *console.Console, given *exportOptions, run *store.Run, configuration string,
) error {
	endpoint, enabled, err := send.Read(given.to, c.Environ)
	if err != nil {
		return console.Usagef("--%s: %w", flagTo, err)
	}
	if !enabled {
		return console.Usagef("OTEL_SDK_DISABLED is true, so nothing is sent: unset it")
	}
	source := telemetrySource(run)
	source.Service, source.More = endpoint.Service, endpoint.Resource
	counts, err := send.NewClient(endpoint).Run(ctx, run, configuration, source, given.describe(c))
	if err == nil {
		fmt.Fprintln(c.Err, counts)
	}
	return err
}

// telemetrySource names the version of concur that made the run.
func telemetrySource(run *store.Run) otel.Source {
	return otel.Source{Version: run.Manifest.Versions["concur"]}
}

// describe returns what spans contain.
func (given *exportOptions) describe(c *console.Console) otel.Options {
	return otel.Options{Content: given.content, Hide: c.KeyHider()}
}
