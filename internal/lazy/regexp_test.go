package lazy

import (
	"fmt"
	"sync"
	"testing"
)

func TestRegexp(t *testing.T) {
	r := &Regexp{pattern: func() string { return `(a+)(b?)` }}
	if r.made != nil {
		t.Error("it is compiled before its first use")
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if !r.MatchString("xaab") {
				t.Error("no match")
			}
		})
	}
	all.Wait()
	if r.made == nil || r.String() != `(a+)(b?)` || r.Get().NumSubexp() != 2 {
		t.Errorf("compiled: %v", r.made)
	}
	for what, got := range map[string][2]string{
		"Match":                      {fmt.Sprint(r.Match([]byte("b"))), "false"},
		"FindString":                 {r.FindString("caab"), "aab"},
		"FindStringIndex":            {fmt.Sprint(r.FindStringIndex("caab")), "[1 4]"},
		"FindStringSubmatch":         {fmt.Sprint(r.FindStringSubmatch("caab")), "[aab aa b]"},
		"FindStringSubmatchIndex":    {fmt.Sprint(r.FindStringSubmatchIndex("caab")), "[1 4 1 3 3 4]"},
		"FindSubmatch":               {fmt.Sprintf("%s", r.FindSubmatch([]byte("caab"))), "[aab aa b]"},
		"FindAllString":              {fmt.Sprint(r.FindAllString("a ab", -1)), "[a ab]"},
		"FindAllStringIndex":         {fmt.Sprint(r.FindAllStringIndex("a ab", 1)), "[[0 1]]"},
		"FindAllStringSubmatch":      {fmt.Sprint(r.FindAllStringSubmatch("a ab", -1)), "[[a a ] [ab a b]]"},
		"FindAllStringSubmatchIndex": {fmt.Sprint(r.FindAllStringSubmatchIndex("ab", -1)), "[[0 2 0 1 1 2]]"},
		"ReplaceAll":                 {string(r.ReplaceAll([]byte("cab"), []byte("$2$1"))), "cba"},
		"ReplaceAllString":           {r.ReplaceAllString("cab", "-"), "c-"},
		"ReplaceAllFunc":             {string(r.ReplaceAllFunc([]byte("cab"), func([]byte) []byte { return []byte("d") })), "cd"},
		"ReplaceAllStringFunc":       {r.ReplaceAllStringFunc("cab", func(s string) string { return s + s }), "cabab"},
		"Split":                      {fmt.Sprint(r.Split("1ab2", -1)), "[1 2]"},
	} {
		if got[0] != got[1] {
			t.Errorf("%s gives %q, want %q", what, got[0], got[1])
		}
	}
}

// TestCompileInTests: in a test a wrong pattern is found at once.
func TestCompileInTests(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a wrong pattern is accepted")
		}
	}()
	Compile(`(`)
}
