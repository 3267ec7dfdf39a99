package session

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
)

// BenchmarkPrompt builds the system prompt of an agent with 500 tools of ten arguments each, as with some MCP
// servers.
func BenchmarkPrompt(b *testing.B) {
	schema := `{"additionalProperties":false,"type":"object","properties":{`
	for i := range 10 {
		schema += fmt.Sprintf(`"argument%d":{"type":"string","description":"what it is for"},`, i)
	}
	schema = schema[:len(schema)-1] + `}}`
	tools := make([]tool.Spec, 500)
	for i := range tools {
		s := model.ToolSpec{Name: fmt.Sprintf("server__tool%d", i), Description: "Does something.", Parameters: []byte(schema)}
		line, err := json.Marshal(s) // as a registry does
		if err != nil {
			b.Fatal(err)
		}
		tools[i] = tool.Spec{ToolSpec: s, Line: string(line)}
	}
	for name, p := range map[string]Protocol{"native": {}, "text": {text: true}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				LoopPrompt(p, tools, "")
			}
		})
	}
}
