package trace_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/trace"
)

// In a line of an older version, the records of features are among the other fields. Such a line is read, and
// written again unchanged. The record of an unknown feature is kept.
func TestExtrasAreFields(t *testing.T) {
	const line = `{"agent":"a","query":"q","trace":1,"path":"","step":2,"event":"final","session":0,"time":"2026-01-02T03:04:05Z",` +
		`"message":"m <b>","answer":null,"outcome":"no_answer","stop_reason":"final","extract":"none","cause":null,"supporting":null,` +
		`"steps":1,"tool_calls":0,"actions":0,"repeated":0,"model_calls":1,"usage":{"input_tokens":1,"output_tokens":2,"cached_tokens":0,"reasoning_tokens":0},` +
		`"explain":{"due":1,"given":1,"followed":0,"kept":0,"tokens":7},"playbook":{"shown":["a"],"named":[],"followed":[],"tokens":50},"extras":{"later":"<new>"},` +
		`"format":{"errors":0,"repaired":0,"invented":0,"dropped":0,"asked":0,"guessed":0,"cut_off":0},"rejected":null,"grounded":null,` +
		`"grounding":{"claims":0,"supported":0,"citations":0,"valid":0},"timing":{"wall_s":1,"calls_sent":1},"crc":"3.1-00000000"}`
	var e trace.Event
	if err := json.Unmarshal([]byte(line), &e); err != nil {
		t.Fatal(err)
	}
	end := e.Body.(trace.Conclusion)
	want := trace.Extras{
		Explain:  json.RawMessage(`{"due":1,"given":1,"followed":0,"kept":0,"tokens":7}`),
		Playbook: json.RawMessage(`{"shown":["a"],"named":[],"followed":[],"tokens":50}`),
		Others:   map[string]json.RawMessage{"later": json.RawMessage(`"<new>"`)},
	}
	if diff := cmp.Diff(want, end.Extras); diff != "" || end.Message != "m <b>" || end.ModelCalls != 1 {
		t.Errorf("%+v, extras (-want +got):\n%s", end, diff)
	}
	if diff := cmp.Diff(end.Extras, end.Trace(e.ID).Conclusion().Extras); diff != "" {
		t.Errorf("a trace loses extras (-want +got):\n%s", diff)
	}
	written, err := e.MarshalJSON()
	if want := strings.Replace(line, `,"crc":"3.1-00000000"`, "", 1); err != nil || string(written) != want {
		t.Errorf("written %s, %v\nwant    %s", written, err, want)
	}
}

func TestExtra(t *testing.T) {
	type counts struct{ N int }
	var e trace.Extras
	for _, name := range []string{"a", "explain", "playbook"} {
		e.Set(name, counts{3})
		if got, err := trace.Extra[counts](e, name); err != nil || got == nil || got.N != 3 {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if len(e.Others) != 1 {
		t.Errorf("the others are %v", e.Others)
	}
	e.Set("b", "text")
	if got, err := trace.Extra[counts](e, "c"); err != nil || got != nil {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := trace.Extra[counts](e, "b"); err == nil || !strings.Contains(err.Error(), "read what b recorded") {
		t.Errorf("the error is %v", err)
	}
}
