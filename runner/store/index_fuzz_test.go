package store

import (
	"bytes"
	"encoding/gob"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/trace"
)

// FuzzIndex reads indexes that anybody may have written: either nothing is taken over, or what
// is has places that can be looked up.
func FuzzIndex(f *testing.F) {
	var body bytes.Buffer
	if err := gob.NewEncoder(&body).Encode(savedIndex{
		Files:     [len(jsonl)]stamp{{3, 0}, {3, 0}, {3, 0}},
		Records:   []RecordAt{{"default", "q1", judge.Correct, 29}},
		Traces:    []*tracePlaces{{trace.ID{Agent: "agent", Query: "q1"}, ending{Offset: 60, Outcome: trace.Answered}, places{1, []int64{30, 60}}}},
		Exchanges: []*exchangePlaces{{model.Identity{Agent: "agent", Query: "q1", Purpose: model.Agent}, places{1, []int64{28}}}},
		Settings:  []settingsAt{{"ab12", 28}},
	}); err != nil {
		f.Fatal(err)
	}
	f.Add(body.Bytes())
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, body []byte) {
		x := &Index{dir: t.TempDir()}
		for i := range jsonl {
			path := filepath.Join(x.dir, jsonl[i].name)
			if err := os.WriteFile(path, []byte("{}\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(path, time.Time{}, time.Unix(0, 0)); err != nil {
				t.Fatal(err)
			}
			x.reset(fileIndex(i))
		}
		x.take(body)
		for _, at := range x.Records() {
			x.RecordsOf(at.Query)
			x.Traces(at.Query)
			x.Questions(at.Query)
		}
		x.Outcomes()
	})
}
