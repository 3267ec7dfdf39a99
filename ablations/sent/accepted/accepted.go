package accepted

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/sent"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
)

// Schema is on the first line of a file of samples.
const Schema = "concur/sent/v1"

// maxTexts is the maximum number of bytes of the texts that are kept of a run.
const maxTexts = 256 << 10

// File returns the name of the file of samples beside a baseline: baseline.sent.jsonl for baseline.jsonl.
func File(baseline string) string {
	return strings.TrimSuffix(baseline, filepath.Ext(baseline)) + ".sent.jsonl"
}

// entry is a line of the file: the sample of the configuration's run that was accepted last.
type entry struct {
	Schema        string       `json:"schema,omitempty"` // only on the first line, without other fields
	Configuration string       `json:"configuration,omitempty"`
	Sample        *sent.Sample `json:"sent,omitempty"`
}

// Keep reads what a configuration of an accepted run sent, and puts it into a file in place of the
// configuration's earlier run, under a lock on the file's folder. It creates the file if it is missing. It
// keeps at most 256 KiB of texts. queries are the ids of the run's queries.
func Keep(ctx context.Context, file string, run *store.Run, c store.Configuration, queries []string) error {
	fail := func(err error) error { return fmt.Errorf("keep what the run sent in %s: %w", file, err) }
	release, err := disk.LockFolder(ctx, filepath.Dir(file))
	if err != nil {
		return fail(err)
	}
	defer release() // no write uses the lock's handle
	entries, err := read(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fail(fmt.Errorf("%w; remove the file, or restore the committed one", err))
	}
	entries = slices.DeleteFunc(entries, func(e entry) bool { return e.Configuration == c.Name })
	s := limit(sent.Read(run, c, sent.Spread(queries, sent.MostQueries)))
	entries = append(entries, entry{Configuration: c.Name, Sample: &s})
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.Configuration, b.Configuration) })
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	for _, line := range append([]entry{{Schema: Schema}}, entries...) {
		if err := e.Encode(line); err != nil {
			return fail(err)
		}
	}
	if err := disk.Deliver(file, out.Bytes()); err != nil {
		return fail(err)
	}
	return nil
}

// limit returns a sample without the texts beyond maxTexts. Short texts are not left out.
func limit(s sent.Sample) sent.Sample {
	texts, size := map[string]string{}, 0
	add := func(digest string) {
		text, known := s.Texts[digest]
		if _, again := texts[digest]; known && !again && (len(text) <= sent.Short || size+len(text) <= maxTexts) {
			texts[digest] = text
			size += len(text)
		}
	}
	for _, q := range s.Queries {
		for _, p := range q.Parts {
			add(p.Text)
		}
	}
	for _, digest := range s.Files {
		add(digest)
	}
	s.Texts = texts
	return s
}

// read reads a file of samples. After a merge that kept both sides, a configuration may have several lines.
func read(file string) (out []entry, err error) {
	raw, err := disk.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for i, line := range bytes.Split(raw, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
		switch {
		case e.Schema == Schema:
		case e.Schema != "" || i == 0:
			return nil, fmt.Errorf("%s:%d: its schema is %q, and this concur reads %s", file, i+1, e.Schema, Schema)
		case e.Sample == nil || len(e.Sample.Queries) > sent.MostQueries:
			return nil, fmt.Errorf("%s:%d: the line is damaged", file, i+1)
		default:
			out = append(out, e)
		}
	}
	return out, nil
}

// Before names the accepted runs that a run is compared with.
type Before struct {
	File string   // of samples
	Runs []string // names of the accepted runs, the last one last; there must be at least one
	// Queries are the ids of the queries that the last run and the new run have, with the same question and gold.
	Queries []string
}

// Compare compares what a configuration of a run sent with what an accepted run sent, and returns the name of
// the accepted run. It reads the recording of the last accepted run if the folder of that run is next to the
// run's folder. Otherwise it reads the file of samples. If the texts are in neither place, Comparison.Missing
// says so.
func Compare(run *store.Run, c store.Configuration, before Before) (sent.Comparison, string) {
	last := before.Runs[len(before.Runs)-1]
	some := sent.Spread(before.Queries, sent.MostQueries)
	was, found := beside(run, c.Name, last, some)
	missing := fmt.Sprintf("what the accepted run %s sent is not kept: accept runs with `concur baseline add`, and "+
		"commit %s, too", last, filepath.Base(before.File))
	if !found {
		entries, err := read(before.File)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			missing = err.Error()
		}
		was, found = newest(entries, c.Name, before.Runs)
	}
	if !found {
		return sent.Comparison{Of: len(before.Queries), Differences: []sent.Difference{}, Missing: []string{missing}}, last
	}
	was.Queries = slices.DeleteFunc(slices.Clone(was.Queries), func(q sent.Query) bool {
		return !slices.Contains(before.Queries, q.ID)
	})
	some = nil
	for _, q := range was.Queries {
		some = append(some, q.ID)
	}
	return sent.Compare(was, sent.Read(run, c, some), len(before.Queries)), was.Run
}

// beside reads the recording of a run whose folder is next to the folder of run.
func beside(run *store.Run, configuration, name string, queries []string) (s sent.Sample, found bool) {
	if filepath.Base(name) != name {
		return s, false
	}
	r, err := store.Open(filepath.Join(filepath.Dir(run.Dir), name))
	if err != nil || r.Manifest.Run != name {
		return s, false
	}
	for _, c := range r.Manifest.Configurations {
		if c.Name == configuration {
			s = sent.Read(r, c, queries)
			return s, s.Problem == ""
		}
	}
	return s, false
}

// newest returns the sample of a configuration that is of the latest of these runs.
func newest(entries []entry, configuration string, runs []string) (s sent.Sample, found bool) {
	latest := -1
	for _, e := range entries {
		if at := slices.Index(runs, e.Sample.Run); e.Configuration == configuration && at > latest {
			latest, s = at, *e.Sample
		}
	}
	return s, latest >= 0
}
