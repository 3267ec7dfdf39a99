package runners_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/runners"
	"github.com/seed-5817661a/concur/internal/sandbox/sandboxtest"
)

// limits has a time that no script here needs, on a busy machine.
var limits = sandbox.Limits{Time: 2 * time.Minute}

// tryScripts runs scripts with the arguments {"n": 21} and compares "RESULT|ERROR|EXIT".
func tryScripts(t *testing.T, language string, runner []byte, cases map[string]string) {
	t.Helper()
	engine := sandboxtest.Bwrap(t, os.Getenv, language)
	input, err := json.Marshal(runners.Request{Arguments: json.RawMessage(`{"n":21}`), Limit: 200, Lines: 5})
	if err != nil {
		t.Fatal(err)
	}
	for script, want := range cases {
		t.Run(script, func(t *testing.T) {
			ended, err := engine.Run(context.Background(), sandbox.Job{Language: language, Script: []byte(script), Runner: runner,
				Input: input, Limits: limits})
			if err != nil {
				t.Fatal(err)
			}
			var reply runners.Reply
			if err := json.Unmarshal(ended.Result, &reply); len(ended.Result) > 0 && err != nil {
				t.Fatalf("%s: %v", ended.Result, err)
			}
			exit := map[bool]string{true: "ok", false: "failed"}[ended.Exit == 0]
			if got := strings.Join([]string{string(reply.Result), reply.Error, exit}, "|"); got != want {
				t.Errorf("%s, want %s; stderr %s", got, want, ended.Stderr)
			}
			if reply.Error != "" && !strings.Contains(string(ended.Stderr), reply.Error) && exit == "failed" &&
				!strings.HasPrefix(reply.Error, "the ") {
				t.Errorf("standard error has no traceback: %s", ended.Stderr)
			}
			if strings.Contains(string(ended.Stderr), "/run/") {
				t.Errorf("the traceback shows the runner: %s", ended.Stderr)
			}
		})
	}
}

func TestPython(t *testing.T) {
	tryScripts(t, sandbox.Python, runners.Python(), map[string]string{
		"def main(n): return 2 * n":                    "42||ok",
		"def main(n=1, **more):\n    return [n, more]": "[21,{}]||ok",
		"async def main(n):\n    return n":             "21||ok",
		"x = 1\nx + args['n']":                         "22||ok",
		"x = 1":                                        "||ok",
		"None":                                         "||ok",
		"def main(n): return None":                     "null||ok",
		"if __name__ == '__main__':\n    print(1)":     "||ok",
		"[float('nan'), float('inf'), -float('inf'), 0.1, True, None]": `["NaN","Infinity","-Infinity",0.1,true,null]||ok`,
		"2 ** 100": "1267650600228229401496703205376||ok",
		"[10 ** 4300 % 7, (1, 2), {3, 1, 2}, range(2)]":                          "[4,[1,2],[1,2,3],[0,1]]||ok",
		"import datetime\n[datetime.date(2026, 1, 2), datetime.timedelta(1)]":    `["2026-01-02","datetime.timedelta(days=1)"]||ok`,
		"import decimal\n[decimal.Decimal('1.10'), 1j, b'\\x00a']":               `["1.10","1j","b'\\x00a'"]||ok`,
		"{1: 'a', (2, 3): 'b'}":                                                  `{"1":"a","(2, 3)":"b"}||ok`,
		"{1: 'a', '1': 'b'}":                                                     `[[1,"a"],["1","b"]]||ok`,
		"a = []\na.append(a)\na":                                                 `["[circular]"]||ok`,
		"'é\\ud800'":                                                             "\"é\\ud800\"||ok",
		"import dataclasses\n@dataclasses.dataclass\nclass P:\n    x: int\nP(3)": `{"x":3}||ok`,
		"class A: pass\nlen(repr(A())) > 5":                                      "true||ok",
		"1 / 0":                                                                  "|ZeroDivisionError: division by zero|failed",
		"def main(n, k): return n":                                               "|TypeError: main() missing 1 required positional argument: 'k'|failed",
		"def f(:":                                                                "|SyntaxError: invalid syntax|failed",
		"import sys\nsys.exit(3)":                                                "|the script ended with exit code 3|failed",
		"import sys\nsys.exit()":                                                 "||ok",
		"import os\nos._exit(4)":                                                 "||failed",
		"raise KeyboardInterrupt":                                                "|KeyboardInterrupt|failed",
		"import multiprocessing\nwith multiprocessing.Pool(2) as p: r = p.map(abs, [-1, -2])\nr": "[1,2]||ok",
		"import os\n[os.path.exists('/etc'), os.environ['HOME'], 'USER' in os.environ]":          `[false,"/tmp",false]||ok`,
		"input()": "|EOFError: EOF when reading a line|failed",
	})
}

func TestNode(t *testing.T) {
	tryScripts(t, sandbox.JavaScript, runners.Node(), map[string]string{
		"function main({n}) { return 2 * n }":                              "42||ok",
		"const main = async ({n}) => n":                                    "21||ok",
		"async function main(a) { return a.n }; module.exports = { main }": "21||ok",
		"args.n + 1": "22||ok",
		"const x = await Promise.resolve(3); console.log(x)": "||ok",
		"let x = 1": "||ok",
		"[NaN, 2n ** 80n, new Set([1]), new Map([['a', 1]]), new Date(0)]": `["NaN",1208925819614629174706176,[1],{"a":1},"1970-01-01T00:00:00.000Z"]||ok`,
		"require('path').join('a', 'b')":                                   `"a/b"||ok`,
		"throw new TypeError('t')":                                         "|TypeError: t|failed",
		"async function main() { throw new Error('late') }":                "|Error: late|failed",
		"throw {code: 7}":                                                  `|uncaught {"code":7}|failed`,
		"1 +* 2":                                                           "|SyntaxError: Unexpected token '*'|failed",
		"setTimeout(() => { throw new Error('timer') }, 1); new Promise(() => {})": "|Error: timer|failed",
		"new Promise(() => {})":                      "|the promise of the result is never settled|failed",
		"process.exit(3)":                            "||failed",
		"console.log(1); process.exit(0)":            "||ok",
		"process.env.HOME + typeof process.env.USER": `"/tmpundefined"||ok`,
	})
}

// A result that is too long is cut where the limit is.
func TestLongResult(t *testing.T) {
	engine := sandboxtest.Bwrap(t, os.Getenv, sandbox.Python)
	for _, script := range []string{"list(range(10 ** 6))", "'x' * 10 ** 6", "10 ** 100000"} {
		input, _ := json.Marshal(runners.Request{Arguments: json.RawMessage(`{}`), Limit: 200, Lines: 5})
		ended, err := engine.Run(context.Background(), sandbox.Job{Language: sandbox.Python, Script: []byte(script),
			Runner: runners.Python(), Input: input, Limits: limits})
		var reply runners.Reply
		var text string
		if err == nil {
			err = json.Unmarshal(ended.Result, &reply)
		}
		if err == nil {
			err = json.Unmarshal(reply.Result, &text)
		}
		if err != nil || len(text) > 200 || !reply.Cut && !strings.HasPrefix(text, "[integer of") {
			t.Errorf("%s: %v %q cut %v", script, err, text, reply.Cut)
		}
	}
}
