package sent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
)

// renderMessages returns messages as one text. If there is one message, this is its content. Otherwise each
// message follows its role.
func renderMessages(messages []model.Message) string {
	if len(messages) == 1 && messages[0].Role == model.User {
		return messages[0].Content
	}
	var out []string
	for _, m := range messages {
		out = append(out, string(m.Role)+":", m.Content)
		for _, c := range m.ToolCalls {
			out = append(out, fmt.Sprintf("call %s(%s)", c.Name, c.Arguments))
		}
	}
	return strings.Join(out, "\n")
}

// renderTool returns the definition of a tool as lines.
func renderTool(t model.ToolSpec) string {
	out := t.Description + "\nparameters: " + canonical(t.Parameters)
	if t.Strict {
		out += "\nstrict: true"
	}
	return out
}

// renderSchema returns the requested form of a reply as lines.
func renderSchema(s model.ResponseSchema) string {
	out := canonical(s.Schema)
	if s.Description != "" {
		out = s.Description + "\n" + out
	}
	if s.Lax {
		out += "\nlax: true"
	}
	return out
}

// canonical returns JSON in lines, with sorted keys, so that the order of keys is no difference. The elements of
// "required" are sorted, too. A text that is not JSON is returned unchanged.
func canonical(raw json.RawMessage) string {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return string(raw)
	}
	sortRequired(v, 0)
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil { // a decoded value can be encoded
		return string(raw)
	}
	return strings.TrimSpace(out.String())
}

// maxDepth limits the depth of a schema in which "required" is sorted.
const maxDepth = 100

func sortRequired(v any, depth int) {
	if depth > maxDepth {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			sortRequired(e, depth+1)
		}
	case map[string]any:
		for key, e := range v {
			sortRequired(e, depth+1)
			if list, is := e.([]any); is && key == "required" {
				slices.SortStableFunc(list, func(a, b any) int {
					return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
				})
			}
		}
	}
}

// parameters lists the parameters of a request with their values. Parameters that are not sent are left out.
func parameters(s store.RequestSettings) iter.Seq2[string, string] {
	out := map[string]string{}
	if !s.NoTemperature {
		out["temperature"] = strconv.FormatFloat(s.Temperature, 'g', -1, 64)
	}
	if s.MaxTokens != 0 {
		out["max_tokens"] = strconv.Itoa(s.MaxTokens)
	}
	if len(s.Stop) > 0 {
		out["stop"] = encode(s.Stop)
	}
	if s.Choice != "" {
		out["tool_choice"] = string(s.Choice)
	}
	if s.SingleCall {
		out["parallel_tool_calls"] = "false"
	}
	for name, value := range s.Extra {
		var line bytes.Buffer
		out[name] = canonical(value)
		if json.Compact(&line, []byte(out[name])) == nil {
			out[name] = line.String()
		}
	}
	return func(yield func(string, string) bool) {
		for _, name := range slices.Sorted(maps.Keys(out)) {
			if !yield(name, out[name]) {
				return
			}
		}
	}
}

func encode(v any) string {
	raw, err := json.Marshal(v)
	if err != nil { // texts can be encoded
		return fmt.Sprint(v)
	}
	return string(raw)
}
