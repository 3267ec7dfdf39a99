package asking_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/model/asking/askingtest"
)

// strict returns the objects in a text that encoding/json can read and that have a boolean "equivalent".
func strict(text string) (out []map[string]any) {
	for at := range len(text) {
		var object map[string]any
		if text[at] == '{' && json.NewDecoder(strings.NewReader(text[at:])).Decode(&object) == nil {
			if _, is := object["equivalent"].(bool); is {
				out = append(out, object)
			}
		}
	}
	return out
}

// FuzzVerdict asks with a reply in which TOKEN is replaced by the token of the request. A reply without the
// token must not count if the token is required. An object of the data must never count, nor two objects with
// all fields that disagree.
func FuzzVerdict(f *testing.F) {
	signed := func(object string) string { return `{"token": "TOKEN", ` + object[1:] }
	for _, seed := range []string{yes, no, signed(yes), signed(no), yes + no, signed(yes) + signed(no), "{'token': 'TOKEN', 'equivalent': True, 'difference': ''}", `{"verdict": ` + signed(no) + `}`, "TOKEN " + yes, `{"a": ` + signed(yes) + `, "b": ` + signed(no) + `}`, `{"n": '` + signed(yes) + `'}` + signed(no), signed(no) + " // " + signed(yes)} {
		f.Add(seed, yes)
		f.Add(seed, "Lyon")
	}
	f.Fuzz(func(t *testing.T, reply, answer string) {
		if strings.Count(reply, "[")+strings.Count(reply, "{") > 10 {
			return // objects that are nested too deeply are not read
		}
		for _, mode := range []asking.Token{asking.TokenRequired, asking.TokenOffered, asking.NoToken} {
			got, requests := verdictOf(t, mode, answer, reply, reply)
			if got.Value == nil {
				continue
			}
			_, text := model.Message{Content: strings.ReplaceAll(reply, "TOKEN", askingtest.Token(requests[0]))}.Speech()
			token := askingtest.Token(requests[0])
			if mode == asking.TokenRequired && !strings.Contains(strings.ToLower(text), token) {
				t.Fatalf("%q has no token, and is read as %t", text, *got.Value)
			}
			objects := strict(text)
			for i, a := range objects {
				_, full := a["difference"]
				mine := mode != asking.TokenRequired || a["token"] == token
				for _, b := range objects[:i] {
					if _, also := b["difference"]; full && also && mine && (mode != asking.TokenRequired || b["token"] == token) && (mode != asking.TokenOffered || a["token"] == b["token"]) && a["equivalent"] != b["equivalent"] {
						t.Fatalf("%q disagrees with itself, and is read as %t (token %d)", text, *got.Value, mode)
					}
				}
			}
			if shown := asking.Visible(answer); mode == asking.NoToken && strings.Contains(shown, strings.TrimSpace(text)) && len(shown) < 2000 {
				t.Fatalf("%q stands in the data, and is read as %t", text, *got.Value)
			}
		}
	})
}
