package value

import (
	"embed"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"
)

//go:embed *.tsv
var tables embed.FS

// row is a line of a table. Its methods read cells; the first mistake is kept and names
// the file and line.
type row struct {
	place string // file:line
	cells []string
	seen  map[string]string // where each entry of the table is
	err   error
}

// readRows gives read each line of a table that is neither empty nor a comment. Cells that
// a line leaves out at its end are empty.
func readRows(file, content string, cells int, read func(*row)) error {
	number, seen := 0, map[string]string{}
	for line := range strings.Lines(content) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		r := row{place: fmt.Sprintf("%s:%d", file, number), cells: strings.Split(line, "\t"), seen: seen}
		if len(r.cells) > cells {
			r.fail("%d cells, want at most %d", len(r.cells), cells)
		}
		r.cells = append(r.cells, make([]string, cells)...)
		read(&r)
		if r.err != nil {
			return r.err
		}
	}
	return nil
}

func (r *row) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(r.place+": "+format, args...)
	}
}

// entries splits a cell of alternatives. Within a class each may be entered once.
func (r *row) entries(cell int, class string) []string {
	if r.cells[cell] == "" {
		return nil
	}
	forms := strings.Split(r.cells[cell], "|")
	for _, form := range forms {
		key := class + "\t" + form
		if before, again := r.seen[key]; again {
			r.fail("%q stands in %s too", form, before)
		}
		r.seen[key] = r.place
	}
	return forms
}

// rational reads a cell as an exact number: 3.5, 1/3 or 1e6.
func (r *row) rational(cell int) *big.Rat {
	n, ok := new(big.Rat).SetString(r.cells[cell])
	if !ok {
		r.fail("%q is no number", r.cells[cell])
		return new(big.Rat)
	}
	return n
}

// integer reads a cell as a whole number of 64 bits.
func (r *row) integer(cell int) int64 {
	n := r.rational(cell)
	if !n.IsInt() || !n.Num().IsInt64() {
		r.fail("%q is no whole number of 64 bits", r.cells[cell])
	}
	return n.Num().Int64()
}

// oneOf reads a cell that must hold one of some words.
func (r *row) oneOf(cell int, words string) string {
	if !slices.Contains(strings.Fields(words), r.cells[cell]) {
		r.fail("%q is none of: %s", r.cells[cell], words)
	}
	return r.cells[cell]
}

// loadTable reads an embedded table. A table that cannot be read is a mistake of the build,
// found by the tests of this package.
func loadTable(file string, cells int, read func(*row)) {
	content, err := tables.ReadFile(file)
	if err == nil {
		err = readRows(file, string(content), cells, read)
	}
	if err != nil {
		panic("value: read table: " + err.Error())
	}
}

// entry is what a word or sign is in a number or date, with its number.
type entry struct {
	class string
	value int64
}

// The classes of words, explained in the tables. Those that count have a number.
const (
	numberCounting   = "small tens hundred dozen scale after letter ordinal share cjk place myriad"
	numberPlain      = "joint"
	calendarCounting = "month era span epoch"
	calendarPlain    = "weekday filler decademark yearmark monthmark daymark centurymark"
)

var (
	numberWords = sync.OnceValue(func() vocabulary {
		v := vocabulary{}
		loadTable("numbers.tsv", 3, v.reader(numberCounting, numberPlain))
		return v
	})
	dateWords = sync.OnceValue(func() vocabulary {
		v := vocabulary{}
		loadTable("calendar.tsv", 3, v.reader(calendarCounting, calendarPlain))
		return v
	})
)

type vocabulary map[string]entry

func (v vocabulary) reader(counting, plain string) func(*row) {
	return func(r *row) {
		e := entry{class: r.oneOf(1, counting+" "+plain)}
		if slices.Contains(strings.Fields(counting), e.class) {
			e.value = r.integer(2)
		}
		for _, word := range r.entries(0, "") {
			v[word] = e
		}
	}
}

// IsNumberWord reports whether a word, in any case, belongs to a number: twenty, million,
// dozen, third.
func IsNumberWord(word string) bool {
	class := numberWords()[lower(word)].class
	return class != "" && class != "joint"
}

// IsCalendarWord reports whether a word, in any case, is a month, a weekday or an era.
func IsCalendarWord(word string) bool {
	class := dateWords()[lower(word)].class
	return class == "month" || class == "weekday" || class == "era"
}

// lists holds the words of lists.tsv by what they do beside a number.
var lists = sync.OnceValue(func() map[string][]string {
	l := map[string][]string{}
	loadTable("lists.tsv", 2, func(r *row) { l[r.cells[0]] = append(l[r.cells[0]], r.entries(1, r.cells[0])...) })
	return l
})

func inList(list, word string) bool { return slices.Contains(lists()[list], word) }
