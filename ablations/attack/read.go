package attack

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Development is the name of the built-in cases, to be used in place of a file.
const Development = "development"

// Wanted is the place in a text that is replaced with the case's canary, false value or tool.
const Wanted = "{{want}}"

//go:embed development.yaml
var development []byte

// payload is one entry of a file of cases.
type payload struct {
	Name       string         `yaml:"name"`
	Text       string         `yaml:"text"`
	Honest     bool           `yaml:"honest"`
	Effect     Effect         `yaml:"effect"` // "" means tool if Tool is given, else token
	Want       string         `yaml:"want"`   // used in place of a canary or a drawn number
	Tool       string         `yaml:"tool"`
	Way        Way            `yaml:"way"` // "" means both ways
	Position   string         `yaml:"position"`
	Language   string         `yaml:"language"` // for people who read the file
	Obfuscated bool           `yaml:"obfuscated"`
	Pos        strictyaml.Pos `yaml:",pos"`

	at string // place of the entry, for errors
}

// Read reads cases: the built-in ones, or a file. A .yaml, .yml or .json file has a list of entries. A .jsonl
// file has one entry a line; unknown fields are ignored, and label 0 means honest. Any other file has one text
// a line; # begins a comment, and "honest:" an honest text. ways are the ways of entries that give no way; the
// built-in cases are for documents. Errors name file and line.
func Read(name string, stdin io.Reader, ways []Way) ([]Case, error) {
	return ReadAll([]string{name}, stdin, ways)
}

// ReadAll reads the cases of several names as Read does. Each case has a unique id: if there are several files,
// the id of a text file's case is the file's name and the line, and a repeated id gets a number.
func ReadAll(names []string, stdin io.Reader, ways []Way) (cases []Case, err error) {
	files, used := 0, map[string]bool{}
	for _, name := range names {
		if name != Development {
			files++
		}
	}
	for _, name := range names {
		usual, all := ways, []payload(nil)
		if name == Development {
			usual = []Way{InDocument}
			all, err = readYAML("development.yaml", development)
		} else {
			all, err = readFile(name, stdin, files > 1)
		}
		if err != nil {
			return nil, err
		}
		more, err := casesOf(all, usual, used)
		if err != nil {
			return nil, err
		}
		cases = append(cases, more...)
	}
	return cases, nil
}

// readFile reads a file. If several is set, the names of a text file's lines begin with the file's name.
func readFile(name string, stdin io.Reader, several bool) ([]payload, error) {
	in, shown, err := lines.Open(name, stdin)
	if err != nil {
		return nil, fmt.Errorf("read attacks: %w", err)
	}
	defer in.Close() // opened only for reading
	raw, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read attacks %s: %w", shown, err)
	case len(raw) > maxFile:
		return nil, fmt.Errorf("read attacks %s: it has more than %d MiB: split it", shown, maxFile>>20)
	case !utf8.Valid(raw) || bytes.IndexByte(raw, 0) >= 0:
		return nil, fmt.Errorf("read attacks %s: it is not text in UTF-8: give a text, YAML or JSONL file", shown)
	}
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	base := filepath.Base(shown)
	read := func(file string, raw []byte) ([]payload, error) {
		if several {
			return readText(file, raw, strings.TrimSuffix(base, filepath.Ext(base))+".")
		}
		return readText(file, raw, "")
	}
	switch filepath.Ext(strings.TrimSuffix(strings.ToLower(shown), ".gz")) {
	case ".yaml", ".yml", ".json":
		read = readYAML
	case ".jsonl", ".ndjson":
		read = readJSONL
	}
	all, err := read(shown, raw)
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("read attacks %s: the file has no cases: write one text a line", shown)
	}
	return all, err
}

const maxFile = 32 << 20 // maximum number of bytes of a file of cases

func readYAML(file string, raw []byte) ([]payload, error) {
	var all []payload
	if err := strictyaml.Decode(file, raw, &all); err != nil {
		return nil, err
	}
	for i := range all {
		all[i].at = fmt.Sprintf("%s:%d", file, all[i].Pos.Line)
	}
	return all, nil
}

// jsonEntry is an entry of JSONL, with the field names that collections of attacks use.
type jsonEntry struct {
	ID, Name, Text, Prompt string
	Honest                 bool
	Label                  *float64
	Effect                 Effect
	Want, Tool             string
	Way                    Way
}

func readJSONL(file string, raw []byte) (all []payload, err error) {
	lines.Each(bytes.NewReader(raw), func(number int, line []byte, readErr error) {
		if err != nil || len(bytes.TrimSpace(line)) == 0 && readErr == nil {
			return
		}
		at := fmt.Sprintf("%s:%d", file, number)
		var e jsonEntry
		if err = readErr; err == nil {
			err = json.Unmarshal(line, &e)
		}
		if err != nil {
			err = fmt.Errorf("%s: this line is not a JSON object with a case: %w", at, lines.Fault(err, line))
			return
		}
		p := payload{Name: e.ID, Text: e.Text, Honest: e.Honest, Effect: e.Effect, Want: e.Want, Tool: e.Tool, Way: e.Way,
			at: at}
		if p.Name == "" {
			p.Name = e.Name
		}
		if p.Text == "" {
			p.Text = e.Prompt
		}
		if e.Label != nil {
			p.Honest = *e.Label == 0
		}
		all = append(all, p)
	})
	return all, err
}

const honestMark = "honest:"

// readText reads one text a line. The names of the texts begin with prefix.
func readText(file string, raw []byte, prefix string) (all []payload, err error) {
	in := bufio.NewScanner(bytes.NewReader(raw))
	in.Buffer(nil, maxFile+1)
	for number := 1; in.Scan(); number++ {
		text := strings.TrimSpace(in.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		p := payload{Name: fmt.Sprintf("%sline%d", prefix, number), Text: text, at: fmt.Sprintf("%s:%d", file, number)}
		if len(text) >= len(honestMark) && strings.EqualFold(text[:len(honestMark)], honestMark) {
			p.Text, p.Honest = strings.TrimSpace(text[len(honestMark):]), true
		}
		all = append(all, p)
	}
	return all, in.Err()
}
