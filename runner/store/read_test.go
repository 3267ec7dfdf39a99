package store_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
)

// damagedRecords returns the records of a run of two records whose results.jsonl was changed afterwards.
func damagedRecords(t *testing.T, s store.State, change func(string) string) ([]store.Record, error) {
	t.Helper()
	w := create(t, "r1")
	w.Record(record("q1"))
	w.Record(record("q2"))
	run := finish(t, w, s)
	edit(t, run.Dir, "results.jsonl", change)
	return collect(run.Records())
}

func TestTornLastLine(t *testing.T) {
	for name, change := range map[string]func(string) string{
		"half a line":         func(s string) string { return s + `{"configuration":"default","que` },
		"without its newline": func(s string) string { return s + `{"configuration":"default"}` },
	} {
		for _, state := range []store.State{store.Running, store.Interrupted, store.Failed} {
			if got, err := damagedRecords(t, state, change); err != nil || len(got) != 2 {
				t.Errorf("%s, %s: %d records, %v; want 2", state, name, len(got), err)
			}
		}
		got, err := damagedRecords(t, store.Complete, change)
		if len(got) != 2 {
			t.Errorf("complete, %s: %d records before the error", name, len(got))
		}
		wantError(t, err, "results.jsonl:4", "cut off")
	}
}

func TestCorruptLines(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(string) string
		read   int
		want   string
	}{
		{"in the middle", func(s string) string { return strings.Replace(s, `{"configuration"`, `{"configuration`, 1) }, 0, "results.jsonl:2"},
		{"whole last line", func(s string) string { return s + "{\n" }, 2, "results.jsonl:4"},
		{"wrong type", func(s string) string { return s + `{"query":7}` + "\n" }, 2, "results.jsonl:4"},
		{"blank line", func(s string) string { return s + "\n" }, 2, "results.jsonl:4"},
		{"zeros", func(s string) string { return s + "\x00\x00\n" }, 2, "results.jsonl:4"},
		{"no header", func(s string) string { _, rest, _ := strings.Cut(s, "\n"); return rest }, 0, `results.jsonl:1: the first line is not {"schema":"concur/results/v1"}`},
		{"other schema", func(s string) string { return strings.Replace(s, "/v1", "/v2", 1) }, 0, "results.jsonl:1"},
		{"another file's schema", func(s string) string { return strings.Replace(s, "results", "trace", 1) }, 0, "results.jsonl:1"},
		{"empty", func(string) string { return "" }, 0, "results.jsonl:1"},
	} {
		for _, state := range []store.State{store.Running, store.Complete} {
			got, err := damagedRecords(t, state, c.change)
			if len(got) != c.read {
				t.Errorf("%s (%s): %d records before the error, want %d", c.name, state, len(got), c.read)
			}
			wantError(t, err, c.want)
		}
	}
}

func TestLinesFromLaterVersions(t *testing.T) {
	w := create(t, "r1")
	w.Record(record("q1"))
	w.Record(record("q2"))
	run := older(t, finish(t, w, store.Complete).Dir)
	edit(t, run.Dir, "results.jsonl", func(s string) string {
		s = regexp.MustCompile(`,"crc":"\w+"}`).ReplaceAllString(s, "}") // the checksum of the unchanged line
		return strings.ReplaceAll(s, `{"configuration"`, `{"added_later":{"x":1},"configuration"`)
	})
	got, err := collect(run.Records())
	if err != nil || len(got) != 2 {
		t.Errorf("%d records, %v; unknown fields are to be passed over", len(got), err)
	}
}

// TestFlippedBit flips a bit of each byte of a record, one after another.
func TestFlippedBit(t *testing.T) {
	w := create(t, "r1")
	w.Record(record("q1"))
	run := finish(t, w, store.Complete)
	path := filepath.Join(run.Dir, "results.jsonl")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := collect(run.Records())
	if err != nil {
		t.Fatal(err)
	}
	for at := bytes.IndexByte(raw, '\n') + 1; at < len(raw); at++ {
		flipped := bytes.Clone(raw)
		flipped[at] ^= 1 << (at % 8)
		if err := os.WriteFile(path, flipped, 0o600); err != nil {
			t.Fatal(err)
		}
		// If the name of the checksum's field is changed, the record itself is undamaged.
		if got, err := collect(run.Records()); err == nil && cmp.Diff(want, got) != "" {
			t.Fatalf("bit %d of byte %d is another and nothing is reported: %s", at%8, at, flipped)
		}
	}
}

func TestReadingCanStop(t *testing.T) {
	w := create(t, "r1")
	w.Record(record("q1"))
	w.Record(record("q2"))
	run := finish(t, w, store.Complete)
	for range 2 { // and from the start again
		n := 0
		for r, err := range run.Records() {
			if n++; err != nil || r.Query != "q1" {
				t.Errorf("%s, %v", r.Query, err)
			}
			break
		}
		if n != 1 {
			t.Errorf("%d records after a break", n)
		}
	}
}

func TestMissingFile(t *testing.T) {
	run := finish(t, create(t, "r1"), store.Complete)
	if err := os.Remove(filepath.Join(run.Dir, "chat.jsonl")); err != nil {
		t.Fatal(err)
	}
	_, err := collect(run.Exchanges())
	wantError(t, err, "read run", "chat.jsonl")
}

func TestOpenRefuses(t *testing.T) {
	dir := finish(t, create(t, "r1"), store.Complete).Dir
	for change, want := range map[string]string{
		"schema: concur/run/v9\n": `its schema is "concur/run/v9"`,
		"\tnot yaml":              "read " + filepath.Join(dir, "run.yaml"),
		"":                        "it is cut off",
	} {
		edit(t, dir, "run.yaml", func(string) string { return change })
		_, err := store.Open(dir)
		wantError(t, err, want)
	}
	_, err := store.Open(t.TempDir())
	wantError(t, err, "it has no run.yaml")
}

// Exchanges of some queries have their complete settings, also if another query's exchange has the only copy, and
// only those of the last session.
func TestExchangesOf(t *testing.T) {
	w := create(t, "some")
	for _, x := range []store.Exchange{exchange("q1", 0, 0, .5), exchange("q2", 0, 0, .5), exchange("q1", 1, 0, .5)} {
		w.Exchange(x)
	}
	r := finish(t, w, store.Interrupted)
	of := func(query string) func(model.Identity) bool {
		return func(id model.Identity) bool { return id.Query == query }
	}
	for query, want := range map[string]int{"q1": 2, "q2": 1, "q3": 0} {
		got, err := collect(r.ExchangesOf(of(query)))
		if err != nil || len(got) != want {
			t.Errorf("%s: %d exchanges, %v", query, len(got), err)
		}
		for _, x := range got {
			if x.Query != query || x.RequestSettings == nil || x.RequestSettings.Temperature != .5 {
				t.Errorf("%s: %+v", query, x)
			}
		}
	}
	r.Manifest.Resumed = append(r.Manifest.Resumed, day(2))
	edit(t, r.Dir, "chat.jsonl", func(text string) string { return strings.Replace(text, `"trace":1`, `"trace":8`, 1) })
	if _, err := collect(r.ExchangesOf(of("q1"))); err == nil {
		t.Error("a changed line is not reported")
	}
}
