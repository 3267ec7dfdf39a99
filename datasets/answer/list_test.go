package answer_test

import (
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
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
		"Paris, Rome, Oslo, Paris":                abc,
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
		"1,234, 5":                                "list:{entity:1,234|entity:5}",
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

func TestListOptions(t *testing.T) {
	for _, c := range []struct {
		raw  string
		o    answer.Options
		want string
	}{
		{"b, a, b", answer.Options{}, "list:{entity:a|entity:b}"},
		{"b, a, b", answer.Options{Multiset: true}, "list:{entity:a|entity:b|entity:b}"},
		{"b, a, b", answer.Options{Ordered: true}, "list:[entity:b|entity:a|entity:b]"},
	} {
		k, err := answer.Normalize(c.raw, answer.List, c.o)
		if err != nil || k.Key != c.want {
			t.Errorf("%q with %+v: %s, %v", c.raw, c.o, k.Key, err)
		}
	}
}

func TestMatchList(t *testing.T) {
	checkMatches(t, answer.List, []matchCase{
		{"Rome and Paris", "Paris; Rome", "", answer.Options{}, true, "equal lists"},
		{"Paris", "Paris; Rome", "", answer.Options{}, false, `"rome" missing`},
		{"Paris, Rome, Oslo", "Paris; Rome", "", answer.Options{}, false, `"oslo" too much`},
		{"Paris, Oslo", "Paris; Rome", "", answer.Options{}, false, `"rome" missing, "oslo" too much`},
		{"Rome, Paris", "Paris; Rome", "", answer.Options{Ordered: true}, false, "the same elements in another order"},
		{"a, b, c, d, e", "f", "", answer.Options{}, false, `"f" missing, "a", "b", "c", 2 more too much`},
	})
}
