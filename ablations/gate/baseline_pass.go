package gate

import (
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// RunPass is one full pass of a configuration over a dataset, as its run folder holds it.
type RunPass struct {
	Manifest store.Manifest
	// Records are those of the configuration, one per query.
	Records []store.Record
	// Messages are the final messages of traces. They are needed where a gold looks for
	// keywords; without them such verdicts cannot be given again.
	Messages map[trace.ID]string
	// Models are the names with which the agent's providers called themselves, sorted; nil
	// where not known.
	Models []string
	// Digest is a hash over all replies of the agent's model in the configuration; "" where
	// not known, at temperature 0, and where they are too few to tell this pass from another.
	Digest string
}

// ReadPass reads what a baseline needs of a run: manifest, records, final messages and the
// names of models. An empty configuration stands for the only one. A manifest that was
// edited since the run began is refused.
func ReadPass(r *store.Run, configuration string) (RunPass, error) {
	p := RunPass{Manifest: r.Manifest, Messages: map[trace.ID]string{}}
	if err := r.Manifest.CheckSeal(); err != nil {
		return p, fmt.Errorf("read run %s: %w", r.Manifest.Run, err)
	}
	c, err := p.configuration(configuration)
	if err != nil {
		return p, fmt.Errorf("read run %s: %w", r.Manifest.Run, err)
	}
	for record, err := range r.Records() {
		if err != nil {
			return p, err
		}
		if record.Configuration == c.Name {
			p.Records = append(p.Records, record)
		}
	}
	for e, err := range r.Events() {
		if err != nil {
			return p, err
		}
		if end, last := e.Body.(trace.Conclusion); last && e.Agent == c.Agent {
			p.Messages[e.ID] = end.Message
		}
	}
	names, said := map[string]bool{}, replies{}
	for x, err := range r.Exchanges() {
		if err != nil {
			return p, err
		}
		said.add(x, c.Agent)
		if x.Purpose == model.Agent && x.Identity.Agent == c.Agent && x.Model != nil && *x.Model != "" && !names[*x.Model] {
			names[*x.Model] = true
			p.Models = append(p.Models, *x.Model)
		}
	}
	slices.Sort(p.Models)
	if c.Configuration.Agent.Temperature > 0 { // at 0, equal replies are what was asked for
		p.Digest = said.digest(c.Name)
	}
	return p, nil
}

// configuration finds the configuration of a name, or the only one.
func (p RunPass) configuration(name string) (store.Configuration, error) {
	all := p.Manifest.Configurations
	if name == "" && len(all) == 1 {
		return all[0], nil
	}
	names := make([]string, len(all))
	for i, c := range all {
		if c.Name == name {
			return c, nil
		}
		names[i] = c.Name
	}
	if name == "" {
		return store.Configuration{}, fmt.Errorf("it has %d configurations, and one alone can be added: name one of %s", len(all), listed(names))
	}
	return store.Configuration{}, fmt.Errorf("it has no configuration %q: name one of %s", name, listed(names))
}
