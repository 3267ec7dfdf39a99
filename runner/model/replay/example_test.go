package replay_test

import (
	"context"
	"fmt"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/model/replay"
)

func Example() {
	id := model.Identity{Agent: "3f2a", Query: "nile", Trace: 0, Step: 0, Purpose: model.Agent}
	prompt := []model.Message{{Role: model.System, Content: "Answer.\nBe brief."}, {Role: model.User, Content: "How long is the Nile?"}}
	recorded, err := replay.Open(replay.Memory{{
		Identity: id, Messages: prompt,
		Response: &model.Response{Message: model.Message{Role: model.Assistant, Content: "Answer: 6650 km"}},
	}, {
		Identity: model.Identity{Agent: "3f2a", Query: "nile", Trace: 1, Purpose: model.Agent}, Messages: prompt,
		Response: &model.Response{Message: model.Message{Role: model.Assistant, Content: "Answer: 6,650 km"}},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	m := &replay.Model{Recorded: recorded, Name: "openai:gpt-4o-mini"}
	resp, err := m.Complete(context.Background(), model.Request{Identity: id, Messages: prompt})
	fmt.Println(resp.Message.Content, err)

	id.Trace = 1 // asks for the same, but no longer in the same words
	_, err = m.Complete(context.Background(), model.Request{Identity: id, Messages: []model.Message{
		{Role: model.System, Content: "Answer.\nShow your sources."}, prompt[1],
	}})
	fmt.Println(err)
	fmt.Printf("%+v\n", recorded.Tally())
	// Output:
	// Answer: 6650 km <nil>
	// call openai:gpt-4o-mini: bad_request: replay nile trace 1 step 0 (agent, by 3f2a): the request differs from the recorded one in messages[0]:
	// --- recorded
	// +++ now
	// @@ -2,2 +2,2 @@
	//  Answer.
	// -Be brief.
	// +Show your sources.
	// undo the change, or record anew
	// {Replayed:1 Asked:0 Unrecorded:0 Different:1 Unused:0}
}
