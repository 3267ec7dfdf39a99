package trace

// Advice is what a trace had of a playbook, by the ids of bullets.
type Advice struct {
	Shown    []string `json:"shown"`    // in the order of the prompt
	Named    []string `json:"named"`    // that the model named in a reply, such as [str-00001]
	Followed []string `json:"followed"` // whose sequence of tools occurs in the trace's calls
	Tokens   int      `json:"tokens"`   // estimate of what they took of the prompt, four bytes a token
}
