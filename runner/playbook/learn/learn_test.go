package learn_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model/asking/askingtest"
	"github.com/seed-5817661a/concur/runner/playbook"
	"github.com/seed-5817661a/concur/runner/playbook/learn"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
	"github.com/seed-5817661a/concur/trace"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func Example() {
	run, err := runlist.Find("runs", "latest")
	if err != nil {
		fmt.Println("there is no run yet")
		return
	}
	lesson, err := learn.Sequence(run, learn.Options{Labels: learn.Gold})
	if err != nil {
		fmt.Println(err)
		return
	}
	batch, err := learn.AddLesson(context.Background(), "playbook.yaml", lesson, 0, time.Now())
	fmt.Println(batch, err)
	// Output: there is no run yet
}

// made returns a run with n queries of each of two kinds, with k traces each. Every second trace of a kind
// calls the right tool twice; the others call a wrong tool, which first fails. change may change the
// manifest.
func made(t testing.TB, n, k int, change func(*store.Manifest)) *store.Run {
	t.Helper()
	m := store.Manifest{Run: "r", Start: start, Dataset: store.Dataset{Name: "d", Queries: 2 * n}, Configurations: []store.Configuration{{Name: "default", Agent: "a"}}}
	state := store.Complete
	if change != nil {
		change(&m)
		state = m.State
		if state == "" {
			state = store.Complete
		}
	}
	w, err := store.Create(t.TempDir(), m)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 * n {
		kind := []string{"wells", "towers"}[i%2]
		r := store.Record{
			Configuration: "default", Query: fmt.Sprintf("q-%05d", i), Category: kind, QueryHash: fmt.Sprintf("%016x", i), Cluster: fmt.Sprintf("c%d", i),
			Question: fmt.Sprintf("What is the height of the %s of place %d?", kind, i),
		}
		for j := range k {
			id := trace.ID{Agent: "a", Query: r.Query, Trace: j}
			emit := func(b trace.Body) { w.Event(trace.Event{ID: id, Time: start, Body: b}) }
			call := func(tool string, failed bool) {
				emit(trace.Action{Name: tool, Input: json.RawMessage(`{}`), CallID: tool})
				o := trace.Observation{CallID: tool, Output: json.RawMessage(`{"value":"1"}`)}
				if kind := "not_found"; failed {
					text := "ERROR: not_found"
					o = trace.Observation{CallID: tool, Error: &text, ErrorKind: &kind}
				}
				emit(o)
			}
			a := store.Answer{Trace: j, Outcome: trace.Answered, Verdict: judge.Incorrect, Steps: 3}
			if j%2 == 0 {
				a.Verdict = judge.Correct
				call("right_"+kind, false)
				call("right_"+kind, false)
			} else {
				call("wrong", true)
				call("wrong", false)
			}
			emit(trace.Conclusion{Message: "done", Outcome: trace.Answered, StopReason: trace.Final})
			r.Answers = append(r.Answers, a)
		}
		w.Record(r)
	}
	if err := w.Finish(state, start.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	run, err := store.Open(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func sequence(t testing.TB, run *store.Run, o learn.Options) *learn.Lesson {
	t.Helper()
	if o.Labels == "" {
		o.Labels = learn.Gold
	}
	l, err := learn.Sequence(run, o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func book(t testing.TB, path string) *playbook.Book {
	t.Helper()
	b, err := playbook.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The tool that right traces call is advised for the words of its kind, once for all repetitions. The
// failures of a tool become a pitfall.
func TestSequenceFindsWhatTellsRightFromWrong(t *testing.T) {
	l := sequence(t, made(t, 4, 6, nil), learn.Options{})
	var got []string
	for _, o := range l.Operations {
		got = append(got, o.Section+": "+o.Text)
	}
	want := []string{
		"strategies: For questions with the words towers: call `right_towers`, and answer with the last result.",
		"pitfalls: For questions with the words towers: `wrong` alone gave wrong answers.",
		"strategies: For questions with the words wells: call `right_wells`, and answer with the last result.",
		"pitfalls: For questions with the words wells: `wrong` alone gave wrong answers.",
		"pitfalls: The tool `wrong` can fail with `not_found`: after one such failure, do something else.",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("learned\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if o := l.Operations[0]; o.Helpful != 4 || o.Harmful != 0 || o.Rate != 1 || o.Steps != 3 || len(o.Origin) != 4 || len(l.Learned.Queries) != 8 {
		t.Errorf("counts %+v", o)
	}
}

func TestFewTracesTeachNothing(t *testing.T) {
	if l := sequence(t, made(t, 1, 2, nil), learn.Options{}); len(l.Operations) != 0 || len(l.Learned.Queries) != 2 {
		t.Errorf("one trace of each sequence teaches %+v", l.Operations)
	}
	if l := sequence(t, made(t, 4, 6, nil), learn.Options{Limit: 3}); len(l.Learned.Queries) != 3 {
		t.Errorf("learned from %d queries, want 3", len(l.Learned.Queries))
	}
}

func TestLessonsWithAGoldAreDropped(t *testing.T) {
	l := sequence(t, made(t, 4, 6, nil), learn.Options{Known: []string{"Right Towers", "towers", "12", "yes"}})
	for _, o := range l.Operations {
		if strings.Contains(o.Text, "towers") {
			t.Errorf("kept %q", o.Text)
		}
	}
	if l.Dropped != 2 {
		t.Errorf("dropped %d, want 2", l.Dropped)
	}
}

func TestRunsThatTeachNothing(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*store.Manifest)
		o      learn.Options
		want   string
	}{
		"replay":     {func(m *store.Manifest) { m.ReplayOf = "other" }, learn.Options{}, "is a replay with the traces of other"},
		"incomplete": {func(m *store.Manifest) { m.State = store.Interrupted }, learn.Options{}, "is not complete (state: interrupted): finish it"},
		"three": {func(m *store.Manifest) {
			m.Configurations = append(m.Configurations, store.Configuration{Name: "b"}, store.Configuration{Name: "c"})
		}, learn.Options{}, "has 3 configurations (default, b, c): name one with --configuration"},
		"other":    {nil, learn.Options{Configuration: "x"}, `has no configuration "x": it has default`},
		"majority": {nil, learn.Options{Labels: learn.Majority}, "has no trace with a verdict (48 without)"},
	} {
		if c.o.Labels == "" {
			c.o.Labels = learn.Gold
		}
		if _, err := learn.Sequence(made(t, 4, 6, c.change), c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

func TestLearningTwiceChangesNothingAndUndoGivesItBack(t *testing.T) {
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "p.yaml")
	l := sequence(t, made(t, 4, 6, nil), learn.Options{})
	if b, err := learn.AddLesson(ctx, path, l, 0, start); err != nil || b == nil || len(b.Changes) != 5 {
		t.Fatalf("batch %+v, error %v", b, err)
	}
	before, _ := os.ReadFile(path)
	if b, err := learn.AddLesson(ctx, path, l, 0, start); err != nil || b != nil {
		t.Errorf("again: batch %+v, error %v", b, err)
	}
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Errorf("learning twice gives\n%s", after)
	}
	if _, err := learn.Update(ctx, path, func(b *playbook.Book) (*learn.Batch, error) {
		changes, _ := b.Apply([]playbook.Operation{{Type: playbook.Delete, ID: "str-00001", Reason: "test"}}, 0)
		return &learn.Batch{Why: "a test", Changes: changes}, nil
	}); err != nil {
		t.Fatal(err)
	}
	if undone, err := learn.Undo(ctx, path); err != nil || undone.Why != "a test" {
		t.Errorf("undone %+v, error %v", undone, err)
	}
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Errorf("undo gives\n%s", after)
	}
	if undone, err := learn.Undo(ctx, path); err != nil || len(book(t, path).Bullets) != 0 || len(book(t, path).Learned) != 0 {
		t.Errorf("the second undo left bullets: %+v, %v", undone, err)
	}
	if _, err := learn.Undo(ctx, path); err == nil || !strings.Contains(err.Error(), "nothing to undo") {
		t.Errorf("undo of nothing: %v", err)
	}
}

func TestUndoRefusesAnEditedFile(t *testing.T) {
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "p.yaml")
	if _, err := learn.AddLesson(ctx, path, sequence(t, made(t, 4, 6, nil), learn.Options{}), 0, start); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(path)
	if err := os.WriteFile(path, []byte(strings.Replace(string(data), "helpful: 4", "helpful: 5", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := learn.Undo(ctx, path); err == nil || !strings.Contains(err.Error(), "edited by hand") {
		t.Errorf("error %v", err)
	}
}

func add(ctx context.Context, path string, n int) error {
	_, err := learn.Update(ctx, path, func(b *playbook.Book) (*learn.Batch, error) {
		changes, _ := b.Apply([]playbook.Operation{{Type: playbook.Add, Section: playbook.Observations, Text: fmt.Sprintf("fact number%d of `tool%d`", n, n)}}, 0)
		return &learn.Batch{Why: fmt.Sprint("add ", n), Changes: changes}, nil
	})
	return err
}

func TestCuratorsAtOnceLoseNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.yaml")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 4 {
				if err := add(context.Background(), path, 10*i+j); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := len(book(t, path).Bullets); n != 32 {
		t.Errorf("%d bullets, want 32", n)
	}
}

// TestWriter writes, in a separate process, until it is killed.
func TestWriter(t *testing.T) {
	path := os.Getenv("PLAYBOOK_TO_WRITE")
	if path == "" {
		t.Skip("is run by TestKills")
	}
	for n := 0; ; n++ {
		if err := add(context.Background(), path, n); err != nil {
			t.Fatal(err)
		}
		fmt.Println("added")
	}
}

// Whenever a writer is killed, the playbook is readable, and its last change can be undone.
func TestKills(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.yaml")
	for i := range 20 {
		c := exec.Command(os.Args[0], "-test.run=^TestWriter$")
		c.Env = append(os.Environ(), "PLAYBOOK_TO_WRITE="+path)
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 6)); err != nil { // one change is written, and the next is in progress
			t.Fatal(err)
		}
		time.Sleep(time.Duration(i) * 300 * time.Microsecond)
		_ = c.Process.Kill()
		_ = c.Wait() // it was killed
		n := len(book(t, path).Bullets)
		if _, err := learn.Undo(context.Background(), path); err != nil {
			t.Fatalf("kill %d: %v", i, err)
		}
		if left := len(book(t, path).Bullets); left > n {
			t.Errorf("kill %d: undo went from %d to %d bullets", i, n, left)
		}
	}
}

func TestContrast(t *testing.T) {
	ctx, journal := context.Background(), filepath.Join(t.TempDir(), "j")
	run := made(t, 1, 2, nil)
	good := `{"lessons": [{"section": "strategies", "text": "For heights: call right_wells.", "tools": ["right_wells"]}, {"section": "pitfalls", "text": "For heights: it is Old Tower.", "tools": []}], "tags": [{"id": "str-00009", "tag": "helpful"}]}`
	o := learn.Options{Labels: learn.Gold, Known: []string{"old tower"}}
	fake := askingtest.Script(good)
	if _, _, err := (learn.Contrast{Model: fake, MaxCalls: 1, Journal: journal}).Learn(ctx, run, o); err == nil || !strings.Contains(err.Error(), "the calls are used up after 1 of 2 queries") {
		t.Fatalf("error %v, want that of the budget", err)
	}
	for _, data := range []string{"right attempt", "wrong attempt"} {
		if askingtest.Blocks(fake.Requests()[0])[data] == "" {
			t.Errorf("the request has no %s", data)
		}
	}
	// The reply for the second query is prose; the first query is not asked about again.
	l, unread, err := learn.Contrast{Model: askingtest.Script("Well, it depends.", "Call the right tool."), Journal: journal}.Learn(ctx, run, o)
	if err != nil || unread != 1 || l.Dropped != 1 || len(l.Operations) != 1 {
		t.Fatalf("lesson %+v, unread %d, error %v", l, unread, err)
	}
	if x := l.Operations[0]; x.Text != "For heights: call `right_wells`." || x.Origin[0].Query != "q-00000" || x.Helpful != 1 || x.Harmful != 0 || x.Rate != 1 || x.Steps != 3 {
		t.Errorf("operation %+v", x)
	}
	if _, _, err := (learn.Contrast{Model: askingtest.Script("!"), Journal: journal + "2"}).Learn(ctx, run, o); err == nil || !strings.Contains(err.Error(), "repeat the command to continue") {
		t.Errorf("a model that is down: %v", err)
	}
}

// BenchmarkSequence learns from 10,000 traces.
func BenchmarkSequence(b *testing.B) {
	run := made(b, 500, 10, nil)
	b.ReportAllocs()
	for b.Loop() {
		sequence(b, run, learn.Options{})
	}
}
