package dialect_test

import (
	"encoding/json"

	"github.com/seed-5817661a/concur/model"
)

// spec is a tool with parameters as "name:type", the first ones required.
func spec(name string, required int, params ...string) model.ToolSpec {
	properties, list := "", "[]"
	var names []string
	for i, p := range params {
		key, kind := p, ""
		for j := range p {
			if p[j] == ':' {
				key, kind = p[:j], `"type":`+p[j+1:]
			}
		}
		if i > 0 {
			properties += ","
		}
		properties += `"` + key + `":{` + kind + `}`
		names = append(names, key)
	}
	if required > 0 {
		raw, err := json.Marshal(names[:required])
		if err != nil {
			panic(err)
		}
		list = string(raw)
	}
	return model.ToolSpec{Name: name, Parameters: json.RawMessage(
		`{"type":"object","properties":{` + properties + `},"required":` + list + `}`)}
}

// offered are the tools of most tests: one text, a text with options, several required
// values, none, lists and objects.
func offered() []model.ToolSpec {
	return []model.ToolSpec{
		spec("echo", 0, `text:"string"`),
		spec("corpus_search", 1, `query:"string"`, `top_k:"integer"`, `exact:"boolean"`),
		spec("calc", 1, `expression:"string"`),
		spec("get_date", 0),
		// required in another order than the properties
		{Name: "convert", Parameters: json.RawMessage(`{"type":"object","properties":{"rounding":{"type":"integer"},"to":{"type":"string"},"amount":{"type":"number"}},"required":["amount","to"]}`)},
		spec("tag", 1, `names:"array"`, `how:"object"`),
		spec("note", 1, `body:["null","string"]`, `rank:["integer","string"]`, "any"),
		spec("Lookup", 1, `keyword:"string"`),
	}
}
