package external

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/config"
)

// bounds limits the parts of a reply that are kept, so that a reply without end fills neither the memory nor
// the disk. The rest is cut off, and a guard event of the trace reports it.
type bounds struct {
	steps, documents int
	text, total      int // bytes of one text, and of all texts
}

func boundsOf(l config.ReplyLimits) bounds {
	return bounds{
		steps: cmp.Or(l.Steps, config.DefaultReplySteps), documents: cmp.Or(l.Documents, config.DefaultReplyDocuments),
		text:  cmp.Or(l.TextKB, config.DefaultReplyTextKB) << 10,
		total: cmp.Or(l.TotalKB, config.DefaultReplyTotalKB) << 10,
	}
}

// boundedList decodes a JSON list, but only its first items, at most most. It counts all items. Null is an
// empty list.
func boundedList[T any](raw json.RawMessage, most int) (list []T, all int, err error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return nil, 0, nil
	}
	if raw[0] != '[' {
		return nil, 0, json.Unmarshal(raw, &list)
	}
	in := json.NewDecoder(bytes.NewReader(raw))
	if _, err := in.Token(); err != nil {
		return nil, 0, err
	}
	for ; in.More(); all++ {
		if all >= most {
			if err := in.Decode(new(skipped)); err != nil {
				return nil, 0, err
			}
			continue
		}
		var item T
		if err := in.Decode(&item); err != nil {
			return nil, 0, err
		}
		list = append(list, item)
	}
	return list, all, nil
}

// skipped accepts any JSON value and discards it.
type skipped struct{}

func (*skipped) UnmarshalJSON([]byte) error { return nil }

// boundedReply is a reply within bounds, with a count of the removed parts.
type boundedReply struct {
	bounds
	left  int // bytes of text that may still be kept
	texts int // number of texts that were cut
	notes []string
}

// within cuts a reply to the bounds, and lists the parts that it removed. steps and documents are their numbers
// in the original reply.
func (b bounds) within(r *Reply, steps, documents int) []string {
	c := &boundedReply{bounds: b, left: b.total}
	r.Message, r.Error, r.Answer.text = c.one(r.Message), c.one(r.Error), c.one(r.Answer.text)
	kept := len(r.Steps)
	for i := range r.Steps {
		if c.left <= 0 {
			kept = i
			break
		}
		s := &r.Steps[i]
		s.Thought, s.Observation = c.one(s.Thought), c.json(s.Observation)
		if s.Action != nil {
			s.Action.Name, s.Action.Input = c.one(s.Action.Name), c.json(s.Action.Input)
		}
	}
	r.Steps = r.Steps[:kept:kept]
	found := len(r.Evidence)
	for i := range r.Evidence {
		if c.left <= 0 {
			found = i
			break
		}
		d := &r.Evidence[i]
		for _, t := range []*string{&d.ID, &d.Title, &d.URL, &d.Source, &d.Text, &d.Snippet} {
			*t = c.one(*t)
		}
	}
	r.Evidence = r.Evidence[:found:found]
	c.list("step", kept, steps, b.steps, "steps")
	c.list("document", found, documents, b.documents, "documents")
	if c.texts > 0 {
		c.notes = append(c.notes, fmt.Sprintf("%s cut to %d KiB (agent.reply.text_kb)",
			text.Counted(c.texts, "text"), b.text>>10))
	}
	return c.notes
}

// list adds a note if the reply had more elements of a list than were kept. There are two causes. If kept equals
// most, the limit on the number of elements was reached; key is the setting of this limit. Otherwise the limit on
// the size of all texts was reached.
func (c *boundedReply) list(what string, kept, had, most int, key string) {
	switch {
	case kept == had:
	case kept == most:
		c.notes = append(c.notes, fmt.Sprintf("kept the first %d of %s (agent.reply.%s)", kept,
			text.Counted(had, what), key))
	default:
		c.notes = append(c.notes, fmt.Sprintf("kept the first %d of %s: texts of %d KiB (agent.reply.total_kb)",
			kept, text.Counted(had, what), c.total>>10))
	}
}

// one shortens a long text to its beginning and its end. It keeps the end, because an answer is often there.
func (c *boundedReply) one(s string) string {
	most := min(c.text, max(0, c.left))
	if len(s) > most {
		c.texts++
		head, tail := most/4*3, most/4
		for head > 0 && !utf8.RuneStart(s[head]) {
			head--
		}
		at := len(s) - tail
		for at < len(s) && !utf8.RuneStart(s[at]) {
			at++
		}
		s = s[:head] + fmt.Sprintf("\n[%d bytes left out]\n", at-head) + s[at:]
	}
	c.left -= len(s)
	return s
}

// json returns a JSON value. If the value is too long, it returns its beginning and its end as a text.
func (c *boundedReply) json(raw json.RawMessage) json.RawMessage {
	if len(raw) <= c.text && len(raw) <= c.left {
		c.left -= len(raw)
		return raw
	}
	short, _ := json.Marshal(c.one(string(raw))) // texts always encode
	return short
}

func orNull(raw []byte) []byte {
	if len(raw) == 0 {
		return []byte("null")
	}
	return raw
}
