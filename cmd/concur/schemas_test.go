package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seed-5817661a/concur/ablations/attack"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/ablations/score/decisions"
	"github.com/seed-5817661a/concur/ablations/series"
	"github.com/seed-5817661a/concur/ablations/sizing"
	"github.com/seed-5817661a/concur/ablations/suspects"
	"github.com/seed-5817661a/concur/ablations/usefulness"
	"github.com/seed-5817661a/concur/internal/golden"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/agreement"
	"github.com/seed-5817661a/concur/reports/gatereport"
	"github.com/seed-5817661a/concur/reports/listing"
	"github.com/seed-5817661a/concur/reports/transcript"
	"github.com/seed-5817661a/concur/reports/worth"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/annotate"
	"github.com/seed-5817661a/concur/runner/feature/registry"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
	"github.com/seed-5817661a/concur/trace"
)

// firstLine is the first line of a JSONL file.
type firstLine struct {
	Schema string `json:"schema"`
}

// checksum ends the lines of JSONL files.
type checksum struct {
	CRC string `json:"crc,omitempty"`
}

// eventHead has the fields of every event before those of its body.
type eventHead struct {
	trace.ID
	Path    string    `json:"path"`
	Step    int       `json:"step"`
	Event   string    `json:"event"`
	Session int       `json:"session"`
	Time    time.Time `json:"time"`
}

// queryRow is a row of --rows queries.
type queryRow struct {
	Configuration string       `json:"configuration"`
	Query         string       `json:"query"`
	Category      string       `json:"category"`
	Question      string       `json:"question"`
	Expected      string       `json:"expected"`
	Answer        string       `json:"answer"`
	Votes         string       `json:"votes"`
	Verdict       judge.Ruling `json:"verdict"`
	Reason        string       `json:"reason"`
	Steps         float64      `json:"steps"`
	Tokens        int          `json:"tokens"`
	USD           *float64     `json:"usd"`
	Trace         string       `json:"trace"`
}

type queryRows struct {
	Schema  string     `json:"schema"`
	Run     string     `json:"run"`
	Queries []queryRow `json:"queries"`
}

// transcriptForm is trace --format json; its events are those of trace.schema.json.
type transcriptForm struct {
	Schema  string         `json:"schema"`
	Run     string         `json:"run"`
	Query   string         `json:"query"`
	Records []store.Record `json:"records"`
	Traces  []tracedEvents `json:"traces"`
}

type tracedEvents struct {
	trace.ID
	Configurations []string          `json:"configurations"`
	Worker         string            `json:"worker,omitempty"`
	Events         []json.RawMessage `json:"events"`
}

// outputs makes the schema of every output, by its name in docs.
func outputs() map[string]schemaObject {
	m := &schemaMaker{
		Enums: map[reflect.Type][]string{reflect.TypeFor[judge.Ruling](): {string(judge.Correct), string(judge.Incorrect), string(judge.Unscored)}},
		Null: []string{
			"gate.Change.items", "agreement.Figures.judges", "judge.CorrectnessJudgement.members", "judge.CorrectnessJudgement.repeats", "judge.QualityJudgement.repeats", "model.Message.tool_calls", "store.RequestSettings.stop", "store.RequestSettings.tools",
			"result.Judge.rubric", "store.Judgements.rubric", "store.Usage.roles", "trace.Conclusion.supporting", "trace.Observation.documents",
		},
	}
	recorded, summed := map[string]any{}, map[string]any{}
	for _, kind := range registry.Features() {
		if kind.Record != nil {
			recorded[kind.Name] = kind.Record
		}
		if kind.Figures != nil {
			summed[kind.Name] = kind.Figures
		}
	}
	m.Extras = map[string]map[string]any{"trace.Extras": recorded, "result.Configuration": summed}
	for _, o := range trace.Outcomes() {
		m.Enums[reflect.TypeFor[trace.Outcome]()] = append(m.Enums[reflect.TypeFor[trace.Outcome]()], string(o))
	}
	named := func(name string, of any, always ...string) mergedStructs {
		return mergedStructs{Of: []any{of}, Values: map[string]string{"schema": name}, Always: always}
	}
	events := []any{named("concur/trace/v1", firstLine{})}
	for name, body := range map[string]trace.Body{
		"thought": trace.Thought{}, "action": trace.Action{}, "observation": trace.Observation{}, "reflection": trace.Reflection{}, "guard": trace.Guard{}, "audit": trace.Audit{}, "final": trace.Conclusion{},
		trace.ExtractionEvent: trace.Extraction{},
	} {
		events = append(events, mergedStructs{Of: []any{eventHead{}, body, checksum{}}, Values: map[string]string{"event": name}})
	}
	slices.SortFunc(events[1:], func(a, b any) int {
		return strings.Compare(a.(mergedStructs).Values["event"], b.(mergedStructs).Values["event"])
	})
	out := map[string]schemaObject{}
	for file, d := range map[string]struct {
		what string
		of   []any
	}{
		"summary":     {"run, ablate and report --format json, and summary.json", []any{named("concur/summary/v1", result.Result{})}},
		"comparison":  {"compare --format json", []any{named("concur/comparison/v1", result.Result{}, "runs")}},
		"plan":        {"run and ablate --dry-run --format json", []any{named("concur/plan/v1", runner.Forecast{})}},
		"needed":      {"plan --format json", []any{named("concur/needed/v1", sizing.Plan{})}},
		"attack":      {"attack --format json", []any{named(attack.Schema, attack.Result{})}},
		"series":      {"compare --series --format json", []any{named(series.Schema, series.Series{})}},
		"gate":        {"gate --format json, and gate.json", []any{named("concur/gate/v2", gatereport.Report{})}},
		"usefulness":  {"usefulness --format json", []any{named(usefulness.Schema, usefulness.Report{})}},
		"gains":       {"a line of usefulness.jsonl", []any{named(usefulness.FileSchema, firstLine{}), mergedStructs{Of: []any{usefulness.Entry{}, checksum{}}}}},
		"annotation":  {"annotate --format json", []any{named(worth.AnnotationSchema, worth.Annotation{})}},
		"candidate":   {"a line of kept.jsonl and dropped.jsonl", []any{annotate.Candidate{}}},
		"operating":   {"gate simulate --format json", []any{gate.Operating{}}},
		"baseline":    {"baseline show --format json", []any{named("concur/baseline-summary/v2", gatereport.Baseline{})}},
		"calibration": {"judge calibrate --format json, and the file of judge.calibration", []any{named("concur/calibration/v1", judge.Calibration{})}},
		"judge-score": {"judge score --format json", []any{named("concur/judge-score/v1", agreement.Recording{})}},
		"suspects":    {"datasets check --from --format json", []any{suspects.Report{}}},
		"runs":        {"runs --format json", []any{named("concur/runs/v1", listing.RunList{})}},
		"doctor":      {"doctor --format json", []any{named("concur/doctor/v1", listing.CheckList{})}},
		"error":       {"any command with --format json that fails", []any{named("concur/error/v1", errorDocument{})}},
		"transcript":  {"trace RUN QUERY --format json", []any{named(transcript.Schema, transcriptForm{})}},
		"decisions":   {"a line of score --decisions", []any{decisions.Reply{}}},
		"queries":     {"report --rows queries --format json, and trace RUN --format json", []any{named("concur/queries/v1", queryRows{})}},
		"results":     {"a line of results.jsonl, and ask --format json", []any{named("concur/results/v1", firstLine{}), mergedStructs{Of: []any{store.Record{}, checksum{}}}}},
		"trace":       {"a line of trace.jsonl", events},
		"chat":        {"a line of chat.jsonl", []any{named("concur/chat/v1", firstLine{}), mergedStructs{Of: []any{store.Exchange{}, checksum{}}}}},
	} {
		out[file] = m.Document("concur: "+file, d.what, d.of...)
	}
	return out
}

// compiled is the schema of an output as docs has it.
func compiled(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	s, _ := loadSchema(t, name+".schema.json")
	return s
}

// TestOutputSchemas: the schemas in docs are those of the types.
func TestOutputSchemas(t *testing.T) {
	for name, s := range outputs() {
		raw, err := json.MarshalIndent(s, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		golden.Check(t, filepath.Join(docsDir, name+".schema.json"), string(raw)+"\n")
	}
}

// TestOutputsHaveTheirSchemas: what the commands really print is as docs says, and a field that
// is missing or has another name is not.
func TestOutputsHaveTheirSchemas(t *testing.T) {
	if testing.Short() {
		t.Skip(wholeRuns)
	}
	schemas := map[string]*jsonschema.Schema{}
	for name := range outputs() {
		schemas[name] = compiled(t, name)
	}
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	seen, lines := map[string]bool{}, map[string]int{}
	validate := func(name, from string, raw []byte) {
		t.Helper()
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatalf("%s: %v: %.200s", from, err, raw)
		}
		fields := value.(map[string]any)
		kind := fmt.Sprint(name, fields["event"], len(fields))
		if lines[kind]++; lines[kind] > 20 {
			return // enough of a kind, for time
		}
		if err := schemas[name].Validate(value); err != nil {
			t.Errorf("%s is not as %s.schema.json: %v", from, name, err)
		}
		if seen[name] = true; seen[kind] || len(fields) < 2 {
			return
		}
		seen[kind] = true
		for _, field := range slices.DeleteFunc(slices.Collect(maps.Keys(fields)), func(f string) bool { return f == "crc" || f == "extras" }) {
			v := fields[field]
			delete(fields, field)
			if schemas[name].Validate(value) == nil {
				t.Errorf("%s passes without %s", from, field)
			}
			fields[field+"_2"] = v
			if schemas[name].Validate(value) == nil {
				t.Errorf("%s passes with %s_2 in place of %s", from, field, field)
			}
			delete(fields, field+"_2")
			fields[field] = v
		}
	}
	command := func(name, line string, codes ...int) {
		t.Helper()
		code, out, errs := invoke(append(strings.Fields(line), "--format", "json")...)
		if len(codes) == 0 && code != exitOK || len(codes) > 0 && code != codes[0] {
			t.Fatalf("%s: exit %d: %s", line, code, errs)
		}
		validate(name, line, []byte(out))
	}
	if code, _, errs := invoke("init", "--quiet"); code != exitOK {
		t.Fatal(errs)
	}
	command("summary", "run --quiet --seed 7 -k 2")
	command("summary", "run --quiet --seed 6")
	command("summary", "report latest")
	command("queries", "report latest --rows queries")
	command("queries", "trace latest")
	command("transcript", "trace latest calc-product")
	command("usefulness", "usefulness latest --quiet --scorer offline:ngram --tau 0")
	command("annotation", "annotate "+filepath.Join(examples, "annotate.jsonl")+" --quiet --scorer offline:ngram --folder annotated")
	for _, name := range []string{annotate.KeptFile, annotate.DroppedFile} {
		raw, err := os.ReadFile(filepath.Join("annotated", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range bytes.Split(bytes.TrimSuffix(raw, []byte("\n")), []byte("\n")) {
			validate("candidate", name, line)
		}
	}
	command("gate", "gate latest --quiet --simulations 20", 0)
	command("operating", "gate simulate --quiet --simulations 20")
	command("baseline", "baseline show")
	command("series", "compare --series latest")
	command("runs", "runs")
	command("plan", "run --dry-run")
	command("plan", "ablate --dry-run")
	command("needed", "plan --rate .9 --between .1")
	command("summary", "ablate --quiet --limit 1 --judge same --yes")
	command("error", "report nowhere", exitUsage)
	command("doctor", "doctor")
	write(t, "labelled.jsonl", strings.ReplaceAll(labelledAnswers(10, 4), `"condition": "names that person", `, ""))
	command("calibration", "judge calibrate labelled.jsonl --quiet")
	write(t, "verdicts.jsonl", `{"id":"1","label":true,"verdicts":{"a":true,"b":[true,null]},"orders":{"a":[true,true]},"scores":{"a":5},"score":4}`+"\n"+`{"id":"2","label":false,"verdicts":{"a":false,"b":null}}`+"\n")
	command("judge-score", "judge score verdicts.jsonl")
	write(t, "attacks.txt", "system override\nhonest: What is an override?\n")
	command("attack", "attack attacks.txt --quiet -k 1 --runs-dir attacks")
	command("results", "ask 2+2 --quiet")
	command("suspects", "datasets check gold29 --from latest")
	write(t, "questions.jsonl", `{"answers":["1","1","2"],"gold":["1"]}`+"\n"+`{"answers":[]}`+"\n")
	code, out, errs := invoke("score", "questions.jsonl", "--decisions")
	if code != exitOK {
		t.Fatal(errs)
	}
	for line := range strings.Lines(out) {
		validate("decisions", "score --decisions", []byte(line))
	}
	runs, _, err := runlist.List("runs")
	if err != nil {
		t.Fatal(err)
	}
	command("comparison", "compare "+runs[len(runs)-1].Manifest.Run+" "+runs[len(runs)-2].Manifest.Run)
	for _, run := range runs {
		for name, file := range map[string]string{"results": "results", "trace": "trace", "chat": "chat", "gains": "usefulness"} {
			raw, err := os.ReadFile(filepath.Join(run.Dir, file+".jsonl"))
			if name == "gains" && errors.Is(err, fs.ErrNotExist) {
				continue // only one run was measured
			}
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range bytes.Split(bytes.TrimSuffix(raw, []byte("\n")), []byte("\n")) {
				validate(name, fmt.Sprintf("%s:%d", filepath.Join(run.Dir, file+".jsonl"), i+1), line)
			}
		}
	}
	for name := range schemas {
		if !seen[name] {
			t.Errorf("nothing was validated by %s.schema.json", name)
		}
	}
}
