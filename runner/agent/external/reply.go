package external

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/process"
)

// messageNames are names under which agents of other frameworks give their message, in the order in which they are
// looked for. They count only in an object without a field of the contract.
var messageNames = []string{"response", "output", "result", "text", "content"}

// readReply finds the reply in what an agent wrote: the whole output, or its last line that
// is a reply. ignored counts the other lines that are not empty.
func readReply(output []byte) (r Reply, ignored int, err error) {
	if r, ignored, found, err := lastReply(output, replyOf); found {
		return r, ignored, err
	}
	r, ignored, found, err := lastReply(output, renamedReplyOf)
	if !found {
		return Reply{}, ignored, noReply(output)
	}
	return r, ignored, err
}

// lastReply is the reply that the whole output is, or its last line that is one by read.
func lastReply(output []byte, read func([]byte) (Reply, bool, error)) (r Reply, ignored int, found bool, err error) {
	whole := uncoloured(output)
	if r, ok, err := read(whole); ok {
		return r, 0, true, err
	}
	for _, line := range slices.Backward(linesOf(whole)) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
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

// pythonDict is the last line of an output that prints a dict of Python with a part of a reply.
var pythonDict = regexp.MustCompile(`(?:^|\n)\{.*'(?:answer|message|outcome|error)': .*\}$`)

// noReply says why an output has no reply: which fields its last object has, or how it ends.
func noReply(output []byte) error {
	whole := bytes.TrimSpace(output)
	for _, candidate := range [][]byte{whole, whole[bytes.LastIndexByte(whole, '\n')+1:]} {
		var object map[string]json.RawMessage
		if json.Unmarshal(candidate, &object) != nil || object == nil {
			continue
		}
		names := slices.Sorted(maps.Keys(object))
		for i, name := range names {
			names[i] = fmt.Sprintf("%.40q", name)
		}
		return fmt.Errorf("the reply has none of answer, message, outcome and error, but %s: print {\"message\": \"…\"}",
			listed(names))
	}
	if pythonDict.Match(whole) {
		return fmt.Errorf("the output ends in %q, which has Python's quotes: print json.dumps(reply) instead of the dict",
			process.Last(whole, 60))
	}
	return fmt.Errorf("no line of the output is a JSON object with answer, message, outcome or error; it ends in %q: "+
		"print one, or set agent.output: text", process.Last(whole, 200))
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

// replyOf reads one JSON object. ok is false if raw is not an object, or has no part of a reply.
func replyOf(raw []byte) (r Reply, ok bool, err error) {
	raw = withoutNaN(raw)
	var part struct{ Answer, Message, Outcome, Error json.RawMessage }
	if json.Unmarshal(raw, &part) != nil || part.Answer == nil && part.Message == nil && part.Outcome == nil && part.Error == nil {
		return r, false, nil
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		if rest, left := withoutOdd(raw); len(left) > 0 {
			var again Reply
			if json.Unmarshal(rest, &again) == nil {
				again.left = left
				return again, true, nil
			}
		}
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			err = fmt.Errorf("%s is a %s: docs/agent-protocol.schema.json says what it must be", wrong.Field, wrong.Value)
		}
		return r, true, fmt.Errorf("the reply does not follow the contract: %w", err)
	}
	return r, true, nil
}

// renamedReplyOf reads an object without a field of the contract whose message has another name.
func renamedReplyOf(raw []byte) (r Reply, ok bool, err error) {
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil {
		return r, false, nil
	}
	for _, name := range messageNames {
		var message answerText
		if value, has := object[name]; !has || json.Unmarshal(value, &message) != nil || !message.given {
			continue
		}
		delete(object, name)
		rest, _ := json.Marshal(object) // values that were just read encode
		if err := json.Unmarshal(rest, &r); err != nil {
			return r, true, fmt.Errorf("the reply does not follow the contract: %w", err)
		}
		r.Message, r.field = message.text, name
		return r, true, nil
	}
	return r, false, nil
}
