package table_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/table"
)

func Example() {
	t := table.New(datasets.Tool{Name: "register_west", Description: "Figures of wells.", Rows: map[string]string{"Arden Cross": "12 fathoms"}})
	out, err := t.Call(context.Background(), json.RawMessage(`{"entry": "arden  CROSS"}`))
	fmt.Println(out.Object["value"], err)
	// Output: 12 fathoms <nil>
}

// A missing entry is the agent's error, and the schema has one text.
func TestCall(t *testing.T) {
	all, err := tool.New(table.New(datasets.Tool{Name: "t", Description: "A table.", Rows: map[string]string{"a": "1"}}))
	if err != nil {
		t.Fatal(err)
	}
	for arguments, want := range map[string]string{
		`{"entry": "b"}`: string(tool.NotFound), `{"entry": ""}`: tool.BadArguments, `{"entri": "a"}`: tool.BadArguments, `{"entry": " A "}`: "",
	} {
		r := all.Invoke(context.Background(), model.ToolCall{ID: "1", Name: "t", Arguments: arguments}, 0)
		if r.Kind != want {
			t.Errorf("%s: kind %q (%s), want %q", arguments, r.Kind, r.Error, want)
		}
	}
}
