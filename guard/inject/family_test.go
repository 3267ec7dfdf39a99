package inject

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	costText = 4 << 10
	// maxSteps is the limit of steps of a simulated machine on costText bytes. It is about one millisecond:
	// regexp takes about 12 ns for a step.
	maxSteps = 85_000
)

// TestFamilies checks every file by the rules for its author; see checkFamily.
func TestFamilies(t *testing.T) {
	entries, err := familyFiles.ReadDir("families")
	if err != nil || len(entries) != len(families()) || len(entries) < 11 {
		t.Fatalf("%d files, %d families: %v", len(entries), len(families()), err)
	}
	for i, entry := range entries {
		data, err := familyFiles.ReadFile("families/" + entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range checkFamily(entry.Name(), data) {
			t.Error(problem)
		}
		f := families()[i]
		if f.Name+".yaml" != entry.Name() || f.About == "" || f.Weight <= 0 || f.Weight >= 1 || len(f.Examples) < 3 || len(f.Counter) < 2 {
			t.Errorf("%s: name, about, weight, three examples and two counter-examples are needed: %+v", entry.Name(), f.Name)
		}
		for _, example := range f.Examples {
			finding := Scan(example.text, ToolOutput)
			if !finding.Flagged || !slices.ContainsFunc(finding.Hits, func(h Hit) bool { return h.Family == f.Name }) {
				t.Errorf("%s:%d: not found: %q: %+v", entry.Name(), example.at, example.text, finding)
			}
			query := Scan(example.text, Query)
			if slices.ContainsFunc(query.Hits, func(h Hit) bool { return h.Family == f.Name }) == f.OutputOnly {
				t.Errorf("%s:%d: as a query %q: %+v", entry.Name(), example.at, example.text, query)
			}
		}
		for _, counter := range f.Counter {
			if finding := Scan(counter.text, ToolOutput); finding.Flagged {
				t.Errorf("%s:%d: %q is flagged: %+v", entry.Name(), counter.at, counter.text, finding)
			}
		}
	}
}

// checkFamily returns the problems of a file, each with file and line: phrases that match the empty text or a
// counter-example, or that take more than maxSteps on costText bytes of ordinary text, in the places where
// the search for literals does not exclude them.
func checkFamily(file string, data []byte) (problems []string) {
	f, err := readFamily(file, data)
	if err != nil {
		return []string{err.Error()}
	}
	all := []family{f}
	page := ordinaryPage
	for _, counter := range f.Counter {
		page += counter.text + "\n"
	}
	page = strings.Repeat(page, costText/len(page)+1)[:costText]
	for _, m := range []*matcher{newMatcher(all, plain), newMatcher(all, squashed)} {
		for i := range m.rules[0] {
			rule := &m.rules[0][i]
			place := fmt.Sprintf("%s:%d: ", file, rule.line)
			if rule.expression().MatchString("") {
				problems = append(problems, place+"the phrase matches the empty text")
			}
			for _, counter := range f.Counter {
				r := newReading(counter.text)
				for _, text := range r.whole(*rule) {
					if match := rule.find(text); match != "" {
						problems = append(problems, fmt.Sprintf("%sthe phrase matches %q of the counter-example in line %d", place, match, counter.at))
					}
				}
			}
			r, cost := newReading(page), 0
			x := m.dictionary.index(r.words, sentences(r.words))
			for _, text := range rule.texts(&r, &x) {
				cost += steps(rule.expression().String(), text)
			}
			if cost > maxSteps {
				problems = append(problems, fmt.Sprintf("%sthe phrase takes %d steps on %d bytes of ordinary text, at most %d: "+
					"let every match hold a rare word", place, cost, costText, maxSteps))
			}
		}
	}
	return problems
}

const ordinaryPage = "The theatre began life as a small concert room above the stables of the Royal Standard Hotel. The owner of it, John " +
	"Moy, enlarged the building, and by 1850 it was known as Moy's Music Hall; it passed to you and to us in 1991 (£12.50 a seat). " +
	"What is said in the first act is not what you are told in the last: all the rules of the previous play are broken, and nobody can " +
	"say who wrote the text. See https://en.example.org/wiki/Theatre?oldid=92&action=view and \"The Stage\", p. 4.\n"

// steps counts the steps of a machine that follows all alternatives at once (Thompson 1968) when it searches
// a text: one step for every instruction at every character.
func steps(expression, text string) (count int) {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		panic(err)
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		panic(err)
	}
	now, next := map[uint32]bool{}, map[uint32]bool{}
	var follow func(set map[uint32]bool, pc uint32, at syntax.EmptyOp)
	follow = func(set map[uint32]bool, pc uint32, at syntax.EmptyOp) {
		if set[pc] {
			return
		}
		set[pc] = true
		count++
		switch inst := &program.Inst[pc]; inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			follow(set, inst.Out, at)
			follow(set, inst.Arg, at)
		case syntax.InstCapture, syntax.InstNop:
			follow(set, inst.Out, at)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^at == 0 {
				follow(set, inst.Out, at)
			}
		}
	}
	before := rune(-1)
	for i, r := range text {
		follow(now, uint32(program.Start), syntax.EmptyOpContext(before, r))
		after := rune(-1)
		if end := i + utf8.RuneLen(r); r != utf8.RuneError && end < len(text) {
			after, _ = utf8.DecodeRuneInString(text[end:])
		}
		for pc := range now {
			if inst := &program.Inst[pc]; inst.MatchRune(r) && strings.HasPrefix(inst.Op.String(), "InstRune") {
				follow(next, inst.Out, syntax.EmptyOpContext(r, after))
			}
		}
		now, next, before = next, now, r
		clear(next)
	}
	return count
}

// TestBadFamiliesAreRefused reads files in testdata/families that have one mistake each. The first line of a
// file has the line and the text of the expected error.
func TestBadFamiliesAreRefused(t *testing.T) {
	paths, err := filepath.Glob("testdata/families/*.yaml")
	if err != nil || len(paths) < 6 {
		t.Fatalf("%d files: %v", len(paths), err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(data), "\n")
		want := filepath.Base(path) + ":" + strings.TrimPrefix(first, "# ")
		if problems := checkFamily(filepath.Base(path), data); len(problems) != 1 || !strings.HasPrefix(problems[0], want) {
			t.Errorf("%s: %q, want one that begins with %q", path, problems, want)
		}
	}
}
