package dotenv

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// MaxSize is the maximum size of a file in bytes.
const MaxSize = 64 << 10

// Variable is a variable of a file.
type Variable struct {
	Name, Value string
	Line        int // from 1
}

// Read returns the variables of a file, in the order of the file. If path does not exist, or is the folder of a
// Python virtual environment, Read returns no variables and no error. If path is any other folder, or a link to a
// file that does not exist, Read returns an error. Every error names the file.
//
// environ returns the value of an environment variable. ${NAME} in the file is replaced by the result of
// environ("NAME"). If this is empty, it is replaced by the value that an earlier line gives to NAME.
func Read(path string, environ func(name string) string) ([]Variable, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(path); err == nil {
			return nil, fmt.Errorf("%s is a link to a file that is gone: restore the file, or remove the link", path)
		}
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read variables: %w", err)
	case info.IsDir() && isFile(filepath.Join(path, "pyvenv.cfg")): // python3 -m venv .env
		return nil, nil
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a plain file: replace it with one, or move it away", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read variables: %w", err)
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("read variables: %w", err)
	}
	return Parse(path, raw, environ)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// Parse returns the variables of the text of a file; see Read.
func Parse(path string, raw []byte, environ func(name string) string) ([]Variable, error) {
	if len(raw) > MaxSize {
		return nil, fmt.Errorf("%s has more than %d KiB: keep only variables there", path, MaxSize>>10)
	}
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	if at := badByte(raw); at >= 0 {
		return nil, fmt.Errorf("%s:%d: a byte is NUL or not UTF-8: save the file as UTF-8 text", path,
			1+bytes.Count(raw[:at], []byte("\n")))
	}
	p := parser{environ: environ, first: map[string]int{}, values: map[string]string{}, line: 1,
		rest: strings.ReplaceAll(string(raw), "\r\n", "\n")}
	for p.rest != "" {
		if err := p.statement(); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, p.begin, err)
		}
	}
	return p.out, nil
}

// badByte returns the place of the first byte that is NUL or not UTF-8, or -1.
func badByte(raw []byte) int {
	for at := 0; at < len(raw); {
		char, size := utf8.DecodeRune(raw[at:])
		if char == 0 || char == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return -1
}

// parser reads one statement after another.
type parser struct {
	environ func(string) string
	rest    string // text that is not read yet
	line    int    // of the beginning of rest
	begin   int    // line on which the statement begins
	first   map[string]int
	values  map[string]string
	size    int // bytes of all values
	out     []Variable
}

const blanks = " \t"

// statement reads a line, or the lines of a value in quotes.
func (p *parser) statement() error {
	p.begin = p.line
	text, _, _ := strings.Cut(p.rest, "\n")
	if text = strings.Trim(text, blanks); text == "" || text[0] == '#' {
		p.skipLine()
		return nil
	}
	p.rest = strings.TrimLeft(p.rest, blanks)
	if after, is := strings.CutPrefix(p.rest, "export"); is && after != "" && strings.Contains(blanks, after[:1]) {
		p.rest = strings.TrimLeft(after, blanks)
	}
	name, after, found := strings.Cut(p.rest, "=")
	if name = strings.Trim(name, blanks); !found || !isName(name) {
		return errors.New("this line is not NAME=value: correct it, or begin it with #; " +
			"a name has letters, digits and _, and no digit first")
	}
	if line := p.first[name]; line > 0 {
		return fmt.Errorf("%s has a value on line %d already: remove one of the lines", name, line)
	}
	p.rest = strings.TrimLeft(after, blanks)
	value, err := p.value()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	p.first[name], p.values[name] = p.begin, value
	p.size += len(value)
	p.out = append(p.out, Variable{name, value, p.begin})
	return nil
}

func (p *parser) skipLine() {
	_, p.rest, _ = strings.Cut(p.rest, "\n")
	p.line++
}

// value reads a value, and the rest of its last line.
func (p *parser) value() (string, error) {
	if p.rest != "" && strings.Contains(`"'`, p.rest[:1]) {
		return p.quoted(p.rest[0])
	}
	text, _, _ := strings.Cut(p.rest, "\n")
	p.skipLine()
	for i := range len(text) {
		if text[i] == '#' && (i == 0 || strings.Contains(blanks, text[i-1:i])) {
			text = text[:i]
			break
		}
	}
	text = strings.Trim(text, blanks)
	switch {
	case strings.ContainsAny(text, "\"'`"):
		return "", errors.New("a quote is inside the value: put the whole value in quotes of the other kind")
	case strings.ContainsRune(text, '\r'):
		return "", errors.New("a carriage return is inside the value: save the file with other line ends")
	}
	return p.expand(text, false)
}

// quoted reads a value in quotes, which may have several lines.
func (p *parser) quoted(quote byte) (string, error) {
	end := closing(p.rest, quote)
	if end < 0 {
		return "", fmt.Errorf("the quote %c has no end: close it", quote)
	}
	text := p.rest[1:end]
	if i := strings.IndexByte(text, '\n'); i >= 0 && swallows(text[i+1:]) {
		return "", fmt.Errorf("the quote %c is not closed before the next variable: close it", quote)
	}
	p.line += strings.Count(text, "\n")
	after, _, _ := strings.Cut(p.rest[end+1:], "\n")
	if trimmed := strings.Trim(after, blanks); trimmed != "" && (trimmed[0] != '#' || after[0] == '#') {
		return "", fmt.Errorf("text follows the closing quote %c: remove the text, or put it before the quote", quote)
	}
	p.rest = p.rest[end+1:]
	p.skipLine()
	if quote == '\'' {
		return text, nil
	}
	return p.expand(text, true)
}

// closing returns the place of the quote that ends the one at the beginning of a text, or -1.
func closing(text string, quote byte) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == quote:
			return i
		case text[i] == '\\' && quote == '"':
			i++
		}
	}
	return -1
}

// swallows reports whether a line of a value looks like the assignment of another variable. The last line of a key
// in base64 may be a word with = at its end.
func swallows(lines string) bool {
	rows := strings.Split(lines, "\n")
	for i, row := range rows {
		name, value, found := strings.Cut(row, "=")
		name = strings.TrimPrefix(strings.Trim(name, blanks), "export ")
		if found && isName(strings.Trim(name, blanks)) && (strings.Trim(value, "="+blanks) != "" || i == len(rows)-1) {
			return true
		}
	}
	return false
}

// escapes are the characters that may follow a backslash in double quotes.
var escapes = map[byte]string{'n': "\n", 'r': "\r", 't': "\t", '\\': `\`, '"': `"`, '$': "$"}

// expand replaces ${NAME} in a value and, in double quotes, escapes.
func (p *parser) expand(text string, inQuotes bool) (string, error) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case inQuotes && text[i] == '\\':
			i++ // closing has found a character after it
			char, known := escapes[text[i]]
			if !known {
				return "", errors.New(`a backslash in double quotes goes before n, r, t, ", $ or \: ` +
					"write two backslashes, or use single quotes")
			}
			b.WriteString(char)
		case strings.HasPrefix(text[i:], "${"):
			name, _, closed := strings.Cut(text[i+2:], "}")
			switch {
			case !closed:
				return "", errors.New("${ has no closing brace: write ${NAME}, or use single quotes")
			case !isName(name):
				return "", errors.New("${…} takes only the name of a variable: write ${NAME}, or use single quotes")
			}
			value, earlier := p.values[name]
			if of := p.environ(name); of != "" {
				value, earlier = of, true
			}
			if !earlier {
				return "", fmt.Errorf("${%s} is not set: define it on an earlier line, or use single quotes", name)
			}
			b.WriteString(value)
			if p.size+b.Len() > MaxSize {
				return "", fmt.Errorf("the values have more than %d KiB together: shorten them", MaxSize>>10)
			}
			i += len("${}") + len(name) - 1
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String(), nil
}

// isName reports whether a text is the name of a variable, of at most 64 characters.
func isName(text string) bool {
	if text == "" || len(text) > 64 {
		return false
	}
	for i := range len(text) {
		c := text[i]
		if letter := c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z'; !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}
