package wire

import (
	"fmt"
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/runner/model"
)

// CheckAnswers holds a conversation to the wire's rule: each call of an assistant's
// message is answered by one tool message, before anybody else speaks (wire-formats
// §12.1). Endpoints refuse others in words that name no message of ours.
func CheckAnswers(messages []model.Message) error {
	open := map[string]bool{}
	for i, m := range messages {
		if m.Role == model.ToolRole {
			if !open[m.ToolCallID] {
				return fmt.Errorf("message %d answers the call %q, which was not made just before, or has its answer", i, m.ToolCallID)
			}
			delete(open, m.ToolCallID)
			continue
		}
		if err := answered(open); err != nil {
			return fmt.Errorf("message %d: %w", i, err)
		}
		for _, c := range m.ToolCalls {
			if c.ID == "" || open[c.ID] {
				return fmt.Errorf("message %d: the call of %q has the id %q, which is empty or taken; give each call its own", i, c.Name, c.ID)
			}
			open[c.ID] = true
		}
	}
	return answered(open)
}

func answered(open map[string]bool) error {
	if len(open) == 0 {
		return nil
	}
	return fmt.Errorf("the calls %q have no answer; add one tool message for each, right after the calls", slices.Sorted(maps.Keys(open)))
}
