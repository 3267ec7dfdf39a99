package answer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
	"pgregory.net/rapid"
)

func TestListKeys(t *testing.T) {
	abc := "list:{entity:oslo|entity:paris|entity:rome}"
	for raw, want := range map[string]string{
		"Paris, Rome, Oslo":                       abc,
		"Rome, Oslo and Paris":                    abc,
		"Rome, Oslo, and Paris":                   abc,
		"Paris; Rome; Oslo":                       abc,
		"Paris; Rome; and Oslo":                   abc,
		"- Paris\n- Rome\n- Oslo":                 abc,
		"1. Paris\n2. Rome\n3. Oslo":              abc,
		"Paris\n\nRome\nOslo":                     abc,
		"Paris、Rome、Oslo":                         abc,
		"Paris・Rome・Oslo":                         abc,
		"Paris / Rome / Oslo":                     abc,
		"[\"Paris\", \"Rome\", \"Oslo\"]":         abc,
		"**Paris**, *Rome*, `Oslo`":               abc,
		"Paris, Rome, Oslo, Paris":                "list:{entity:oslo|entity:paris|entity:paris|entity:rome}",
		"Paris, Rome und Oslo":                    abc,
		"Paris, Rome y Oslo":                      abc,
		"Paris, Rome et Oslo":                     abc,
		"Paris, Rome e Oslo":                      abc,
		"Paris, Rome og Oslo":                     abc,
		"Paris, Rome и Oslo":                      abc,
		"Paris, Rome & Oslo":                      abc,
		"东京、大阪和京都":                                "list:{entity:东京|entity:京都|entity:大阪}",
		"Paris":                                   "list:{entity:paris}",
		"the United States, the Hague":            "list:{entity:the hague|entity:united states}",
		"Paris, Texas; Rome, Georgia":             "list:{entity:paris, texas|entity:rome, georgia}",
		"- Paris, Texas\n- Rome":                  "list:{entity:paris, texas|entity:rome}",
		"- Paris, Texas":                          "list:{entity:paris, texas}",
		"Trinidad and Tobago, Cuba":               "list:{entity:cuba|entity:trinidad and tobago}",
		"Trinidad and Tobago; Cuba and all; Peru": "list:{entity:cuba and all|entity:peru|entity:trinidad and tobago}",
		"AC/DC, AT&T":                             "list:{entity:ac/dc|entity:at&t}",
		"Mercury (planet, small), Mars":           "list:{entity:mars|entity:mercury (planet, small)}",
		"1,234, 5":                                "list:{int:1234|int:5}",
		"a|b, c":                                  `list:{entity:a\|b|entity:c}`,
		"a, b|c":                                  `list:{entity:a|entity:b\|c}`,
		"Paris,, Rome,":                           "list:{entity:paris|entity:rome}",
		", ;":                                     "error",
		"":                                        "error",
	} {
		if got := key(raw, answer.List); got != want {
			t.Errorf("list %q: %s, want %s", raw, got, want)
		}
	}
}

// A list of numbers is compared as numbers, however they and their commas are written.
func TestListsOfNumbers(t *testing.T) {
	for raw, want := range map[string]string{
		"[6.0, 1.0]":           "list:{int:1|int:6}",
		"1, 6":                 "list:{int:1|int:6}",
		"[1,6]":                "list:{int:1|int:6}",
		"[1,6].":               "list:{int:1|int:6}",
		"1,6":                  "list:{int:1|int:6}",
		"**[1,6]**":            "list:{int:1|int:6}",
		"six and one":          "list:{int:1|int:6}",
		"- 6\n- 1.0":           "list:{int:1|int:6}",
		"1/2, -5, 1e3":         "list:{int:-5|int:1000|num:1/2}",
		"[0,0,0,1,1,0]":        "list:{int:0|int:0|int:0|int:0|int:1|int:1}",
		"0, 0, 0, 1, 1 and 0":  "list:{int:0|int:0|int:0|int:0|int:1|int:1}",
		"[0,0,1,1,1,1]":        "list:{int:0|int:0|int:1|int:1|int:1|int:1}",
		"1,234, 5":             "list:{int:1234|int:5}",
		"[1,234, 5]":           "list:{int:1234|int:5}",
		"1,234":                "list:{int:1234}",
		"12,34,567":            "list:{int:1234567}",
		"[100,200,300]":        "list:{int:100|int:200|int:300}",
		"(1,234,5)":            "list:{int:1|int:234|int:5}",
		"0.1,234":              "list:{int:234|num:1/10}",
		"[[1,2],[3,4]]":        "list:{entity:[1,2]|entity:[3,4]}",
		"5 km, 6":              "list:{entity:5 km|int:6}",
		"5%, 6":                "list:{entity:5%|int:6}",
		"p = 5, q = 6":         "list:{entity:p = 5|entity:q = 6}",
		"<5, 6":                "list:{entity:<5|int:6}",
		"the 1 000 000, Paris": "list:{entity:paris|int:1000000}",
		"AC/DC, 1/2":           "list:{entity:ac/dc|num:1/2}",
	} {
		if got := key(raw, answer.List); got != want {
			t.Errorf("list %q: %s, want %s", raw, got, want)
		}
	}
}

func TestListOptions(t *testing.T) {
	for _, c := range []struct {
		raw  string
		o    answer.Options
		want string
	}{
		{"b, a, b", answer.Options{}, "list:{entity:a|entity:b|entity:b}"},
		{"b, a, b", answer.Options{Ordered: true}, "list:[entity:b|entity:a|entity:b]"},
		{"[2, 1.0]", answer.Options{Ordered: true}, "list:[int:2|int:1]"},
	} {
		k, err := answer.Normalize(c.raw, answer.List, c.o)
		if err != nil || k.Key != c.want {
			t.Errorf("%q with %+v: %s, %v", c.raw, c.o, k.Key, err)
		}
	}
}

func TestListElements(t *testing.T) {
	k, err := answer.Normalize("the White Nile, 6.0, a|b", answer.List, answer.Options{Ordered: true})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range k.Elements() {
		got = append(got, string(e.Type)+" "+e.Key)
	}
	want := []string{"entity entity:white nile", "decimal int:6", "entity entity:a|b"}
	if !slices.Equal(got, want) {
		t.Errorf("elements %q, want %q", got, want)
	}
	if k, err := answer.Normalize("6", answer.Integer, answer.Options{}); err != nil || k.Elements() != nil {
		t.Errorf("an integer has the elements %v, %v", k.Elements(), err)
	}
}

// Of two lists of the same numbers, in whatever order and form, one key comes out, and
// with one number more another.
func TestListsCountRepeats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOfN(rapid.IntRange(0, 9), 1, 12).Draw(t, "numbers")
		write := func(numbers []int, format, separator string) string {
			parts := make([]string, len(numbers))
			for i, n := range numbers {
				parts[i] = fmt.Sprintf(format, n)
			}
			return "[" + strings.Join(parts, separator) + "]"
		}
		want := key(write(numbers, "%d", ","), answer.List)
		again := rapid.Permutation(numbers).Draw(t, "again")
		form := rapid.SampledFrom([]string{"%d", "%d.0", "%d.00"}).Draw(t, "form")
		separator := rapid.SampledFrom([]string{",", ", ", "; "}).Draw(t, "separator")
		if got := key(write(again, form, separator), answer.List); got != want {
			t.Fatalf("%v is %s, %v is %s", numbers, want, again, got)
		}
		if got := key(write(append(again, numbers[0]), form, separator), answer.List); got == want {
			t.Fatalf("%v and one more are both %s", numbers, got)
		}
	})
}

func TestMatchList(t *testing.T) {
	checkMatches(t, answer.List, []matchCase{
		{"Rome and Paris", "Paris; Rome", "", answer.Options{}, true, "equal lists"},
		{"Paris", "Paris; Rome", "", answer.Options{}, false, `"rome" missing`},
		{"Paris, Rome, Oslo", "Paris; Rome", "", answer.Options{}, false, `"oslo" too much`},
		{"Paris, Oslo", "Paris; Rome", "", answer.Options{}, false, `"rome" missing, "oslo" too much`},
		{"Rome, Paris", "Paris; Rome", "", answer.Options{Ordered: true}, false, "the same elements in another order"},
		{"[6.0, 1.0]", "[1, 6]", "", answer.Options{}, true, "equal lists"},
		{"[6.0, 1.0]", "[1, 6]", "", answer.Options{Ordered: true}, false, "the same elements in another order"},
		{"[0,0,0,1,1,0]", "[0,0,1,1,1,1]", "", answer.Options{}, false, `"1, 1" missing, "0, 0" too much`},
		{"[0,0,0,1,1,0]", "[0,0,1,1,1,1]", "", answer.Options{Ordered: true}, false, ""},
		{"[0, 1, 0]", "0,1,0", "", answer.Options{Ordered: true}, true, "equal lists"},
		{"a, b, c, d, e", "f", "", answer.Options{}, false, `"f" missing, "a, b, c, d, e" too much`},
	})
}
