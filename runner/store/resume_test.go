package store_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// ended writes a complete trace with one exchange.
func ended(w *store.Writer, query string, index int, reason trace.StopReason) {
	id := trace.ID{Agent: "3f2a", Query: query, Trace: index}
	w.Exchange(store.Exchange{Identity: model.Identity{Agent: id.Agent, Query: query, Trace: index, Purpose: model.Agent}})
	outcome, decided := reason.Outcome()
	if !decided {
		outcome = trace.Answered
	}
	t := trace.Trace{ID: id, Outcome: outcome, StopReason: reason, ModelCalls: 1, Extract: "none"}
	c := t.Conclusion()
	c.Timing.CallsSent = 1
	w.Event(trace.Event{ID: id, Body: c})
}

// decided returns the record of a query with one trace.
func decided(query string, reason trace.StopReason) store.Record {
	return store.Record{Configuration: "default", Query: query, Agent: "3f2a", Answers: []store.Answer{{StopReason: reason}}}
}

// resume resumes a run.
func resume(t *testing.T, run *store.Run, retryFailed bool) (*store.Writer, *store.Prior) {
	t.Helper()
	w, prior, err := run.Resume(day(3), store.Scope{RetryFailed: retryFailed})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Finish(store.Interrupted, day(4)) }) // if the test has already finished the run, it has checked the error
	return w, prior
}

func TestPriorSaysWhatIsFinished(t *testing.T) {
	w := create(t, "r1")
	for _, q := range []struct {
		id       string
		reason   trace.StopReason
		recorded bool
	}{{"whole", trace.Final, true}, {"undecided", trace.Final, false}, {"cancelled", trace.Cancelled, false}, {"failed", trace.ModelError, true}} {
		ended(w, q.id, 0, q.reason)
		if q.recorded {
			w.Record(decided(q.id, q.reason))
		}
	}
	w.Event(thought("inflight", 0, 0))
	lost := trace.ID{Agent: "3f2a", Query: "lost"} // a power failure kept its end, and lost its exchange
	w.Event(trace.Event{ID: lost, Body: trace.Conclusion{Outcome: trace.Answered, StopReason: trace.Final, Timing: trace.Timing{CallsSent: 1}}})
	w.Record(decided("lost", trace.Final))
	judged := decided("unjudged", trace.Final)
	judged.Judgements = &store.Judgements{Quality: []judge.QualityJudgement{{Verdict: judge.Verdict{Verdict: judge.Unscored}}}}
	ended(w, "unjudged", 0, trace.Final)
	w.Record(judged)
	unchecked := decided("unchecked", trace.Final)
	unchecked.Judgements = &store.Judgements{Rubric: []judge.RubricJudgement{{Verdict: judge.Verdict{Verdict: judge.Unscored}}}}
	ended(w, "unchecked", 0, trace.Final)
	w.Record(unchecked)
	unverified := decided("unverified", trace.Final)
	unverified.Consensus = consensus.Decision{Effort: consensus.Effort{Errors: 1}}
	ended(w, "unverified", 0, trace.Final)
	w.Record(unverified)
	unread := decided("unread", trace.EmptyAnswer)
	unread.Extraction = &store.Extraction{Effort: asking.Effort{Errors: 1}}
	ended(w, "unread", 0, trace.EmptyAnswer)
	w.Record(unread)
	run := finish(t, w, store.Interrupted)

	for _, c := range []struct {
		retry    bool
		decided  []string
		finished []string
	}{
		{false, []string{"whole", "failed", "unjudged", "unchecked", "unverified", "unread"}, []string{"undecided"}},
		{true, []string{"whole"}, []string{"undecided", "unjudged", "unchecked", "unverified", "unread"}},
	} {
		prior, err := run.Prior(store.Scope{RetryFailed: c.retry})
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range []string{"whole", "undecided", "cancelled", "failed", "inflight", "lost", "unjudged", "unchecked", "unverified", "unread", "never"} {
			if got, want := prior.Decided("default", q), slices.Contains(c.decided, q); got != want {
				t.Errorf("retry %t: %s decided: %t, want %t", c.retry, q, got, want)
			}
			_, got := prior.Trace(trace.ID{Agent: "3f2a", Query: q})
			if want := slices.Contains(c.finished, q); got != want {
				t.Errorf("retry %t: trace of %s kept: %t, want %t", c.retry, q, got, want)
			}
		}
		if prior.Decided("other", "whole") || prior.Queries() != len(c.decided) || prior.Traces() != len(c.finished) {
			t.Errorf("retry %t: %d queries and %d traces", c.retry, prior.Queries(), prior.Traces())
		}
	}
}

// TestWhatIsMadeAnewCounts checks that a trace, a conversation and a record of a later session replace the
// earlier ones.
func TestWhatIsMadeAnewCounts(t *testing.T) {
	w := create(t, "r1")
	w.Event(thought("q1", 0, 0))
	ended(w, "q1", 0, trace.ModelError)
	w.Record(decided("q1", trace.ModelError))
	ended(w, "q2", 0, trace.Final)
	w.Record(decided("q2", trace.Final))
	run := finish(t, w, store.Complete)

	again, _ := resume(t, run, true)
	ended(again, "q1", 0, trace.Final)
	again.Record(decided("q1", trace.Final))
	if err := again.Finish(store.Complete, day(4)); err != nil {
		t.Fatal(err)
	}
	run = reopen(t, run.Dir)
	events, err := collect(run.Events())
	if err != nil || len(events) != 2 || events[0].Query != "q2" || events[1].Session != 1 {
		t.Errorf("events %+v, %v; want the end of q2 and the new one of q1", events, err)
	}
	exchanges, err := collect(run.Exchanges())
	if err != nil || len(exchanges) != 2 {
		t.Errorf("%d exchanges, %v", len(exchanges), err)
	}
	records, err := collect(run.Records())
	if err != nil || len(records) != 2 || records[1].Answers[0].StopReason != trace.Final || records[1].Timing.Session != 1 {
		t.Errorf("records %+v, %v", records, err)
	}
	if m := run.Manifest; len(m.Resumed) != 1 || m.State != store.Complete {
		t.Errorf("manifest %+v", m)
	}
}

// TestAnOldRecordDoesNotStandForNewTraces checks a process that was killed after a trace was run again and
// before its new record was written.
func TestAnOldRecordDoesNotStandForNewTraces(t *testing.T) {
	w := create(t, "r1")
	ended(w, "q1", 0, trace.ModelError)
	w.Record(decided("q1", trace.ModelError))
	run := finish(t, w, store.Complete)
	again, _ := resume(t, run, true)
	ended(again, "q1", 0, trace.Final)
	if err := again.Finish(store.Interrupted, day(4)); err != nil {
		t.Fatal(err)
	}
	prior, err := reopen(t, run.Dir).Prior(store.Scope{})
	if err != nil || prior.Decided("default", "q1") || prior.Traces() != 1 {
		t.Errorf("decided %t, %d traces, %v", prior.Decided("default", "q1"), prior.Traces(), err)
	}
}

// TestAQueryThatWasAskedAboutLaterIsDecidedAgain checks a process that was killed after a judge was asked
// again and before the new record was written.
func TestAQueryThatWasAskedAboutLaterIsDecidedAgain(t *testing.T) {
	w := create(t, "r1")
	ended(w, "q1", 0, trace.Final)
	w.Record(decided("q1", trace.Final))
	run := finish(t, w, store.Interrupted)
	again, prior := resume(t, run, false)
	if !prior.Decided("default", "q1") {
		t.Fatal("the record does not stand")
	}
	again.Exchange(store.Exchange{Identity: model.Identity{Agent: "judge", Query: "q1", Purpose: model.Judge}})
	if err := again.Finish(store.Interrupted, day(4)); err != nil {
		t.Fatal(err)
	}
	if prior, err := reopen(t, run.Dir).Prior(store.Scope{}); err != nil || prior.Decided("default", "q1") || prior.Traces() != 1 {
		t.Errorf("decided %t, %v", prior.Decided("default", "q1"), err)
	}
}

// With several configurations, a later question to a judge does not invalidate records. Otherwise each
// resumption would decide again what the previous one had decided.
func TestRecordsOfSeveralConfigurationsStand(t *testing.T) {
	m := manifest("r1")
	other := m.Configurations[0]
	other.Name = "other"
	m.Configurations = append(m.Configurations, other)
	w, err := store.Create(t.TempDir(), m)
	if err != nil {
		t.Fatal(err)
	}
	ended(w, "q1", 0, trace.Final)
	w.Record(decided("q1", trace.Final))
	run := finish(t, w, store.Interrupted)
	again, _ := resume(t, run, false)
	again.Exchange(store.Exchange{Identity: model.Identity{Agent: "judge", Query: "q1", Purpose: model.Judge}})
	rec := decided("q1", trace.Final)
	rec.Configuration = "other"
	again.Record(rec)
	if err := again.Finish(store.Complete, day(4)); err != nil {
		t.Fatal(err)
	}
	prior, err := reopen(t, run.Dir).Prior(store.Scope{})
	if err != nil || !prior.Decided("default", "q1") || !prior.Decided("other", "q1") {
		t.Errorf("decided %t and %t, %v", prior.Decided("default", "q1"), prior.Decided("other", "q1"), err)
	}
}

func TestTornTailsAreCut(t *testing.T) {
	for name, tail := range map[string]string{
		"half a line":       `{"agent":"3f2a","query":"q`,
		"zeros":             "\x00\x00\x00\x00",
		"more than a block": strings.Repeat("x", 200<<10),
	} {
		t.Run(name, func(t *testing.T) {
			w := create(t, "r1")
			ended(w, "q1", 0, trace.Final)
			run := finish(t, w, store.Interrupted)
			want := map[string][]byte{}
			for _, file := range []string{"trace.jsonl", "chat.jsonl", "results.jsonl"} {
				path := filepath.Join(run.Dir, file)
				want[file] = content(t, path)
				if err := os.WriteFile(path, append(bytes.Clone(want[file]), tail...), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			left := filepath.Join(run.Dir, ".summary.json.123")
			if err := os.WriteFile(left, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			_, prior := resume(t, run, false)
			if prior.Traces() != 1 {
				t.Errorf("%d traces are kept, want 1", prior.Traces())
			}
			for file, whole := range want {
				if diff := cmp.Diff(string(whole), string(content(t, filepath.Join(run.Dir, file)))); diff != "" {
					t.Errorf("%s (-before +after):\n%s", file, diff)
				}
			}
			if _, err := os.Stat(left); err == nil {
				t.Error("a temporary file of the process that died is still there")
			}
		})
	}
}

// TestHeadersThatWereLostAreWrittenAgain checks a power failure directly after the start.
func TestHeadersThatWereLostAreWrittenAgain(t *testing.T) {
	w := create(t, "r1")
	run := finish(t, w, store.Interrupted)
	for _, file := range []string{"trace.jsonl", "chat.jsonl", "results.jsonl"} {
		if err := os.Truncate(filepath.Join(run.Dir, file), 9); err != nil {
			t.Fatal(err)
		}
	}
	again, _ := resume(t, run, false)
	again.Record(record("q1"))
	if err := again.Finish(store.Complete, day(4)); err != nil {
		t.Fatal(err)
	}
	if records, err := collect(reopen(t, run.Dir).Records()); err != nil || len(records) != 1 {
		t.Errorf("%d records, %v", len(records), err)
	}
}

func TestTwoWritersNever(t *testing.T) {
	w := create(t, "r1")
	run := reopen(t, w.Dir())
	before := content(t, filepath.Join(w.Dir(), "run.yaml"))
	_, _, err := run.Resume(day(3), store.Scope{})
	wantError(t, err, "resume run", w.Dir(), "another process is writing it")
	if diff := cmp.Diff(string(before), string(content(t, filepath.Join(w.Dir(), "run.yaml")))); diff != "" {
		t.Errorf("the manifest of a run that is written was touched:\n%s", diff)
	}
	run = finish(t, w, store.Interrupted)
	resume(t, run, false)
	_, _, err = run.Resume(day(3), store.Scope{})
	wantError(t, err, "another process is writing it")
}

func TestResumeRefusesWhatIsDamaged(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(dir string) error
		want   []string
	}{
		"a file is gone":       {func(dir string) error { return os.Remove(filepath.Join(dir, "chat.jsonl")) }, []string{"chat.jsonl", "no such file", "restore the file from a copy"}},
		"zeros in the middle":  {overwrite("trace.jsonl", "\x00\x00\x00"), []string{"trace.jsonl:2", "damaged"}},
		"no JSON in an event":  {overwrite("trace.jsonl", `"""`), []string{"trace.jsonl:2", "damaged"}},
		"no JSON in a chat":    {overwrite("chat.jsonl", `"""`), []string{"chat.jsonl:2", "damaged"}},
		"nothing in an event":  {appendLine("trace.jsonl", "{}"), []string{"trace.jsonl:4", "damaged"}},
		"nothing in a record":  {appendLine("results.jsonl", "{}"), []string{"results.jsonl:4", "damaged"}},
		"something else":       {replaceFile("trace.jsonl", "hello world"), []string{"trace.jsonl:1", "damaged"}},
		"no JSON in a record":  {overwrite("results.jsonl", `"""`), []string{"results.jsonl:2", "wrong checksum"}},
		"another first line":   {overwriteAt("chat.jsonl", "xxx", 3), []string{"chat.jsonl:1", "first line"}},
		"the manifest is gone": {func(dir string) error { return os.Remove(filepath.Join(dir, "run.yaml")) }, []string{"run.yaml"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := create(t, "r1")
			for _, q := range []string{"q1", "q2"} {
				ended(w, q, 0, trace.Final)
				w.Record(decided(q, trace.Final))
			}
			run := older(t, finish(t, w, store.Interrupted).Dir)
			if err := c.damage(run.Dir); err != nil {
				t.Fatal(err)
			}
			_, _, err := run.Resume(day(3), store.Scope{})
			wantError(t, err, append(c.want, "resume run")...)
		})
	}
}

// If a file of a complete run was cut, no part of the run is run again, because the file can be restored.
func TestResumeRefusesACompleteRunThatWasCut(t *testing.T) {
	for name, damage := range map[string]func(dir string) error{
		"emptied": replaceFile("chat.jsonl", ""), "cut": appendBytes("trace.jsonl", `{"agent":"a"`), "zeros": appendBytes("results.jsonl", "\x00\x00"),
	} {
		w := create(t, "r1")
		ended(w, "q1", 0, trace.Final)
		w.Record(decided("q1", trace.Final))
		run := finish(t, w, store.Complete)
		if err := damage(run.Dir); err != nil {
			t.Fatal(err)
		}
		_, _, err := run.Resume(day(3), store.Scope{})
		wantError(t, err, "has the wrong length", "concur runs repair")
		run = older(t, run.Dir)
		_, _, err = run.Resume(day(3), store.Scope{})
		wantError(t, err, "the last line is cut off, although the run is complete", "restore the file from a copy")
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

func appendBytes(file, text string) func(string) error {
	return func(dir string) error {
		f, err := os.OpenFile(filepath.Join(dir, file), os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = f.WriteString(text)
		return err
	}
}

// overwrite writes a text over the beginning of the second line of a file.
func overwrite(file, text string) func(string) error {
	return func(dir string) error {
		raw, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			return err
		}
		return overwriteAt(file, text, bytes.IndexByte(raw, '\n')+20)(dir)
	}
}

func overwriteAt(file, text string, at int) func(string) error {
	return func(dir string) error {
		f, err := os.OpenFile(filepath.Join(dir, file), os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = f.WriteAt([]byte(text), int64(at))
		return err
	}
}

// If the clock was set back, the duration of a pause must not be negative.
func TestAClockThatJumpsBack(t *testing.T) {
	run := finish(t, create(t, "r1"), store.Interrupted)
	w, _, err := run.Resume(day(-300), store.Scope{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Finish(store.Complete, day(-299)); err != nil {
		t.Fatal(err)
	}
	if m := reopen(t, run.Dir).Manifest; m.PausedS != 0 || len(m.Resumed) != 1 {
		t.Errorf("paused %v s, resumed %v", m.PausedS, m.Resumed)
	}
}

func content(t *testing.T, path string) []byte {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func appendLine(file, line string) func(string) error {
	return func(dir string) error {
		f, err := os.OpenFile(filepath.Join(dir, file), os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = f.WriteString(line + "\n")
		return err
	}
}

func replaceFile(file, text string) func(string) error {
	return func(dir string) error { return os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600) }
}

func replaceOnce(t *testing.T, text, from, to string) string {
	t.Helper()
	if !strings.Contains(text, from) {
		t.Fatalf("%q is not in the text", from)
	}
	return strings.Replace(text, from, to, 1)
}

// In a complete run with as many records as queries, no record replaces another, so the records are read once. If the
// number is right because a query is twice and another missing, that is an error, and not a record too few or too many.
func TestRecordsOfAResumedRun(t *testing.T) {
	for name, c := range map[string]struct {
		first, then []string
		want        int
		wrong       string
	}{
		"each once":            {[]string{"q1"}, []string{"q2"}, 2, ""},
		"one replaced":         {[]string{"q1"}, []string{"q1", "q2"}, 2, ""},
		"one twice, one never": {[]string{"q1"}, []string{"q1"}, 1, `has a second record of query "q1"`},
	} {
		t.Run(name, func(t *testing.T) {
			w := create(t, "r1")
			for _, q := range c.first {
				w.Record(record(q))
			}
			again, _ := resume(t, finish(t, w, store.Interrupted), false)
			for _, q := range c.then {
				r := record(q)
				r.Expected = "again"
				again.Record(r)
			}
			run := finish(t, again, store.Complete)
			records, err := collect(run.Records())
			if c.wrong != "" {
				wantError(t, err, c.wrong)
				return
			}
			if err != nil || len(records) != c.want {
				t.Fatalf("%d records, %v", len(records), err)
			}
			for _, r := range records {
				if (r.Expected == "again") != slices.Contains(c.then, r.Query) {
					t.Errorf("the record of %s is of the wrong session", r.Query)
				}
			}
		})
	}
}
