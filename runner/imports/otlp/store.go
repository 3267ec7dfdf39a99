package otlp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/seed-5817661a/concur/internal/spool"
	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/internal/text"
)

// Options are settings of a Store.
type Options struct {
	// Fields has the attributes of Conversation's fields id, index, gold, category, configuration, query, output and
	// session that differ from the usual ones; see Fields.
	Fields map[string]string
}

// Store has spans in temporary files. Close it after use.
type Store struct {
	options  Options
	spool    spool.Buffer
	written  int64           // bytes in the spool
	mapped   map[string]bool // attributes that Options name
	index    index
	services []string
	numbers  map[string]int32 // of services
	counts   counts
	kept     kept
	first    error // the first record that could not be read, with its file
}

// Fields lists the fields that Options may map.
var Fields = []string{"id", "index", "gold", "category", "configuration", "query", "output", "session"}

// attribute returns the name of the attribute of a field that Options may map; "" without one.
func (s *Store) attribute(field string) string {
	if name := s.options.Fields[field]; name != "" {
		return name
	}
	if usual := table().fields[field]; len(usual) > 0 {
		return usual[0]
	}
	return ""
}

// mappedText returns the text of a field that Options may map: of the attribute that they name, or of the usual ones.
func (s *Store) mappedText(c content, field string) string {
	if name := s.options.Fields[field]; name != "" {
		return textOf(c.Attributes[name])
	}
	if field == "query" || field == "output" {
		return "" // these are read from messages
	}
	return c.text(field)
}

// counts says what was found in the files.
type counts struct {
	files, others, cut                      int
	spans, logs, unread, duplicates, cycles int
	skewed, orphans, foreign                int
}

// addFound adds what was found in the spans of a trace.
func (c *counts) addFound(more counts) {
	c.duplicates += more.duplicates
	c.cycles += more.cycles
	c.orphans += more.orphans
	c.foreign += more.foreign
}

// Open reads the spans of a file, or of the files of a folder.
func Open(path string, o Options) (_ *Store, err error) {
	s, err := newStore(o)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	list, others, err := files(path)
	if err != nil {
		return nil, err
	}
	s.counts.others = others
	for _, file := range list {
		if err := s.read(file); err != nil {
			return nil, err
		}
	}
	return s, s.index.merge()
}

func newStore(o Options) (*Store, error) {
	s := &Store{options: o, numbers: map[string]int32{}, mapped: map[string]bool{}}
	for field, name := range o.Fields {
		if !contains(Fields, field) {
			return nil, fmt.Errorf("no field %q is read: %s", field, strictyaml.Suggest(field, Fields))
		}
		s.mapped[name] = true
	}
	return s, nil
}

// Read reads spans from one file.
func Read(from io.Reader, o Options) (_ *Store, err error) {
	s, err := newStore(o)
	if err == nil {
		if err = s.take("", from); err != nil {
			return nil, errors.Join(err, s.Close())
		}
		if err = s.index.merge(); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, err
}

// Empty reports whether the files have no span.
func (s *Store) Empty() bool { return s.counts.spans+s.counts.logs+s.counts.unread == 0 }

// Close removes the temporary files.
func (s *Store) Close() error {
	return errors.Join(s.spool.Close(), s.index.close(), s.kept.file.Close())
}

func (s *Store) read(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close() // the file was only read
	if err := s.take(file+": ", f); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// take reads a file. place is its name for errors.
func (s *Store) take(place string, f io.Reader) error {
	s.counts.files++
	var failed error
	err := decode(f, func(of span, service string) {
		if failed == nil {
			failed = s.add(of, service)
		}
	}, func(err error) {
		if s.counts.unread++; s.first == nil {
			s.first = fmt.Errorf("%s%w", place, err)
		}
	})
	switch {
	case failed != nil:
		return failed
	case errors.Is(err, errCut) && s.index.spans > 0:
		s.counts.cut++
		return nil
	}
	return err
}

// add keeps a span: its place in the index, and the attributes that are needed in the temporary file.
func (s *Store) add(of span, service string) error {
	if of.log {
		s.counts.logs++
	} else {
		s.counts.spans++
	}
	e := entry{traceID: of.traceID, id: of.id, parent: of.parent, start: of.start, end: of.end, server: of.server,
		log: of.log, kind: table().kindOf(of.Attributes), at: -1}
	if e.kind == otherKind && !of.log && len(of.Events) > 0 && slices.ContainsFunc(of.Events, func(v event) bool {
		return v.Name == "gen_ai.content.prompt" || v.Name == "gen_ai.choice"
	}) {
		e.kind = modelKind
	}
	_, e.indexed = of.Attributes[s.attribute("index")]
	number, known := s.numbers[service]
	if !known {
		number = int32(len(s.services))
		s.services, s.numbers[service] = append(s.services, service), number
	}
	e.service = number
	kept := of.content
	kept.Attributes = s.needed(of.Attributes)
	kept.Events = slices.DeleteFunc(kept.Events, func(e event) bool { return !keptEvent(e.Name) })
	if len(kept.Attributes) > 0 || len(kept.Events) > 0 || kept.Failed || kept.Body != nil || e.kind != otherKind {
		raw, err := json.Marshal(kept)
		if err != nil {
			return fmt.Errorf("keep a span: %w", err)
		}
		e.at, e.size = s.written, int32(len(raw))
		if _, err := s.spool.Write(raw); err != nil {
			return err
		}
		s.written += int64(len(raw))
	}
	return s.index.add(e)
}

// needed returns the attributes that a conversation may need.
func (s *Store) needed(all map[string]any) map[string]any {
	out := map[string]any{}
	for name, value := range all {
		if table().keeps(name) || s.mapped[name] {
			out[name] = value
		}
	}
	return out
}

// content reads a span from the temporary file.
func (s *Store) content(e entry) (c content, err error) {
	if e.at < 0 {
		return c, nil
	}
	raw := make([]byte, e.size)
	if _, err := s.spool.ReadAt(raw, e.at); err != nil {
		return c, fmt.Errorf("read a temporary file: %w", err)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	return c, dec.Decode(&c)
}

// Notes returns sentences about what was read, and what was not.
func (s *Store) Notes() []string {
	c := s.counts
	out := []string{fmt.Sprintf("read %s and %s in %s", text.Counted(c.spans, "span"),
		text.Counted(c.logs, "log record"), text.Counted(c.files, "file"))}
	note := func(n int, thing, one, several string) {
		if n > 0 {
			out = append(out, text.Counted(n, thing)+text.Verb(n, one, several))
		}
	}
	note(c.others, "other file", " of the folder is left out", " of the folder are left out")
	note(c.cut, "file", " ends within a message: what comes before was read",
		" end within a message: what comes before was read")
	note(c.unread, "record", fmt.Sprintf(" could not be read: %v", s.first),
		fmt.Sprintf(" could not be read; the first: %v", s.first))
	note(c.duplicates, "span", " was there twice, and counts once", " were there twice, and count once")
	note(c.orphans, "span", " has a parent that is not in the files", " have a parent that is not in the files")
	note(c.cycles, "span", " is its own ancestor: it counts as one without a parent",
		" are their own ancestors: they count as spans without a parent")
	note(c.skewed, "span", " ends before it begins: its time is unknown",
		" end before they begin: their time is unknown")
	note(c.foreign, "span", " belongs to no conversation: it is left out", " belong to no conversation: they are left out")
	return out
}
