// Package summary implements the working memory of a long conversation (memory.summaries): one sentence per tool call,
// which replaces the call's result once the conversation is too long.
package summary

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"strings"

	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/feature"
	"github.com/seed-5817661a/concur/trace"
)

// Version changes with the request for a summary and with how summaries are shown.
const Version = "summary/v2"

// task is the name of the side request, and of the feature.
const task = "summary"

// Bounds of the data of a summary and of the sentence, in bytes.
const (
	maxSummed  = 8 << 10
	maxSummary = 600
)

//go:embed prompts.yaml
var promptFile []byte

var prompt = session.Prompts(promptFile)

// Kind describes the feature. It has no figures; package usage counts its side requests.
var Kind = feature.Kind{Name: task, New: New}

// Feature writes summaries, and shows them in place of results. It is a session.Feature.
type Feature struct {
	K      int  // number of earlier results that are replaced last
	Tokens int  // maximum size of the conversation; a token is counted as four bytes
	Ranked bool // the model chooses the K; else they are chosen by age and by their words
}

// New returns the feature for memory.summaries; nil if it is off or has no effect (config.Configuration.Effective).
func New(c config.Configuration) session.Feature {
	c = c.Effective()
	if c.Memory.Summaries.IsZero() {
		return nil
	}
	return Feature{K: c.Memory.Items(), Tokens: c.Memory.Tokens(), Ranked: c.Memory.Summaries == config.SummariesRanked}
}

// Versions returns the version of the summaries.
func (Feature) Versions() map[string]string { return map[string]string{task: Version} }

// Begin starts without summaries.
func (f Feature) Begin(_ context.Context, s *session.Session) (session.Part, error) {
	w := &working{Feature: f, session: s, replaced: map[int]string{}}
	return session.Part{Name: task, AfterCalls: w.summarise, Shorten: w.shorten}, nil
}

// working is the working memory of one trace.
type working struct {
	Feature
	session  *session.Session
	notes    []note         // in the order of the calls
	replaced map[int]string // what the model reads in place of results, by the index of their messages
	rankings int            // requests for a ranking so far
}

// note is the summary of a call.
type note struct {
	at    int // index of the message with the call's result
	text  string
	shown string // what the model reads in place of the result
}

// summarise requests a sentence on each new observation. If that fails, it uses the beginning of the result.
func (w *working) summarise(ctx context.Context) error {
	s := w.session
	for _, o := range s.Outcomes {
		text, unread, err := session.Ask(ctx, s, session.Aside{
			Task:   fmt.Sprintf("%s#%d", task, len(w.notes)+1),
			Schema: session.TextSchema(task, task),
			Messages: asking.Messages(prompt("write"), s.Task().Seed, asking.Data("question", s.Question(), maxSummed),
				asking.Data("call", o.Call.Name+" "+o.Call.Arguments, maxSummed),
				asking.Data("result", o.Shown, maxSummed)),
		}, session.ReadText(task, math.MaxInt))
		if err != nil {
			return err
		}
		if text == nil {
			s.Guard(task, "fallback", o.Call.ID+": the beginning of the result stands for its summary: "+unread.Error())
			text = &o.Shown
		}
		summary := asking.Cut(strings.Join(strings.Fields(*text), " "), maxSummary)
		w.notes = append(w.notes, note{o.At, summary, fmt.Sprintf(prompt("shown"), s.Mark(summary))})
		s.Emit(trace.Reflection{Task: task, Content: summary})
	}
	return nil
}
