package view

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/ablations/naming"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/reports/page"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// topBody is the part above the report of a run.
type topBody struct {
	Title, Root     string
	Queries, Report string // addresses; "" if the run has no such page
	State           string // state of a run that is not complete
	Large           bool
	Gates           []gateSaid
}

// page sends a page as in --format html, in the server's frame.
func (s *server) page(w http.ResponseWriter, p page.Page, top topBody) error {
	top.Root = s.root
	head, err := page.Render(layouts(), "top", top)
	if err != nil {
		return err
	}
	p.Frame = &page.Frame{Style: s.root + "/style.css", Script: s.root + "/page.js", Top: head,
		Trace: func(run *store.Run, id trace.ID) string {
			return s.traceAt(filepath.Base(run.Dir), id)
		}}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		return err
	}
	send(w, http.StatusOK, "text/html; charset=utf-8", b.Bytes())
	return nil
}

func (s *server) traceAt(run string, id trace.ID) string {
	return runAddress(s.root, run) + "trace?" + url.Values{"agent": {id.Agent}, "query": {id.Query},
		"trace": {strconv.Itoa(id.Trace)}}.Encode()
}

// report sends the page of a run: its report or, while the run is active, its progress.
func (s *server) report(w http.ResponseWriter, r *http.Request, e *entry) error {
	run, err := e.open()
	if err != nil {
		return err
	}
	brief, err := large(run)
	if err != nil {
		return err
	}
	m := run.Manifest
	at := runAddress(s.root, e.name)
	if m.State != store.Complete && !r.URL.Query().Has("partial") {
		p, err := progress(r.Context(), e, !brief) // events send the number of traces of a large run later
		if err != nil {
			return err
		}
		p.Name, p.Queries, p.Partial, p.Self = e.name, at+"queries", at+"?partial", at
		s.show(w, http.StatusOK, "progress", m.Dataset.Name, at+"events", p)
		return nil
	}
	figures, err := e.summarized(run, brief)
	if err != nil {
		return err
	}
	top := topBody{Title: e.name, Queries: at + "queries", Large: brief, Gates: gatesOf(e.dir)}
	if m.State != store.Complete {
		top.State, top.Report = string(m.State), at
	}
	return s.page(w, page.Page{Result: figures, Runs: []*store.Run{run}, Brief: brief}, top)
}

// progressBody is the progress of a run.
type progressBody struct {
	Name, State, Dataset   string
	Queries, Partial, Self string // addresses
	Rows                   []progressRow
	InFlight, Ended        string
}

// progressRow is the progress of a configuration.
type progressRow struct{ Name, Done, Rate, Wrong string }

// progress reads the progress of a run and, if traces is set, also the number of active traces.
func progress(ctx context.Context, e *entry, traces bool) (progressBody, error) {
	run, index, err := e.records(ctx)
	if err != nil {
		return progressBody{}, err
	}
	m := run.Manifest
	p := progressBody{State: string(m.State), Dataset: m.Dataset.Name, InFlight: "…", Ended: "…"}
	counts := map[string]result.Counts{}
	for _, r := range index.Records() {
		counts[r.Configuration] = counts[r.Configuration].With(r.Verdict)
	}
	titles := naming.Titles(m)
	for i, c := range m.Configurations {
		n := counts[c.Name]
		p.Rows = append(p.Rows, progressRow{titles[i], fmt.Sprintf("%d of %d", n.Queries, m.Dataset.Queries),
			page.Rate(n.SoFar()), fmt.Sprint(n.Incorrect)})
	}
	if !traces {
		return p, nil
	}
	if _, index, err = e.traces(ctx); err != nil {
		return p, err
	}
	outcomes := index.Outcomes()
	p.InFlight = fmt.Sprint(outcomes[""])
	delete(outcomes, "")
	var ended []string
	for _, o := range slices.Sorted(maps.Keys(outcomes)) {
		ended = append(ended, fmt.Sprintf("%d %s", outcomes[o], strings.ReplaceAll(string(o), "_", " ")))
	}
	p.Ended = cmp.Or(strings.Join(ended, ", "), "0")
	return p, nil
}

// figures returns the texts of a progress page by their names on the page.
func (p progressBody) figures() map[string]string {
	out := map[string]string{"state": p.State, "flight": p.InFlight, "ended": p.Ended}
	for i, r := range p.Rows {
		key := liveKey("", i)
		out[key+"done"], out[key+"rate"], out[key+"wrong"] = r.Done, r.Rate, r.Wrong
	}
	return out
}

// liveKey returns the prefix of the names of a configuration's figures. run is "" if the page shows one run.
func liveKey(run string, configuration int) string { return fmt.Sprintf("%s/%d/", run, configuration) }
