package assemble

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/assemble/programfiles"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/api"
	"github.com/seed-5817661a/concur/tool/mcp"
	"github.com/seed-5817661a/concur/tool/planner"
	"github.com/seed-5817661a/concur/tool/search"
)

// toolKind describes a tool that a configuration can name.
type toolKind struct {
	name string
	open func(context.Context, *searcher) (tool.Tool, error)
	// backend is the search backend that the tool uses, if it uses exactly one. Otherwise it is "".
	backend string
}

// backendTool returns a tool that uses only one search backend.
func backendTool(name, backend, about string) toolKind {
	open := func(ctx context.Context, s *searcher) (tool.Tool, error) {
		b, err := s.backend(ctx, backend)
		if _, lacks := errors.AsType[noKey](err); lacks {
			err = fmt.Errorf("the tool %s cannot be used: %w; or leave it out with --without %s", name, err, name)
		}
		if err != nil {
			return nil, err
		}
		return search.Tool{ToolName: name, Description: about, Backend: b}, nil
	}
	return toolKind{name, open, backend}
}

// ToolNames lists all tools in the order in which they are shown.
func (a *Assembler) ToolNames() []string {
	names := make([]string, len(a.tools))
	for i, k := range a.tools {
		names[i] = k.name
	}
	return names
}

// toolbox opens each set of tools once for all configurations, and each corpus and server once for all sets.
type toolbox struct {
	a        *Assembler
	replay   *Replay
	corpora  map[string]indexedCorpus // by name
	servers  map[string]*mcp.Client   // by their settings
	tables   []datasets.Tool          // tools of the dataset
	sets     map[string]*toolset      // by their tools and search settings
	model    openModel                // opens models of sub-agents; nil if sub-agents are described and not run
	services *api.Run                 // what tools of APIs share
	closers  []io.Closer              // declared tools that have something to close
	programs programfiles.Folder      // of MCP servers
	warnings warnings                 // of declared tools
	circuit  *tool.Circuit            // shared by all evidence tools; nil if their outage does not end the run
	note     func(string)             // called with messages of search backends; may be nil
	log      func(string)             // called with log output of servers, and of tools of APIs; may be nil
	change   func([]tool.Tool) []tool.Tool
}

// warnings are texts for the user, each once.
type warnings []string

// add adds the warning of a tool, if it has one.
func (w *warnings) add(t tool.Tool) {
	warner, is := t.(tool.Warner)
	if !is {
		return
	}
	if text := warner.Warning(); text != "" && !slices.Contains(*w, text) {
		*w = append(*w, text)
	}
}

// ChangeServices sets a function that changes the options of tools of APIs before a run opens them, for example to
// record what they send.
func (a *Assembler) ChangeServices(change func(*api.Options)) { a.services = change }

func (a *Assembler) newToolbox(r *Replay) *toolbox {
	options := api.Options{Environ: a.Variable, UserAgent: a.userAgent()}
	if a.services != nil {
		a.services(&options)
	}
	b := &toolbox{a: a, replay: r, corpora: map[string]indexedCorpus{}, servers: map[string]*mcp.Client{},
		sets: map[string]*toolset{}}
	options.Log = func(text string) {
		if b.log != nil {
			b.log(text)
		}
	}
	b.services = api.NewRun(options)
	return b
}

// open opens the tools of a configuration. If they were already opened for an equal configuration, it returns
// those.
func (b *toolbox) open(ctx context.Context, c config.Configuration) (*toolset, error) {
	key, err := toolsKey(c)
	if err != nil {
		return nil, fmt.Errorf("encode tools: %w", err)
	}
	return openOnce(b.sets, key, func() (*toolset, error) { return b.newToolset(ctx, c) })
}

func (b *toolbox) close() {
	for _, set := range b.sets {
		set.close()
	}
	var closing sync.WaitGroup
	for _, c := range b.servers {
		closing.Go(c.Close)
	}
	closing.Wait()
	for _, c := range b.closers {
		_ = c.Close() // the calls have ended; nothing is lost
	}
	b.services.Close()
}

// toolset has the opened tools of a configuration.
type toolset struct {
	registry *tool.Registry
	parts    map[string]string // versions and contents, for the agent hash
	facts    store.AgentFacts  // for the manifest
	leftOut  []LeftOut
	planner  bool // the tools include concur's planner
	close    func()
}

// WithTools opens the tools of a configuration, calls do, and closes the tools. note gets messages of search
// backends; it may be nil.
func (a *Assembler) WithTools(ctx context.Context, c config.Configuration, note func(string),
	do func(*tool.Registry, []LeftOut) error) error {
	b := a.newToolbox(nil)
	b.note = note
	defer b.close()
	set, err := b.open(ctx, c)
	if err != nil {
		return err
	}
	return do(set.registry, set.leftOut)
}

// newToolset opens a configuration's tools, or replayed tools if there is a recording.
func (b *toolbox) newToolset(ctx context.Context, conf config.Configuration) (*toolset, error) {
	s := b.newSearcher(conf)
	set := &toolset{parts: map[string]string{}, close: s.close}
	set.facts.Tools, set.facts.Servers = map[string]string{}, map[string]store.ToolServer{}
	tools, err := b.makeTools(ctx, set, conf, s)
	if err == nil {
		set.registry, err = tool.New(tools...)
	}
	if err == nil {
		err = set.describe(s)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return set, nil
}

// makeTools opens tools by their names. The planner gets the names of the other tools.
func (b *toolbox) makeTools(ctx context.Context, set *toolset, conf config.Configuration,
	s *searcher) ([]tool.Tool, error) {
	tools, err := set.openTools(ctx, b.sources(conf, s), conf.Agent.Tools, b.a.ToolNames())
	if err != nil {
		return nil, err
	}
	for i, t := range tools {
		if set.planner && t.Spec().Name == planner.Name {
			var others []tool.Spec
			for _, other := range slices.Concat(tools[:i], tools[i+1:]) {
				others = append(others, other.Spec())
			}
			tools[i] = planner.New(others...)
		}
	}
	tools = withFaults(tools, conf.Faults)
	for i, t := range tools {
		switch {
		case t.Spec().Agent: // an agent's own tools and models are replayed and watched
		case b.replay != nil:
			tools[i] = replay.Tool{Inner: t, Recording: b.replay.Recording, Missing: b.replay.Missing}
		case b.circuit != nil:
			tools[i] = b.circuit.Watch(t)
		}
	}
	if b.change != nil {
		tools = b.change(tools)
	}
	return tools, nil
}

// describe records the versions and facts on which the results of the tools depend.
func (set *toolset) describe(s *searcher) error {
	if s.corpus.hash != "" {
		set.parts["corpus"] = s.corpus.hash
		set.facts.Corpus, set.facts.Documents = s.corpus.hash, s.corpus.documents
	}
	maps.Copy(set.parts, s.parts)
	if s.reach != nil { // a missing key changes the agent hash
		set.parts["backends"] = strings.Join(s.reach, " ")
	}
	raw, err := json.Marshal(set.registry.ModelSpecs())
	if err != nil {
		return fmt.Errorf("encode tools: %w", err)
	}
	set.parts["tools"] = digest(raw)
	for _, spec := range set.registry.Specs() {
		text := fmt.Appendf(nil, "%q %s", spec.Description, spec.Parameters)
		if rests := set.parts["tool "+spec.Name]; rests != "" { // facts of older runs lack empty ones
			text = append(text, " "+rests...)
		}
		set.facts.Tools[spec.Name] = digest(text)[:16]
	}
	return nil
}

// digest returns the SHA-256 of data in hexadecimal.
func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
