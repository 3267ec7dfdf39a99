package config

import "cmp"

// Playbook is advice from earlier runs that the agent gets. It is off by default. YAML omits the default, so
// that older hashes stay valid.
type Playbook struct {
	File   string `yaml:"file,omitempty"`
	Mode   string `yaml:"mode,omitempty"`   // "" means frozen if there is a file, otherwise off
	K      int    `yaml:"k,omitempty"`      // number of shown bullets; 0 means 3
	Where  string `yaml:"where,omitempty"`  // system or user; "" means system
	Budget int    `yaml:"budget,omitempty"` // tokens of all shown bullets; 0 means 2000; the mode all has no limit
	// Section and WithTools restrict which bullets are chosen: Section to one section, and WithTools to bullets
	// that advise a sequence of tools.
	Section   string `yaml:"section,omitempty"`
	WithTools bool   `yaml:"with_tools,omitempty"`
	// SameCategory leaves out bullets that were learned from queries of other categories than that of the
	// present query.
	SameCategory bool `yaml:"same_category,omitempty"`
	// Stage is the lowest stage at which a bullet is used. "" means the stage shown.
	Stage string `yaml:"stage,omitempty"`
	// Embeddings is the provider:model whose vectors are used to choose bullets. With "", bullets are chosen by
	// BM25.
	Embeddings string `yaml:"embeddings,omitempty"`
}

// The modes of a playbook. In every mode, the playbook stays the same during a run.
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

// Effective replaces empty settings by their defaults. If the playbook is off, it returns the zero value.
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
