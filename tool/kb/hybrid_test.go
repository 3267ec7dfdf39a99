package kb_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/internal/rank"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/kb"
)

// meanings is an embedder: texts that contain one of the words of a group point in one direction.
type meanings struct {
	groups [][]string
	err    error
}

func (m *meanings) Embed(_ context.Context, texts []string) ([][]float32, error) {
	if m.err != nil {
		return nil, m.err
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = make([]float32, len(m.groups)+1)
		out[i][len(m.groups)] = 0.1
		for g, words := range m.groups {
			for _, word := range words {
				if strings.Contains(strings.ToLower(text), word) {
					out[i][g] = 1
				}
			}
		}
	}
	return out, nil
}

func shopMeanings() *meanings {
	return &meanings{groups: [][]string{{"returned", "give back"}, {"shipped", "delivery"}, {"open", "closing time"}}}
}

// openWith opens a knowledge base with vectors.
func openWith(t testing.TB, settings string, embedder rank.Embedder, cache string) (tool.Tool, string, error) {
	t.Helper()
	d, err := declare(settings)
	if err != nil {
		t.Fatal(err)
	}
	return d.(kb.Declared).With(kb.Sources{Embedder: embedder, Version: "v1", Cache: cache}).Open(t.Context())
}

// find returns sources and scores of a search, as "a.md 0.50, b.md 0.25".
func find(t testing.TB, base tool.Tool, query string) string {
	t.Helper()
	arguments, _ := json.Marshal(map[string]string{"query": query})
	out, err := base.Call(t.Context(), arguments)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, d := range out.Documents {
		found = append(found, fmt.Sprintf("%s %.2f", d.Source, d.Score))
	}
	return strings.Join(found, ", ")
}

// A score is the mean of words and meaning with the weight of the settings, and the threshold applies to it.
func TestHybrid(t *testing.T) {
	dir := shop(t)
	for _, c := range []struct{ settings, query, want string }{
		{"", "give back a thing", "returns.md 0.50"},                                    // no word in common
		{"", "closing time", "hours.md 0.50"},                                           // no word in common
		{"keywords_similarity_weight: 0", "closing time", "hours.md 1.00"},              // meaning alone
		{"keywords_similarity_weight: 1", "closing time", ""},                           // words alone
		{"keywords_similarity_weight: 1", "goods returned", "returns.md 1.00"},          // words alone
		{"keywords_similarity_weight: 0.75", "closing time", "hours.md 0.25"},           // the threshold is 0.2
		{"keywords_similarity_weight: 0.9", "closing time", ""},                         // 0.1 is below it
		{"similarity_threshold: 0.6", "closing time", ""},                               //
		{"", "goods returned", "returns.md 1.00"},                                       // both agree
		{"similarity_threshold: 0\ntop_n: 1", "goods returned, delivery", "returns.md"}, // both have a meaning
		{"similarity_threshold: 0\nkeywords_similarity_weight: 0", "xyz", "hours.md"},   // equal vectors, in order
		{"similarity_threshold: 0\ntop_n: 2\nkeywords_similarity_weight: 0", "open", "hours.md 1.00, returns.md 0.01"},
	} {
		base, _, err := openWith(t, "folder: "+dir+"\nembeddings: any:model\n"+c.settings, shopMeanings(), "")
		if err != nil {
			t.Fatal(err)
		}
		got := find(t, base, c.query)
		if exact := strings.Contains(c.want, "."+"0") || strings.Contains(c.want, "0.") || c.want == ""; exact && got != c.want ||
			!exact && !strings.HasPrefix(got, c.want) {
			t.Errorf("%s, %q: %q, want %q", c.settings, c.query, got, c.want)
		}
	}
}

// The digest names the vectors' version; without embeddings the words alone decide.
func TestDigestOfVectors(t *testing.T) {
	dir := shop(t)
	_, words := open(t, "folder: "+dir)
	_, both, err := openWith(t, "folder: "+dir+"\nembeddings: any:model", shopMeanings(), "")
	if err != nil || both == words || !strings.HasPrefix(both, words) {
		t.Errorf("%q and %q, %v", words, both, err)
	}
}

// The failure of the endpoint is the backend's, with a kind; when the base is opened, it is an error.
func TestFailureOfTheEndpoint(t *testing.T) {
	embedder := shopMeanings()
	base, _, err := openWith(t, "folder: "+shop(t)+"\nembeddings: any:model", embedder, "")
	if err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[model.ErrorKind]string{
		model.ErrAuth: "auth", model.ErrQuota: "quota", model.ErrRateLimited: "rate_limited", model.ErrTimeout: "timeout",
		model.ErrMalformed: "malformed", model.ErrUnavailable: "upstream", model.ErrContextOverflow: "upstream",
	} {
		embedder.err = &model.Error{Kind: kind, Model: "any:model", Err: errors.New("no"), RetryAfter: time.Minute}
		_, err := base.Call(t.Context(), json.RawMessage(`{"query": "goods"}`))
		if e, is := errors.AsType[*tool.BackendError](err); !is || e.Kind != want || e.RetryAfter != time.Minute {
			t.Errorf("%s: %v, want %s", kind, err, want)
		}
	}
	if _, _, err := openWith(t, "folder: "+shop(t)+"\nembeddings: any:model", embedder, ""); err == nil || !strings.Contains(err.Error(), "embed 3 passages") {
		t.Errorf("opened: %v", err)
	}
}

// Vectors of broken lengths give no score of their own, and never a NaN.
func TestStrangeVectors(t *testing.T) {
	for name, vectors := range map[string]embedding{
		"zero":    func(string) []float32 { return []float32{0, 0} },
		"lengths": func(s string) []float32 { return make([]float32, len(s)%3+1) },
		"huge":    func(string) []float32 { return []float32{math.MaxFloat32, math.MaxFloat32} },
		"nan":     func(string) []float32 { return []float32{float32(math.NaN()), 1} },
		"inf":     func(string) []float32 { return []float32{float32(math.Inf(1)), 1} },
	} {
		base, _, err := openWith(t, "folder: "+shop(t)+"\nembeddings: any:model\nsimilarity_threshold: 0", vectors, "")
		if err != nil {
			t.Fatal(err)
		}
		out, err := base.Call(t.Context(), json.RawMessage(`{"query": "goods returned"}`))
		if err != nil || len(out.Documents) == 0 || out.Documents[0].Source != "returns.md" {
			t.Errorf("%s: %+v, %v", name, out.Documents, err)
		}
		for _, d := range out.Documents {
			if !(d.Score >= 0 && d.Score <= 1) {
				t.Errorf("%s: score %v", name, d.Score)
			}
		}
	}
}

type embedding func(string) []float32

func (e embedding) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = e(text)
	}
	return out, nil
}
