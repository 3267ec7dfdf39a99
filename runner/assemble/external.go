package assemble

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/guard/cite"
	"github.com/seed-5817661a/concur/internal/sandbox/confine"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent/external"
	"github.com/seed-5817661a/concur/runner/assemble/provider"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// startOfServer is how long the traces wait for the server of an agent that does not listen yet. A script often
// starts the server in the background and concur directly after it.
const startOfServer = 10 * time.Second

// openExternal opens an external agent, and returns the parts of its hash.
func (s *Session) openExternal(ctx context.Context, a *runner.Arm) (parts map[string]string,
	facts store.AgentFacts, err error) {
	e, in := a.Configuration.Agent.External, s.options.Programs
	if e.Imported != "" {
		return nil, facts, fmt.Errorf("its traces were imported from %s: they can be reported and compared, "+
			"and not run", e.Imported)
	}
	if s.Replays() && (e.HTTP != "" || !e.Proxied()) {
		return nil, facts, errors.New("the model calls of its external agent were not recorded: record a run with " +
			"agent.proxy: true, or read this one with concur report")
	}
	if s.options.Transport == nil {
		keep := func(digest string, text []byte) { s.texts.Add(digest, text, s.a.HiderOf(e.Env)) }
		if facts.Files, err = in.Digests(e, keep); err != nil {
			return nil, facts, err
		}
		if err := cmp.Or(s.a.checkSet("agent.env", e.Env), in.Check("agent.exec", e.Exec)); err != nil {
			return nil, facts, err
		}
	}
	argv, values := config.FillCommand(e.Exec, e.Env, s.a.Variable)
	hider := s.a.HiderOf(e.Env, values...)
	opened := &external.Agent{Config: a.Configuration, Warn: s.Models.Warn, Hider: hider}
	if s.Models.Budgeted() && !s.Replays() {
		if _, known := s.Models.Price(a.Configuration.Model, model.Usage{}); !known && a.Configuration.Limits.USD > 0 {
			return nil, facts, fmt.Errorf("limits.usd is set, and the price of %s, for the usage that the agent "+
				"reports, is not known: add it to a price file, or set limits.tokens instead",
				a.Configuration.Model)
		}
		opened.Meter = s.Models.Meter(a.Configuration.Model)
	}
	if e.Proxied() {
		if opened.Proxy, err = external.NewProxy(a.Configuration.Model, s.Embedder(a.Configuration.Model)); err != nil {
			return nil, facts, err
		}
		s.closers = append(s.closers, opened.Proxy)
	}
	environment := s.a.environment(e.Env...)
	if !e.Sandbox.IsZero() && s.options.Transport == nil {
		command := confine.Command{Folder: string(in), Argv: argv, Files: e.Files, Allow: e.SandboxAllow}
		if opened.Proxy != nil {
			command.Address = strings.TrimPrefix(opened.Proxy.Address(), "http://")
		}
		if argv, environment, err = s.a.confine(ctx, "agent", command, environment); err != nil {
			return nil, facts, err
		}
	}
	switch log := s.Models.Log; {
	case s.options.Transport != nil:
		opened.Transport = s.options.Transport
	case e.HTTP != "":
		address, keys, err := e.Address(s.a.Variable)
		if err != nil {
			return nil, facts, err
		}
		opened.Hider = s.a.HiderOf(nil, keys...)
		opened.Transport = &external.HTTP{
			URL: address, Hider: opened.Hider, Patience: startOfServer, Warn: s.Models.Warn,
		}
	case e.Serve:
		opened.Transport = &external.Residents{Argv: argv, Env: environment, Dir: string(in), Log: log, Hider: hider}
	default:
		opened.Transport = &external.Command{
			Argv: argv, Env: environment, Dir: string(in), Log: log, Hider: hider,
			NoKey: e.Key == config.KeyStdin,
		}
	}
	s.closers = append(s.closers, opened.Transport)
	s.a.killAtEnd(opened.Transport)
	parts = map[string]string{"contract": external.Schema, "norm": answer.Version, "citation": cite.Version}
	for name, digest := range facts.Files {
		parts["file "+name] = digest
	}
	if e.Proxied() {
		parts["model"] = s.a.ModelVersion(a.Configuration.Model, a.Configuration.Providers)
	}
	a.Agent = opened
	return parts, facts, nil
}

// confine returns the command line and environment with which a program starts in its sandbox. key is the key of the
// configuration that has the program.
func (a *Assembler) confine(ctx context.Context, key string, c confine.Command, environment []string) (inSandbox,
	withSandbox []string, err error) {
	program, err := confine.New(ctx, c, a.Variable)
	if err != nil {
		return nil, nil, fmt.Errorf("%s.sandbox: %w", key, err)
	}
	inSandbox, variable, err := program.Started()
	return inSandbox, append(environment, variable), err
}

// checkSet returns an error if one of the variables is not set or is empty. key is the key of the configuration
// that names the variables.
func (a *Assembler) checkSet(key string, variables []string) error {
	for i, name := range variables {
		if value, added := a.Added(name); added && value == "" {
			return fmt.Errorf("%s names %s, which is empty in the file of variables: give it a value, or leave it out", key,
				config.ShownVariable(name, i))
		}
		if a.Variable(name) == "" {
			return fmt.Errorf("%s names %s, which is not set: export it, or leave it out", key,
				config.ShownVariable(name, i))
		}
	}
	return nil
}

// environment returns the environment of a program that concur starts: the variables of config.AgentEnv that
// the process has, and the variables in own. The values of own may also come from AddVariables. The result is
// never nil, because exec would take nil for the whole environment.
func (a *Assembler) environment(own ...string) []string {
	out := []string{}
	add := func(environ provider.Environ, names []string) {
		for _, name := range names {
			if value := environ(name); value != "" {
				out = append(out, name+"="+value)
			}
		}
	}
	add(a.ProcessVariable, config.AgentEnv())
	add(a.Variable, own)
	return out
}
