package store

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/trace"
)

// FuzzIndex reads indexes that anybody may have written: either nothing is taken over, or what
// is has places that can be looked up.
func FuzzIndex(f *testing.F) {
	var w wordWriter
	w.known = map[string]int{}
	w.numbers(1)
	w.words("default", "q1", string(judge.Correct))
	w.numbers(29, 1)
	w.words("q1")
	w.numbers(1)
	w.words("agent", string(trace.Answered))
	w.numbers(0)
	w.places(places{1, []int64{30, 60}})
	w.numbers(1)
	w.words("q1")
	w.numbers(1)
	w.words("agent", string(model.Agent))
	w.numbers(0)
	w.places(places{1, []int64{28}})
	w.numbers(1)
	w.words("ab12")
	w.numbers(28)
	f.Add(w.out)
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, body []byte) {
		x := &Index{dir: t.TempDir()}
		stamps := wordWriter{}
		for i := range jsonl {
			path := filepath.Join(x.dir, jsonl[i].name)
			if err := os.WriteFile(path, []byte("{}\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			info, err := os.Lstat(path)
			if err != nil {
				t.Fatal(err)
			}
			stamps.numbers(info.Size(), info.ModTime().UnixNano())
			x.reset(fileIndex(i))
		}
		r := &wordReader{left: append(stamps.out, body...)}
		x.take(r)
		if taken := len(x.records) + len(x.traces) + len(x.exchanges) + len(x.settings); r.err != nil && taken > 0 {
			t.Errorf("of an index with an error, %d things are taken over", taken)
		}
		for _, at := range x.Records() {
			x.RecordsOf(at.Query)
			x.Traces(at.Query)
			x.Questions(at.Query)
		}
		x.Outcomes()
	})
}
