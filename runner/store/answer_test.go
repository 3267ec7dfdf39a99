package store_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/store"
)

// The records of features are fields of the answer, also in lines of older versions.
func TestAnswersHaveExtras(t *testing.T) {
	const answer = `{"trace":1,"answer":"x","key":"text:x","outcome":"answered","stop_reason":"final","steps":2,"tool_calls":1,"actions":1,` +
		`"repeated":0,"grounded":null,"grounding":{"claims":0,"supported":0,"citations":0,"valid":0},"extract":"line",` +
		`"format":{"errors":0,"repaired":0,"invented":0,"dropped":0,"asked":0,"guessed":0,"cut_off":0},"cause":null,"verdict":"correct",` +
		`"calls":null,"explain":{"due":1,"given":0,"followed":0,"kept":0,"tokens":0},"rejected":null}`
	var r store.Record
	if err := json.Unmarshal([]byte(`{"query":"q","answers":[`+answer+`]}`), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Answers) != 1 || r.Answers[0].Steps != 2 || string(r.Answers[0].Explain) != `{"due":1,"given":0,"followed":0,"kept":0,"tokens":0}` {
		t.Fatalf("%+v", r.Answers)
	}
	raw, err := json.Marshal(r.Answers[0])
	if err != nil {
		t.Fatal(err)
	}
	var before, after map[string]any
	if err := json.Unmarshal([]byte(answer), &before); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &after); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("written (-before +after):\n%s", diff)
	}
}
