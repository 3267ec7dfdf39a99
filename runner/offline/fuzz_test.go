package offline_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/offline"
)

// FuzzComplete plays three turns with any question and any tool output. There must be no panic, equal replies
// to equal requests, and an answer line at the end.
func FuzzComplete(f *testing.F) {
	f.Add("Which river flows through the town where the composer of Ilvane was born?", search("Ilvane composer", 8), int64(1), 0.7)
	f.Add("How many years passed between A and B, to two decimal places, in miles?", `{"value":"3"}`, int64(2), 0.0)
	f.Add("Is it true that is it true that the {} of {} and the {} or what is it and what is it?", `{"results":[{"id":"a","title":"(","snippet":"' s ( – 1 BC"}]}`, int64(3), 1e9)
	f.Add("the of whose 's \"the\" \"", "ERROR: timeout(web_search)", int64(-1), -1.0)
	f.Add("\xff\xfe 12 ×  − 7 ÷", "\xff", int64(0), 0.1)
	f.Fuzz(func(t *testing.T, question, output string, seed int64, temperature float64) {
		m, err := offline.New("reader", offline.Options{})
		if err != nil {
			t.Fatal(err)
		}
		req := model.Request{
			Messages:    []model.Message{{Role: model.System, Content: instructions}, {Role: model.User, Content: question}},
			Tools:       []model.ToolSpec{tools["web_search"], tools["calc"]},
			Temperature: temperature, Seed: seed,
		}
		for turn := range 4 {
			if turn == 3 {
				req.Tools = nil
			}
			a, errA := m.Complete(context.Background(), req)
			b, errB := m.Complete(context.Background(), req)
			if !reflect.DeepEqual(a, b) || (errA == nil) != (errB == nil) {
				t.Fatalf("one request, two answers: %v, %v", a, b)
			}
			if errA != nil {
				if model.KindOf(errA) != model.ErrBadRequest || strings.TrimSpace(question) != "" {
					t.Fatal(errA)
				}
				return
			}
			req.Messages = append(req.Messages, a.Message)
			if len(a.Message.ToolCalls) == 0 {
				if !strings.Contains(a.Message.Content, "\nAnswer: ") && !strings.HasPrefix(a.Message.Content, "Answer: ") {
					t.Fatalf("no answer line in %q", a.Message.Content)
				}
				return
			}
			for _, c := range a.Message.ToolCalls {
				req.Messages = append(req.Messages, model.Message{Role: model.ToolRole, ToolCallID: c.ID, Content: output})
			}
		}
		t.Fatal("it called tools that were not offered")
	})
}
