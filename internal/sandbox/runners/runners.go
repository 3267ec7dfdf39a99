package runners

import (
	_ "embed"
	"encoding/json"
	"strings"

	"github.com/seed-5817661a/concur/internal/sandbox"
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
	// Calls are calls of functions of the script, in place of main. The names are those of variables.
	Calls []Call `json:"calls,omitempty"`
	// Serve makes the runner of Python answer calls for as long as it gets lines: it writes a line when it is ready, then
	// one for each.
	Serve bool `json:"serve,omitempty"`
}

// Call is a call of a function.
type Call struct {
	Call string          `json:"call"`           // the name of the function; in Python a.b is a method or attribute
	Args json.RawMessage `json:"args,omitempty"` // a list; or an object: keywords in Python, one argument in JavaScript
}

// Reply is what a runner reports. A script that ends its process reports nothing.
type Reply struct {
	Result json.RawMessage `json:"result,omitempty"`
	None   bool            `json:"none,omitempty"`   // there is no result: no main, and no last expression with a value
	Cut    bool            `json:"cut,omitempty"`    // Result is a text: the beginning of the JSON
	Error  string          `json:"error,omitempty"`  // the exception, on one line; "" if there was none
	Memory bool            `json:"memory,omitempty"` // the exception says that memory was missing
	// Replies are those of the calls: each has Result or Error.
	Replies []Reply `json:"replies,omitempty"`
	Ready   bool    `json:"ready,omitempty"` // of a runner that serves
}

//go:embed values.js
var values string

//go:embed quickjs.js
var quickjs string

//go:embed node.js
var node string

//go:embed python.py
var python []byte

//go:embed tests.py
var tests []byte

// place is the line of the runners in JavaScript that values.js replaces.
const place = "// VALUES\n"

// QuickJS returns the runner for quickjs: a function that takes the host's write and returns begin, settle and finish.
func QuickJS() string { return strings.Replace(quickjs, place, values, 1) }

// Node returns the runner for node.
func Node() []byte { return []byte(strings.Replace(node, place, values, 1)) }

// Python returns the runner for Python.
func Python() []byte { return python }

// Tests returns the runner of tests in Python: it writes a Call a line, reads a Reply a line, and at last writes an
// object with the key verdict.
func Tests() []byte { return tests }

// Of returns the runner of a language for python3 and node.
func Of(language string) []byte {
	if language == sandbox.JavaScript {
		return Node()
	}
	return Python()
}
