package checks

import (
	"encoding/json"
	"testing"

	"gopkg.in/yaml.v3"
)

// A check with tests survives being written and read, with its options.
func TestSuitesAreWrittenAndRead(t *testing.T) {
	for text, want := range map[string]string{
		`{tests: add.py}`: `{"tests":"add.py"}`,
		`{tests: add.js, timeout: 5s, beside: true, weight: 2}`: `{"tests":"add.js","weight":2,"beside":true,"timeout":"5s"}`,
		`{tests: "{}\n", language: javascript}`:                 `{"tests":"{}\n","language":"javascript"}`,
		`{all: [{tests: a.py}, {contains: x}], threshold: 0.5}`: `{"all":[{"tests":"a.py"},{"contains":"x"}],"threshold":0.5}`,
	} {
		var node yaml.Node
		var c, again Check
		if err := yaml.Unmarshal([]byte(text), &node); err != nil {
			t.Fatal(err)
		}
		if err := c.UnmarshalNode(node.Content[0]); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		raw, err := json.Marshal(c)
		if err != nil || string(raw) != want {
			t.Errorf("%s: %s %v, want %s", text, raw, err, want)
		}
		if err := json.Unmarshal(raw, &again); err != nil {
			t.Errorf("%s: %v", raw, err)
		}
		if twice, err := json.Marshal(again); err != nil || string(twice) != want {
			t.Errorf("%s: %s %v", want, twice, err)
		}
	}
	for _, text := range []string{`{tests: ""}`, `{tests: a.py, language: perl}`, `{tests: a.py, serve: true}`,
		`{not_tests: a.py}`, `{contains: x, beside: true}`, `{tests: a.py, timeout: 11m}`} {
		var node yaml.Node
		var c Check
		if err := yaml.Unmarshal([]byte(text), &node); err != nil {
			t.Fatal(err)
		}
		if err := c.UnmarshalNode(node.Content[0]); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}
