// Package registry lists the features of agents.
package registry

import (
	"github.com/seed-5817661a/concur/runner/agent/advise"
	"github.com/seed-5817661a/concur/runner/agent/explain"
	"github.com/seed-5817661a/concur/runner/agent/inline"
	"github.com/seed-5817661a/concur/runner/agent/offer"
	"github.com/seed-5817661a/concur/runner/agent/summary"
	"github.com/seed-5817661a/concur/runner/agent/usage"
	"github.com/seed-5817661a/concur/runner/feature"
	"github.com/seed-5817661a/concur/runner/feature/worth"
)

// Features returns the features in the order of their columns in reports. A new feature needs its package and
// a line here. Memories are not listed, because they record nothing and runner/assemble opens them with their
// file.
func Features() []feature.Kind {
	return []feature.Kind{offer.Kind, advise.Kind, summary.Kind, explain.Kind, inline.Kind, usage.SideRequests,
		usage.SubAgents, worth.Kind}
}

// UsesPlaybook reports whether an agent with these figures of its features, by their names, has a playbook.
func UsesPlaybook(figures map[string]any) bool { return figures[advise.Kind.Name] != nil }
