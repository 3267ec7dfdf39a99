package playbook

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/guard/inject"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Read reads a playbook: YAML, or ACE's text form if the file ends in .txt or .md. The error lists all
// problems, each with its place.
func Read(path string) (*Book, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read playbook: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("read playbook: %w", err)
	}
	return Parse(path, data)
}

// Parse reads a playbook from memory. file is its name in errors; its extension selects the form.
func Parse(file string, data []byte) (*Book, error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("read playbook %s: it has more than %d MB: delete bullets", file, maxFile>>20)
	}
	// checked first, because the parsed tree could take a gigabyte
	if n := bytes.Count(data, []byte("helpful")); n > 2*MaxBullets {
		return nil, fmt.Errorf("read playbook %s: it has about %d bullets, more than %d: delete some, or "+
			"learn with --budget", file, n, MaxBullets)
	}
	var b *Book
	var err error
	var at []strictyaml.Pos
	if ext := filepath.Ext(file); ext == ".txt" || ext == ".md" {
		b, err = readACE(file, data)
	} else {
		b, at, err = readYAML(file, data)
	}
	if err != nil {
		return nil, err
	}
	if wrong := b.wrong(file, at); len(wrong) > 0 {
		return nil, wrong
	}
	return b, nil
}

func readYAML(file string, data []byte) (*Book, []strictyaml.Pos, error) {
	type placed struct {
		Bullet `yaml:",inline"`
		At     strictyaml.Pos `yaml:",pos"`
	}
	var f struct {
		Schema   string    `yaml:"schema"`
		Sections []string  `yaml:"sections"`
		Next     int       `yaml:"next"`
		Learned  []Learned `yaml:"learned"`
		Bullets  []placed  `yaml:"bullets"`
	}
	if err := strictyaml.Decode(file, data, &f); err != nil {
		return nil, nil, err
	}
	if f.Schema != Schema {
		return nil, nil, fmt.Errorf("%s:1: the schema is %q, and this concur reads %s: write `schema: %s` if the "+
			"file is a playbook", file, f.Schema, Schema, Schema)
	}
	b := &Book{Schema: f.Schema, Sections: f.Sections, Next: f.Next, Learned: f.Learned,
		Bullets: make([]Bullet, len(f.Bullets))}
	at := make([]strictyaml.Pos, len(f.Bullets))
	for i, x := range f.Bullets {
		b.Bullets[i], at[i] = x.Bullet, x.At
		if x.State == "active" {
			b.Bullets[i].State = Active
		}
		if x.Stage == shownName {
			b.Bullets[i].Stage = Shown
		}
	}
	return b, at, nil
}

// wrong returns the problems of a parsed book.
func (b *Book) wrong(file string, at []strictyaml.Pos) strictyaml.Errors {
	var out strictyaml.Errors
	fail := func(i int, field, format string, args ...any) {
		e := &strictyaml.Error{File: file, Path: fmt.Sprintf("bullets[%d].%s", i, field),
			Message: fmt.Sprintf(format, args...)}
		if i < len(at) {
			e.Line, e.Column = at[i].Line, at[i].Column
		}
		out = append(out, e)
	}
	if len(b.Bullets) > MaxBullets {
		return strictyaml.Errors{{File: file, Path: "bullets",
			Message: fmt.Sprintf("there are %d, more than %d: delete some, or learn with --budget",
				len(b.Bullets), MaxBullets)}}
	}
	first := map[string]int{}
	for i, x := range b.Bullets {
		if j, again := first[x.ID]; again {
			fail(i, "id", "%q is also the id of bullets[%d]: give one of them the number %d", x.ID, j, b.Next)
		} else if !bulletID.MatchString(x.ID) {
			fail(i, "id", "%q is not an id: write three small letters, a hyphen and five digits, such as "+
				"str-00001", x.ID)
		}
		first[x.ID] = i
		b.Next = max(b.Next, number(x.ID)+1)
		if x.Helpful < 0 || x.Harmful < 0 {
			fail(i, "helpful", "helpful is %d and harmful %d: give counts of 0 or more", x.Helpful, x.Harmful)
		}
		if x.Rate < 0 || x.Rate > 1 {
			fail(i, "rate", "is %v: give a share from 0 to 1", x.Rate)
		}
		if x.State != Active && x.State != Quarantined {
			fail(i, "state", "%q is not known: use active or quarantined", x.State)
		}
		if x.Stage != Shown && x.Stage != Draft {
			fail(i, "stage", "%q is not known: use %s or %s", x.Stage, Draft, shownName)
		}
		if !slices.Contains(b.Sections, x.Section) {
			fail(i, "section", "%q is not one of sections: %s", x.Section, strings.Join(b.Sections, ", "))
		}
		if problem := textProblem(x.Text); problem != "" {
			fail(i, "text", "%s", problem)
		}
		if len(x.Tags) > MaxTags {
			fail(i, "tags", "there are %d, more than %d: delete some", len(x.Tags), MaxTags)
		}
		for _, tag := range x.Tags {
			if problem := textProblem(tag); problem != "" {
				fail(i, "tags", "a tag %s", problem)
			}
		}
		for _, tool := range x.Tools {
			if tool == "" || strings.ContainsAny(tool, " \t\n→()") {
				fail(i, "tools", "%q is not the name of a tool", tool)
			}
		}
	}
	return out
}

// textProblem describes a problem of a bullet's text; "" if the text is good. Instructions that the injection
// guard knows are a problem, because bullets become part of prompts.
func textProblem(text string) string {
	switch {
	case strings.TrimSpace(text) == "":
		return "is empty: write what the bullet advises, or delete it"
	case len(text) > MaxText:
		return fmt.Sprintf("has %d bytes, more than %d: shorten it", len(text), MaxText)
	case strings.Contains(text, blockStart) || strings.Contains(text, blockEnd):
		return "contains the marks around advice: remove them"
	}
	if f := inject.Scan(text, inject.ToolOutput); f.Flagged {
		return fmt.Sprintf("contains an instruction that the injection guard knows (%s): delete the bullet",
			f.Hits[0].Family)
	}
	return ""
}

// UnknownTools returns the tools that bullets name but known lacks, with the ids of the bullets, as "str-00001:
// name".
func (b *Book) UnknownTools(known []string) (out []string) {
	for _, x := range b.Bullets {
		for _, tool := range x.Tools {
			if !slices.Contains(known, tool) {
				out = append(out, x.ID+": "+tool)
			}
		}
	}
	return out
}

// Bytes returns the book as YAML. Equal books give equal bytes.
func (b *Book) Bytes() ([]byte, error) {
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(b); err != nil {
		return nil, fmt.Errorf("encode playbook: %w", err)
	}
	return out.Bytes(), enc.Close()
}
