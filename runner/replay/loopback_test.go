package replay_test

import (
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/openai"
	"github.com/seed-5817661a/concur/runner/offline"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/runner/serve"
)

// calculate is an agent with two turns and one tool; it returns the replies.
func calculate(t *testing.T, m model.Model, trace int) (said []model.Response) {
	t.Helper()
	req := model.Request{
		Identity: model.Identity{Agent: "a1", Query: "product", Trace: trace, Purpose: model.Agent},
		Messages: []model.Message{say(model.System, "Answer the question."), say(model.User, "What is 1234567 times 89?")},
		Tools:    []model.ToolSpec{{Name: "calc", Description: "Calculates.", Parameters: []byte(`{"type":"object"}`)}},
		Seed:     int64(trace),
	}
	for range 2 {
		resp, err := m.Complete(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		said = append(said, resp)
		req.Identity.Step++
		req.Messages = append(req.Messages, resp.Message)
		for _, c := range resp.Message.ToolCalls {
			req.Messages = append(req.Messages, model.Message{Role: model.ToolRole, ToolCallID: c.ID, Content: `{"value":"109876463"}`})
		}
	}
	return said
}

// TestReplayNeedsNoNetwork records over HTTP, stops the server, and replays.
func TestReplayNeedsNoNetwork(t *testing.T) {
	reader, err := offline.New("reader", offline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(serve.Handler(reader, ""))
	defer server.Close()
	wired, err := openai.New(openai.Options{BaseURL: server.URL + "/v1", Model: "reader", Transport: server.Client().Transport})
	if err != nil {
		t.Fatal(err)
	}
	var out tape
	var want [][]model.Response
	for trace := range 3 {
		want = append(want, calculate(t, &recorder{inner: wired, tape: &out}, trace))
	}
	server.Close()

	rec := open(out.exchanges)
	for trace := range 3 {
		got := calculate(t, &replay.Model{Recording: rec}, trace)
		if diff := cmp.Diff(throughJSON(want[trace]), got); diff != "" {
			t.Errorf("trace %d (-recorded +replayed):\n%s", trace, diff)
		}
	}
}
