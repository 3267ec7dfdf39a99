package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/trace"
)

// results is where Render puts documents.
const results = "results"

// unescaped takes back what the files of a run escape in JSON, and Render does not.
var unescaped = strings.NewReplacer(`\\`, `\\`, `\u0026`, "&", `\u003c`, "<", `\u003e`, ">")

// outputOf undoes Render: the object without its results, and the documents. Rendering it
// again gives the same bytes; the ledger of the trace gives the documents the same ids,
// since they come in the same order.
func outputOf(o trace.Observation) (tool.Output, error) {
	var fields map[string]json.RawMessage
	err := json.Unmarshal([]byte(unescaped.Replace(string(o.Output))), &fields)
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

// value is a field's value: a text as such where it is written as we write it, anything
// else as it was written, since decoding would forget the order of its fields.
func value(raw json.RawMessage) any {
	var text *string
	if json.Unmarshal(raw, &text) != nil || text == nil {
		return raw
	}
	if again, err := json.Marshal(*text); err != nil || unescaped.Replace(string(again)) != string(raw) {
		return raw
	}
	return *text
}
