package linefile_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/runner/store/linefile"
)

func TestWhole(t *testing.T) {
	good := `{"agent":"a","n":[1,{"x":"}\"]\\"}],"s":"a\u0000 ü"}`
	for _, line := range []string{good, good + "\n", "{}"} {
		if !linefile.Whole([]byte(line)) {
			t.Errorf("%q is whole", line)
		}
	}
	for i := range len(good) - 1 {
		if linefile.Whole([]byte(good[:i+1])) {
			t.Errorf("%q is cut", good[:i+1])
		}
	}
	for _, line := range []string{"", "\n", "null", "[1]", good + good, good + " ", "\x00" + good, strings.Replace(good, "a", "\x00", 1), `{"a":"b}`, `{"a":1]`, `}{`} {
		if linefile.Whole([]byte(line)) {
			t.Errorf("%q is damaged", line)
		}
	}
}

// Every written line is whole, and no part of one is.
func TestLinesAreWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw, err := json.Marshal(map[string]any{
			rapid.String().Draw(t, "key"): rapid.SliceOf(rapid.String()).Draw(t, "values"),
			"n":                           rapid.Float64Range(-1e9, 1e9).Draw(t, "number"),
		})
		if err != nil {
			t.Fatal(err)
		}
		if !linefile.Whole(raw) {
			t.Fatalf("%s", raw)
		}
		if cut := rapid.IntRange(0, len(raw)-1).Draw(t, "cut"); linefile.Whole(raw[:cut]) {
			t.Fatalf("%s is cut", raw[:cut])
		}
	})
}
