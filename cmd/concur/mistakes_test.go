package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A mistake on the command line is answered with place, fact and way out, before anything runs.
func TestMistakesOnTheCommandLine(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "")
	t.Setenv("OPENAI_BASE_URL", "")
	t.Chdir(t.TempDir())
	for name, content := range map[string]string{
		"exec.yaml": "agent: {exec: python3 x.py}\n",
		"one.yaml":  "- {id: a, category: c, query: 1+1?, gold: {type: integer, answer: \"2\"}, source: x}\n",
	} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ line, want string }{
		{"run --modle x", "there is no flag --modle; did you mean --model?"},
		{"run --samples 3", "there is no flag --samples; did you mean -k?"},
		{"run --output x", "there is no flag --output; did you mean --out?"},
		{"run -o x", "there is no flag -o; did you mean --out?"},
		{"run --dataset one.yaml", "there is no flag --dataset: the dataset is an argument: concur run FILE"},
		{"run --verbose", "there is no flag --verbose: progress is on standard error, and run.log"},
		{"run -v", "there is no flag -v: progress is on standard error, and run.log"},
		{"run --provider openai", "there is no flag --provider: a model names its provider: --model openai:gpt-4o-mini"},
		{"run --api-key x", "there is no flag --api-key: keys come from the environment: export OPENAI_API_KEY=…"},
		{"rnu", `there is no command "rnu"; did you mean "run"?`},
		{"config", "there is no command \"config\"; `concur init` writes a concur.yaml"},
		{"run --model gpt-4o", `model "gpt-4o": write provider:model, such as openai:gpt-4o`},
		{"run --model claude-haiku-4-5", "such as anthropic:claude-haiku-4-5"},
		{"run --model llama3.1", "such as ollama:llama3.1"},
		{"run --model foo", "such as offline:reader or openai:gpt-4o-mini"},
		{"run --model opnai:x", `there is no provider "opnai"; did you mean "openai"? known: offline, `},
		{"run --model qwen3:8b", `there is no provider "qwen3"; did you mean "ollama:qwen3:…"?`},
		{"run --config exec.yaml", `exec.yaml:1:15: agent.exec: expected a list, found the text "python3 x.py": write [python3, x.py]`},
		{"run --config nosuch.yaml", "open nosuch.yaml: no such file or directory: name a configuration file; `concur init` writes one"},
		{"run -k three", `-k "three": it must be a whole number`},
		{"run --temperature 0,7", `--temperature "0,7": it must be a number`},
		{"run -k 0", "k is 0: give 1 to"},
		{"run --model openai:gpt-4o-mini", "OPENAI_API_KEY is not set"},
		{"run --corpus nosuch", "nosuch: no such file or directory; give a folder or a file"},
		{"trace nosuch", `find run "nosuch": there is no such folder`},
		{"compare latest", "compare takes two runs, the baseline first"},
		{"report", "report takes RUN; `concur report latest` takes the newest run"},
		{"run --format pdf", `--format "pdf" is not known here: table, `},
	} {
		code, out, errs := invoke(strings.Fields(c.line)...)
		if code != exitUsage || !strings.Contains(errs, c.want) || out != "" {
			t.Errorf("concur %s: exit %d, %q\n%s\nwant %q", c.line, code, out, errs, c.want)
		}
	}
	if found, err := filepath.Glob("runs/*"); err != nil || len(found) > 0 {
		t.Errorf("runs began: %v %v", found, err)
	}
}

// The word of other tools for run is run.
func TestEvalIsRun(t *testing.T) {
	code, out, errs := invoke("eval", "--limit", "1", "--quiet", "--runs-dir", t.TempDir())
	if code != exitOK || !strings.Contains(out, "gold29, 1 of its 29 queries") {
		t.Errorf("exit %d: %s%s", code, errs, out)
	}
}
