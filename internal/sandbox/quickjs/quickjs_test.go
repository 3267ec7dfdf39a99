package quickjs_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/quickjs"
	"github.com/seed-5817661a/concur/internal/sandbox/runners"
)

// long is a time that no script here needs, on a busy machine.
const long = 2 * time.Minute

func newEngine(t *testing.T) *quickjs.Engine {
	t.Helper()
	if testing.Short() {
		t.Skip("the interpreter runs in processes of its own, and its stack does not fit the race detector")
	}
	e := quickjs.New()
	t.Cleanup(func() { _ = e.Close() })
	return e
}

func run(t *testing.T, e *quickjs.Engine, script, arguments string, limits sandbox.Limits) (sandbox.Ended,
	runners.Reply) {
	t.Helper()
	input, err := json.Marshal(runners.Request{Arguments: json.RawMessage(arguments), Limit: 2000, Lines: 20})
	if err != nil {
		t.Fatal(err)
	}
	ended, err := e.Run(context.Background(), sandbox.Job{Language: sandbox.JavaScript, Script: []byte(script),
		Input: input, Limits: limits})
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	var reply runners.Reply
	if len(ended.Result) > 0 {
		if err := json.Unmarshal(ended.Result, &reply); err != nil {
			t.Fatalf("%s: reply %s: %v", script, ended.Result, err)
		}
	}
	return ended, reply
}

// Results are JSON, also those for which JSON has no value.
func TestResults(t *testing.T) {
	e := newEngine(t)
	for script, want := range map[string]string{
		"1+1":                               `2`,
		"const a = [1]; a":                  `[1]`,
		"function main(q) { return q.n*2 }": `42`,
		"const main = async ({n}) => { await 0; return n }":         `21`,
		"async function main(q){return q.n}; module.exports={main}": `21`,
		"args.n + (await Promise.resolve(1))":                       `22`,
		"(() => args)()":                                            `{"n":21}`,
		"NaN":                                                       `"NaN"`,
		"[Infinity, -Infinity, -0, 1e21]":                           `["Infinity","-Infinity",0,1e+21]`,
		"2n ** 80n":                                                 `1208925819614629174706176`,
		"[new Set([2, 1]), new Map([['a', 1]]), new Map([[1, 2]])]": `[[2,1],{"a":1},[[1,2]]]`,
		"[new Date(0), new Uint8Array([7]), /x/g, undefined]":       `["1970-01-01T00:00:00.000Z",[7],"/x/g",null]`,
		"[Symbol('s'), function f() {}, new TypeError('t')]":        `["Symbol(s)","[function f]","TypeError: t"]`,
		"({a: undefined, b: null, 'c d': '\\u0000'})":               `{"b":null,"c d":"\u0000"}`,
		"const o = {}; o.o = o; o":                                  `{"o":"[circular]"}`,
		"({toJSON() { return 'own' }})":                             `"own"`,
		"Array.prototype.map = 0; JSON.stringify = 0; [1]":          `[1]`,
		"typeof require + typeof process + typeof __concur_write":   `"undefinedundefinedundefined"`,
	} {
		ended, reply := run(t, e, script, `{"n":21}`, sandbox.Limits{Time: long})
		if string(reply.Result) != want || reply.Error != "" || ended.Exit != 0 || ended.Stop != "" {
			t.Errorf("%s: %s %q, want %s; %+v", script, reply.Result, reply.Error, want, ended)
		}
	}
}

// Nothing of one job is left for the next.
func TestFresh(t *testing.T) {
	e := newEngine(t)
	for range 2 {
		if _, reply := run(t, e, "globalThis.n = (globalThis.n ?? 0) + 1", `{}`, sandbox.Limits{Time: long}); string(reply.Result) != "1" {
			t.Errorf("%s", reply.Result)
		}
	}
}

func TestOutput(t *testing.T) {
	ended, reply := run(t, newEngine(t), `console.log('%s is %d', 'x', 1, {a: [1n]}); console.error("no"); undefined`,
		`{}`, sandbox.Limits{Time: long})
	if string(ended.Stdout) != "x is 1 {\"a\":[1]}\n" || string(ended.Stderr) != "no\n" || !reply.None {
		t.Errorf("%q %q %+v", ended.Stdout, ended.Stderr, reply)
	}
}

// An exception is the script's: its reply has one line, standard error has the stack.
func TestExceptions(t *testing.T) {
	e := newEngine(t)
	for script, want := range map[string]string{
		"throw new Error('mine')":                           "Error: mine",
		"function main() { null.x }":                        "TypeError: cannot read property 'x' of null",
		"async function main() { throw new Error('late') }": "Error: late",
		"Promise.reject(new RangeError('r'))":               "RangeError: r",
		"1 +* 2":                                            "SyntaxError: unexpected token in expression: '*'",
		"throw {code: 7}":                                   `uncaught {"code":7}`,
		"new Promise(() => {})":                             "the promise of the result is never settled",
		"import('os')":                                      "TypeError: module load failed: there are no modules: os",
		"function f() { return f() + 1 } f()":               "InternalError: stack overflow",
		"JSON.parse('['.repeat(1e6))":                       "SyntaxError: stack overflow",
		"Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)": "TypeError: cannot block in this thread",
	} {
		ended, reply := run(t, e, script, `{}`, sandbox.Limits{Time: long})
		if reply.Error != want || ended.Exit != 1 || ended.Stop != "" || !strings.Contains(string(ended.Stderr), want) {
			t.Errorf("%s: %q, want %q; %+v; stderr %s", script, reply.Error, want, ended, ended.Stderr)
		}
	}
	ended, _ := run(t, e, "\nfunction f() { throw new Error('x') }\nf()", `{}`, sandbox.Limits{Time: long})
	if !strings.Contains(string(ended.Stderr), "at f (script.js:2:") {
		t.Errorf("%s", ended.Stderr)
	}
}

// The attacker uses up time, memory or output. Each ends as what it is.
func TestStops(t *testing.T) {
	e := newEngine(t)
	for script, want := range map[string]sandbox.Stop{
		"for(;;);":                              sandbox.StopTime,
		"try { for(;;); } finally { for(;;); }": sandbox.StopTime,
		"/(a+)+\\1$/.test('a'.repeat(40)+'b')":  sandbox.StopTime,
		"Promise.resolve().then(function f() { return Promise.resolve().then(f) })": sandbox.StopTime,
		"function main() { return {toJSON() { for(;;); }} }":                        sandbox.StopTime,
		"({get x() { for(;;); }})":                                                  sandbox.StopTime,
		"new Proxy({}, {ownKeys() { for(;;); }})":                                   sandbox.StopTime,
		"Array.from({length: 2**31})":                                               sandbox.StopTime,
		"throw {get x() { for(;;); }}":                                              sandbox.StopTime,
		"'x'.repeat(2**29)":                                                         sandbox.StopMemory,
		"new Uint8Array(2**28).fill(1).length":                                      sandbox.StopMemory,
		"for (;;) console.log('x'.repeat(10000))":                                   sandbox.StopOutput,
	} {
		limits := sandbox.Limits{Time: long}
		if want == sandbox.StopTime {
			limits.Time = 300 * time.Millisecond
		}
		ended, _ := run(t, e, script, `{}`, limits)
		if ended.Stop != want || ended.Exit == 0 || len(ended.Stdout) > 1<<20 {
			t.Errorf("%s: %q, exit %d, want %q; result %s", script, ended.Stop, ended.Exit, want, ended.Result)
		}
	}
	// It fills the memory slowly: which limit it meets first depends on the machine.
	ended, _ := run(t, e, "const m = new Map(); for (let i = 0;; i++) m.set(i, i)", `{}`,
		sandbox.Limits{Time: 5 * time.Second, Memory: 32 << 20})
	if ended.Stop != sandbox.StopMemory && ended.Stop != sandbox.StopTime {
		t.Errorf("%+v", ended)
	}
	if _, reply := run(t, e, "1+1", `{}`, sandbox.Limits{Time: long}); string(reply.Result) != "2" {
		t.Errorf("afterwards: %s", reply.Result)
	}
}

func TestLargeResultIsCut(t *testing.T) {
	_, reply := run(t, newEngine(t), "Array(1e5).fill(7)", `{}`, sandbox.Limits{Time: long})
	var text string
	if err := json.Unmarshal(reply.Result, &text); err != nil || !reply.Cut || !strings.HasPrefix(text, "[7,7,") ||
		len(text) != 2000 {
		t.Errorf("%v %v %d", err, reply.Cut, len(text))
	}
}

// Jobs at the same time do not see each other. A cancelled job is no result.
func TestAtOnce(t *testing.T) {
	e := newEngine(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			_, reply := run(t, e, "let s = 0; for (let i = 0; i < 1e5; i++) s += i; s", `{}`, sandbox.Limits{Time: long})
			if string(reply.Result) != "4999950000" {
				t.Errorf("%s", reply.Result)
			}
		})
	}
	all.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	_, err := e.Run(ctx, sandbox.Job{Language: sandbox.JavaScript, Script: []byte("for(;;);"), Input: []byte("{}")})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestOtherLanguagesAreRefused(t *testing.T) {
	_, err := newEngine(t).Run(context.Background(), sandbox.Job{Language: sandbox.Python})
	if _, is := errors.AsType[*sandbox.StartError](err); !is {
		t.Error(err)
	}
}

func BenchmarkSpareReady(b *testing.B) {
	e := quickjs.New()
	defer e.Close()
	for b.Loop() {
		b.StopTimer()
		if err := e.Prepare(context.Background(), sandbox.Limits{}); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		_, err := e.Run(context.Background(), sandbox.Job{Language: sandbox.JavaScript, Script: []byte("1+1"),
			Input: []byte(`{"arguments":{},"limit":100,"lines":20}`)})
		if err != nil {
			b.Fatal(err)
		}
	}
}
