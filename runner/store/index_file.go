package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/trace"
)

const (
	indexFile   = "index.view"
	indexSchema = "concur/index/v1"
	// maxIndex bounds the memory that a file from somebody else can take.
	maxIndex = 1 << 30
)

// savedIndex is index.view. It can be made again from the files at any time.
type savedIndex struct {
	Schema    string            `json:"schema"`
	Files     [len(jsonl)]stamp `json:"files"` // as they were
	Records   []RecordAt        `json:"records"`
	Traces    []savedTrace      `json:"traces"`
	Exchanges []savedExchanges  `json:"exchanges"`
	Settings  map[string]int64  `json:"settings"`
}

// stamp tells a file from one that was changed since.
type stamp struct {
	Size int64     `json:"size"`
	Time time.Time `json:"time"`
}

type savedTrace struct {
	trace.ID
	TraceAt
}

type savedExchanges struct {
	model.Identity
	places
}

// load takes over index.view, unless it is damaged or the files are no longer as they were.
func (x *Index) load() {
	file, err := openPlain(filepath.Join(x.dir, indexFile))
	if err != nil {
		return
	}
	defer file.Close()
	var saved savedIndex
	if json.NewDecoder(io.LimitReader(file, maxIndex)).Decode(&saved) != nil || saved.Schema != indexSchema {
		return
	}
	var infos [len(jsonl)]os.FileInfo
	for f, was := range saved.Files {
		info, err := os.Lstat(filepath.Join(x.dir, jsonl[f].name))
		if err != nil || info.Size() != was.Size || !info.ModTime().Equal(was.Time) {
			return
		}
		infos[f] = info
	}
	for f, info := range infos {
		x.parts[f].info, x.parts[f].end = info, info.Size()
	}
	x.records = saved.Records
	for i, r := range saved.Records {
		x.recordOf[decision{r.Configuration, r.Query}] = i
	}
	for _, t := range saved.Traces {
		absolute(t.At)
		x.events[t.ID] = &t.TraceAt
	}
	for _, e := range saved.Exchanges {
		absolute(e.At)
		x.exchanges[e.Identity] = &e.places
	}
	if saved.Settings != nil {
		x.settings = saved.Settings
	}
}

// Save writes the index beside the files that it is of, unless one of them has not been read
// or was appended to. It fails where the folder cannot be written; the index can still be used.
func (x *Index) Save() error {
	saved := savedIndex{Schema: indexSchema}
	for f := range x.parts {
		p := &x.parts[f]
		p.RLock()
		defer p.RUnlock()
		if p.info == nil || p.info.Size() != p.end {
			return fmt.Errorf("save index: %s was not read to its end", jsonl[f].name)
		}
		saved.Files[f] = stamp{p.info.Size(), p.info.ModTime()}
	}
	saved.Records, saved.Settings = x.records, x.settings
	for id, t := range x.events {
		saved.Traces = append(saved.Traces, savedTrace{id, TraceAt{t.Outcome, places{t.Session, distances(t.At)}}})
	}
	for id, p := range x.exchanges {
		saved.Exchanges = append(saved.Exchanges, savedExchanges{id, places{p.Session, distances(p.At)}})
	}
	raw, err := json.Marshal(saved)
	return errors.Join(err, WriteFile(filepath.Join(x.dir, indexFile), raw))
}

// distances are offsets as their distances, which are shorter to write.
func distances(at []int64) []int64 {
	out := make([]int64, len(at))
	last := int64(0)
	for i, offset := range at {
		out[i], last = offset-last, offset
	}
	return out
}

// absolute is the inverse of distances, in place.
func absolute(at []int64) {
	for i := 1; i < len(at); i++ {
		at[i] += at[i-1]
	}
}
