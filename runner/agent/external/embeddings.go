package external

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/trace"
)

// embedding is a model for embeddings that the agent of one trace calls. Its requests are recorded under the
// name of this model. They are counted separately from requests to the agent's model, because they have another
// price.
type embedding struct {
	*conversation
	spec string
	used *trace.Child // guarded by the conversation's lock
	to   model.Model
}

// embedding returns a model that passes the trace's requests to m, and records and counts them.
func (c *conversation) embedding(spec string, m model.Model) model.Model {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.embeddings[spec]
	if e == nil {
		e = &embedding{conversation: c, spec: spec, used: &trace.Child{Path: config.EmbeddingsPath + spec}, to: m}
		if c.task.Records != nil {
			e.to, _ = c.task.Records(agent.Child{}, spec, m)
		}
		if c.embeddings == nil {
			c.embeddings = map[string]*embedding{}
		}
		c.embeddings[spec] = e
	}
	return e
}

// Complete passes a request of the agent to the model. It names the request by its input. The order of requests
// cannot be used, because agents send them at the same time, and a replay has another order.
func (e *embedding) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	if err := e.start(e.used); err != nil {
		return model.Response{}, refusal(err)
	}
	e.hide(&req)
	name := sha256.New()
	for _, m := range req.Messages {
		name.Write([]byte(m.Content))
	}
	req.Identity = e.identity(0, "embeddings "+hex.EncodeToString(name.Sum(nil)[:8]))
	ctx, done := e.within(ctx)
	defer done()
	resp, err := e.to.Complete(ctx, req)
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.ended {
		e.lastError = err
		e.used.Usage = e.used.Usage.Add(resp.Usage)
	}
	return resp, err
}

// embedded returns the usage of the models for embeddings in the trace, by the names of the models.
func (c *conversation) embedded() (out []trace.Child) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, spec := range slices.Sorted(maps.Keys(c.embeddings)) {
		if used := *c.embeddings[spec].used; used.ModelCalls > 0 {
			out = append(out, used)
		}
	}
	return out
}
