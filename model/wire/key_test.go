package wire_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/wire"
)

// testKey is the key, which must never be shown.
const testKey = "sk-test-0123456789abcdef"

func TestKeysAreNeverPrinted(t *testing.T) {
	holder := struct{ Key wire.Key }{wire.NewKey(testKey)}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
		for _, v := range []any{holder, &holder, holder.Key, wire.NewLive(holder.Key, nil)} {
			if text := fmt.Sprintf(verb, v); strings.Contains(text, testKey) || strings.Contains(text, fmt.Sprintf("%x", testKey)) {
				t.Errorf("%s prints the key: %s", verb, text)
			}
		}
	}
}

func TestHideIn(t *testing.T) {
	response := func(s string) model.Response {
		return model.Response{
			Message: model.Message{Content: s, ToolCalls: []model.ToolCall{{ID: s, Name: s, Arguments: s}}},
			Finish:  model.FinishReason(s), Model: s,
		}
	}
	got := response("a" + testKey)
	wire.NewKey(testKey).HideIn(&got)
	if diff := cmp.Diff(response("a[API key]"), got); diff != "" {
		t.Error(diff)
	}
}

func TestQuoted(t *testing.T) {
	for raw, want := range map[string]bool{
		`{"a": "` + testKey + `"}`: true, `["sk\u002dtest-0123456789abcdef"]`: true, `{"` + testKey + `": 1}`: true,
		`{"a": "sk-test"}`: false, `null`: false, `{"a": `: true,
	} {
		if got := wire.NewKey(testKey).Quoted(json.RawMessage(raw)); got != want {
			t.Errorf("Quoted(%s) = %v", raw, got)
		}
	}
}

func TestUnfit(t *testing.T) {
	for key, want := range map[string]bool{
		"": false, testKey: false, "a/b+c=~!": false,
		"a b": true, "a\n": true, `a"`: true, `a\`: true, "“a”": true, "a\x7f": true, "a\xff": true,
	} {
		if got := wire.Unfit(key); got != want {
			t.Errorf("Unfit(%q) = %v", key, got)
		}
	}
}

// A key that is quoted in parts is not shown; all other text is.
func TestLive(t *testing.T) {
	content := "it is " + testKey + ", " + testKey[:9] + " " + testKey + testKey[:3]
	want := wire.NewKey(testKey).Hide(content)
	for size := 1; size < len(testKey)+2; size++ {
		var told strings.Builder
		l := wire.NewLive(wire.NewKey(testKey), func(piece string) { told.WriteString(piece) })
		for rest := content; rest != ""; {
			n := min(size, len(rest))
			l.Add(rest[:n])
			rest = rest[n:]
		}
		if l.Rest(want); told.String() != want {
			t.Errorf("in pieces of %d: told %q", size, told.String())
		}
	}
	var nobody *wire.Live
	nobody.Add("text")
}

func TestLiveTellsWhatHideLeaves(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		key := wire.NewKey(rapid.StringMatching(`[ab]{0,12}`).Draw(rt, "key"))
		pieces := rapid.SliceOf(rapid.StringMatching(`[ab ]{0,9}`)).Draw(rt, "pieces")
		var told strings.Builder
		l := wire.NewLive(key, func(piece string) {
			if piece == "" {
				rt.Error("told nothing")
			}
			told.WriteString(piece)
		})
		for _, piece := range pieces {
			l.Add(piece)
		}
		want := key.Hide(strings.Join(pieces, ""))
		if l.Rest(want); told.String() != want {
			rt.Errorf("told %q, want %q", told.String(), want)
		}
	})
}
