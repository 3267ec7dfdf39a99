package usefulness_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/ablations/usefulness"
	"github.com/seed-5817661a/concur/trace"
)

func ExampleCallsOf() {
	events := []trace.Event{
		{Body: trace.Action{Name: "calc", Input: []byte(`{"expression":"6*7"}`), CallID: "c1"}},
		{Body: trace.Observation{CallID: "c1", Output: []byte("42"), DurationMS: 3}},
	}
	for _, c := range usefulness.CallsOf(events, nil, func(string) string { return "What is 6 times 7?" }) {
		fmt.Println(c.Tool, c.Input, c.Output, c.Seconds)
	}
	// Output: calc {"expression":"6*7"} 42 0.003
}
