package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/ablations/usefulness"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
	"github.com/seed-5817661a/concur/trace"
)

// swapResults writes a copy of a run in which each query has the results of another query's calls.
func swapResults(t *testing.T, run *store.Run, folder string) {
	t.Helper()
	var records []store.Record
	results := map[string][]trace.Observation{}
	for r, err := range run.Records() {
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	for e, err := range run.Events() {
		if err != nil {
			t.Fatal(err)
		}
		if o, is := e.Body.(trace.Observation); is && e.Trace == 0 {
			results[e.Query] = append(results[e.Query], o)
		}
	}
	records = slices.DeleteFunc(records, func(r store.Record) bool { return len(results[r.Query]) == 0 })
	other := map[string]string{} // the next query with calls
	for i, r := range records {
		other[r.Query] = records[(i+1)%len(records)].Query
	}
	m := run.Manifest
	m.Run, m.Files, m.End, m.State = "swapped", nil, nil, store.Running
	w, err := store.Create(folder, m)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[trace.ID]int{}
	from := map[trace.ID]map[string]string{} // the new result of each call
	for e, err := range run.Events() {
		if err != nil {
			t.Fatal(err)
		}
		if o, is := e.Body.(trace.Observation); is {
			all := results[other[e.Query]]
			o.Output, o.Documents, o.Error, o.ErrorKind = all[seen[e.ID]%len(all)].Output, nil, nil, nil
			if o.Output == nil {
				o.Output = json.RawMessage(`"error"`)
			}
			e.Body = o
			seen[e.ID]++
			if from[e.ID] == nil {
				from[e.ID] = map[string]string{}
			}
			from[e.ID][o.CallID] = string(o.Output)
		}
		w.Event(e)
	}
	for x, err := range run.Exchanges() {
		if err != nil {
			t.Fatal(err)
		}
		for i, message := range x.Messages {
			text, has := from[trace.ID{Agent: x.Agent, Query: x.Query, Trace: x.Trace}][message.ToolCallID]
			if has && message.Role == model.ToolRole {
				x.Messages[i].Content = text
			}
		}
		w.Exchange(x)
	}
	for _, r := range records {
		w.Record(r)
	}
	if err := w.Finish(store.Complete, time.Now()); err != nil {
		t.Fatal(err)
	}
}

// TestSwappedResults: the results of other queries are worth nothing.
func TestSwappedResults(t *testing.T) {
	if testing.Short() {
		t.Skip(wholeRuns)
	}
	t.Chdir(t.TempDir())
	if code, _, errs := invoke("run", "gold29", "-k", "1", "--quiet"); code != exitOK && code != exitInvalid {
		t.Fatal(errs)
	}
	run, err := runlist.Find("runs", runlist.Latest)
	if err != nil {
		t.Fatal(err)
	}
	swapResults(t, run, "runs")
	figures := map[string]usefulness.Figures{}
	for _, name := range []string{run.Manifest.Run, "swapped"} {
		code, out, errs := invoke("usefulness", filepath.Join("runs", name), "--scorer", "offline:ngram", "--quiet", "--format", "json")
		if code != exitOK {
			t.Fatal(errs)
		}
		var r usefulness.Report
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatal(err)
		}
		figures[name] = r.Rows[0].Figures
	}
	own, others := figures[run.Manifest.Run], figures["swapped"]
	t.Logf("own results: mean %+.3f %+v; results of other queries: mean %+.3f %+v", *own.Mean, own.CI, *others.Mean, others.CI)
	if others.Defined != own.Defined || others.Defined < 50 {
		t.Errorf("%d and %d calls have a gain", own.Defined, others.Defined)
	}
	if others.CI == nil || others.CI.Low > 0 || *others.Mean >= *own.Mean {
		t.Errorf("the interval of swapped results lies above 0, or they are worth more than the own ones")
	}
}
