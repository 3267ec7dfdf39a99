package external

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/process"
)

// messageNames are other names of the message in replies of frameworks. renamedReplyOf tries them in this
// order. They are used only in an object that has no field of the contract.
var messageNames = []string{"response", "output", "result", "text", "content"}

// readReply finds the reply in the output of an agent. The reply is the whole output, or its last line that is
// a reply. ignored is the number of the other lines that are not empty. unreadable explains why an output has no
// reply.
func (b bounds) readReply(output []byte, unreadable func([]byte) error) (r Reply, ignored int, err error) {
	if r, ignored, found, err := lastReply(output, b.replyOf); found {
		return r, ignored, err
	}
	r, ignored, found, err := lastReply(output, b.renamedReplyOf)
	if !found {
		return Reply{}, ignored, unreadable(output)
	}
	return r, ignored, err
}

// lastReply returns the reply in the whole output. If the whole output is not a reply, it returns the last line
// that read accepts.
func lastReply(output []byte, read func([]byte) (Reply, bool, error)) (r Reply, ignored int, found bool, err error) {
	whole := uncoloured(output)
	if r, ok, err := read(whole); ok {
		return r, 0, true, err
	}
	for more := true; more; {
		at := bytes.LastIndexAny(whole, "\r\n") // a progress bar ends its lines with a carriage return
		line := bytes.TrimSpace(whole[at+1:])
		if more = at >= 0; more {
			whole = whole[:at]
		}
		if len(line) == 0 {
			continue
		}
		if !found {
			if r, found, err = read(line); found {
				continue
			}
		}
		ignored++
	}
	return r, ignored, found, err
}

// pythonDict matches an output whose last line is a Python dict that has a field of a reply.
var pythonDict = lazy.Compile(`(?:^|\n)\{.*'(?:answer|message|outcome|error)': .*\}$`)

// replyWords are the words for replies in errors: how their kind of agent is addressed.
type replyWords struct {
	reply, output string // subjects of a sentence
	send          string // a verb
}

// noReply explains why an output that is not empty has no reply. It names the fields of the output's last object, or
// quotes the output's end. Of the words, reply names an object and output a text.
func noReply(output []byte, w replyWords) error {
	whole := bytes.TrimSpace(output)
	for _, candidate := range [][]byte{whole, whole[bytes.LastIndexByte(whole, '\n')+1:]} {
		names, is := namesOf(candidate)
		if !is {
			continue
		}
		slices.Sort(names)
		for i, name := range names {
			names[i] = fmt.Sprintf("%.40q", name)
		}
		return fmt.Errorf("%s has %s, and no answer, message, outcome or error: %s "+
			"{\"message\": \"…\"}", w.reply, listed(names), w.send)
	}
	if pythonDict.Match(whole) {
		return fmt.Errorf("%s ends in %q, which has Python's quotes: %s json.dumps(reply) instead "+
			"of the dict", w.output, process.LastBytes(whole, 60), w.send)
	}
	return fmt.Errorf("%s has no JSON object with answer, message, outcome or error; it ends in %q: "+
		"%s one, or set agent.output: text", w.output, process.LastBytes(whole, 200), w.send)
}

// namesOf returns the names of an object's fields, up to a thousand.
func namesOf(raw []byte) (names []string, is bool) {
	if !json.Valid(raw) {
		return nil, false
	}
	in := json.NewDecoder(bytes.NewReader(raw))
	if open, err := in.Token(); err != nil || open != json.Delim('{') {
		return nil, false
	}
	for in.More() && len(names) < 1000 {
		name, err := in.Token()
		if err == nil {
			err = in.Decode(new(skipped))
		}
		text, isText := name.(string)
		if err != nil || !isText {
			break
		}
		if !slices.Contains(names, text) {
			names = append(names, text)
		}
	}
	return names, true
}

// listed joins up to ten names.
func listed(names []string) string {
	if len(names) == 0 {
		return "no field"
	}
	if more := len(names) - 10; more > 0 {
		return strings.Join(names[:10], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}

// replyOf reads one JSON object as a reply. ok is false if raw is not an object, or has no field of a reply.
func (b bounds) replyOf(raw []byte) (r Reply, ok bool, err error) {
	raw = withoutNaN(raw)
	var part struct{ Answer, Message, Outcome, Error presence }
	if json.Unmarshal(raw, &part) != nil || !part.Answer && !part.Message && !part.Outcome && !part.Error {
		return r, false, nil
	}
	if r, err = b.decode(raw); err != nil {
		if rest, left := withoutOdd(raw); len(left) > 0 {
			if again, err := b.decode(rest); err == nil {
				again.left = left
				return again, true, nil
			}
		}
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			err = fmt.Errorf("%s is a %s: see docs/agent-protocol.schema.json for its type",
				wrong.Field, wrong.Value)
		}
		return r, true, fmt.Errorf("the reply does not follow the contract: %w", err)
	}
	return r, true, nil
}

// presence reports whether a field is present, with any value.
type presence bool

func (p *presence) UnmarshalJSON([]byte) error {
	*p = true
	return nil
}

// decode decodes a reply within the bounds.
func (b bounds) decode(raw []byte) (Reply, error) {
	var x struct {
		Reply
		Steps    json.RawMessage `json:"steps"`
		Evidence json.RawMessage `json:"evidence"`
	}
	if err := json.Unmarshal(raw, &x); err != nil {
		return x.Reply, err
	}
	r := x.Reply
	var documents int
	var err error
	if r.Steps, r.stepped, err = boundedList[ReplyStep](x.Steps, b.steps); err != nil {
		return r, within("steps", err)
	}
	if r.Evidence, documents, err = boundedList[ReplyDocument](x.Evidence, b.documents); err != nil {
		return r, within("evidence", err)
	}
	r.cut = b.within(&r, r.stepped, documents)
	return r, nil
}

// within adds to an error the name of the field that has the wrong type.
func within(field string, err error) error {
	if wrong, is := errors.AsType[*json.UnmarshalTypeError](err); is {
		wrong.Field = strings.TrimSuffix(field+"."+wrong.Field, ".")
	}
	return err
}

// renamedReplyOf reads an object that has no field of the contract, and whose message has another name.
func (b bounds) renamedReplyOf(raw []byte) (r Reply, ok bool, err error) {
	var object struct{ Response, Output, Result, Text, Content json.RawMessage }
	if json.Unmarshal(raw, &object) != nil {
		return r, false, nil
	}
	for i, value := range []json.RawMessage{object.Response, object.Output, object.Result, object.Text,
		object.Content} {
		var message answerText
		if value == nil || json.Unmarshal(value, &message) != nil || !message.given {
			continue
		}
		if r, err = b.decode(raw); err != nil {
			return r, true, fmt.Errorf("the reply does not follow the contract: %w", err)
		}
		r.Message, r.field = message.text, messageNames[i]
		r.cut = append(r.cut, b.within(&r, len(r.Steps), len(r.Evidence))...)
		return r, true, nil
	}
	return r, false, nil
}
