package config

import "slices"

// Offer limits the number of tools that the agent is offered at once. It is off by default; YAML omits the
// default, so that older hashes remain valid.
type Offer struct {
	// K is the number of tools whose descriptions fit the question best, which the agent is offered. 0 means that
	// it is offered all tools.
	K int `yaml:"k,omitempty"`
	// Embeddings is the provider:model whose vectors choose the tools; "" for BM25.
	Embeddings string `yaml:"embeddings,omitempty"`
}

// SearchTools is the name of the tool of agent.offer, which finds tools that are not offered.
const SearchTools = "search_tools"

// usedByOffer is the message for a tool or sub-agent with the name of this tool.
const usedByOffer = "%s: " + SearchTools + " is the tool of agent.offer: choose another name"

// IsZero reports whether all tools are offered, which YAML omits.
func (o Offer) IsZero() bool { return o == Offer{} }

// effective returns the zero value if the agent has no tools to choose from.
func (o Offer) effective(a Agent) Offer {
	if !a.Loops() || a.External.Used() || len(a.Tools) == 0 {
		return Offer{}
	}
	return o
}

func (a Agent) validateOffer(p *problems) {
	o := a.Offer
	p.refuse(o.K < 0 || o.K > maxCount, "agent.offer.k is %d: give 1 to %d tools, or 0 to offer all", o.K, maxCount)
	p.refuse(o.K == 0 && o.Embeddings != "", "agent.offer.k is 0, so agent.offer.embeddings chooses nothing: give "+
		"the number of tools as agent.offer.k, such as 20")
	p.refuse(o.Embeddings != "" && !namesModel(o.Embeddings), badEmbeddings, "agent.offer", o.Embeddings)
	p.refuse(o.K > 0 && !a.External.Used() && !a.Loops(), "agent.offer.k is %d, and the strategy %s calls no tools: "+
		"leave agent.offer out, or choose another strategy", o.K, a.Strategy)
	p.refuse(o.K > 0 && a.External.Used(), "agent.offer has no effect on an external agent: leave it out")
	n := a.DatasetTools
	p.refuse(n != nil && (*n < 0 || *n > maxCount), "agent.dataset_tools is %d: give 0 to %d, or leave it out for all",
		deref(n), maxCount)
}

func deref(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

// FromDataset returns the tools of a dataset, given all their names, that the agent gets: all of them, or the
// first agent.dataset_tools of them, sorted by name so that their place says nothing about them.
func (a Agent) FromDataset(names []string) []string {
	if a.DatasetTools == nil {
		return names
	}
	first := slices.Clone(names[:min(max(0, *a.DatasetTools), len(names))])
	slices.Sort(first)
	return first
}
