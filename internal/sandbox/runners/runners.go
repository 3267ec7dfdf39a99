package runners

import (
	_ "embed"
	"encoding/json"
	"strings"
)

// Version changes when a runner could report another result for the same script.
const Version = "runners/v1"

// Request is what a runner gets.
type Request struct {
	// Arguments are given to main, in Python as keywords and in JavaScript as one object, and are the variable args
	// of the script.
	Arguments json.RawMessage `json:"arguments"`
	Limit     int             `json:"limit"` // characters of the result as JSON
	Lines     int             `json:"lines"` // lines of the traceback of an exception
}

// Reply is what a runner reports. A script that ends its process reports nothing.
type Reply struct {
	Result json.RawMessage `json:"result,omitempty"`
	None   bool            `json:"none,omitempty"`   // there is no result: no main, and no last expression with a value
	Cut    bool            `json:"cut,omitempty"`    // Result is a text: the beginning of the JSON
	Error  string          `json:"error,omitempty"`  // the exception, on one line; "" if there was none
	Memory bool            `json:"memory,omitempty"` // the exception says that memory was missing
}

//go:embed values.js
var values string

//go:embed quickjs.js
var quickjs string

//go:embed node.js
var node string

//go:embed python.py
var python []byte

// place is the line of the runners in JavaScript that values.js replaces.
const place = "// VALUES\n"

// QuickJS returns the runner for quickjs: a function that takes the host's write and returns begin, settle and finish.
func QuickJS() string { return strings.Replace(quickjs, place, values, 1) }

// Node returns the runner for node.
func Node() []byte { return []byte(strings.Replace(node, place, values, 1)) }

// Python returns the runner for Python.
func Python() []byte { return python }
