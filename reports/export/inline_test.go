package export

import (
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
)

// A reply that goes on with a text is one message with it, because chats for fine-tuning have one message of the
// assistant at a time.
func TestContinuedText(t *testing.T) {
	question := model.Message{Role: model.User, Content: "What is 2 * 3?"}
	begun := model.Message{Role: model.Assistant, Content: "It is [calc(2 * 3)"}
	soFar := model.Message{Role: model.Assistant, Content: "It is [calc(2 * 3) → 6]"}
	end := model.Message{Role: model.Assistant, Content: " 6."}
	line, _, err := chat([]store.Exchange{
		{Messages: []model.Message{question}, Response: &begun},
		{Kept: 1, Messages: []model.Message{soFar}, Response: &end},
	}, nil)
	want := `{"messages":[{"role":"user","content":"What is 2 * 3?"},{"role":"assistant","content":"It is [calc(2 * 3) → 6] 6."}]}` + "\n"
	if err != nil || string(line) != want {
		t.Errorf("%s, %v", line, err)
	}
}
