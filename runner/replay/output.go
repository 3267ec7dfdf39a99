package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/trace"
)

// results is Render's field of documents.
const results = "results"

// unescape removes the escapes of HTML characters in JSON, which the files of a run have
// and Render does not.
var unescape = strings.NewReplacer(`\\`, `\\`, `\u0026`, "&", `\u003c`, "<", `\u003e`, ">")

// outputOf is the inverse of Render: the object without its results, and the documents.
// Rendering it again gives the same bytes; the trace's ledger assigns the same ids, because
// the documents come in the same order.
func outputOf(o trace.Observation) (tool.Output, error) {
	var fields map[string]json.RawMessage
	err := json.Unmarshal([]byte(unescape.Replace(string(o.Output))), &fields)
	if err == nil && fields == nil {
		err = errors.New("it is null: the recording is damaged")
	}
	if err != nil {
		return tool.Output{}, fmt.Errorf("read recorded output of call %s: %w", o.CallID, err)
	}
	object := make(map[string]any, len(fields))
	for name, raw := range fields {
		if name != results || o.Documents == nil {
			object[name] = value(raw)
		}
	}
	return tool.Output{Object: object, Documents: o.Documents}, nil
}

// value is a field's value: a string if its JSON is in canonical form, otherwise the raw
// JSON, because decoding would lose the order of its fields.
func value(raw json.RawMessage) any {
	var text *string
	if json.Unmarshal(raw, &text) != nil || text == nil {
		return raw
	}
	if again, err := json.Marshal(*text); err != nil || unescape.Replace(string(again)) != string(raw) {
		return raw
	}
	return *text
}
