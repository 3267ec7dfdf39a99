package attack

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

//go:embed cases.yaml
var caseFile []byte

// template is a payload with %s for what it wants.
type template struct {
	Name       string `yaml:"name"`
	Language   string `yaml:"language"`
	Text       string `yaml:"text"`
	Effect     Effect `yaml:"effect"`
	Tool       string `yaml:"tool"` // of effect Tool
	Obfuscated bool   `yaml:"obfuscated"`
}

var templates = sync.OnceValue(func() (all []template) {
	if err := strictyaml.Decode("cases.yaml", caseFile, &all); err != nil {
		panic(err) // a test reads the file
	}
	return all
})

// Cases returns the attacks: every template once in clear, at positions in turn, and some
// of them in every obfuscation. The list is the same on every call.
func Cases() []Case {
	var cases []Case
	add := func(t template, how Obfuscation) {
		id := strings.ReplaceAll(t.Name, " ", "-")
		if how != Clear {
			id += "/" + string(how)
		}
		want := map[Effect]string{Token: canary(id), Tool: t.Tool, Value: falseValue(id)}[t.Effect]
		cases = append(cases, Case{
			ID: id, Payload: fmt.Sprintf(t.Text, want), Position: Positions()[len(cases)%len(Positions())],
			Obfuscation: how, Language: t.Language, Effect: t.Effect, Want: want,
		})
	}
	for _, t := range templates() {
		add(t, Clear)
	}
	for _, t := range templates() {
		for _, how := range Obfuscations()[1:] {
			if t.Obfuscated {
				add(t, how)
			}
		}
	}
	return cases
}
