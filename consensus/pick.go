package consensus

import (
	"fmt"

	"github.com/seed-5817661a/concur/internal/asking"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/trace"
)

// PickPromptVersion changes with every change of the picker's prompt.
const PickPromptVersion = "pick/v2"

// PickSchema is the name of the picker's reply schema.
const PickSchema = "concur_pick_v1"

const (
	maxMessage  = 6 << 10  // bytes of one final message
	maxMessages = 48 << 10 // bytes of all of them together
)

func pickPrompt(seed int64, question string, shown []Ballot) []model.Message {
	blocks := []asking.Block{asking.Data("question", question, maxShown)}
	limit := min(maxMessage, maxMessages/len(shown))
	for i, b := range shown {
		blocks = append(blocks,
			asking.Data(fmt.Sprintf("candidate %d short answer", i+1), shortAnswer(b), maxShown),
			asking.Data(fmt.Sprintf("candidate %d message", i+1), b.Message, limit))
	}
	return asking.Messages(prompts()[PickSchema].Task, seed, blocks...)
}

// shortAnswer is the text that a picker sees for a ballot.
func shortAnswer(b Ballot) string {
	switch b.Outcome {
	case trace.Refused:
		return "(none: it refuses to answer)"
	case trace.Abstained:
		return "(none: it finds that the question cannot be settled)"
	default:
		return b.Answer
	}
}

// readPick reads a reply; the choice is a position among n, from 0.
func readPick(text string, n int) (choice int, err error) {
	var reason string
	err = asking.ReadInto(text, map[string]any{"choice": &choice, "reason": &reason})
	if err == nil && (choice < 1 || choice > n) {
		err = fmt.Errorf("the reply chooses %d of %d candidates", choice, n)
	}
	return choice - 1, err
}
