package similarity

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/internal/memo"
	"github.com/seed-5817661a/concur/internal/rank"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/checking"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/model/embed"
)

// Measure decides checks of the kind Similar. It is safe for concurrent use if the Model is.
type Measure struct {
	Model model.Model // follows package embed
	Name  string      // the configured provider:model
	// Cache keeps the cosines of texts that were compared before; nil compares every time.
	Cache *Cache
}

// Cache keeps cosines in memory: equal texts of a query are compared once in a run. The zero value is empty and ready.
// It is safe for concurrent use. Failures of a model are not kept.
type Cache struct {
	compared memo.Once[asking.Digest, comparison]
}

// comparison is the cosine of two texts, or the reason why it is unknown, with what it cost.
type comparison struct {
	cosine  float64
	unknown string
	effort  judge.Effort
}

// Decide compares the text that a check of a query reads with the text of the check. The check holds if the cosine is
// at least its threshold. The score is the cosine, but at least 0. If the model fails, the check is undecided. Decide
// ignores Not, as every checking.Outside. The effort is that of the first comparison of the same texts.
func (m *Measure) Decide(ctx context.Context, c checks.Check, query, text string) (checking.Result, judge.Effort) {
	if strings.TrimSpace(text) == "" { // endpoints refuse empty texts
		return checking.Decided(false, "the text is empty"), judge.Effort{}
	}
	key := asking.DigestOf("similar", m.Name, query, text, c.Text)
	cache := m.Cache
	if cache == nil {
		cache = &Cache{}
	}
	found, err := cache.compared.Get(ctx, key, func() (comparison, bool, error) {
		found := m.compare(ctx, key, query, text, c.Text)
		return found, found.unknown == "", nil
	})
	var r checking.Result
	switch {
	case err != nil: // that of ctx
		r = checking.Undecided("the texts were not compared: %v", err)
	case found.unknown != "":
		r = checking.Undecided("%s", found.unknown)
	default:
		pass, words := found.cosine >= c.Threshold, "at least"
		if !pass {
			words = "below"
		}
		r = checking.Decided(pass, fmt.Sprintf("the cosine is %.4g, %s %g", found.cosine, words, c.Threshold))
		r.Score = math.Min(1, math.Max(0, found.cosine))
	}
	r.Key = hex.EncodeToString(key[:16])
	return r, found.effort
}

// compare asks the model for the vectors of two texts in one request. The request depends on nothing but the query and
// the texts, so a replay finds it whichever trace needs it first.
func (m *Measure) compare(ctx context.Context, key asking.Digest, query, text, wanted string) (out comparison) {
	values, err := json.Marshal([]string{text, wanted})
	if err != nil {
		return comparison{unknown: "the texts cannot be sent: " + err.Error()}
	}
	req := embed.Input{Values: values}.Request()
	req.Identity = model.Identity{Agent: "similar:" + hex.EncodeToString(key[:8]), Query: query, Purpose: model.Judge}
	reply, err := m.Model.Complete(ctx, req)
	out.effort = judge.Effort{Calls: 1, Usage: reply.Usage, Time: reply.Took}
	if err != nil {
		out.unknown = fmt.Sprintf("the model for embeddings %s failed: %v", m.Name, err)
		return out
	}
	vectors, err := embed.Vectors(reply)
	if err == nil && len(vectors) != 2 {
		err = fmt.Errorf("it gave %d vectors for 2 texts", len(vectors))
	}
	if err == nil {
		if out.cosine = rank.Cosine(vectors[0], vectors[1]); math.IsNaN(out.cosine) {
			err = fmt.Errorf("vectors of %d and %d numbers have no cosine", len(vectors[0]), len(vectors[1]))
		}
	}
	if err != nil {
		out.unknown = fmt.Sprintf("the vectors of %s cannot be compared: %v", m.Name, err)
	}
	return out
}
