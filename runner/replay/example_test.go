package replay_test

import (
	"context"
	"fmt"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/runner/store"
)

func ExampleModel() {
	id := model.Identity{Agent: "3f2a", Query: "nile", Trace: 0, Step: 0, Purpose: model.Agent}
	prompt := []model.Message{{Role: model.System, Content: "Answer.\nBe brief."}, {Role: model.User, Content: "How long is the Nile?"}}
	answered := func(trace int, content string) store.Exchange {
		id.Trace = trace
		return answeredBy(store.Exchange{Identity: id, Messages: prompt}, model.Response{Message: model.Message{Role: model.Assistant, Content: content}})
	}
	// In a real program, store.Run.Recording returns the recording of a run.
	recorded := replay.New(memory{exchanges: []store.Exchange{answered(1, "Answer: 6,650 km"), answered(0, "Answer: 6650 km")}})
	m := &replay.Model{Recording: recorded, Name: "openai:gpt-4o-mini"}
	resp, err := m.Complete(context.Background(), model.Request{Identity: id, Messages: prompt})
	fmt.Println(resp.Message.Content, err)

	id.Trace = 1 // the same request with other words
	_, err = m.Complete(context.Background(), model.Request{Identity: id, Messages: []model.Message{
		{Role: model.System, Content: "Answer.\nShow your sources."}, prompt[1],
	}})
	fmt.Println(err)
	// Output:
	// Answer: 6650 km <nil>
	// call openai:gpt-4o-mini: bad_request: replay exchange of nile trace 1 step 0 (agent, by 3f2a): it differs from the recorded one in messages[0]:
	// --- recorded
	// +++ now
	// @@ -2,2 +2,2 @@
	//  Answer.
	// -Be brief.
	// +Show your sources.
	// undo the change, or record again
}
