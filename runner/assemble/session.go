package assemble

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/checking"
	"github.com/seed-5817661a/concur/judge/execution"
	"github.com/seed-5817661a/concur/judge/similarity"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent/external"
	"github.com/seed-5817661a/concur/runner/assemble/programfiles"
	"github.com/seed-5817661a/concur/runner/assemble/provider"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/extract"
	"github.com/seed-5817661a/concur/runner/memory"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/tool"
)

// Options describe how the models and tools of one run are opened.
type Options struct {
	// Replay is the recording that replaces models and tools; nil if they are really called.
	Replay *Replay
	// Folder is the folder of the run that is resumed or replayed. It has copies of the run's playbooks. It is
	// "" for a new run.
	Folder string
	// OnText is called with the text of models as the text arrives. It may be nil.
	OnText func(string)
	// Transport connects to the external agent of every configuration. If it is nil, the command or the address
	// in the configuration is used.
	Transport external.Transport
	// Checked has results that the programs of checks gave in an earlier run, by their keys (see
	// runner.CheckedBy). It may be nil.
	Checked map[string]checking.Result
	// Executed has result sets of an earlier run (see runner.ExecutedBy). It may be nil.
	Executed execution.Known
	// Permit waits until a request with this number of tokens may be sent to an endpoint. It takes the place of
	// limits.rpm and limits.tpm if several processes share them. It may be nil.
	Permit func(ctx context.Context, endpoint string, tokens int) error
	// AgentsOnly leaves out verifiers, judges and programs of checks, for a process that only makes traces.
	AgentsOnly bool
	// Programs is the folder of agents and MCP servers that are programs.
	Programs programfiles.Folder
	// Tools can change the opened tools of concur's own agents before the agents get them. It may be nil.
	Tools func([]tool.Tool) []tool.Tool
}

// Session has everything that a run has opened.
type Session struct {
	Draft       runner.Draft // as requested
	runner.Plan              // with opened arms and prices
	*provider.Models

	a         *Assembler
	options   Options
	stop      context.CancelCauseFunc     // ends the run
	agents    map[string]store.AgentFacts // facts of each agent, by its hash
	tools     *toolbox
	memories  map[[2]string]*memory.Store // by file and embeddings
	playbooks map[[2]string]*openPlaybook // by digest of the file and by embeddings
	texts     programfiles.Texts          // of the files of external agents
	closers   []io.Closer                 // the connections to external agents
	notes     []string                    // on the sizes of the agents' tools

	// The caches keep the answers of extractors, verifiers and judges. So the same question to the same model
	// has the same answer in every configuration. The caches of verifiers are separate for each model and its
	// settings.
	verifierCaches map[string]*consensus.Cache
	judgeCache     *judge.Cache
	compared       similarity.Cache       // texts of the checks similar
	vectors        map[string]model.Model // models for embeddings of these checks, by their specs
	databases      map[string]*execution.Databases
	readings       *extract.Cache // cache of extractors
}

// While opens the models and tools of a run, calls do, and closes them when do returns. The context of do ends
// when a model or the search reports that the run cannot continue. If opening fails, the error lists each
// problem once, even if several configurations have the same problem.
func (a *Assembler) While(ctx context.Context, d runner.Draft, o Options,
	do func(context.Context, *Session) error) error {
	return a.within(ctx, d.Plan(), d.First(), o, func(ctx context.Context, s *Session) error {
		s.Draft, s.agents, s.tools = d, map[string]store.AgentFacts{}, a.newToolbox(o.Replay)
		s.tools.programs = o.Programs
		s.memories, s.playbooks = map[[2]string]*memory.Store{}, map[[2]string]*openPlaybook{}
		if err := s.checkArms(); err != nil {
			return errors.Join(err, s.close())
		}
		err := s.open(ctx)
		if err == nil && !o.AgentsOnly {
			err = cmp.Or(s.openPrograms(ctx), s.openDatabases(ctx))
		}
		if err != nil {
			return errors.Join(err, s.close())
		}
		err = do(ctx, s)
		if closeErr := s.close(); closeErr != nil {
			err = errors.Join(err, fmt.Errorf("close agents: %w", closeErr))
		}
		return err
	})
}

// within opens only the models of a run and their prices, and calls do with them. The context of do ends when
// a model reports that the run cannot continue.
func (a *Assembler) within(ctx context.Context, plan runner.Plan, conf config.Configuration, o Options,
	do func(context.Context, *Session) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	prices, err := a.Prices(conf)
	if err != nil {
		return err
	}
	plan.Price = prices.Price
	of := provider.Options{OnText: o.OnText, Permit: o.Permit}
	if o.Replay != nil {
		of.Replay = func(text string, limited func(string) (model.Model, error)) (model.Model, error) {
			return o.Replay.open(text, limited, stop)
		}
	}
	return do(ctx, &Session{
		Plan: plan, Models: provider.NewModels(prices, of, stop), a: a, options: o, stop: stop,
		verifierCaches: map[string]*consensus.Cache{}, judgeCache: &judge.Cache{}, readings: &extract.Cache{},
		vectors: map[string]model.Model{}, databases: map[string]*execution.Databases{},
	})
}

func (s *Session) close() error {
	s.tools.close()
	var err error
	for _, c := range s.closers {
		err = errors.Join(err, c.Close())
	}
	return err
}

// Replays reports whether a recording replaces models and tools.
func (s *Session) Replays() bool { return s.options.Replay != nil }

// Manifest returns the manifest of the run.
func (s *Session) Manifest() store.Manifest {
	m := s.Draft.Manifest
	m.Configurations = slices.Clone(m.Configurations)
	confs := make([]config.Configuration, len(s.Arms))
	for i, a := range s.Arms {
		m.Configurations[i].Agent, m.Configurations[i].Calibration, confs[i] = a.AgentHash, a.Calibration,
			a.Configuration
	}
	m.Versions, m.Agents = s.a.Versions(confs...), s.agents
	s.asRecorded(m.Versions)
	return m
}

func (s *Session) open(ctx context.Context) error {
	s.tools.circuit = &tool.Circuit{OnOpen: func(e *tool.OutageError) { s.stop(e) }}
	if s.Draft.Dataset != nil {
		s.tools.tables = s.Draft.Dataset.Tools
	}
	s.tools.note, s.tools.log, s.tools.model, s.tools.change = s.Log, s.Log, s.Models.Open, s.options.Tools
	names := map[string][]string{} // configurations with each error
	var texts []string
	for i := range s.Arms {
		if err := s.openArm(ctx, &s.Arms[i]); err != nil {
			text := err.Error()
			if names[text] == nil {
				texts = append(texts, text)
			}
			names[text] = append(names[text], s.Arms[i].Configuration.Name)
		}
	}
	wrong := make([]error, len(texts))
	for i, text := range texts {
		if wrong[i] = errors.New(text); len(s.Arms) > 1 {
			wrong[i] = fmt.Errorf("configuration %s: %s", strings.Join(names[text], ", "), text)
		}
	}
	return errors.Join(wrong...)
}

func (s *Session) openArm(ctx context.Context, a *runner.Arm) error {
	var err error
	if a.Model, err = s.Models.Open(a.Configuration.Model); err != nil {
		return err
	}
	if !s.options.AgentsOnly {
		if err := s.openJudges(a); err != nil {
			return err
		}
	}
	open := s.openOwn
	if a.Configuration.Agent.External.Used() {
		open = s.openExternal
	}
	parts, facts, err := open(ctx, a)
	// All traces of a run must have the same agent hash, even if a key was set or removed since the run began
	if err != nil || s.Replays() || s.Draft.OtherSearch != "" {
		return err
	}
	if a.AgentHash, err = a.Configuration.AgentHash(parts); err != nil {
		return err
	}
	facts.Beyond, err = a.Configuration.BeyondRequests(parts)
	s.agents[a.AgentHash] = facts
	return err
}

// checkArms returns an error if a configuration of the run contains a key of the environment.
func (s *Session) checkArms() error {
	var wrong []error
	for _, arm := range s.Arms {
		wrong = append(wrong, s.a.CheckKeys(arm.Configuration))
	}
	return errors.Join(wrong...)
}

// openOnce returns the value of a key in a map. If the key is missing, it calls open and stores the value.
func openOnce[K comparable, V any](have map[K]V, key K, open func() (V, error)) (V, error) {
	if v, opened := have[key]; opened {
		return v, nil
	}
	v, err := open()
	if err == nil {
		have[key] = v
	}
	return v, err
}
