package choose

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/bwrap"
	"github.com/seed-5817661a/concur/internal/sandbox/container"
)

// The names of sandboxes that are no engine of the packages below.
const (
	Auto     = "auto"    // for each language the first of Names that works
	Embedded = "quickjs" // the interpreter for JavaScript in concur itself
)

// Names are the sandboxes in the order in which Auto tries them. A command is used only if it is named.
func Names() []string { return []string{bwrap.Name, container.Docker, container.Podman, Embedded} }

// Options say which sandbox to open.
type Options struct {
	Sandbox      string            // one of Names, Auto, or container.Command; "" means Auto
	Command      []string          // for container.Command
	Languages    []string          // which must work; at least one
	Interpreters map[string]string // for bwrap: a name or path by language
	Images       map[string]string // for docker and podman, by language
	Getenv       func(name string) string
	Embedded     func() (sandbox.Engine, error) // opens the embedded interpreter; nil if the caller has none
}

// Open opens the sandbox for all languages of the options. With Auto, languages may have different engines; each is
// the first of Names that works. The error is a *sandbox.StartError; with Auto it is that of bubblewrap, which is the
// one to install.
func Open(ctx context.Context, o Options) (sandbox.Engine, error) {
	if len(o.Languages) == 0 {
		return nil, errors.New("a sandbox needs a language: name python or javascript")
	}
	if o.Sandbox != "" && o.Sandbox != Auto {
		return o.open(ctx, o.Sandbox, o.Languages)
	}
	var engines []sandbox.Engine
	for _, language := range o.Languages {
		engine, err := o.first(ctx, language)
		if err != nil {
			for _, e := range engines {
				err = errors.Join(err, e.Close())
			}
			return nil, err
		}
		engines = append(engines, engine)
	}
	return Join(engines...), nil
}

// first opens the first engine that works for a language.
func (o Options) first(ctx context.Context, language string) (sandbox.Engine, error) {
	var first error
	for _, name := range Names() {
		if name == Embedded && (language != sandbox.JavaScript || o.Embedded == nil) {
			continue
		}
		engine, err := o.open(ctx, name, []string{language})
		if err == nil {
			return engine, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if first == nil {
			first = fmt.Errorf("%s needs a sandbox: %w", language, err)
		}
	}
	return nil, first
}

// open opens an engine by its name.
func (o Options) open(ctx context.Context, name string, languages []string) (sandbox.Engine, error) {
	containers := container.Options{Languages: languages, Images: o.Images, Getenv: o.Getenv}
	switch name {
	case bwrap.Name:
		return bwrap.New(ctx, bwrap.Options{Languages: languages, Interpreters: o.Interpreters, Getenv: o.Getenv})
	case container.Docker, container.Podman:
		return asEngine(container.New(ctx, name, containers))
	case container.Command:
		return asEngine(container.NewCommand(o.Command, containers))
	case Embedded:
		if o.Embedded == nil || len(languages) != 1 || languages[0] != sandbox.JavaScript {
			return nil, &sandbox.StartError{Engine: Embedded, Cause: "it runs only JavaScript",
				Remedy: "use another sandbox for " + strings.Join(languages, " and ")}
		}
		return o.Embedded()
	}
	return nil, fmt.Errorf("unknown sandbox %q: use %s, %s or %s", name, Auto, strings.Join(Names(), ", "),
		container.Command)
}

// asEngine keeps a nil *container.Engine from becoming an engine that is not nil.
func asEngine(e *container.Engine, err error) (sandbox.Engine, error) {
	if err != nil {
		return nil, err
	}
	return e, nil
}

// Join returns an engine that gives each job to the first of the engines that has its language.
func Join(engines ...sandbox.Engine) sandbox.Engine {
	if len(engines) == 1 {
		return engines[0]
	}
	return joined(engines)
}

type joined []sandbox.Engine

func (j joined) Name() string {
	var names []string
	for _, e := range j {
		if !slices.Contains(names, e.Name()) {
			names = append(names, e.Name())
		}
	}
	return strings.Join(names, "+")
}

func (j joined) Languages() []string {
	var out []string
	for _, e := range j {
		out = append(out, e.Languages()...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (j joined) Version() string {
	var out []string
	for _, e := range j {
		out = append(out, e.Version())
	}
	return strings.Join(out, "; ")
}

func (j joined) Run(ctx context.Context, job sandbox.Job) (sandbox.Ended, error) {
	for _, e := range j {
		if slices.Contains(e.Languages(), job.Language) {
			return e.Run(ctx, job)
		}
	}
	return sandbox.Ended{}, &sandbox.StartError{Engine: j.Name(), Cause: "no interpreter for " + job.Language,
		Remedy: "name this language in the settings"}
}

func (j joined) Close() error {
	var all error
	for _, e := range j {
		all = errors.Join(all, e.Close())
	}
	return all
}
