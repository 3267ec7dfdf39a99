package code_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/sandbox/sandboxtest"
	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/code"
)

// declare reads settings as concur.yaml has them.
func declare(t *testing.T, settings string) (tool.Declared, error) {
	t.Helper()
	var node yaml.Node
	if err := yaml.Unmarshal([]byte(settings), &node); err != nil {
		t.Fatal(err)
	}
	return code.Kind.Read("code", func(into any) error {
		var wrong []error
		for _, e := range strictyaml.DecodeAt("", "", node.Content[0], into) {
			wrong = append(wrong, errors.New(e.Message))
		}
		return errors.Join(wrong...)
	})
}

// open opens a tool and returns a function that calls it.
func open(t *testing.T, settings string) func(arguments string) tool.Result {
	t.Helper()
	declared, err := declare(t, settings)
	if err != nil {
		t.Fatal(err)
	}
	opened, digest, err := declared.Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = opened.(io.Closer).Close() })
	if !strings.HasPrefix(digest, code.Version+" quickjs/v1 ") {
		t.Errorf("digest %q", digest)
	}
	registry, err := tool.New(opened)
	if err != nil {
		t.Fatal(err)
	}
	return func(arguments string) tool.Result {
		return registry.Invoke(context.Background(), model.ToolCall{ID: "1", Name: "code", Arguments: arguments}, time.Minute)
	}
}

func render(t *testing.T, r tool.Result) map[string]any {
	t.Helper()
	if r.Error != "" {
		t.Fatal(r.Error)
	}
	raw, err := r.Output.Render(nil)
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]any
	if err := json.Unmarshal(raw, &object); err != nil {
		t.Fatal(err)
	}
	return object
}

func TestCallHasResultAndDocument(t *testing.T) {
	call := open(t, "{languages: [javascript], timeout: 1m}")
	r := call(`{"code": "function main({n}) { console.log('hi'); console.error('no'); return {double: 2 * n} }", "arguments": {"n": 4}}`)
	object := render(t, r)
	if raw, _ := json.Marshal(object["result"]); string(raw) != `{"double":8}` || object["stdout"] != "hi\n" ||
		object["stderr"] != "no\n" || object["exit"] != 0.0 || object["duration_ms"] == nil {
		t.Errorf("%v", object)
	}
	if len(r.Output.Documents) != 1 || r.Output.Documents[0].Snippet != `{"double":8}` {
		t.Errorf("%+v", r.Output.Documents)
	}
}

// A script without a value has its output as the result. Long ones are cut, and the cut is named.
func TestResultsOfScripts(t *testing.T) {
	call := open(t, "{languages: [javascript], timeout: 1m, max_bytes: 256}")
	for source, want := range map[string]string{
		"console.log(42)":                      `"42"`,
		"console.log(1); 0":                    "0",
		"undefined":                            "null",
		"null":                                 "null",
		"args":                                 `{}`,
		"'é'":                                  `"é"`,
		"function main() { return undefined }": "null",
	} {
		arguments, _ := json.Marshal(map[string]string{"code": source})
		object := render(t, call(string(arguments)))
		if raw, _ := json.Marshal(object["result"]); string(raw) != want || object["cut"] != nil {
			t.Errorf("%s: %s, want %s; cut %v", source, raw, want, object["cut"])
		}
	}
	object := render(t, call(`{"code": "console.log('y'.repeat(300)); 'x'.repeat(1000)"}`))
	if raw, _ := json.Marshal(object["cut"]); string(raw) != `["stdout","result"]` ||
		!strings.HasPrefix(object["result"].(string), `"xxx`) || len(object["result"].(string)) > 300 {
		t.Errorf("%v", object)
	}
}

// An exception and a limit are the agent's; an exception has its place.
func TestFailuresOfPrograms(t *testing.T) {
	call := open(t, "{languages: [javascript], timeout: 1m, output: 1KiB, memory: 32MiB}")
	object := render(t, call(`{"code": "\nthrow new Error('mine')"}`))
	if object["error"] != "Error: mine" || object["exit"] != 1.0 || !strings.Contains(object["stderr"].(string), "script.js:2:") {
		t.Errorf("%v", object)
	}
	for source, want := range map[string]string{
		"'x'.repeat(2 ** 29)":                  "bad_request: memory: the program needs more memory than 32MiB allow",
		"for (;;) console.log('x'.repeat(99))": "bad_request: output: the program printed more than 1KiB",
		"  ":                                   "bad_request: the code is empty",
	} {
		arguments, _ := json.Marshal(map[string]string{"code": source})
		if r := call(string(arguments)); r.Failure != tool.AgentFailure || !strings.Contains(r.Error, want) {
			t.Errorf("%s: %q %s, want %s", source, r.Failure, r.Error, want)
		}
	}
}

// A program that takes too long is ended, and the error has what it had printed. On a busy machine its process may be
// killed before it has sent that; the next one has another chance.
func TestTooLong(t *testing.T) {
	call := open(t, "{languages: [javascript], timeout: 300ms}")
	const want = "bad_request: time: the program ran longer than 300ms and was ended: do less"
	for tries := 0; ; tries++ {
		r := call(`{"code": "console.log(5); for(;;);"}`)
		if r.Failure != tool.AgentFailure || !strings.Contains(r.Error, want) {
			t.Fatalf("%q %s, want %s", r.Failure, r.Error, want)
		}
		if strings.HasSuffix(r.Error, want+"; it had printed: 5") {
			return
		}
		if tries == 50 {
			t.Fatal(r.Error)
		}
	}
}

// A shorter limit of the call holds, too.
func TestLimitOfTheCall(t *testing.T) {
	declared, err := declare(t, "{languages: [javascript]}")
	if err != nil {
		t.Fatal(err)
	}
	opened, _, err := declared.Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer opened.(io.Closer).Close()
	registry, err := tool.New(opened)
	if err != nil {
		t.Fatal(err)
	}
	r := registry.Invoke(context.Background(), model.ToolCall{Name: "code", Arguments: `{"code": "for(;;);"}`}, 200*time.Millisecond)
	if !strings.Contains(r.Error, "longer than 200ms") {
		t.Errorf("%s", r.Error)
	}
}

// Python needs a sandbox of the machine. Where no sandbox works, the error says what to install.
func TestPython(t *testing.T) {
	sandboxtest.Bwrap(t, os.Getenv, "python") // skips the test where it cannot start
	declared, err := declare(t, "{languages: [python, javascript], timeout: 1m}")
	if err != nil {
		t.Fatal(err)
	}
	opened, digest, err := declared.(code.Declared).With(os.Getenv).Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer opened.(io.Closer).Close()
	if !strings.Contains(digest, "bwrap") || !strings.Contains(digest, "quickjs") {
		t.Errorf("digest %q", digest)
	}
	for arguments, want := range map[string]string{
		`{"language": "python", "code": "def main(n): return {'a': n + 1}", "arguments": {"n": 2}}`: `{"a":3}`,
		`{"language": "javascript", "code": "1 + 1"}`:                                               `2`,
	} {
		out, err := opened.Call(context.Background(), json.RawMessage(arguments))
		if raw, _ := json.Marshal(out.Object["result"]); err != nil || string(raw) != want {
			t.Errorf("%s: %s %v, want %s", arguments, raw, err, want)
		}
	}
	_, err = opened.Call(context.Background(), json.RawMessage(`{"language": "python", "code": "'x' * 2 ** 30"}`))
	if err == nil || !strings.Contains(err.Error(), "memory: ") {
		t.Error(err)
	}
	nowhere, err := declare(t, "{languages: [python], sandbox: docker}")
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = nowhere.(code.Declared).With(func(string) string { return "" }).Open(context.Background())
	if err == nil || !strings.Contains(err.Error(), "docker") {
		t.Error(err)
	}
}

func TestSettings(t *testing.T) {
	for settings, want := range map[string]string{
		"{languages: []}":                                   "languages is empty",
		"{languages: [python, python]}":                     "python is twice in the list",
		"{languages: [perl]}":                               `"perl" is not supported`,
		"{languages: [python], sandbox: none}":              `"none" is not one of auto`,
		"{languages: [python], sandbox: quickjs}":           "quickjs runs only JavaScript",
		"{languages: [python], sandbox: {command: []}}":     "sandbox.command is empty",
		"{languages: [python], memory: much}":               `"much" is no size`,
		"{languages: [python], memory: 9GiB}":               "memory is 9GiB: give 16MiB to 8GiB",
		"{languages: [python], processes: 0}":               "processes is 0",
		"{languages: [python], output: 100}":                "output is 100 bytes: give 1KiB to 1MiB",
		"{languages: [python], files: 1}":                   "files is 1 bytes",
		"{languages: [python], timeout: 1h}":                "timeout is 1h0m0s",
		"{languages: [python], max_bytes: 1}":               "max_bytes is 1",
		"{languages: [python], images: {javascript: node}}": "javascript is not in languages",
		"{languages: [python], cpu: 1}":                     "cpu",
	} {
		if _, err := declare(t, settings); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", settings, err, want)
		}
	}
}
