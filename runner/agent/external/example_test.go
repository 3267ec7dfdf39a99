package external_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/agent/external"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/trace"
)

// An agent behind HTTP is asked for one trace.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"answer": "Canberra"}`)
	}))
	defer server.Close()

	conf := config.New()
	conf.Agent.External = config.External{HTTP: server.URL, Version: "2026-11-22"}
	var a agent.Agent = &external.Agent{Config: conf, Transport: &external.HTTP{URL: server.URL}}
	t := a.Run(context.Background(), agent.Task{
		ID:    trace.ID{Agent: "mine", Query: "q1"},
		Query: datasets.Query{ID: "q1", Text: "What is the capital of Australia?"},
		Emit:  func(int, trace.Body) {},
	})
	fmt.Println(t.Outcome, t.Answer)
	// Output:
	// answered Canberra
}
