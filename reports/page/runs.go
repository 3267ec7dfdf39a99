package page

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"time"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/listing"
)

// Rate formats a rate with its interval.
func Rate(r *result.Rate) string {
	return defined(r, func(r result.Rate) string { return fmt.Sprintf("%s (%s)", share(r.Value), interval(r.CI)) })
}

// PassRate formats the pass rate of a configuration with its interval, or its bounds if queries have no
// verdict.
func PassRate(c *result.Configuration) string {
	rate, ci := passRate(c)
	if ci == undefined {
		return rate
	}
	return fmt.Sprintf("%s (%s)", rate, ci)
}

// mostRuns is the maximum number of runs in a plot over time.
const mostRuns = 60

// OverTime renders a part of a page: for each dataset, a plot of the pass rates of complete runs over time,
// with the numbers beneath. For an ablation it shows the baseline. If there are more than mostRuns runs, it
// shows the newest.
func OverTime(runs []listing.RunEntry) (template.HTML, error) {
	type point struct {
		listing.RunEntry
		configuration *result.Configuration
	}
	points := map[string][]point{}
	var datasets []string
	for _, r := range runs {
		if r.Summary == nil {
			continue
		}
		shown := result.Headlines(r.Summary)
		for i := range shown.Configurations {
			c := &shown.Configurations[i]
			if c.PassRate == nil || c.CI == nil || len(shown.Configurations) > 1 && c.Name != shown.Baseline {
				continue
			}
			name := r.Dataset.Name
			if points[name] == nil {
				datasets = append(datasets, name)
			}
			points[name] = append(points[name], point{r, c})
		}
	}
	slices.Sort(datasets)
	var out template.HTML
	for i, name := range datasets {
		of := points[name]
		slices.SortStableFunc(of, func(a, b point) int { return a.Start.Compare(b.Start) })
		of = of[max(0, len(of)-mostRuns):]
		f, up := newPlot(fmt.Sprint("over-time-", i+1), text.Clip(name, 60))
		f.Lead = fmt.Sprintf("Pass rates of %s with their 95 %% intervals, by time.", text.Counted(len(of), "run"))
		if all := len(points[name]); all > len(of) {
			f.Lead = fmt.Sprintf("Pass rates of the newest %d of %d runs with their 95 %% intervals, by time.",
				len(of), all)
		}
		f.Numbers = table{Caption: "Pass rates over time",
			Head: []string{"run", "started", "configuration", "right", "pass rate (95 %)"}}
		first, last := of[0].Start, of[len(of)-1].Start
		along := scale{0, last.Sub(first).Seconds(), axisLeft + 12, plotRight - 12}
		if first.Equal(last) {
			along.first = (axisLeft + plotRight) / 2
		}
		for _, p := range of {
			x := along.at(p.Start.Sub(first).Seconds())
			f.line("bar thin", x, up.at(p.configuration.CI.Low), x, up.at(p.configuration.CI.High))
			f.dot("point", x, up.at(*p.configuration.PassRate), 4)
			f.Numbers.Rows = append(f.Numbers.Rows,
				[]string{p.Run, Minute(p.Start), cmp.Or(p.configuration.Title, p.configuration.Name),
					fmt.Sprintf("%d of %d", p.configuration.Counts.Correct, p.configuration.Counts.Queries),
					PassRate(p.configuration)})
		}
		f.text("tick", along.first-12, axisBottom+16, formatDay(first))
		if formatDay(first) != formatDay(last) {
			f.text("tick end", along.last+12, axisBottom+16, formatDay(last))
		}
		f.Description = describe(f.Numbers, 4)
		text, err := Render(layouts(), "figure", f)
		if err != nil {
			return "", err
		}
		out += text
	}
	return out, nil
}

func formatDay(t time.Time) string { return t.UTC().Format("2 January 2006") }

// Minute formats a time to the minute, in UTC.
func Minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }
