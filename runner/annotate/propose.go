package annotate

import (
	"context"
)

// Proposal is a call at a place of a text.
type Proposal struct {
	Position    int      // offset in the text, in bytes, at which the call would be inserted
	Call        string   // as the text would have it: Calculator(7823 * 4991)
	Arguments   string   // as a JSON object
	Probability *float64 // of " [" at the position; nil if it was not asked for
	Problem     string   // why the call cannot run; ""
}

// Proposer proposes calls of a tool in a text: at most K positions, and at most M calls at each.
type Proposer interface {
	Propose(ctx context.Context, tool Tool, text Text) ([]Proposal, error)
	// Name names the proposer in outputs, with its version.
	Name() string
}

// Tool is a tool whose calls are proposed.
type Tool struct {
	Name     string `json:"tool"` // in the registry
	Paper    string `json:"name"` // in the texts
	Settings `json:"settings"`
}
