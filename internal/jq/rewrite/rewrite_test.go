package rewrite_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/itchyny/gojq"

	"github.com/seed-5817661a/concur/internal/jq/rewrite"
)

func Example() {
	q, err := gojq.Parse(".a + 1")
	if err != nil {
		fmt.Println(err)
		return
	}
	q.Left = rewrite.Query(q.Left, "tostring")
	fmt.Println(q)
	// Output: ((.a) | tostring) + 1
}

// Calls before and behind a term leave its suffixes where they are.
func TestBeforeAndBehind(t *testing.T) {
	for expression, want := range map[string][2]string{
		"f":       {"(g | f)", "(f | g)"},
		"f(1).a":  {"(g | f(1)).a", "(f(1) | g).a"},
		"f[0][]?": {"(g | f)[0][]?", "(f | g)[0][]?"},
	} {
		for i, change := range []func(gojq.Term, string) gojq.Term{rewrite.Before, rewrite.Behind} {
			q, err := gojq.Parse(expression)
			if err != nil {
				t.Fatal(err)
			}
			*q.Term = change(*q.Term, "g")
			if got := q.String(); got != want[i] {
				t.Errorf("%s: %s, want %s", expression, got, want[i])
			}
		}
	}
}

func TestLiterals(t *testing.T) {
	long := `"` + strings.Repeat("x", rewrite.MaxShort+1) + `"`
	for expression, want := range map[string][2]bool{ // literal, short
		"1": {true, true}, "-2": {true, true}, "null": {true, true}, "true": {true, true}, `"a"`: {true, true}, long: {true, false},
		`"\(1)"`: {}, "1 + 1": {}, ".a": {}, "[1]": {}, "1 | .": {}, `"a"[0:1]`: {}, "def f: 1; 1": {}, "-.a": {},
	} {
		q, err := gojq.Parse(expression)
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]bool{rewrite.IsLiteral(q), rewrite.IsShort(q)}; got != want {
			t.Errorf("%s: literal and short %v, want %v", expression, got, want)
		}
	}
}

// Each node is visited, the inner ones first.
func TestVisit(t *testing.T) {
	q, err := gojq.Parse(`def f(a): a; {a: f(1), "b\(2)": [.c[3]], d: (if 4 then 5 else 6 end)} as {$x} | reduce .[] as $y (7; $x + 8)`)
	if err != nil {
		t.Fatal(err)
	}
	var numbers, last string
	rewrite.Visit(q, func(node any) {
		if term, is := node.(*gojq.Term); is && term.Type == gojq.TermTypeNumber {
			numbers += term.Number
		}
		last = fmt.Sprintf("%T", node)
	})
	if numbers != "12345678" || last != "*gojq.Query" {
		t.Errorf("numbers %s, and %s last", numbers, last)
	}
}
