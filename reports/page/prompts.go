package page

import (
	"slices"

	"github.com/seed-5817661a/concur/runner/model"
)

// prompt is the text before every question, with the configurations that use it.
type prompt struct {
	Of   []string
	Text string
}

// prompts reads the system prompts of all agents. It reads no further than it must.
func (p Page) prompts(rows []row) ([]prompt, error) {
	var out []prompt
	for i, run := range p.Runs {
		of := map[string][]string{} // the names of configurations by agent, as long as no prompt was found
		for _, r := range rows {
			if r.run == i {
				of[r.Agent] = append(of[r.Agent], r.Name)
			}
		}
		for x, err := range run.Exchanges() {
			if err != nil {
				return nil, err
			}
			names := of[x.Agent]
			if names == nil || x.Purpose != model.Agent || len(x.Messages) == 0 || x.Messages[0].Role != model.System {
				continue
			}
			delete(of, x.Agent)
			text := cut(x.Messages[0].Content)
			at := slices.IndexFunc(out, func(p prompt) bool { return p.Text == text })
			if at < 0 {
				at = len(out)
				out = append(out, prompt{Text: text})
			}
			out[at].Of = append(out[at].Of, names...)
			if len(of) == 0 {
				break
			}
		}
	}
	return out, nil
}
