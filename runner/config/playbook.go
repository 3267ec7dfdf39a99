package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Playbook is advice from earlier runs that the agent is shown. The default is off, and not
// written, so that older hashes remain valid.
type Playbook struct {
	File   string `yaml:"file,omitempty"`
	Mode   string `yaml:"mode,omitempty"`   // "" is frozen if there is a file, else off
	K      int    `yaml:"k,omitempty"`      // bullets that are shown; 0 means 3
	Where  string `yaml:"where,omitempty"`  // system or user; "" means system
	Budget int    `yaml:"budget,omitempty"` // tokens of the bullets together; 0 means 2000; all has none
	// Section and WithTools bound the choice: one section, bullets that advise a sequence of tools.
	Section   string `yaml:"section,omitempty"`
	WithTools bool   `yaml:"with_tools,omitempty"`
	// Embeddings is the provider:model whose vectors say which bullets fit; "" for BM25.
	Embeddings string `yaml:"embeddings,omitempty"`
}

// The modes of a playbook. Whatever the mode, it does not change during a run.
const (
	PlaybookOff      = "off"
	PlaybookFrozen   = "frozen"   // the k bullets that fit the question best
	PlaybookAll      = "all"      // all of them
	PlaybookShuffled = "shuffled" // k of them drawn by chance: a placebo
)

// The places of the bullets in a prompt.
const (
	PlaybookInSystem = "system"
	PlaybookInUser   = "user"
)

// IsZero reports whether nothing is set, which is omitted in YAML.
func (p Playbook) IsZero() bool { return p == Playbook{} }

// Used reports whether the agent is shown bullets.
func (p Playbook) Used() bool { return p.resolved().Mode != PlaybookOff }

// Effective has the defaults in place of empty settings, and is zero if it is off.
func (p Playbook) Effective() Playbook {
	if p = p.resolved(); p.Mode == PlaybookOff {
		return Playbook{}
	}
	if p.Mode == PlaybookAll {
		p.K, p.Budget, p.Embeddings = 0, 0, ""
	}
	return p
}

func (p Playbook) resolved() Playbook {
	if p.Mode == "" {
		p.Mode = PlaybookFrozen
		if p.File == "" {
			p.Mode = PlaybookOff
		}
	}
	p.K, p.Where, p.Budget = cmp.Or(p.K, 3), cmp.Or(p.Where, PlaybookInSystem), cmp.Or(p.Budget, 2000)
	return p
}

func (p Playbook) validate() (problems []error) {
	modes := []string{PlaybookOff, PlaybookFrozen, PlaybookAll, PlaybookShuffled}
	r := p.resolved()
	if !slices.Contains(modes, r.Mode) {
		problems = append(problems, fmt.Errorf("agent.playbook.mode %q is not known: %s", p.Mode, strings.Join(modes, ", ")))
	}
	if r.Where != PlaybookInSystem && r.Where != PlaybookInUser {
		problems = append(problems, fmt.Errorf("agent.playbook.where %q is not known: %s, %s", p.Where, PlaybookInSystem, PlaybookInUser))
	}
	if p.File == "" && r.Mode != PlaybookOff {
		problems = append(problems, fmt.Errorf("agent.playbook.file is empty, and the mode is %s: name a playbook, such as one made with `concur playbook learn`", r.Mode))
	}
	if provider, name, ok := strings.Cut(p.Embeddings, ":"); p.Embeddings != "" && (!ok || provider == "" || name == "") {
		problems = append(problems, fmt.Errorf("agent.playbook.embeddings %q: write provider:model, such as openai:text-embedding-3-small", p.Embeddings))
	}
	if p.K < 0 || p.K > maxCount {
		problems = append(problems, fmt.Errorf("agent.playbook.k is %d: give 1 to %d", p.K, maxCount))
	}
	if p.Budget < 0 || p.Budget > maxBytes {
		problems = append(problems, fmt.Errorf("agent.playbook.budget is %d: give 1 to %d tokens", p.Budget, maxBytes))
	}
	return problems
}
