package external_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/runner/agent/external"
	"github.com/seed-5817661a/concur/runner/config"
)

// TestRequestFollowsTheSchema compares requests with docs/agent-protocol.schema.json.
func TestRequestFollowsTheSchema(t *testing.T) {
	raw, err := os.ReadFile("../../../docs/agent-protocol.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("protocol.json", doc); err != nil {
		t.Fatal(err)
	}
	schema := compiler.MustCompile("protocol.json#/$defs/request")
	var sent [][]byte
	keep := keeper(func(r external.Request) {
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		sent = append(sent, line)
	})
	var r recorder
	conf := configuration(func(e *config.External) { e.Parts, e.Off = []string{"memory"}, []string{"memory"} })
	for _, proxy := range []*external.Proxy{nil, openProxy(t)} {
		a := &external.Agent{Config: conf, Transport: keep, Proxy: proxy}
		asked := task("Which?", answer.Text, nil, &r)
		asked.Query.History = []datasets.Turn{{Role: "user", Content: "How many?"}, {Role: "assistant", Content: "Two."}}
		a.Run(t.Context(), asked)
	}
	if len(sent) != 2 {
		t.Fatalf("%d requests", len(sent))
	}
	for _, line := range sent {
		if !bytes.Contains(line, []byte(`"history":[{"role":"user","content":"How many?"},{"role":"assistant","content":"Two."}]`)) {
			t.Errorf("%s: no history", line)
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// keeper is a transport that keeps requests and answers them.
type keeper func(external.Request)

func (k keeper) Send(_ context.Context, r external.Request) ([]byte, error) {
	k(r)
	return []byte(`{"answer": "x"}`), nil
}
func (keeper) Close() error { return nil }
func (keeper) Kill()        {}
