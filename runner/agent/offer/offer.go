// Package offer offers an agent with many tools only those whose descriptions fit the question (agent.offer), and
// adds the tool search_tools, which finds the others in the middle of a trace.
package offer

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/rank"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/tool"
)

// Version changes with search_tools, its prompts, and the choice of tools.
const Version = "offer/v1"

//go:embed prompts.yaml
var promptFile []byte

var prompt = session.Prompts(promptFile)

// maxText limits the text of a tool that is compared with questions, in bytes.
const maxText = 8 << 10

// Feature chooses an agent's tools. It is a session.Chooser.
type Feature struct {
	// Embeddings is the version of the vectors that choose the tools; "" for BM25.
	Embeddings string

	tools  []tool.Spec
	k      int
	finder *rank.Finder
}

// New returns the feature that offers k of the tools; k must be at least 1. Without an embedder it compares
// question and tools by BM25.
func New(ctx context.Context, tools []tool.Spec, k int, embedder rank.Embedder) (Feature, error) {
	f := Feature{tools: tools, k: k}
	if f.offersAll() {
		return f, nil
	}
	texts := make([]string, len(tools))
	for i, t := range tools {
		texts[i] = textOf(t)
	}
	var err error
	if f.finder, err = rank.NewFinder(ctx, texts, embedder); err != nil {
		return f, fmt.Errorf("choose tools by embeddings: %w", err)
	}
	return f, nil
}

// offersAll reports whether the agent has no more tools than it is offered.
func (f Feature) offersAll() bool { return f.k >= len(f.tools) }

// textOf returns the words of a tool: its name, its description, and its arguments with their descriptions.
func textOf(t tool.Spec) string {
	words := []string{strings.ReplaceAll(t.Name, "_", " "), t.Description}
	var schema struct {
		Properties map[string]struct{ Description string }
	}
	if json.Unmarshal(t.Parameters, &schema) == nil { // of an unusual schema, name and description remain
		for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
			words = append(words, strings.ReplaceAll(name, "_", " "), schema.Properties[name].Description)
		}
	}
	return text.Head(strings.Join(words, "\n"), maxText)
}

// Versions returns the version of the choice.
func (f Feature) Versions() map[string]string {
	return map[string]string{Name: strings.TrimSpace(Version + " " + f.Embeddings)}
}

// Choose returns the k tools that fit the question best, in the agent's order; nil if the agent has no more
// tools. If fewer tools fit, the first of the others follow.
func (f Feature) Choose(ctx context.Context, s *session.Session) ([]string, error) {
	if f.offersAll() {
		return nil, nil
	}
	hits, err := f.finder.Find(ctx, s.Question(), f.k, nil)
	if err != nil {
		return nil, fmt.Errorf("choose tools by embeddings: %w", err)
	}
	chosen := make([]bool, len(f.tools))
	for _, h := range hits {
		chosen[h.Document] = true
	}
	more := f.k - len(hits)
	names := make([]string, 0, f.k)
	for i, t := range f.tools {
		if !chosen[i] && more == 0 {
			continue
		}
		if !chosen[i] {
			more--
		}
		names = append(names, t.Name)
	}
	return names, nil
}

// Begin adds search_tools, unless all tools are offered.
func (f Feature) Begin(ctx context.Context, s *session.Session) (session.Part, error) {
	q := &searches{ctx: ctx, session: s, of: f, record: Record{Of: len(f.tools), Offered: []string{}}}
	for _, t := range s.Tools() {
		q.record.Offered = append(q.record.Offered, t.Name)
	}
	part := session.Part{Name: Name, End: q.end}
	if f.offersAll() {
		return part, nil
	}
	var err error
	if q.registry, err = tool.New(q.tool()); err != nil {
		return part, err
	}
	part.Prompt, part.Turns = fmt.Sprintf(prompt("some"), len(q.record.Offered), len(f.tools)), q
	if s.Config().WritesCalls() { // which lists tools in the system prompt
		part.Prompt += "\n\n" + q.registry.Specs()[0].Line
	}
	return part, nil
}
