package dialect

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/kaptinlin/jsonrepair"

	"github.com/seed-5817661a/concur/internal/lines"
)

// maxRepair limits JSON that is repaired, in bytes: the library recurses for every bracket,
// and its time grows faster than its input.
const maxRepair = 4 << 10

// readArguments reads the JSON object of an action: unchanged, out of a code fence, or
// repaired. what names it in errors.
func readArguments(raw, what string) (arguments string, repaired bool, err error) {
	arguments = unfence(raw)
	if arguments == "" {
		return "{}", false, nil
	}
	if isObject(arguments) {
		return arguments, false, nil
	}
	broken := objectIn(arguments)
	if len(broken) > maxRepair {
		return "", false, fmt.Errorf("%s is not a JSON object, and at %d bytes too long to mend", what, len(broken))
	}
	if mended, ok := mend(broken); ok && isObject(mended) {
		return mended, true, nil
	}
	return "", false, errors.New(what + " is not a JSON object")
}

// mend repairs short JSON. The library may return invalid JSON.
func mend(broken string) (string, bool) {
	if len(broken) > maxRepair {
		return "", false
	}
	mended, err := jsonrepair.Repair(broken)
	return mended, err == nil && json.Valid([]byte(mended))
}

// unfence removes a Markdown code fence.
func unfence(text string) string {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "```") {
		return text
	}
	_, text, _ = strings.Cut(text, "\n")
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "```"))
}

// objectIn removes prose around an object.
func objectIn(text string) string {
	if i := strings.IndexByte(text, '{'); i >= 0 {
		text = text[i:]
	}
	if i := strings.LastIndexByte(text, '}'); i >= 0 {
		text = text[:i+1]
	}
	return text
}

func isObject(text string) bool {
	_, ok := fieldsOf(text)
	return ok
}

func fieldsOf(text string) (map[string]json.RawMessage, bool) {
	var object map[string]json.RawMessage
	err := json.Unmarshal([]byte(text), &object)
	return object, err == nil && object != nil
}

// quote encodes a text as JSON without escapes that JSON does not need.
func quote(text string) string {
	raw, _ := lines.Encode(text) // a string always encodes
	return string(raw)
}

// unquote decodes a JSON string.
func unquote(raw string) (string, bool) {
	if !strings.HasPrefix(raw, `"`) {
		return "", false
	}
	var text string
	err := json.Unmarshal([]byte(raw), &text)
	return text, err == nil
}
