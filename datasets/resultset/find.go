package resultset

import "strings"

// Bounds of the search for JSON in a message: of texts that begin like JSON, and of the bytes that are read.
const (
	maxTries = 200
	maxRead  = 8 << 20
)

// tableLanguages are the names of languages of blocks of code that may have a table.
var tableLanguages = map[string]bool{
	"": true, "json": true, "csv": true, "tsv": true, "text": true, "txt": true, "markdown": true, "md": true,
	"plaintext": true, "table": true, "jsonl": false,
}

// Find returns the last table of a message as it is written there. A table is a block of code that is a table, a
// Markdown table, or JSON at the beginning of a line or after a colon. ok is false if there is no table.
func Find(message string) (table string, ok bool) {
	s := search{all: strings.SplitAfter(message, "\n"), message: message}
	for at, line := range s.all {
		if at >= s.next {
			s.line(at, line)
		}
		s.from += len(line)
	}
	return s.found, s.found != ""
}

// search is a search for tables.
type search struct {
	message string
	all     []string // lines with their ends
	from    int      // place of the current line in the message
	next    int      // the first line that is not read yet
	tries   int
	read    int
	open    string // a mark that no later line closes
	found   string
}

// line looks for a table that begins on a line.
func (s *search) line(at int, line string) {
	plain := strings.TrimRight(line, "\r\n")
	if begin := fenceLine.FindStringSubmatch(plain); begin != nil {
		if end := s.fenceEnd(at+1, begin[1]); end > 0 {
			block := strings.TrimSpace(strings.Join(s.all[at:end+1], ""))
			if _, err := Parse(block); err == nil && tableLanguages[strings.ToLower(begin[2])] {
				s.found = block
			}
			s.next = end + 1
		}
		return
	}
	if strings.Contains(plain, "|") && at+1 < len(s.all) && strings.Contains(s.all[at+1], "|") {
		if _, n, ok := readMarkdown(s.all[at:]); n > 0 {
			if s.next = at + n; ok {
				s.found = strings.TrimSpace(strings.Join(s.all[at:at+n], ""))
			}
			return
		}
	}
	s.json(at, plain)
}

// fenceEnd returns the line that ends a block of code; -1 if no line ends it.
func (s *search) fenceEnd(from int, mark string) int {
	if s.open != "" && strings.HasPrefix(mark, s.open) { // a shorter mark has no end after an earlier line
		return -1
	}
	for i := from; i < len(s.all); i++ {
		if closes(s.all[i], mark) {
			return i
		}
	}
	s.open = mark
	return -1
}

// json looks for JSON at the beginning of a line, or after a colon or marks of emphasis.
func (s *search) json(at int, line string) {
	begin := strings.IndexAny(line, "[{")
	if begin < 0 || s.tries >= maxTries || s.read >= maxRead {
		return
	}
	before := strings.TrimRight(line[:begin], " \t*_`")
	if before != "" && !strings.HasSuffix(before, ":") {
		return
	}
	rest := s.message[s.from+begin:]
	_, n, err := readJSON(rest, false)
	s.tries++
	if err != nil {
		s.read += len(rest)
		return
	}
	s.found = rest[:n]
	s.next = at + 1 + strings.Count(rest[:n], "\n")
}
