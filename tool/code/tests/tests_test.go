package tests_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/quickjs"
	"github.com/seed-5817661a/concur/internal/sandbox/sandboxtest"
	"github.com/seed-5817661a/concur/tool/code/tests"
)

// limits has a time that no program here needs, on a busy machine.
var limits = sandbox.Limits{Time: 2 * time.Minute}

// cases are tests of add as lines of JSON.
const cases = `{"call": "add", "args": [1, 2], "want": 3}
{"call": "add", "args": [2, 2], "want": 4.0}

{"call": "add", "args": [0.1, 0.2], "want": 0.3, "tolerance": 1e-9}
`

// program is tests of add that make the calls themselves.
const program = `assert program.add(1, 2) == 3
assert program.add(2, 2) == 4

def test_more():
    for i in range(20):
        assert program.add(i, i) == 2 * i
`

// forgeries are programs that should fail every test of add.
var forgeries = map[string]string{
	"wrong":         "def add(a, b): return a - b",
	"nothing":       "x = 1",
	"ends":          "import os\nos.write(3, b'{\"result\": true, \"pass\": true}')\nos._exit(0)",
	"claims":        "import os\nos.write(3, b'{\"verdict\": {\"passed\": 9, \"total\": 9, \"reason\": \"\"}}\\n')\nos._exit(0)",
	"ready":         "import os\nos.write(3, b'{\"ready\": true}\\n{\"verdict\": {\"passed\": 9, \"total\": 9}}\\n{\"result\": 1}\\n')\nos._exit(0)",
	"replies":       "import os\nos.write(3, b'{\"replies\": [{\"result\": 1}, {\"result\": 1}, {\"result\": 1}]}')\nos._exit(0)",
	"equal to all":  "class A:\n    def __eq__(self, other): return True\n    def __hash__(self): return 3\ndef add(a, b): return A()",
	"equal number":  "class A(int):\n    def __eq__(self, other): return True\ndef add(a, b): return A(7)",
	"lies as text":  "class A(int):\n    def __repr__(self): return '3'\ndef add(a, b): return A(7)",
	"exits in call": "import sys\ndef add(a, b): sys.exit(0)",
	"later":         "import atexit, os\natexit.register(lambda: os._exit(0))\ndef add(a, b): raise SystemExit",
	"prints":        "def add(a, b): print('passed')",
	"asserts":       "import builtins\nbuiltins.AssertionError = type(None)\ndef add(a, b): return None",
	"syntax":        "def add(a, b) return a + b",
}

func TestForgeriesInPython(t *testing.T) {
	r := tests.Runner{Engine: sandboxtest.Bwrap(t, os.Getenv, sandbox.Python)}
	for form, text := range map[string]string{"lines": cases, "program": program} {
		suite := tests.Suite{Language: sandbox.Python, Text: text, Limits: limits}
		v, err := r.Run(context.Background(), "def add(a, b):\n    print('noise')\n    return a + b", suite)
		if err != nil || !v.Pass || v.Passed != 3 || v.Reason != "passes 3 tests" || v.Forgeable {
			t.Fatalf("%s: %+v %v", form, v, err)
		}
		for name, source := range forgeries {
			v, err := r.Run(context.Background(), source, suite)
			if err != nil || v.Pass || v.Passed > 0 || v.Reason == "" || v.Score() != 0 {
				t.Errorf("%s, %s: %+v %v", form, name, v, err)
			}
		}
	}
}

// The reason is the first test that fails. The others count.
func TestReasons(t *testing.T) {
	r := tests.Runner{Engine: sandboxtest.Bwrap(t, os.Getenv, sandbox.Python)}
	for _, c := range []struct{ source, text, reason string }{
		{"def add(a, b): return 4", cases, "test 1, add(1, 2): 4, want 3"},
		{"def add(a, b): return 4", program, "line 1: assert program.add(1, 2) == 3"},
		{"def add(a, b): return 1 // (a - 1)", cases, "test 1, add(1, 2): ZeroDivisionError: integer division or modulo by zero"},
		{"def add(a, b): return 1 // (a - 1)", program, "line 1: assert program.add(1, 2) == 3: ZeroDivisionError: "},
		{"1 / 0", program, "ZeroDivisionError: division by zero"},
		{"1 / 0", cases, "ZeroDivisionError: division by zero"},
		{"x = 1", cases, "test 1, add(1, 2): NameError: the program does not define add"},
		{"def add(a, b): return a + b if a < 5 else 0", program, "line 6: assert "},
	} {
		v, err := r.Run(context.Background(), c.source, tests.Suite{Language: sandbox.Python, Text: c.text, Limits: limits})
		if err != nil || v.Pass || !strings.HasPrefix(v.Reason, c.reason) {
			t.Errorf("%q: %+v %v, want %s", c.source, v, err, c.reason)
		}
	}
	for _, text := range []string{cases, program} {
		// A machine that is too busy to start the sandboxes in a short time gets a longer one.
		for limit := 2 * time.Second; ; limit *= 2 {
			v, err := r.Run(context.Background(), "def add(a, b):\n    while True: pass",
				tests.Suite{Language: sandbox.Python, Text: text, Limits: sandbox.Limits{Time: limit}})
			if err == nil && !v.Pass && strings.Contains(v.Reason, "the limit of time") {
				break
			}
			if limit > time.Minute {
				t.Fatalf("%+v %v", v, err)
			}
		}
	}
}

// Mistakes in tests say nothing of a program.
func TestWrongTests(t *testing.T) {
	r := tests.Runner{Engine: sandboxtest.Bwrap(t, os.Getenv, sandbox.Python)}
	for text, want := range map[string]string{
		"x = 1":                               "there is no test",
		"assert (":                            "the tests ended without a verdict",
		`{"call": "add"}`:                     "line 1: give want",
		`{"call": "add(", "want": 1}`:         `line 1: call is "add(": give the name`,
		`{"call": "add", "wants": 1}`:         "unknown field",
		`{"call": "a", "want": 1, "args": 1}`: "neither a list nor an object",
	} {
		if v, err := r.Run(context.Background(), "1", tests.Suite{Language: sandbox.Python, Text: text, Limits: limits}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v %v, want %s", text, v, err, want)
		}
	}
}

// Tests beside the program can be forged, and say so.
func TestBeside(t *testing.T) {
	r := tests.Runner{Engine: sandboxtest.Bwrap(t, os.Getenv, sandbox.Python)}
	humaneval := "def check(candidate):\n    assert candidate(1, 2) == 3\n    assert candidate(2, 2) == 4\ncheck(add)"
	for source, want := range map[string]string{
		"def add(a, b): return a + b": "passes the tests beside it",
		"def add(a, b): return 3":     "AssertionError: assert candidate(2, 2) == 4",
		"def add(a, b): exit(0)":      "the program ended before the tests did",
		forgeries["equal to all"]:     "passes the tests beside it", // therefore it is forgeable
	} {
		v, err := r.Run(context.Background(), source, tests.Suite{Language: sandbox.Python, Text: humaneval, Beside: true, Limits: limits})
		if err != nil || v.Reason != want || v.Pass != strings.HasPrefix(want, "passes") || !v.Forgeable {
			t.Errorf("%q: %+v %v, want %s", source, v, err, want)
		}
	}
}

func TestJavaScript(t *testing.T) {
	engine := quickjs.New()
	defer engine.Close()
	r := tests.Runner{Engine: engine}
	suite := tests.Suite{Language: sandbox.JavaScript, Text: cases + `{"call": "fail", "raises": "RangeError"}`, Limits: limits}
	right := "const add = async (a, b) => a + b; function fail() { throw new RangeError('x') }"
	for source, want := range map[string]string{
		right: "passes 4 tests",
		"module.exports = { add: (a, b) => a + b, fail() { throw new RangeError('x') } }":  "passes 4 tests",
		"function add(a, b) { return {valueOf() { return 3 }, toJSON() { return true }} }": "test 1, add(1, 2): true, want 3",
		"function add(a, b) { return '3' }":                                                `test 1, add(1, 2): "3", want 3`,
		"JSON.stringify = () => '3'; function add(a, b) { return a - b }":                  "test 1, add(1, 2): -1, want 3",
		"":                          "test 1, add(1, 2): ReferenceError: the program does not define add",
		"throw new Error('no')":     "Error: no",
		"function add() { null.x }": "test 1, add(1, 2): TypeError: cannot read property 'x' of null",
	} {
		v, err := r.Run(context.Background(), source, suite)
		if err != nil || v.Reason != want || v.Pass != strings.HasPrefix(want, "passes") {
			t.Errorf("%s: %+v %v, want %s", source, v, err, want)
		}
	}
	suite.Text = "assert.equal(add(1, 2), 3)"
	if _, err := r.Run(context.Background(), right, suite); !errors.Is(err, tests.ErrForm) {
		t.Error(err)
	}
	suite.Beside, suite.Text = true, "if ((await add(1, 2)) !== 3) throw new Error('add(1, 2)')"
	if v, err := r.Run(context.Background(), right, suite); err != nil || !v.Pass || !v.Forgeable {
		t.Errorf("%+v %v", v, err)
	}
}
