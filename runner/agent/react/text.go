package react

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/runner/agent/react/dialect"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/tool"
)

// textProtocol writes everything as text: Thought, Action, Action Input, Observation,
// Final. One action a turn. It asks for one form and reads every dialect.
type textProtocol struct {
	offered []model.ToolSpec // in the request that the next reply answers
}

func (*textProtocol) instructions(tools []tool.Spec) []string {
	if len(tools) == 0 {
		return []string{promptTextAnswer}
	}
	list := promptTextTools
	for _, t := range tools {
		line, err := json.Marshal(t.ToolSpec)
		if err != nil { // its schema was compiled when the tool was registered
			line = fmt.Appendf(nil, "%q", t.Name)
		}
		list += "\n" + string(line)
	}
	return []string{list, promptTextForm}
}

// prepare stops the model before it can invent an observation.
func (p *textProtocol) prepare(req *model.Request, tools []model.ToolSpec) {
	p.offered = tools
	req.Stop = []string{"\nObservation:"}
}

func (p *textProtocol) read(reply model.Response) turn {
	thought, said := reply.Message.Speech()
	d := dialect.Parse(said, p.offered)
	t := turn{
		message: model.Message{Role: model.Assistant, Content: d.Kept},
		thought: strings.TrimSpace(thought + "\n" + d.Thought), final: d.Final, finish: reply.Finish,
		problem: d.Problem, repaired: d.Repaired, invented: d.Invented, dropped: d.Dropped, alias: d.Alias,
	}
	if d.Name != "" {
		t.calls = []model.ToolCall{{Name: d.Name, Arguments: d.Arguments}}
	}
	return t
}

func (*textProtocol) complaint(problem error) string { return fmt.Sprintf(promptFormat, problem) }

func (*textProtocol) observation(_, text string) model.Message {
	return model.Message{Role: model.User, Content: "Observation: " + text}
}
