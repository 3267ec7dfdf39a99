package annotate

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// Text is a text of a corpus.
type Text struct {
	ID   string
	Text string
	Date time.Time // of its source; zero if it is not known
}

// MaxText limits a text in bytes. Longer texts are skipped and counted.
const MaxText = 64 << 10

// maxLine limits a line of JSON in bytes.
const maxLine = 1 << 20

// Corpus is a file or a folder with texts.
type Corpus struct {
	Files []string // in the order in which they are read
	Bytes int64    // of all files
	sizes []int64
}

// OpenCorpus lists the files of a corpus: a file .jsonl, .txt or .md, or a folder with such files. It reads none of
// them.
func OpenCorpus(path string) (*Corpus, error) {
	c := &Corpus{}
	err := filepath.WalkDir(path, func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".jsonl", ".txt", ".md"}, strings.ToLower(filepath.Ext(at))) {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		c.Files, c.sizes, c.Bytes = append(c.Files, at), append(c.sizes, info.Size()), c.Bytes+info.Size()
		return nil
	})
	if err == nil && len(c.Files) == 0 {
		err = errors.New("it has no file .jsonl, .txt or .md: name a corpus with one")
	}
	if err != nil {
		return nil, fmt.Errorf("open corpus %s: %w", path, err)
	}
	return c, nil
}

// Place is a place in a corpus, behind a text.
type Place struct {
	File   int   `json:"file"`   // index of the file
	Offset int64 `json:"offset"` // in bytes
	Line   int   `json:"line"`   // lines before it
}

// Item is a text of a corpus, or the reason why a text was skipped, with the place behind it.
type Item struct {
	Text Text
	Skip string
	Next Place
}

// Texts reads the texts from a place on. A file .jsonl has an object with a text in each line, and the keys id, date
// and url if it has them; of other files, each paragraph is a text. An error ends the reading.
func (c *Corpus) Texts(from Place) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		for ; from.File < len(c.Files); from = (Place{File: from.File + 1}) {
			if !c.read(from, yield) {
				return
			}
		}
	}
}

// read yields the texts of one file, and reports whether the reading goes on.
func (c *Corpus) read(at Place, yield func(Item, error) bool) bool {
	path := c.Files[at.File]
	f, err := os.Open(path)
	if err == nil {
		defer f.Close()
		_, err = f.Seek(at.Offset, io.SeekStart)
	}
	if err != nil {
		yield(Item{}, fmt.Errorf("read corpus: %w", err))
		return false
	}
	in := &lineReader{r: bufio.NewReaderSize(f, 64<<10), at: at}
	item := in.paragraph
	if strings.EqualFold(filepath.Ext(path), ".jsonl") {
		item = in.object
	}
	for {
		it, err := item(filepath.Base(path))
		if err == io.EOF {
			return true
		}
		if err != nil {
			err = fmt.Errorf("read corpus: %s, line %d: %w", path, in.at.Line, err)
		}
		if !yield(it, err) || err != nil {
			return false
		}
	}
}

// lineReader reads lines, and knows its place.
type lineReader struct {
	r  *bufio.Reader
	at Place
}

// line returns the next line without its end. Of a line that is longer than most bytes, it returns only that it is.
func (l *lineReader) line(most int) (line []byte, long bool, err error) {
	for {
		part, err := l.r.ReadSlice('\n')
		l.at.Offset += int64(len(part))
		if long = long || len(line)+len(part) > most; !long {
			line = append(line, part...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if err == io.EOF && len(line) == 0 && !long {
			return nil, false, io.EOF
		}
		if err != nil && err != io.EOF {
			return nil, false, err
		}
		l.at.Line++
		return bytes.TrimRight(line, "\r\n"), long, nil
	}
}

// Reasons for which a text is skipped.
const (
	skipLong  = "longer than 64 KiB"
	skipEmpty = "empty"
	skipJSON  = "not a JSON object with a text"
	skipCall  = "it has a call already" // which nobody checked, and a reader could not tell from ours
)

// object reads a line of JSON.
func (l *lineReader) object(file string) (Item, error) {
	line, long, err := l.line(maxLine)
	if err != nil {
		return Item{}, err
	}
	out := Item{Next: l.at}
	var in struct {
		ID   any    `json:"id"`
		Text string `json:"text"`
		Date string `json:"date"`
		URL  string `json:"url"`
	}
	switch {
	case long:
		out.Skip = skipLong
	case len(bytes.TrimSpace(line)) == 0:
		out.Skip = skipEmpty
	case json.Unmarshal(line, &in) != nil:
		out.Skip = skipJSON
	}
	if out.Skip != "" {
		return out, nil
	}
	id := fmt.Sprintf("%s:%d", file, l.at.Line)
	if in.ID != nil {
		id = fmt.Sprint(in.ID)
	}
	return out.with(Text{ID: id, Text: in.Text, Date: dateIn(in.Date, in.URL)}), nil
}

// paragraph reads lines up to an empty one.
func (l *lineReader) paragraph(file string) (Item, error) {
	var lines []string
	size, first, tooLong := 0, 0, false
	for {
		line, long, err := l.line(MaxText)
		empty := len(bytes.TrimSpace(line)) == 0 && !long
		if err == io.EOF && first == 0 {
			return Item{}, io.EOF
		}
		if err != nil && err != io.EOF {
			return Item{}, err
		}
		if err == io.EOF || empty && first > 0 {
			break
		}
		if empty {
			continue
		}
		if first == 0 {
			first = l.at.Line
		}
		size += len(line)
		if tooLong = tooLong || long || size > MaxText; !tooLong {
			lines = append(lines, string(line))
		}
	}
	out := Item{Next: l.at}
	if tooLong {
		out.Skip = skipLong
		return out, nil
	}
	return out.with(Text{ID: fmt.Sprintf("%s:%d", file, first), Text: strings.Join(lines, "\n")}), nil
}

func (i Item) with(t Text) Item {
	switch t.Text = strings.ToValidUTF8(strings.TrimSpace(t.Text), "�"); {
	case t.Text == "":
		i.Skip = skipEmpty
	case len(t.Text) > MaxText:
		i.Skip = skipLong
	default:
		i.Text = t
	}
	return i
}

// datePart matches a date in a date's text or in an address.
var datePart = lazy.Compile(`\b(\d{4})[-/](\d{2})[-/](\d{2})(?:\b|T)`)

// dateIn returns the first date in these texts; the zero time without one.
func dateIn(texts ...string) time.Time {
	for _, t := range texts {
		for _, m := range datePart.FindAllStringSubmatch(t, -1) {
			if day, err := time.Parse(time.DateOnly, m[1]+"-"+m[2]+"-"+m[3]); err == nil {
				return day
			}
		}
	}
	return time.Time{}
}
