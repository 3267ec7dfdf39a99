package result

import (
	"cmp"
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/runner/store"
)

// Reading says how many answers were read from final messages, and how.
type Reading struct {
	Unread  int    `json:"unread"`  // traces with a message but without an answer of the gold's type
	Example string `json:"example"` // the first query, by id, with an unread trace; "" if all were read
	// RightAs lists answer types by which wrong answers would equal their gold. The type with the most traces
	// is first.
	RightAs []OtherType `json:"right_as"`
	// Extraction describes the work of the extractor; nil if no model was asked.
	Extraction *Extraction `json:"extraction"`
}

// OtherType is an answer type by which wrong traces would be right.
type OtherType struct {
	Type    string `json:"type"`
	Traces  int    `json:"traces"`
	Example string `json:"example"` // the first query, by id
}

// Extraction sums up the work of a configuration's extractor.
type Extraction struct {
	Model    string `json:"model"`
	Messages int    `json:"messages"` // messages given to the extractor, one per trace
	Read     int    `json:"read"`
	Refused  int    `json:"refused"` // replies whose text is not an answer in the message
	Errors   int    `json:"errors"`  // messages for which its model failed
	Unread   Unread `json:"unread"`  // replies that could not be parsed
	// Missed lists the canaries that the model read wrong. If there are any, the model was asked about no
	// message. It is nil if there were no canaries.
	Canaries int      `json:"canaries"`
	Missed   []string `json:"missed"`
	// Tokenless is true if the model does not repeat the token of a request. It was then asked without a token.
	Tokenless bool `json:"tokenless,omitempty"`
}

// readings collects the counts for Reading.
type readings struct {
	Reading
	rightAs map[string]OtherType
	unread  unread // replies of the extractor
}

func (t *readings) add(r store.Record) {
	first := func(a string) string {
		if a == "" {
			return r.Query
		}
		return min(a, r.Query)
	}
	for _, a := range r.Answers {
		if a.Unread {
			t.Unread++
			t.Example = first(t.Example)
		}
		if as := string(a.RightAs); as != "" {
			if t.rightAs == nil {
				t.rightAs = map[string]OtherType{}
			}
			was := t.rightAs[as]
			t.rightAs[as] = OtherType{as, was.Traces + 1, first(was.Example)}
		}
	}
	x := r.Extraction
	if x == nil {
		return
	}
	if t.Extraction == nil {
		t.Extraction = &Extraction{Model: x.Model, Missed: []string{}}
	}
	sum := t.Extraction
	sum.Messages += x.Messages
	sum.Read += x.Read
	sum.Refused += x.Refused
	sum.Errors += x.Errors
	if x.Canaries != nil {
		sum.Canaries, sum.Missed, sum.Tokenless = x.Canaries.Count, x.Canaries.Missed, x.Canaries.Tokenless
	}
	t.unread.replies += x.Effort.Unread
	t.unread.of += x.Calls - x.Errors
	t.unread.tokens += x.UnreadTokens
}

func (t *readings) merge(o readings) {
	first := func(a, b string) string {
		if a == "" || b != "" && b < a {
			return b
		}
		return a
	}
	t.Unread += o.Unread
	t.Example = first(t.Example, o.Example)
	for as, more := range o.rightAs {
		if t.rightAs == nil {
			t.rightAs = map[string]OtherType{}
		}
		was := t.rightAs[as]
		t.rightAs[as] = OtherType{as, was.Traces + more.Traces, first(was.Example, more.Example)}
	}
	t.unread.merge(o.unread)
	switch sum := t.Extraction; {
	case o.Extraction == nil:
	case sum == nil:
		t.Extraction = o.Extraction
	default:
		x := o.Extraction
		sum.Messages += x.Messages
		sum.Read += x.Read
		sum.Refused += x.Refused
		sum.Errors += x.Errors
		if x.Canaries > 0 {
			sum.Canaries, sum.Missed, sum.Tokenless = x.Canaries, x.Missed, x.Tokenless
		}
	}
}

// figures returns the Reading. It returns nil if the rules read every answer, and no other type would make more
// answers right.
func (t *readings) figures(usage store.Usage) *Reading {
	if t.Unread == 0 && len(t.rightAs) == 0 && t.Extraction == nil {
		return nil
	}
	out := t.Reading
	out.RightAs = slices.SortedFunc(maps.Values(t.rightAs), func(a, b OtherType) int {
		return cmp.Or(cmp.Compare(b.Traces, a.Traces), cmp.Compare(a.Type, b.Type))
	})
	if out.RightAs == nil {
		out.RightAs = []OtherType{}
	}
	if x := out.Extraction; x != nil {
		x.Unread = t.unread.figures(usage)
	}
	return &out
}
