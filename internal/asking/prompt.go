package asking

import (
	"encoding/json"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/runner/model"
)

// Prompt is a task for a model and the schema of its reply.
type Prompt struct {
	Task   string `yaml:"task"`
	Schema string `yaml:"schema"` // JSON, which requires every field, as strict schemas do
}

// Prompts reads a file that is a part of the program: prompts by the names of their schemas.
func Prompts(file []byte) (out map[string]Prompt) {
	if err := strictyaml.Decode("prompts.yaml", file, &out); err != nil {
		panic(err)
	}
	return out
}

// Response is the schema of a request, under its name.
func (p Prompt) Response(name string) *model.ResponseSchema {
	return &model.ResponseSchema{Name: name, Schema: json.RawMessage(p.Schema)}
}
