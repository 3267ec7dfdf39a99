package playbook

// UseName is the name of a Use among the extras of a trace (trace.Extras).
const UseName = "playbook"

// Use is the use of a playbook in a trace, by ids of bullets.
type Use struct {
	Shown    []string `json:"shown"`    // in the order of the prompt
	Named    []string `json:"named"`    // bullets that the model named in a reply, such as [str-00001]
	Followed []string `json:"followed"` // bullets whose sequence of tools occurs in the trace's calls
	Tokens   int      `json:"tokens"`   // estimated tokens of the bullets in the prompt, at four bytes per token
}
