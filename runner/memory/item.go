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

// Item is one fact about a person.
type Item struct {
	ID    string `json:"id"`              // unique in the file
	Owner string `json:"owner,omitempty"` // the person; "" for queries without an owner
	Text  string `json:"text"`
	Time  string `json:"time,omitempty"` // start of the fact's validity: a date (2024-05-03) or a time (RFC 3339)
	// Source names the origin, such as a run and a query; may be "".
	Source string `json:"source,omitempty"`
	// Supersedes is the id of an item that this item replaces. Both must have the same owner. It may be "".
	Supersedes string `json:"supersedes,omitempty"`
}

// MaxText bounds the text of an item, in bytes.
const MaxText = 8 << 10

// Validate returns all errors of an item that do not depend on other items.
func (i Item) Validate() error {
	var wrong []error
	for _, f := range []struct{ name, text string }{{"id", i.ID}, {"owner", i.Owner}, {"supersedes", i.Supersedes}} {
		if len(f.text) > 200 || strings.ContainsFunc(f.text, unicode.IsControl) {
			wrong = append(wrong, fmt.Errorf("%s %.40q is not one line of at most 200 bytes", f.name, f.text))
		}
	}
	if i.ID == "" {
		wrong = append(wrong, errors.New(`id is missing: give each item its own name, such as "m1"`))
	}
	if strings.TrimSpace(i.Text) == "" {
		wrong = append(wrong, errors.New("text is empty: write the fact to remember, or remove the item"))
	} else if len(i.Text) > MaxText {
		wrong = append(wrong, fmt.Errorf("text has %d bytes, more than %d: divide it into several items",
			len(i.Text), MaxText))
	}
	if _, err := time.Parse(time.DateOnly, i.Time); err != nil && i.Time != "" {
		if _, err := time.Parse(time.RFC3339, i.Time); err != nil {
			wrong = append(wrong, fmt.Errorf("time %.40q is not a date: write 2024-05-03 or 2024-05-03T09:30:00Z",
				i.Time))
		}
	}
	return errors.Join(wrong...)
}

// mostNamed is the maximum number of errors that Read lists.
const mostNamed = 20

// Read reads items, one JSON object per line. name is the file's name in errors. The error lists all problems,
// as "name:line: …".
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
		return nil, fmt.Errorf("open memory: there is no file %s: create it with `concur memory add --file %s TEXT`, "+
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
		err = errors.New("there is text after the object")
	}
	if err != nil {
		return item, fmt.Errorf("%s: write one JSON object per line, with id, text and, optionally, owner, time, "+
			"source, supersedes", strings.TrimPrefix(err.Error(), "json: "))
	}
	return item, item.Validate()
}

// file collects the items of a file while they are checked.
type file struct {
	items        map[string]placed // by id
	supersededAt map[string]int    // the line of the item that supersedes an id
}

type placed struct {
	line  int
	owner string
}

// add checks an item against the earlier items. An item can supersede only an earlier item, so cycles are
// impossible.
func (f file) add(line int, item Item) error {
	if first, again := f.items[item.ID]; again {
		return fmt.Errorf("the id %q is also on line %d: give each item its own", item.ID, first.line)
	}
	f.items[item.ID] = placed{line, item.Owner}
	if item.Supersedes == "" {
		return nil
	}
	old, known := f.items[item.Supersedes]
	first, again := f.supersededAt[item.Supersedes]
	switch {
	case !known || old.line == line:
		return fmt.Errorf("it supersedes %q, which is not above it in the file: correct the id, or remove "+
			"supersedes", item.Supersedes)
	case old.owner != item.Owner:
		return fmt.Errorf("it supersedes %q, which belongs to %q and not to %q: name an item of the same owner",
			item.Supersedes, old.owner, item.Owner)
	case again:
		return fmt.Errorf("it supersedes %q, like line %d: make one of these two supersede the other",
			item.Supersedes, first)
	}
	f.supersededAt[item.Supersedes] = line
	return nil
}
