package react

import (
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/tool"
)

const (
	promptSteps = `The final answer has two parts:
1. your reasoning, step by step: what is asked, what you know about it, and what follows, each step in a sentence;
2. a line that begins with "Answer:" and holds the short answer alone: the name, the number, the date, yes or no. Write "Answer: [ABSTAIN]" if what you know does not settle the question, and "Answer: [REFUSE]" if you refuse.`

	promptDirect = `Reply with one line and nothing else. It begins with "Answer:" and holds the short answer alone: the name, the number, the date, yes or no. Write "Answer: [ABSTAIN]" if what you know does not settle the question, and "Answer: [REFUSE]" if you refuse.`

	// promptConfidence is the confidence check.
	promptConfidence = `Before you go on: say how sure you are, in percent, that what you have settles the question. If it does, give the final answer now; if it does not, go on with what is missing.`
)

// stepwisePrompt asks for chain-of-thought reasoning in one turn (Kojima et al. 2022, arXiv 2205.11916).
func stepwisePrompt(p session.Protocol, _ []tool.Spec, _ string) []string {
	parts := append([]string{session.PromptTask}, p.Instructions(nil)...)
	return append(parts, session.PromptQuoted, session.PromptRefuse, promptSteps)
}

// directPrompt leaves out the protocol's form, which asks for a thought: an answer line is
// a final message in every protocol.
func directPrompt(session.Protocol, []tool.Spec, string) []string {
	return []string{session.PromptTask, session.PromptQuoted, session.PromptRefuse, promptDirect}
}
