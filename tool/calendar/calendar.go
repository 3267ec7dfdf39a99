package calendar

import (
	"context"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
)

// Name is the tool's name.
const Name = "calendar"

// Version changes when the same day could give another sentence.
const Version = "calendar/v1"

// New returns the tool. In a trace, the date is the date of the query. If the query has no date, it is the day
// on which the run began (see tool.WithDay). So all traces of a run, and its replay, give the same date.
// Outside of a trace, the date is that of clock, in UTC.
func New(clock func() time.Time) tool.Tool {
	spec := tool.Spec{ToolSpec: model.ToolSpec{Name: Name,
		Description: "Tells today's date: weekday, month, day and year. It takes no argument."}, OwnDeadline: true}
	return tool.Func(spec, func(ctx context.Context, _ struct{}) (tool.Output, error) {
		day, known := tool.DayOf(ctx)
		if !known {
			day = clock().UTC()
		}
		return tool.Output{Object: map[string]any{"date": day.Format("Today is Monday, January 2, 2006.")}}, nil
	})
}
