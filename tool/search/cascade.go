package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// Name is the cascade's name as a tool.
const Name = "web_search"

// Cascade is the web_search tool: it asks its backends in order until one returns documents. Each remote
// backend gets a share of the remaining time, so that a slow backend does not use up the others' time.
type Cascade struct {
	Backends []Backend
	// Skipped are backends that the configuration lists and that cannot be used.
	Skipped []Skipped
}

// Skipped is a backend that cannot be used, with the reason.
type Skipped struct {
	Backend string `json:"backend"`
	Reason  string `json:"reason"` // such as "SERPER_API_KEY is not set"
}

// Spec describes the tool.
func (c Cascade) Spec() tool.Spec {
	return specOf(Name, "Search for documents.", plainParameters, slices.ContainsFunc(c.Backends, isLocal))
}

// failedBackend is a backend that returned no documents.
type failedBackend struct {
	Backend   string `json:"backend"`
	ErrorKind string `json:"error_kind"` // "empty" if it found no documents
	Detail    string `json:"detail"`

	err error // nil if it found no documents
}

// Call searches. The output's source_used names the backend that returned documents; it is null if there is
// no such backend. With several backends the output also has tried (the backends that were asked before) and
// skipped. The tool fails if all backends failed.
func (c Cascade) Call(ctx context.Context, raw json.RawMessage) (tool.Output, error) {
	in, err := readArguments(raw)
	if err != nil {
		return tool.Output{}, err
	}
	if len(c.Backends) == 1 && len(c.Skipped) == 0 {
		return Tool{Backend: c.Backends[0]}.Call(ctx, raw)
	}
	before := []failedBackend{}
	patience := patienceOf(ctx, c.Backends...)
	for _, b := range c.Backends {
		docs, err := patience.ask(ctx, b, in)
		switch {
		case err != nil:
			kind, _ := kindOf(err)
			before = append(before, failedBackend{b.Name(), kind, brief(err), err})
		case len(docs) == 0:
			before = append(before, failedBackend{b.Name(), empty, "no results", nil})
		default:
			return c.output(b.Name(), before, docs), nil
		}
		if ctx.Err() != nil {
			return tool.Output{}, c.allFailed(before) // ctx ended, so the other backends are not asked
		}
	}
	for _, t := range before {
		if t.err == nil {
			return c.output(nil, before, []trace.Document{}), nil
		}
	}
	return tool.Output{}, c.allFailed(before)
}

func (c Cascade) output(source any, before []failedBackend, docs []trace.Document) tool.Output {
	skipped := c.Skipped
	if skipped == nil {
		skipped = []Skipped{} // not nil, so that it is a list in JSON
	}
	return tool.Output{Object: map[string]any{"source_used": source, "tried": before, "skipped": skipped},
		Documents: docs}
}

// allFailed returns an error that lists every backend with the kind of its failure. The error's kind is
// commonKind.
func (c Cascade) allFailed(all []failedBackend) error {
	wait := time.Duration(0)
	var parts []string
	for _, t := range all {
		if _, after := kindOf(t.err); after > 0 && (wait == 0 || after < wait) {
			wait = after
		}
		parts = append(parts, fmt.Sprintf("%s: %s (%s)", t.Backend, t.ErrorKind, t.Detail))
	}
	for _, s := range c.Skipped {
		parts = append(parts, fmt.Sprintf("%s: skipped (%s)", s.Backend, s.Reason))
	}
	if len(parts) == 0 {
		parts = append(parts, "none is configured")
	}
	text := "no search backend could answer: " + strings.Join(parts, "; ")
	kind := commonKind(all)
	if isAgents(kind) {
		return &tool.RequestError{Kind: kind, Err: errors.New(text + "; change the query")}
	}
	return &tool.BackendError{Kind: kind, Err: errors.New(text), RetryAfter: wait}
}

// commonKind returns the kind of all failures if they have the same kind. If the kinds differ, it returns
// bad_request if all failures are the agent's mistakes, and otherwise upstream.
func commonKind(all []failedBackend) string {
	if len(all) == 0 {
		return upstream
	}
	kind, agents := all[0].ErrorKind, true
	for _, t := range all {
		if t.ErrorKind != kind {
			kind = upstream
		}
		agents = agents && isAgents(t.ErrorKind)
	}
	if agents && kind == upstream {
		return tool.BadRequest
	}
	return kind
}

// brief returns an error on one line, cut to a maximum length.
func brief(err error) string {
	const most = 200
	reason := strings.Join(strings.Fields(err.Error()), " ")
	if len(reason) > most {
		reason = text.Head(reason, most) + "…"
	}
	return reason
}
