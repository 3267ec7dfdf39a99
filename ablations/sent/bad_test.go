package sent_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/sent"
	"github.com/seed-5817661a/concur/runner/config"
)

func TestSpread(t *testing.T) {
	a := plainAgent()
	a.queries = 1000
	got := sent.Spread(a.ids(), 200)
	if len(got) != 200 || got[0] != "q0000" || got[199] != "q0995" || !slices.IsSorted(got) {
		t.Errorf("%d: %v", len(got), got)
	}
	if got := sent.Spread(a.ids()[:3], 200); len(got) != 3 {
		t.Error(got)
	}
}

// A recording that is missing or damaged is named, and what was read before the damage is compared.
func TestProblems(t *testing.T) {
	a, b := plainAgent(), plainAgent()
	b.system = constant("You are careless.")
	was := a.sample(t, "before")
	for name, c := range map[string]struct {
		spoil   func(chat string)
		want    string
		queries int
	}{
		"no file": {func(chat string) { must(t, os.Remove(chat)) }, "the recording of after is incomplete: the run has no chat.jsonl", 0},
		"a cut line": {func(chat string) {
			raw, err := os.ReadFile(chat)
			must(t, err)
			lines := strings.SplitAfter(string(raw), "\n")
			must(t, os.WriteFile(chat, []byte(strings.Join(lines[:3], "")+lines[3][:40]+"\n"+strings.Join(lines[4:], "")), 0o600))
		}, "the recording of after is incomplete: read ", 2},
	} {
		r, conf := b.run(t, "after")
		c.spoil(filepath.Join(r.Dir, "chat.jsonl"))
		got := sent.Compare(was, sent.Read(r, conf, b.ids()), 4)
		if len(got.Missing) != 1 || !strings.HasPrefix(got.Missing[0], c.want) || got.Queries != c.queries {
			t.Errorf("%s: %d queries, %q", name, got.Queries, got.Missing)
		}
		if c.queries > 0 && len(got.Differences) != 1 {
			t.Errorf("%s: %v", name, got.Differences)
		}
	}
	none := plainAgent()
	none.queries = 0
	got := sent.Compare(was, none.sample(t, "after"), 4)
	if want := []string{"after has no recorded request of these queries, and before has"}; !slices.Equal(got.Missing, want) {
		t.Errorf("no exchange on one side: %q", got.Missing)
	}
	if got := sent.Compare(none.sample(t, "before"), none.sample(t, "after"), 4); len(got.Missing)+len(got.Differences) > 0 {
		t.Errorf("no exchange on both sides: %+v", got)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Prompts of 1 MB are compared, and no output is large. A change behind the kept part is a difference without lines.
func TestHugePrompts(t *testing.T) {
	line := strings.Repeat("x", 99) + "\n"
	a, b, c, d := plainAgent(), plainAgent(), plainAgent(), plainAgent()
	a.system = constant("Begin.\n" + strings.Repeat(line, 10_000) + "End.")
	b.system = constant("Bgin.\n" + strings.Repeat(line, 10_000) + "End.")
	c.system = constant("Begin.\n" + strings.Repeat(line, 10_000) + "Nd.")
	d.system = constant(strings.Repeat("y", 1<<20))
	was := a.sample(t, "before")
	for name, now := range map[string]agent{"beginning": b, "end": c, "one line": d} {
		got := sent.Compare(was, now.sample(t, "after"), 4)
		if len(got.Differences) != 1 || got.Differences[0].Queries != 4 {
			t.Fatalf("%s: %v", name, got.Differences)
		}
		x := got.Differences[0]
		size := 0
		for _, l := range x.Lines {
			size += len(l)
		}
		if size > 10_000 || (name == "end") != (len(x.Lines) == 0) {
			t.Errorf("%s: %d bytes in %d lines", name, size, len(x.Lines))
		}
	}
	got := sent.Compare(was, a.sample(t, "after"), 4)
	if len(got.Differences) > 0 {
		t.Errorf("equal: %v", got.Differences)
	}
}

// Memory does not grow with the queries of the run, nor with prompts that differ from query to query.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes 2,000 prompts")
	}
	a := plainAgent()
	a.queries = 2000
	a.system = func(q string, _ int) string { return q + "\n" + strings.Repeat("A document about "+q+".\n", 1000) }
	r, conf := a.run(t, "large")
	var before, after runtime.MemStats
	collect := func(into *runtime.MemStats) {
		for range 3 { // a sync.Pool keeps its values for two collections
			runtime.GC()
		}
		runtime.ReadMemStats(into)
	}
	collect(&before)
	s := sent.Read(r, conf, sent.Spread(a.ids(), sent.MostQueries))
	collect(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 10<<20 || len(s.Queries) != 200 {
		t.Errorf("%d queries take %d MB", len(s.Queries), grown>>20)
	}
}

// A value that was not kept is not shown as one that was not sent.
func TestValueThatWasNotKept(t *testing.T) {
	a, b := plainAgent(), plainAgent()
	b.settings.Temperature = 1
	was := a.sample(t, "before")
	clear(was.Texts)
	got := sent.Compare(was, b.sample(t, "after"), 4)
	if len(got.Differences) != 1 || *got.Differences[0].Was != "a value that was not kept" || *got.Differences[0].Now != "1" {
		t.Errorf("%+v", got.Differences)
	}
}

// Equal texts are no difference, whatever their digests, because another version of concur may have made one.
func TestDigestsOfAnotherVersion(t *testing.T) {
	sample := func(digest, text string) sent.Sample {
		return sent.Sample{Texts: map[string]string{digest: text}, Queries: []sent.Query{{ID: "q", Parts: []sent.Part{{Kind: sent.SystemPrompt, Text: digest}}}}}
	}
	if got := sent.Compare(sample("1", "Answer."), sample("2", "Answer."), 1); len(got.Differences) > 0 {
		t.Errorf("%+v", got.Differences)
	}
}

// A file whose text was not kept is a difference without lines, if its content changed.
func TestFileThatWasNotKept(t *testing.T) {
	sample := func(large, same string) sent.Sample {
		return sent.Sample{Files: map[string]string{"large.txt": "", "same.txt": "", "unknown.txt": ""},
			Contents: map[string]string{"large.txt": large, "same.txt": same}}
	}
	got := sent.Compare(sample("a1", "b1"), sample("a2", "b1"), 1)
	if len(got.Differences) != 1 || describe(got.Differences[0]) != "file large.txt in 0" {
		t.Errorf("%+v", got.Differences)
	}
}

func TestAdvise(t *testing.T) {
	external := config.External{Exec: []string{"sh"}}
	with := external
	with.Files = []string{"p.txt"}
	for _, c := range []struct {
		known   []string
		differs int
		agent   config.External
		want    string
	}{
		{nil, 0, external, "nothing that concur saw differs; name your agent's files under agent.files"},
		{nil, 0, with, "nothing that concur saw differs; name more of your agent's files under agent.files"},
		{nil, 0, config.External{}, "nothing that concur saw differs"},
		{nil, 0, config.External{Imported: "inspect"}, "nothing that concur saw differs"},
		{[]string{"k: 3, now 5"}, 0, external, ""},
		{nil, 1, external, ""},
	} {
		x := sent.Comparison{Differences: make([]sent.Difference, c.differs)}
		if x.Advise(c.known, c.agent); x.Advice != c.want {
			t.Errorf("%v, %d differences: %q", c.known, c.differs, x.Advice)
		}
	}
}

func ExampleCompare() {
	sample := func(run, prompt string) sent.Sample { // sent.Read returns the sample of a run
		return sent.Sample{
			Run: run, Texts: map[string]string{prompt: prompt},
			Queries: []sent.Query{{ID: "nile", Parts: []sent.Part{{Kind: sent.SystemPrompt, Text: prompt}}}},
		}
	}
	c := sent.Compare(sample("before", "Be careful.\nAnswer."), sample("after", "Be careful.\nAnswr."), 1)
	for _, d := range c.Differences {
		fmt.Printf("%s in %d of %d\n%s\n", d.Kind, d.Queries, c.Queries, strings.Join(d.Lines, "\n"))
	}
	// Output:
	// system_prompt in 1 of 1
	// @@ -1,2 +1,2 @@
	//  Be careful.
	// -Answer.
	// +Answr.
}
