package assemble

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/model/endpoints"
	"github.com/seed-5817661a/concur/runner/tool/search"
)

// probeTimeout bounds each thing that is tried.
const probeTimeout = 15 * time.Second

// ProbeModel asks a model for one word.
func ProbeModel(ctx context.Context, m model.Model, spec string) error {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	_, err := m.Complete(ctx, probe(0, model.Message{Role: model.User, Content: "Reply with the word ok."}))
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("%s gave no answer within %s", spec, probeTimeout)
	}
	return err
}

func probe(step int, messages ...model.Message) model.Request {
	return model.Request{Identity: model.Identity{Agent: "doctor", Query: "doctor", Step: step, Purpose: model.Agent}, Messages: messages, Seed: 1}
}

// ProbeCache asks a model twice with the same beginning, longer than the 1,024 tokens from
// which most providers keep one, and says what part of the second request came from a cache.
// It is "" where no answer came.
func ProbeCache(ctx context.Context, m model.Model) string {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	var beginning strings.Builder
	for line := range 110 {
		fmt.Fprintf(&beginning, "This is line %d of a text that is there to be long.\n", line+1)
	}
	var second model.Usage
	for i := 1; i <= 2; i++ {
		r, err := m.Complete(ctx, probe(i, model.Message{Role: model.System, Content: beginning.String()},
			model.Message{Role: model.User, Content: fmt.Sprintf("Reply with the number %d.", i)}))
		if err != nil {
			return ""
		}
		second = r.Usage
	}
	if second.CachedTokens == 0 {
		return "it tells of no cached tokens, asked twice with the same beginning"
	}
	return fmt.Sprintf("%d %% of the %d tokens of a second request with the same beginning came from a cache",
		100*second.CachedTokens/max(1, second.InputTokens), second.InputTokens)
}

// ProbeSearch opens a search backend and asks it for one document. missing says what it lacks
// to be asked; asked is false where that would leave this machine and network is false.
func (a *Assembler) ProbeSearch(ctx context.Context, conf config.Search, name string, network bool) (missing string, asked bool, err error) {
	box := a.newToolbox(nil)
	s := box.newSearcher(conf)
	defer func() {
		s.close()
		err = errors.Join(err, box.close())
	}()
	b, err := s.backend(ctx, name)
	if lacks, ok := errors.AsType[noKey](err); ok {
		return lacks.Error(), false, nil
	}
	if err != nil || !network && name != config.BackendCorpus {
		return "", false, err
	}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	docs, err := b.Search(ctx, "Danube", 1)
	if err == nil && len(docs) == 0 && name != config.BackendCorpus { // a corpus need not know it
		err = errors.New("it found nothing for a river of that name")
	}
	return "", true, err
}

// SearchNeeds tells on which backends the agent's tools rest alone, and which web_search
// asks one after another.
func (a *Assembler) SearchNeeds(conf config.Configuration) (alone map[string]bool, cascade []string) {
	alone = map[string]bool{}
	for _, name := range conf.Effective().Agent.Tools {
		if name == search.Name {
			cascade = conf.Search.Cascade
		}
		for _, k := range a.tools {
			if k.name == name && k.backend != "" {
				alone[k.backend] = true
			}
		}
	}
	if len(cascade) == 1 {
		alone[cascade[0]] = true
	}
	return alone, cascade
}

// Key is a variable of the environment that holds a key.
type Key struct {
	Variable string
	Use      string // what it is for
	Set      bool
}

// Keys are all that models and search backends may ask for.
func (a *Assembler) Keys() []Key {
	var keys []Key
	for _, name := range endpoints.Names() {
		if e, known := endpoints.Lookup(name); known && len(e.Auth.Env) > 0 {
			keys = append(keys, Key{Variable: e.Auth.Env[0], Use: "models of " + name + ":"})
		}
	}
	for _, vendor := range serperVendors {
		keys = append(keys, Key{Variable: vendor.key, Use: "search.vendor " + vendor.name})
	}
	for i := range keys {
		keys[i].Set = a.environ(keys[i].Variable) != ""
	}
	return keys
}
