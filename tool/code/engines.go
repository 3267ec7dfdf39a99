package code

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/choose"
	"github.com/seed-5817661a/concur/internal/sandbox/container"
	"github.com/seed-5817661a/concur/internal/sandbox/quickjs"
)

// engineNames lists what sandbox can be, besides an object with a command.
func engineNames() []string { return append([]string{choose.Auto}, choose.Names()...) }

// open opens an engine for each language. With auto, JavaScript is left to quickjs: it is there on every machine, so
// that the same configuration is the same agent everywhere. All else is as package choose does it.
func (s Settings) open(ctx context.Context, getenv func(string) string) (sandbox.Engine, error) {
	options := choose.Options{Sandbox: s.Sandbox.Name, Command: s.Sandbox.Command, Languages: s.Languages,
		Images: s.Images, Getenv: getenv, Embedded: func() (sandbox.Engine, error) { return s.openEmbedded(ctx) }}
	if s.Sandbox.Name != choose.Auto {
		return choose.Open(ctx, options)
	}
	var engines []sandbox.Engine
	for _, language := range s.Languages {
		options.Languages, options.Sandbox = []string{language}, choose.Auto
		if language == sandbox.JavaScript {
			options.Sandbox = choose.Embedded
		}
		engine, err := choose.Open(ctx, options)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("languages: %w", err), choose.Join(engines...).Close())
		}
		engines = append(engines, engine)
	}
	return choose.Join(engines...), nil
}

// openEmbedded starts the spare child of quickjs.
func (s Settings) openEmbedded(ctx context.Context) (sandbox.Engine, error) {
	e := quickjs.New()
	if err := e.Prepare(ctx, s.limits()); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// isCommand reports whether programs run through a command of the user's.
func (s Sandbox) isCommand() bool { return s.Name == container.Command }
