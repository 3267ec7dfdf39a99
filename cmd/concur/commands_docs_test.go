//go:build docs

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
)

// TestCommandsOfTheDocumentation runs each command line of README and docs in the order in
// which they are printed, as a reader would who copies one after the other into a shell. The
// folder is empty at first; `concur init` begins a new one, as its text says. Whatever needs
// a key gets --dry-run; whatever needs a network may fail, but not for its usage.
func TestCommandsOfTheDocumentation(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	module, err := filepath.Abs("../python") // a reader has installed it
	if err != nil {
		t.Fatal(err)
	}
	r := reader{t: t, env: append(os.Environ(), "HOME="+t.TempDir(), "OPENAI_API_KEY=", "CONCUR_QUIET=true", "PYTHONPATH="+module)}
	r.openFolder()
	r.run("README.md", "concur run") // what make run does
	ran := 0
	for _, page := range append([]string{"../../README.md"}, pages...) {
		if slices.Contains([]string{"start.md", "toolformer.md", "tools.md", "your-agent.md"}, filepath.Base(page)) { // in an empty folder
			r.openFolder()
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range blocksOf(string(text)) {
			if block.file != "" {
				r.write(block.file, block.text)
			}
			for _, line := range block.commands {
				r.run(filepath.Base(page), line)
				ran++
			}
		}
	}
	if ran < 60 {
		t.Errorf("only %d command lines were found", ran)
	}
}

// block is a part of a page: command lines, or the text of a file that the page shows.
type block struct {
	commands   []string
	file, text string
}

var (
	fence       = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")
	fileComment = regexp.MustCompile(`^# ([\w-]+\.\w+)\n`)
	commandLine = regexp.MustCompile(`(?m)^    ((?:[A-Z_]+=\S+ )?concur .*(?:\n      .*)*)`)
)

// blocksOf finds the indented command lines of a page and the fenced files that begin with
// their name in a comment (for CSV, which has no comments, my-queries.csv or questions.csv).
func blocksOf(page string) []block {
	var out []block
	for page != "" {
		at := fence.FindStringSubmatchIndex(page)
		if at == nil {
			at = []int{len(page), len(page), len(page), len(page), len(page), len(page)}
		}
		var b block
		for _, m := range commandLine.FindAllStringSubmatch(page[:at[0]], -1) {
			b.commands = append(b.commands, m[1])
		}
		out = append(out, b)
		language, text := page[at[2]:at[3]], page[at[4]:at[5]]
		if m := fileComment.FindStringSubmatch(text); m != nil {
			out = append(out, block{file: m[1], text: text})
		} else if language == "csv" && strings.HasPrefix(text, "question,") {
			out = append(out, block{file: "questions.csv", text: text})
		} else if language == "csv" {
			out = append(out, block{file: "my-queries.csv", text: text})
		}
		page = page[at[1]:]
	}
	return out
}

// reader is somebody who follows the documentation.
type reader struct {
	t      *testing.T
	folder string
	env    []string
}

// openFolder makes a new folder with the files that the documentation takes for granted.
func (r *reader) openFolder() {
	r.folder = r.t.TempDir()
	if err := os.CopyFS(filepath.Join(r.folder, "examples"), os.DirFS("../../examples")); err != nil {
		r.t.Fatal(err)
	}
	r.write("my-texts/anduin.md", "# Anduin\n\nThe Anduin is 2233 kilometres long.\n")
	r.write("results.json", `{"evalId":"e","results":{"version":3,"results":[{"provider":{"id":"mine"},"prompt":{"raw":"Which?","label":"Which?"},"response":{"output":"Scheldt"},"success":true}]}}`)
	r.write("promptfooconfig.yaml", "prompts: ['{{question}}']\ntests: [{vars: {question: 'Which river?'}, assert: [{type: contains, value: Scheldt}]}]\n")
	r.write("chats.jsonl", `{"messages":[{"role":"user","content":"How long is the Anduin, in kilometres?"},{"role":"assistant","content":"2233 kilometres"}]}`+"\n")
	r.write("golds.yaml", `- {id: anduin, category: facts, query: "How long is the Anduin, in kilometres?", gold: {type: quantity, answer: 2233 km}}`+"\n")
	r.write("dev.jsonl", `{"_id":"q1","question":"On which river does Antwerp stand?","answers":["Scheldt","Escaut"],"type":"bridge"}`+"\n")
	r.write("labelled.jsonl", strings.ReplaceAll(labelledAnswers(8, 4), `"condition": "names that person", `, ""))
	r.write("questions.jsonl", `{"answers":["1,771","1770"],"type":"integer","gold":["1771"]}`+"\n")
	r.write("gsm8k.jsonl", `{"question":"How many?","answer":"3 + 4 = 7\n#### 7"}`+"\n")
	for _, name := range []string{"answers.jsonl", "before.jsonl", "after.jsonl"} {
		r.write(name, `{"id":"q1","gold":"Paris","answers":["Paris","Lyon","Paris"]}`+"\n")
	}
}

func (r *reader) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.folder, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		r.t.Fatal(err)
	}
}

// copyBaseline copies the folder's baseline.
func (r *reader) copyBaseline(name string) {
	r.t.Helper()
	raw, err := os.ReadFile(filepath.Join(r.folder, "baseline.jsonl"))
	if err != nil {
		r.t.Fatal(err)
	}
	r.write(name, string(raw))
}

var (
	needsKey     = regexp.MustCompile(`concur (run|ablate|attack) .*--(model|judge|extractor) '?(openai|anthropic|ollama|dashscope|azure):|my-ablation.yaml`)
	needsNetwork = regexp.MustCompile(`concur (doctor|tools call wiki_search)|--tools \S*wiki`)
	comment      = regexp.MustCompile(`\s+#.*$`)
)

// run runs one line and reports its output where it fails.
func (r *reader) run(page, line string) {
	r.t.Helper()
	line = comment.ReplaceAllString(line, "")
	if page == "ci.md" && strings.Contains(line, "target.jsonl") {
		r.copyBaseline("target.jsonl") // git does this on the page
	}
	if strings.HasPrefix(line, "concur init") {
		r.openFolder()
	}
	if needsKey.MatchString(line) && !strings.Contains(line, "--dry-run") {
		line += " --dry-run"
	}
	line = strings.NewReplacer(" RUN", " "+r.runName(), " FOLDER", " my-texts", " ABLATION", " "+r.ablationName(), " QUERY", " "+r.queryID()).Replace(line)
	if strings.Contains(line, "concur serve") || strings.Contains(line, "concur view") {
		r.serve(page, line)
		return
	}
	began := time.Now()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Env = r.folder, r.env
	out, err := cmd.CombinedOutput()
	r.t.Logf("%-20s %5.1fs  %s", page, time.Since(began).Seconds(), line)
	var exit *exec.ExitError
	if needsNetwork.MatchString(line) && errors.As(err, &exit) && !bytes.Contains(out, []byte("did you mean")) {
		return
	}
	if err != nil {
		r.t.Errorf("%s: %s\n%v\n%s", page, line, err, out)
	}
}

// serve starts a server, waits until it prints where it listens, and gives the lines after it
// the time until the test ends.
func (r *reader) serve(page, line string) {
	r.t.Helper()
	cmd := exec.Command("concur", strings.Fields(strings.TrimPrefix(line, "concur "))...)
	cmd.Dir, cmd.Env = r.folder, r.env
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		r.t.Fatalf("%s: %s: %v", page, line, err)
	}
	r.t.Cleanup(func() { _ = errors.Join(cmd.Process.Kill(), cmd.Wait()) })
	if first, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.Contains(first, "http://127.0.0.1:") {
		r.t.Errorf("%s: %s prints %q: %v", page, line, first, err)
	}
}

// runName is the oldest run of the folder, or "".
func (r *reader) runName() string {
	runs, _, err := runlist.List(filepath.Join(r.folder, "runs"))
	if err != nil {
		r.t.Fatal(err)
	}
	for _, run := range slices.Backward(runs) {
		if run.Manifest.Kind() == store.KindRun {
			return filepath.Base(run.Dir)
		}
	}
	return ""
}

// ablationName is the newest ablation of the folder, or "".
func (r *reader) ablationName() string {
	runs, _, err := runlist.List(filepath.Join(r.folder, "runs"))
	if err != nil {
		r.t.Fatal(err)
	}
	for _, run := range runs {
		if run.Manifest.Kind() == store.KindAblation {
			return filepath.Base(run.Dir)
		}
	}
	return ""
}

// queryID is the first query of that run.
func (r *reader) queryID() string {
	raw, err := os.ReadFile(filepath.Join(r.folder, "runs", r.runName(), "results.jsonl"))
	if err != nil {
		return ""
	}
	var record struct{ Query string }
	_, rest, _ := strings.Cut(string(raw), "\n") // the first line names the schema
	if err := json.NewDecoder(strings.NewReader(rest)).Decode(&record); err != nil {
		r.t.Fatal(err)
	}
	return record.Query
}
