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
	if i.ID == "" {
		wrong = append(wrong, errors.New(`id is missing: give each item a name of its own, such as "m1"`))
	}
	if strings.TrimSpace(i.Text) == "" {
		wrong = append(wrong, errors.New("text is empty: say what is to be remembered, or leave the item out"))
	} else if len(i.Text) > MaxText {
		wrong = append(wrong, fmt.Errorf("text has %d bytes, and at most %d are taken: divide it into several items",
			len(i.Text), MaxText))
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

// Read reads items, one JSON object a line. name is what errors call the file; they list
// everything that is wrong, as "name:line: …".
func Read(name string, from io.Reader) (items []Item, err error) {
	var wrong []error
	f := file{items: map[string]placed{}, supersededAt: map[string]int{}}
	lines.Each(from, func(number int, line []byte, err error) {
		var item Item
		if err == nil {
			item, err = parse(line)
		}
		if err == nil {
			err = f.add(number, item)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s:%d: %w", name, number, err))
			return
		}
		items = append(items, item)
	})
	if more := len(wrong) - mostNamed; more > 0 {
		wrong = append(wrong[:mostNamed], fmt.Errorf("%s: %d more errors", name, more))
	}
	return items, errors.Join(wrong...)
}

// Open reads the items of a file, or of a built-in dataset's memory.
func Open(nameOrPath string) ([]Item, error) {
	f, err := datasets.OpenMemory(nameOrPath)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("open memory: there is no file %s: begin it with `concur memory add --file %s TEXT`, "+
			"or name another", nameOrPath, filepath.Base(nameOrPath))
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
		return item, fmt.Errorf("%s: write one JSON object a line, with id, text, and if you like owner, time, "+
			"source, supersedes", strings.TrimPrefix(err.Error(), "json: "))
	}
	return item, item.Validate()
}

// file is what was read of a file.
type file struct {
	items        map[string]placed // by id
	supersededAt map[string]int    // the line of the item that supersedes an id
}

type placed struct {
	line  int
	owner string
}

// add compares an item with those above it. An item supersedes one above it, so that there is no circle of them.
func (f file) add(line int, item Item) error {
	if first, again := f.items[item.ID]; again {
		return fmt.Errorf("the id %q is that of line %d too: give each item its own", item.ID, first.line)
	}
	f.items[item.ID] = placed{line, item.Owner}
	if item.Supersedes == "" {
		return nil
	}
	old, known := f.items[item.Supersedes]
	first, again := f.supersededAt[item.Supersedes]
	switch {
	case !known || old.line == line:
		return fmt.Errorf("it supersedes %q, which is not above it in the file: correct the id, or leave supersedes out", item.Supersedes)
	case old.owner != item.Owner:
		return fmt.Errorf("it supersedes %q, which belongs to %q and not to %q: an item replaces one of its own owner",
			item.Supersedes, old.owner, item.Owner)
	case again:
		return fmt.Errorf("it supersedes %q, as line %d does: let one of them supersede the other",
			item.Supersedes, first)
	}
	f.supersededAt[item.Supersedes] = line
	return nil
}
