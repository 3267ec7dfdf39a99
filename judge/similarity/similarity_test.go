package similarity_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/judge/similarity"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/embed"
)

// vectors is a model with a vector for each of some texts.
type vectors struct {
	of map[string][]float32

	mu       sync.Mutex
	requests []model.Identity
}

func (v *vectors) Complete(_ context.Context, req model.Request) (model.Response, error) {
	v.mu.Lock()
	v.requests = append(v.requests, req.Identity)
	v.mu.Unlock()
	if strings.Contains(req.Messages[0].Content, "broken") {
		return model.Response{}, errors.New("status 500")
	}
	var out [][]float32
	for text, vector := range v.of {
		if strings.Contains(req.Messages[0].Content, `"`+text+`",`) {
			out = append([][]float32{vector}, out...)
		}
		if strings.Contains(req.Messages[0].Content, `,"`+text+`"`) {
			out = append(out, vector)
		}
	}
	return embed.Response(out, model.Usage{InputTokens: 7}), nil
}

func check(text string, threshold float64) checks.Check {
	return checks.Check{Kind: checks.Similar, Text: text, Threshold: threshold}
}

func TestDecide(t *testing.T) {
	m := &vectors{of: map[string][]float32{
		"Paris": {3, 4}, "the city": {4, 3}, "away": {-3, -4}, "zero": {0, 0}, "long": {1, 0, 0},
	}}
	measure := &similarity.Measure{Model: m, Name: "mine:vectors", Cache: &similarity.Cache{}}
	for _, c := range []struct {
		text, wanted string
		threshold    float64
		pass         string
		score        float64
		reason       string
	}{
		{"Paris", "the city", 0.9, "true", 0.96, "the cosine is 0.96, at least 0.9"},
		{"Paris", "the city", 0.96, "true", 0.96, "the cosine is 0.96, at least 0.96"},
		{"Paris", "the city", 0.97, "false", 0.96, "the cosine is 0.96, below 0.97"},
		{"Paris", "away", 0.1, "false", 0, "the cosine is -1, below 0.1"},
		{"Paris", "zero", 0.1, "open", 0, "vectors of 2 and 2 numbers have no cosine"},
		{"Paris", "long", 0.1, "open", 0, "vectors of 2 and 3 numbers have no cosine"},
		{"Paris", "unknown", 0.1, "open", 0, "it gave 1 vectors for 2 texts"},
		{"broken", "Paris", 0.1, "open", 0, "the model for embeddings mine:vectors failed: status 500"},
		{" \n", "Paris", 0.1, "false", 0, "the text is empty"},
	} {
		r, effort := measure.Decide(t.Context(), check(c.wanted, c.threshold), "q", c.text)
		pass := "open"
		if r.Pass != nil {
			pass = fmt.Sprint(*r.Pass)
		}
		if pass != c.pass || fmt.Sprintf("%.4g", r.Score) != fmt.Sprintf("%.4g", c.score) || !strings.HasSuffix(r.Reason, c.reason) {
			t.Errorf("%+v: %s, %+v", c, pass, r)
		}
		if blank := strings.TrimSpace(c.text) == ""; blank != (r.Key == "") || blank != (effort.Calls == 0) {
			t.Errorf("%+v: key %q, %+v", c, r.Key, effort)
		}
	}
}

// TestComparedOnce: equal texts of a query are compared once, at whatever threshold; a failure is not kept.
func TestComparedOnce(t *testing.T) {
	m := &vectors{of: map[string][]float32{"a": {1, 0}, "b": {1, 1}}}
	measure := &similarity.Measure{Model: m, Name: "mine:vectors", Cache: &similarity.Cache{}}
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			_, effort := measure.Decide(t.Context(), check("b", float64(i+1)/20), "q", "a")
			if effort.Calls != 1 || effort.Usage.InputTokens != 7 {
				t.Errorf("the effort is %+v", effort)
			}
		})
	}
	all.Wait()
	measure.Decide(t.Context(), check("b", 0.5), "other", "a")
	for range 2 {
		measure.Decide(t.Context(), check("b", 0.5), "q", "broken")
	}
	if len(m.requests) != 4 {
		t.Errorf("asked %d times, not 4: %v", len(m.requests), m.requests)
	}
	slices.SortFunc(m.requests, func(a, b model.Identity) int { return strings.Compare(a.Agent+a.Query, b.Agent+b.Query) })
	for _, id := range m.requests {
		if id.Purpose != model.Judge || id.Trace != 0 || !strings.HasPrefix(id.Agent, "similar:") {
			t.Errorf("a replay cannot find %+v", id)
		}
	}
}

func ExampleMeasure() {
	m := &vectors{of: map[string][]float32{"It is Paris.": {3, 4}, "Paris": {4, 3}}}
	measure := &similarity.Measure{Model: m, Name: "mine:vectors"}
	r, _ := measure.Decide(context.Background(), check("Paris", 0.9), "capital", "It is Paris.")
	fmt.Println(*r.Pass, r.Reason)
	// Output: true the cosine is 0.96, at least 0.9
}
