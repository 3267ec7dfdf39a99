package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking/askingtest"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
)

// judges is an endpoint of scripted judges: "lenient" passes everything, "honest" what equals
// the reference, "strict" nothing but exactly that, "down" fails after its first good replies.
// It gives the providers of a configuration, and counts the requests.
func judges(t *testing.T) (providers string, asked *atomic.Int64) {
	t.Helper()
	asked = &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req struct {
			Model    string
			Messages []model.Message
		}
		if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
			t.Error(err)
		}
		n := asked.Add(1)
		b := askingtest.Blocks(model.Request{Messages: req.Messages})
		gold := strings.TrimPrefix(strings.Split(b["reference"], "\n")[0], "answer: ")
		right := b["answer"] == gold || b["answer"] == "42,195 metres"
		score := map[bool]int{true: 5, false: 1}[right || req.Model == "lenient"]
		text := fmt.Sprintf(`{"extracted_answer": "x", "criteria": {"correct": %t, "complete": %t, "contradicts_reference": %t, "grounded": null}, "score": %d, "confidence": 99}`,
			score == 5, score == 5, score == 1, score)
		switch _, rubric := b["point to check"]; {
		case rubric:
			// of the canaries, only the trace about Australia has a search
			text = fmt.Sprintf(`{"quote": "", "reason": "see the trace", "holds": %t}`, strings.Contains(b["question"], "Australia"))
		case req.Model == "down" && n > 14:
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error": {"message": "no more"}}`)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(map[string]any{"model": req.Model, "choices": []any{map[string]any{"message": map[string]any{"role": "assistant", "content": text}, "finish_reason": "stop"}}}); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	return "providers:\n  mine: {kind: openai, base_url: \"" + server.URL + "/v1\", auth: none}\n", asked
}

// judged runs four queries of the gold set, two of which the offline model gets wrong, into the
// folder runs of a new working directory.
func judgedRun(t *testing.T, judging string) (code int, out, errs string) {
	t.Helper()
	t.Chdir(t.TempDir())
	providers, _ := judges(t)
	write(t, "concur.yaml", judging+"consensus: {stages: [exact, majority]}\n"+providers)
	return invoke("run", "--query", "calc-03,calc-09,hop-02,retrieval-03", "--quiet", "--format", "json")
}

func TestCanariesInvalidateAJudge(t *testing.T) {
	code, out, errs := judgedRun(t, "judge: {correctness: 'mine:lenient', quality: none}\npass: correctness\n")
	var r result.Result
	if err := json.Unmarshal([]byte(out), &r); err != nil || len(r.Configurations) == 0 {
		t.Fatalf("exit %d: %v\n%s", code, err, errs)
	}
	c := r.Configurations[0]
	if k := c.Judge.Canaries; k == nil || k.Count != 13 || len(k.Missed) != 11 || c.Counts.Unscored != 2 || c.Counts.Correct != 2 {
		t.Errorf("canaries %+v, counts %+v; want 11 of 13 missed, and the two verdicts that a model had to give unscored", c.Judge.Canaries, c.Counts)
	}
	if text := strings.Join(r.Warnings, "\n"); !strings.Contains(text, "the judge is invalid") || !strings.Contains(text, "empty answer") {
		t.Errorf("the warnings do not say it: %s", text)
	}
}

func TestPanelOfOneJudgeIsOneVote(t *testing.T) {
	code, out, errs := judgedRun(t, "judge: {correctness: panel, quality: none, panel: {members: ['mine:honest', 'mine:honest-too', 'mine:strict']}}\npass: correctness\n")
	var r result.Result
	if err := json.Unmarshal([]byte(out), &r); err != nil || len(r.Configurations) == 0 {
		t.Fatalf("exit %d: %v\n%s", code, err, errs)
	}
	p := r.Configurations[0].Judge.Panel
	if p == nil || len(p.Members) != 3 || p.Members[0].Incorrect != 2 || r.Configurations[0].Counts.Incorrect != 2 {
		t.Errorf("the panel: %+v, counts %+v", p, r.Configurations[0].Counts)
	}
}

// TestRejudge: stored traces under another judge; what was asked already is not asked again, and
// a person's label stays.
func TestRejudge(t *testing.T) {
	t.Chdir(t.TempDir())
	providers, asked := judges(t)
	write(t, "concur.yaml", "judge: {correctness: 'mine:honest', quality: none}\npass: correctness\nconsensus: {stages: [exact, majority]}\n"+providers)
	if code, _, errs := invoke("run", "--query", "calc-03,calc-09,hop-02,retrieval-03", "--quiet"); code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	first := asked.Load()
	if first != 13+2 {
		t.Errorf("the run asked its judge %d times; want 13 canaries and 2 wrong answers", first)
	}
	if code, out, errs := invoke("label", "latest", "calc-09", "correct", "--author", "ada", "--reason", "the gold is wrong"); code != exitOK || !strings.Contains(out, "calc-09 is correct by ada; the verdict was incorrect") {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	if code, _, errs := invoke("rejudge", "latest", "--threshold", "5", "--quiet"); code != exitOK || !strings.Contains(errs, "judge.threshold: 4, now 5") {
		t.Fatalf("exit %d: %s", code, errs)
	}
	if again := asked.Load() - first; again != 0 {
		t.Errorf("another threshold asked the judge %d times; want none, it is not told the threshold", again)
	}
	if code, _, errs := invoke("rejudge", "latest", "--quorum", "none", "--quiet"); code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	if again := asked.Load() - first; again != 0 {
		t.Errorf("another quorum asked the judge %d times; want none, the replies are recorded", again)
	}
	run, err := runlist.Find("runs", runlist.LatestRejudge)
	if err != nil {
		t.Fatal(err)
	}
	labels := 0
	for _, r := range records(t, run) {
		if r.Query == "calc-09" && r.Verdict.By == judge.ByPerson && r.Verdict.Verdict == judge.Correct && r.Label.Before.Verdict == judge.Incorrect {
			labels++
		}
		if r.Usage.Roles[store.AgentRole].ModelCalls == 0 {
			t.Errorf("%s has lost the agent's usage", r.Query)
		}
	}
	if labels != 1 {
		t.Errorf("the label did not survive")
	}
	old, err := runlist.Find("runs", runlist.Latest)
	if err != nil || old.Manifest.RejudgeOf != "" || run.Manifest.RejudgeOf != old.Manifest.Run {
		t.Errorf("latest is %v, judged again from %q: %v", old, run.Manifest.RejudgeOf, err)
	}
	for _, c := range []struct{ args, want string }{
		{"compare latest latest-rejudge", "quorum=none against quorum=majority"},
		{"report latest-rejudge", "people labelled 1 of these"},
		{"report latest-rejudge", "verdicts by people: 1"},
		{"trace latest-rejudge calc-09", "calc-09"},
		{"rejudge latest --judge mine:honest --model x:y", "there is no flag --model"},
		{"rejudge latest --stages majority", "exact comes first"},
		{"rejudge --resume latest", "was not judged again"},
		{"run --resume latest-rejudge", "rejudge --resume"},
		{"run --replay latest --check", "all 4 verdicts equal the recording"}, // whatever a person says of them
		{"label latest calc-09 maybe", "is not a verdict"},
		{"label latest calc-90 correct", `did you mean "calc-09"?`},
	} {
		_, out, errs := invoke(strings.Fields(c.args)...)
		if !strings.Contains(out+errs, c.want) {
			t.Errorf("%s: no %q in\n%s%s", c.args, c.want, out, errs)
		}
	}
}

// TestRejudgeGoesOn: an endpoint that dies half-way loses nothing that it said.
func TestRejudgeGoesOn(t *testing.T) {
	t.Chdir(t.TempDir())
	providers, asked := judges(t)
	write(t, "concur.yaml", "judge: {correctness: none, quality: none}\nconsensus: {stages: [exact, majority]}\n"+providers)
	if code, _, errs := invoke("run", "--query", "calc-03,calc-09,hop-02,retrieval-03", "--quiet"); code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	old, err := filepath.Glob("runs/*/results.jsonl")
	if err != nil || len(old) != 1 {
		t.Fatal(old, err)
	}
	before, err := os.ReadFile(old[0])
	if err != nil {
		t.Fatal(err)
	}
	write(t, "down.yaml", "judge: {correctness: 'mine:down', quality: none}\npass: correctness\nconsensus: {stages: [exact, majority]}\n"+providers)
	code, out, errs := invoke("rejudge", "latest", "--config", "down.yaml", "--quiet", "--format", "json")
	var r result.Result
	if err := json.Unmarshal([]byte(out), &r); err != nil || len(r.Configurations) == 0 {
		t.Fatalf("exit %d: %v %s", code, err, errs)
	}
	if n := r.Configurations[0].Counts; n.Unscored != 1 || n.Incorrect != 1 || n.Correct != 2 || asked.Load() < 15 {
		t.Errorf("counts %+v after %d requests; want one verdict lost with its judge", n, asked.Load())
	}
	if after, err := os.ReadFile(old[0]); err != nil || string(after) != string(before) {
		t.Errorf("the old verdicts changed: %v", err)
	}
}

func TestRubricInARun(t *testing.T) {
	code, out, errs := judgedRun(t, "judge:\n  correctness: none\n  quality: none\n  rubric: [{id: searched, ask: 'Did it search?'}]\n")
	if code != exitUsage || !strings.Contains(errs, "judge.rubric needs a language model") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	code, out, errs = judgedRun(t, "judge:\n  correctness: 'mine:honest'\n  quality: none\n  rubric: [{id: searched, ask: 'Did it search?'}, {id: cited, ask: 'Did it cite?', evidence: required}]\n")
	var r result.Result
	if err := json.Unmarshal([]byte(out), &r); err != nil || len(r.Configurations) == 0 {
		t.Fatalf("exit %d: %v %s", code, err, errs)
	}
	items := r.Configurations[0].Judge.Rubric
	if len(items) != 2 || *r.Configurations[0].Judge.RubricScore != 0 || items[0].Not != 4 || items[1].Unscored != 4 || items[1].Rate != nil {
		t.Errorf("the rubric: %+v; want 4 that do not hold, and 4 without the evidence that is required", items)
	}
}

// TestLabelSession: keys on standard input, one label each.
func TestLabelSession(t *testing.T) {
	if code, _, errs := judgedRun(t, ""); code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	var out, shown strings.Builder
	keys := console.Console{In: strings.NewReader("vyrits me\nn?suyq"), Out: &out, Err: &shown, Environ: func(string) string { return "" }, Exit: os.Exit}
	if code := run([]string{"concur", "label", "latest", "--author", "ada"}, keys); code != exitOK {
		t.Fatalf("exit %d: %s", code, shown.String())
	}
	run, err := runlist.Find("runs", runlist.Latest)
	if err != nil {
		t.Fatal(err)
	}
	labels, err := run.Labels()
	if err != nil || len(labels) != 4 {
		t.Fatalf("%+v %v", labels, err)
	}
	if l := labels[0]; l.Verdict != judge.Correct || !l.Seen || l.Draw == nil || l.Author != "ada" {
		t.Errorf("the first: %+v", l)
	}
	if l := labels[1]; l.Verdict != judge.Incorrect || l.Seen || l.Reason != "its me" {
		t.Errorf("the second: %+v", l)
	}
	if a, b := labels[2], labels[3]; a.Verdict != judge.Unscored || b.Verdict != judge.Correct || a.Query != b.Query {
		t.Errorf("the third is taken back: %+v %+v", a, b)
	}
	for i := 1; i < 3; i++ {
		if labels[i-1].Draw.Next != labels[i].Draw.At {
			t.Errorf("label %d is not the next of the order: %+v %+v", i, labels[i-1].Draw, labels[i].Draw)
		}
	}
	if code, _, errs := invoke("label", "latest", "--uniform"); code != exitUsage || !strings.Contains(errs, "with different chances") {
		t.Errorf("draws of two kinds: exit %d: %s", code, errs)
	}
	if strings.Count(shown.String(), "verdict") > 3 || !strings.Contains(shown.String(), "labels given: 4") {
		t.Errorf("shown: %s", shown.String())
	}
}

// labelledAnswers are so many right answers and wrong ones, with their labels. The right ones are
// in words, which no rule equates with the gold; every third of them is spelt as the gold is.
func labelledAnswers(right, wrong int) string {
	var out strings.Builder
	for i := range right + wrong {
		answer := fmt.Sprintf("Person %d", i)
		if i >= right {
			answer = fmt.Sprintf("Somebody else than %d", i)
		}
		fmt.Fprintf(&out, `{"query": "Who is number %d?", "gold": "Person %d", "condition": "names that person", "answer": %q, "label": %t}`+"\n", i, i, answer, i < right)
	}
	return out.String()
}

func TestCalibrate(t *testing.T) {
	t.Chdir(t.TempDir())
	providers, _ := judges(t)
	write(t, "concur.yaml", "judge: {correctness: 'mine:honest', quality: none}\nconsensus: {stages: [exact, majority]}\n"+providers)
	write(t, "labelled.jsonl", labelledAnswers(40, 40))
	code, out, errs := invoke("judge", "calibrate", "labelled.jsonl", "--quiet")
	if code != exitOK || !strings.Contains(out, "40/40    0/40  1.00 [0.91, 1.00]") || !strings.Contains(out, "validated: its pass rates") {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	if code, _, errs := invoke("judge", "calibrate", "labelled.jsonl", "--quiet", "--format", "json", "--out", "judge.json"); code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	run := []string{"run", "--query", "calc-03,calc-09,hop-02,retrieval-03", "--quiet", "--pass", "correctness", "--wide", "--calibration", "judge.json"}
	code, out, errs = invoke(run...)
	for _, want := range []string{"on 80 labelled answers its sensitivity is 1.00", "the judge passed 2 of 4, 50 % [", "by 80 labelled answers (Rogan-Gladen) 50 % ["} {
		if code != exitOK || !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Fatalf("exit %d: no %q in %s%s", code, want, out, errs)
		}
	}
	if code, _, errs := invoke(append(run, "--judge", "mine:strict")...); code != exitUsage || !strings.Contains(errs, "judge: mine:honest, now mine:strict") {
		t.Errorf("another judge takes the calibration: exit %d: %s", code, errs)
	}
	for args, want := range map[string]string{"--threshold 9": "judge.threshold", "--repeats -1": "judge.repeats"} {
		if code, _, errs := invoke(append(strings.Fields("judge calibrate labelled.jsonl --quiet"), strings.Fields(args)...)...); code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d: %s", args, code, errs)
		}
	}
	for name, c := range map[string]struct{ file, judge, want string }{
		"one kind":          {labelledAnswers(5, 0), "mine:honest", "5 of 5 labels say right: add right and wrong answers"},
		"a contradiction":   {labelledAnswers(1, 1) + strings.Replace(labelledAnswers(1, 0), "true", "false", 1), "mine:honest", "labelled.jsonl:3: the answer \"Person 0\" to this query has another label at labelled.jsonl:1"},
		"no label":          {`{"query": "Q?", "gold": "x", "answer": "y"}` + "\n", "mine:honest", "it has no label: write true or false"},
		"no JSON":           {"right\n", "mine:honest", "labelled.jsonl:1: it is not JSON: it begins with"},
		"no gold":           {`{"query": "Q?", "answer": "y", "label": true}` + "\n", "mine:honest", "neither gold nor condition"},
		"an invalid judge":  {labelledAnswers(3, 3), "mine:lenient", "canaries wrong"},
		"no judge":          {labelledAnswers(3, 3), "none", "no correctness judge is configured"},
		"a judge that dies": {labelledAnswers(3, 3), "mine:down", "nothing was written"},
	} {
		write(t, "labelled.jsonl", c.file)
		if code, out, errs := invoke("judge", "calibrate", "labelled.jsonl", "--quiet", "--judge", c.judge); code == exitOK || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit %d: %s%s", name, code, out, errs)
		}
	}
}

func TestCalibratedPanel(t *testing.T) {
	t.Chdir(t.TempDir())
	providers, _ := judges(t)
	conf := "judge: {correctness: panel, quality: none, panel: {members: ['mine:honest', 'mine:strict', 'mine:honest-too'], rule: calibrated}%s}\npass: correctness\nconsensus: {stages: [exact, majority]}\n" + providers
	write(t, "concur.yaml", fmt.Sprintf(conf, ""))
	write(t, "labelled.jsonl", labelledAnswers(20, 20))
	if code, _, errs := invoke("run", "--query", "calc-09", "--quiet"); code == exitOK || !strings.Contains(errs, "judge.panel.rule is calibrated, but judge.calibration is not set") {
		t.Errorf("a panel weighs without a calibration: exit %d: %s", code, errs)
	}
	if code, _, errs := invoke("judge", "calibrate", "labelled.jsonl", "--quiet", "--format", "json", "--out", "judge.json"); code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	write(t, "concur.yaml", fmt.Sprintf(conf, ", calibration: judge.json"))
	if code, out, errs := invoke("run", "--query", "calc-03,calc-09,hop-02,retrieval-03", "--quiet"); code != exitOK || !strings.Contains(out, "2/4") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}

	// The agent's model as a member, another threshold, and repeats.
	write(t, "concur.yaml", "model: mine:strict\n"+strings.Replace(fmt.Sprintf(conf, ""), "'mine:strict'", "same", 1))
	code, out, errs := invoke("judge", "calibrate", "labelled.jsonl", "--quiet", "--format", "json", "--threshold", "5", "--repeats", "3")
	var c judge.Calibration
	if err := json.Unmarshal([]byte(out), &c); err != nil || code != exitOK {
		t.Fatalf("exit %d: %v: %s", code, err, errs)
	}
	if v := c.Version; v.Threshold != 5 || v.Repeats != 3 || strings.Join(v.Models, " ") != "mine:honest mine:strict mine:honest-too" {
		t.Errorf("%+v", v)
	}
	if code, _, errs := invoke("judge", "calibrate", "labelled.jsonl", "--threshold", "9"); code != exitUsage || !strings.Contains(errs, "judge.threshold is 9") {
		t.Errorf("exit %d: %s", code, errs)
	}
}
