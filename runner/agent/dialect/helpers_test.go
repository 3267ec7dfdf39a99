package dialect_test

import (
	"encoding/json"

	"github.com/seed-5817661a/concur/model"
)

// spec returns a tool with parameters given as "name:type"; the first ones are required.
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

// offered returns the tools of most tests: with one text, a text with options, several required values, no
// parameters, lists and objects.
func offered() []model.ToolSpec {
	return []model.ToolSpec{
		spec("echo", 0, `text:"string"`),
		spec("corpus_search", 1, `query:"string"`, `top_k:"integer"`, `exact:"boolean"`),
		spec("calc", 1, `expression:"string"`),
		spec("get_date", 0),
		// The required parameters have another order than the properties.
		{Name: "convert", Parameters: json.RawMessage(`{"type":"object","properties":{"rounding":{"type":"integer"},"to":{"type":"string"},"amount":{"type":"number"}},"required":["amount","to"]}`)},
		spec("tag", 1, `names:"array"`, `how:"object"`),
		spec("note", 1, `body:["null","string"]`, `rank:["integer","string"]`, "any"),
		spec("Lookup", 1, `keyword:"string"`),
	}
}
