package embed_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/embed"
)

func TestCount(t *testing.T) {
	for values, want := range map[string]int{
		`"a"`: 1, `""`: 1, `["a"]`: 1, `["a", "b"]`: 2, `[1, 2, 3]`: 1, `[[1, 2], [3]]`: 2, `["a", [1]]`: 2,
		`[]`: 0, `null`: 0, `{}`: 0, `7`: 0, `[1, "a"]`: 0, `[null]`: 0, `[{}]`: 0, ``: 0, `[["a"]]`: 0,
		`[` + strings.Repeat(`"a",`, embed.MaxValues) + `"a"]`: 0,
	} {
		got, err := embed.Input{Values: json.RawMessage(values)}.Count()
		if got != want || (err == nil) != (want > 0) {
			t.Errorf("%.40s: %d, %v; want %d", values, got, err, want)
		}
	}
}

func TestVectorsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vectors := rapid.SliceOf(rapid.SliceOfN(rapid.Float32(), 1, 8)).Draw(t, "vectors")
		r := embed.Response(vectors, model.Usage{InputTokens: 3})
		got, err := embed.Vectors(r)
		same := slices.EqualFunc(vectors, got, func(a, b []float32) bool {
			return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
		})
		if err != nil || !same || r.Usage.InputTokens != 3 || r.Model != "" {
			t.Fatalf("%v, %v; want %v", got, err, vectors)
		}
	})
	for _, content := range []string{"", "{}", `["?"]`, `["AAAA"]`} {
		if v, err := embed.Vectors(model.Response{Message: model.Message{Content: content}}); err == nil {
			t.Errorf("%q: %v", content, v)
		}
	}
}

func TestInputOf(t *testing.T) {
	in := embed.Input{Values: json.RawMessage(`["a <b>"]`), Extra: map[string]json.RawMessage{"dimensions": json.RawMessage(`3`)}}
	got, err := embed.InputOf(in.Request())
	if err != nil || string(got.Values) != string(in.Values) || string(got.Extra["dimensions"]) != "3" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := embed.InputOf(model.Request{}); err == nil {
		t.Error("a request without a message has no input")
	}
}

func ExampleInput() {
	in := embed.Input{Values: json.RawMessage(`["How long is the Nile?", "Where is it?"]`)}
	n, err := in.Count()
	fmt.Println(n, err, in.Request().Messages[0].Content)
	// Output: 2 <nil> ["How long is the Nile?", "Where is it?"]
}
