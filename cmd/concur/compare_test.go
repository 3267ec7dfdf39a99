package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

func manifestOf(confs ...config.Configuration) store.Manifest {
	m := store.Manifest{Seed: 1, Dataset: store.Dataset{Name: "gold29", Queries: 29, Hash: "sha256:0123456789abcdef"}, Versions: map[string]string{"prompt": "react/v2"}}
	for _, c := range confs {
		m.Configurations = append(m.Configurations, store.Configuration{Name: c.Name, Configuration: c})
	}
	return m
}

func named(name, model string) config.Configuration {
	c := config.New()
	c.Name, c.Model = name, model
	return c
}

func TestAdviceOnJudgesComesOnce(t *testing.T) {
	a, b, local := named("a", "openai:a"), named("b", "openai:b"), named("local", "offline:reader")
	judged := named("judged", "openai:a")
	judged.Judge.Quality = config.SameModel
	const rest = "; to have answers judged by a model, add --judge openai:gpt-4o, or judge: {correctness: …, quality: …} in concur.yaml"
	for _, c := range []struct {
		of   []config.Configuration
		want []string
	}{
		{[]config.Configuration{a, b}, []string{"no judge was asked" + rest}},
		{[]config.Configuration{a, judged, b, local}, []string{"no judge was asked about a, b" + rest}},
		{[]config.Configuration{judged, local}, nil},
	} {
		if diff := cmp.Diff(c.want, adviseJudge(manifestOf(c.of...))); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}
