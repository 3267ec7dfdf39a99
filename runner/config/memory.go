package config

import "cmp"

// Memory configures the agent's memory. YAML omits default values, so that older hashes stay valid.
type Memory struct {
	File string     `yaml:"file,omitempty"` // file of the items, see runner/memory; "" means the dataset's own file
	Mode MemoryMode `yaml:"mode,omitempty"`
	K    int        `yaml:"k,omitempty"` // maximum number of shown items, and of kept results; 0 means DefaultMemories
	// Embeddings is the provider:model whose vectors are used to select items. With "", items are selected by
	// BM25.
	Embeddings string `yaml:"embeddings,omitempty"`
	// Summaries keeps one sentence for each tool call. When the conversation is longer than Budget, these
	// sentences replace the results of calls. The results of the K best calls are replaced last. The values are
	// on, rank and off.
	Summaries Mode `yaml:"summaries,omitempty"`
	// Budget is the length of the conversation, in tokens of four bytes each, above which results are replaced.
	// 0 means DefaultBudget.
	Budget int `yaml:"context_budget,omitempty"`
}

// MemoryMode selects how items are chosen.
type MemoryMode = Mode

// Modes of the memory.
const (
	MemoryOff      MemoryMode = "off"
	MemoryRetrieve MemoryMode = "retrieve" // the K best matches
	MemoryRank     MemoryMode = "rank"     // the model chooses K of the matches
	MemoryAll      MemoryMode = "all"      // all items
)

// Values of Memory.Summaries besides off.
const (
	SummariesOn     Mode = "on"   // the best results are chosen by age and by the words of their sentences
	SummariesRanked Mode = "rank" // the model chooses them
)

// Defaults of Memory.
const (
	DefaultMemories = 3
	DefaultBudget   = 8000
)

// Items returns the maximum number of shown items.
func (m Memory) Items() int { return cmp.Or(m.K, DefaultMemories) }

// Tokens returns the size of a conversation above which summaries replace results.
func (m Memory) Tokens() int { return cmp.Or(m.Budget, DefaultBudget) }

// effective clears settings without effect.
func (m Memory) effective(a Agent) Memory {
	if a.External.Used() {
		return Memory{}
	}
	if m.Mode.IsZero() {
		m.Mode, m.File, m.Embeddings = "", "", ""
	}
	if m.Summaries.IsZero() || !a.Loops() {
		m.Summaries, m.Budget = "", 0
	}
	if m.K == DefaultMemories || m.Summaries.IsZero() && (m.Mode == "" || m.Mode == MemoryAll) {
		m.K = 0
	}
	if m.Mode == MemoryAll {
		m.Embeddings = ""
	}
	if m.Budget == DefaultBudget {
		m.Budget = 0
	}
	return m
}

func (c Configuration) validateMemory(p *problems) {
	m := c.Memory
	oneOf(p, "memory.mode", cmp.Or(m.Mode, MemoryOff), MemoryOff, MemoryRetrieve, MemoryRank, MemoryAll)
	oneOf(p, "memory.summaries", cmp.Or(m.Summaries, "off"), SummariesOn, SummariesRanked, "off")
	p.refuse(m.K < 0 || m.K > maxCount,
		"memory.k is %d: give 1 to %d, or leave it out for %d", m.K, maxCount, DefaultMemories)
	p.refuse(m.Budget < 0 || m.Budget > maxBytes,
		"memory.context_budget is %d: give 1 to %d tokens, or leave it out for %d", m.Budget, maxBytes, DefaultBudget)
	p.refuse(m.Embeddings != "" && !namesModel(m.Embeddings), badEmbeddings, "memory", m.Embeddings)
	p.refuse(c.Agent.External.Used() && (!m.Mode.IsZero() || !m.Summaries.IsZero()),
		"memory has no effect on an external agent: leave it out")
}

// badEmbeddings is the message for a wrong key embeddings of memory, playbook or judge.
const badEmbeddings = "%s.embeddings %q: write provider:model, such as openai:text-embedding-3-small"
