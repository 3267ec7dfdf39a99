package memory

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/lines"
)

// Item is one thing remembered.
type Item struct {
	ID    string `json:"id"`              // unique in the file
	Owner string `json:"owner,omitempty"` // whose it is; "" is that of queries without an owner
	Text  string `json:"text"`
	Time  string `json:"time,omitempty"` // since when: a date (2024-05-03) or a time (RFC 3339)
	// Source is where it is from, such as a run and a query; may be "".
	Source string `json:"source,omitempty"`
	// Supersedes is the id of the item that it replaces, of the same owner; may be "".
	Supersedes string `json:"supersedes,omitempty"`
}

// MaxText bounds the text of an item, in bytes.
const MaxText = 8 << 10

// Validate reports everything that is wrong with an item by itself.
func (i Item) Validate() error {
	var wrong []error
	for _, f := range []struct{ name, text string }{{"id", i.ID}, {"owner", i.Owner}, {"supersedes", i.Supersedes}} {
		if len(f.text) > 200 || strings.ContainsFunc(f.text, unicode.IsControl) {
			wrong = append(wrong, fmt.Errorf("%s %.40q is not one line of at most 200 bytes", f.name, f.text))
		}
	}
	switch {
	case i.ID == "":
		wrong = append(wrong, errors.New(`id is missing: give each item a name of its own, such as "m1"`))
	case i.ID == i.Supersedes:
		wrong = append(wrong, errors.New("supersedes names the item itself: name the item that it replaces, or leave it out"))
	}
	if strings.TrimSpace(i.Text) == "" {
		wrong = append(wrong, errors.New("text is empty: say what is to be remembered, or leave the item out"))
	} else if len(i.Text) > MaxText {
		wrong = append(wrong, fmt.Errorf("text has %d bytes, and at most %d are taken: divide it into several items", len(i.Text), MaxText))
	}
	if _, err := time.Parse(time.DateOnly, i.Time); err != nil && i.Time != "" {
		if _, err := time.Parse(time.RFC3339, i.Time); err != nil {
			wrong = append(wrong, fmt.Errorf("time %.40q is no date: write 2024-05-03 or 2024-05-03T09:30:00Z", i.Time))
		}
	}
	return errors.Join(wrong...)
}

// mostNamed bounds the errors that reading a file lists.
const mostNamed = 20

// reading is a file that is being read.
type reading struct {
	name  string
	items []Item
	lines []int // of the items
	wrong []error
	more  int // errors that are not listed
}

func (r *reading) fail(line int, format string, args ...any) {
	if len(r.wrong) == mostNamed {
		r.more++
		return
	}
	r.wrong = append(r.wrong, fmt.Errorf("%s:%d: %w", r.name, line, fmt.Errorf(format, args...)))
}

// Read reads items, one JSON object a line. name is what errors call the file; they list
// everything that is wrong, as "name:line: …".
func Read(name string, from io.Reader) ([]Item, error) {
	r := &reading{name: name}
	lines.Each(from, func(number int, line []byte, err error) {
		var item Item
		if err == nil {
			item, err = parse(line)
		}
		if err != nil {
			r.fail(number, "%w", err)
			return
		}
		r.items, r.lines = append(r.items, item), append(r.lines, number)
	})
	r.check()
	if r.more > 0 {
		r.wrong = append(r.wrong, fmt.Errorf("%s: %d more errors", name, r.more))
	}
	return r.items, errors.Join(r.wrong...)
}

// Open reads the items of a file, or of a built-in dataset's memory.
func Open(nameOrPath string) ([]Item, error) {
	f, err := datasets.OpenMemory(nameOrPath)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("open memory: there is no file %s: begin it with `concur memory add --file %s TEXT`, or name another", nameOrPath, filepath.Base(nameOrPath))
	}
	if err != nil {
		return nil, fmt.Errorf("open memory: %w", err)
	}
	defer f.Close()
	return Read(nameOrPath, f)
}

func parse(line []byte) (Item, error) {
	var item Item
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	err := dec.Decode(&item)
	if err == nil && dec.More() {
		err = errors.New("there is text behind the object")
	}
	if err != nil {
		return item, fmt.Errorf("%s: write one JSON object a line, with id, text, and if you like owner, time, source, supersedes", strings.TrimPrefix(err.Error(), "json: "))
	}
	return item, item.Validate()
}

// check compares the items with each other.
func (r *reading) check() {
	at := map[string]int{}
	for i, item := range r.items {
		if first, again := at[item.ID]; again {
			r.fail(r.lines[i], "the id %q is that of line %d too: give each item its own", item.ID, r.lines[first])
			continue
		}
		at[item.ID] = i
	}
	by := map[string]int{} // the item that supersedes an id
	for i, item := range r.items {
		old, known := at[item.Supersedes]
		first, again := by[item.Supersedes]
		switch {
		case item.Supersedes == "":
			continue
		case !known:
			r.fail(r.lines[i], "it supersedes %q, which is not in the file: correct the id, or leave supersedes out", item.Supersedes)
		case r.items[old].Owner != item.Owner:
			r.fail(r.lines[i], "it supersedes %q, which belongs to %q and not to %q: an item replaces one of its own owner", item.Supersedes, r.items[old].Owner, item.Owner)
		case again:
			r.fail(r.lines[i], "it supersedes %q, as line %d does: let one of them supersede the other", item.Supersedes, r.lines[first])
		default:
			by[item.Supersedes] = i
		}
	}
	r.checkCycles(at)
}

// checkCycles reports each circle of items that supersede one another once. Every item has at
// most one that it supersedes.
func (r *reading) checkCycles(at map[string]int) {
	seen := make([]int, len(r.items)) // the walk that visited an item, from 1
	for start := range r.items {
		for i, known := start, true; known && seen[i] <= 0; i, known = at[r.items[i].Supersedes] {
			seen[i] = start + 1
			next, more := at[r.items[i].Supersedes]
			if more && seen[next] == start+1 {
				r.fail(r.lines[next], "%q supersedes itself by way of others: one item of the circle has to be the oldest", r.items[next].ID)
				break
			}
		}
	}
}
