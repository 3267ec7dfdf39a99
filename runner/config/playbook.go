package config

import "cmp"

// Playbook is advice from earlier runs, which is shown to the agent. It is off by default; YAML omits the
// default, so that older hashes remain valid.
type Playbook struct {
	File   string `yaml:"file,omitempty"`
	Mode   string `yaml:"mode,omitempty"`   // "" means frozen if there is a file, otherwise off
	K      int    `yaml:"k,omitempty"`      // number of shown bullets; 0 means 3
	Where  string `yaml:"where,omitempty"`  // system or user; "" means system
	Budget int    `yaml:"budget,omitempty"` // tokens of all shown bullets; 0 means 2000; the mode all has no limit
	// Section and WithTools restrict the choice: to one section, and to bullets that advise a sequence of tools.
	Section   string `yaml:"section,omitempty"`
	WithTools bool   `yaml:"with_tools,omitempty"`
	// SameCategory leaves out bullets that were learned from queries of another category than the query's.
	SameCategory bool `yaml:"same_category,omitempty"`
	// Stage is the lowest stage of a bullet that is shown: "" means shown.
	Stage string `yaml:"stage,omitempty"`
	// Embeddings is the provider:model whose vectors select the bullets; "" for BM25.
	Embeddings string `yaml:"embeddings,omitempty"`
}

// The modes of a playbook. A playbook does not change during a run, in any mode.
const (
	PlaybookOff      = "off"
	PlaybookFrozen   = "frozen"   // the k bullets that fit the question best
	PlaybookAll      = "all"      // all bullets
	PlaybookShuffled = "shuffled" // k random bullets, as a placebo
)

// The values of Playbook.Stage.
const (
	PlaybookShown = "shown" // bullets that are no drafts
	PlaybookDraft = "draft" // drafts too
)

// The places of the bullets in a prompt.
const (
	PlaybookInSystem = "system"
	PlaybookInUser   = "user"
)

// IsZero reports whether nothing is set, which YAML omits.
func (b Playbook) IsZero() bool { return b == Playbook{} }

// Used reports whether bullets are shown to the agent.
func (b Playbook) Used() bool { return b.resolved().Mode != PlaybookOff }

// Effective replaces empty settings by their defaults. It returns the zero value if the playbook is off.
func (b Playbook) Effective() Playbook {
	if b = b.resolved(); b.Mode == PlaybookOff {
		return Playbook{}
	}
	if b.Mode == PlaybookAll {
		b.K, b.Budget, b.Embeddings = 0, 0, ""
	}
	if b.Stage == PlaybookShown { // the default is not written, so that older hashes remain valid
		b.Stage = ""
	}
	return b
}

func (b Playbook) resolved() Playbook {
	if b.Mode == "" {
		b.Mode = PlaybookFrozen
		if b.File == "" {
			b.Mode = PlaybookOff
		}
	}
	b.K, b.Where, b.Budget = cmp.Or(b.K, 3), cmp.Or(b.Where, PlaybookInSystem), cmp.Or(b.Budget, 2000)
	return b
}

func (b Playbook) validate(p *problems) {
	r := b.resolved()
	oneOf(p, "agent.playbook.mode", r.Mode, PlaybookOff, PlaybookFrozen, PlaybookAll, PlaybookShuffled)
	oneOf(p, "agent.playbook.stage", cmp.Or(b.Stage, PlaybookShown), PlaybookDraft, PlaybookShown)
	oneOf(p, "agent.playbook.where", r.Where, PlaybookInSystem, PlaybookInUser)
	p.refuse(b.File == "" && r.Mode != PlaybookOff,
		"agent.playbook.file is empty, and the mode is %s: name a playbook, "+
			"such as one made with `concur playbook learn`", r.Mode)
	p.refuse(b.Embeddings != "" && !namesModel(b.Embeddings), badEmbeddings, "agent.playbook", b.Embeddings)
	p.refuse(b.K < 0 || b.K > maxCount, "agent.playbook.k is %d: give 1 to %d", b.K, maxCount)
	p.refuse(b.Budget < 0 || b.Budget > maxBytes, "agent.playbook.budget is %d: give 1 to %d tokens",
		b.Budget, maxBytes)
}
