package calendar_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/calendar"
)

func Example() {
	clock := func() time.Time { return time.Date(2026, 3, 16, 9, 30, 0, 0, time.UTC) }
	out, err := calendar.New(clock).Call(context.Background(), json.RawMessage(`{}`))
	fmt.Println(out.Object["date"], err)
	// Output: Today is Monday, March 16, 2026. <nil>
}

// The clock counts only outside of a trace, and as UTC.
func TestDay(t *testing.T) {
	east := time.FixedZone("east", 14*60*60)
	tl := calendar.New(func() time.Time { return time.Date(2026, 1, 1, 3, 0, 0, 0, east) })
	all, err := tool.New(tl)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(ctx context.Context, arguments string) (any, string) {
		r := all.Invoke(ctx, model.ToolCall{ID: "1", Name: calendar.Name, Arguments: arguments}, time.Second)
		return r.Output.Object["date"], r.Kind
	}
	leap := tool.WithDay(t.Context(), time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC))
	for _, c := range []struct {
		ctx             context.Context
		arguments, kind string
		want            any
	}{
		{leap, "{}", "", "Today is Thursday, February 29, 2024."},
		{leap, "", "", "Today is Thursday, February 29, 2024."},
		{t.Context(), "{}", "", "Today is Wednesday, December 31, 2025."},
		{tool.WithDay(t.Context(), time.Time{}), "{}", "", "Today is Wednesday, December 31, 2025."},
		{leap, `{"zone":"Asia/Tokyo"}`, tool.BadArguments, nil},
	} {
		if got, kind := ask(c.ctx, c.arguments); got != c.want || kind != c.kind {
			t.Errorf("%s: %v, kind %q; want %v, %q", c.arguments, got, kind, c.want, c.kind)
		}
	}
}
