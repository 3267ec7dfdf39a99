package view

import (
	"cmp"
	"encoding/json"
	"errors"
	"html/template"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/ablations/naming"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/gatereport"
	"github.com/seed-5817661a/concur/reports/listing"
	"github.com/seed-5817661a/concur/reports/page"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
)

// listBody is the list of runs.
type listBody struct {
	Folder   string
	Runs     []listRow
	Complete []string // runs that can be compared
	OverTime template.HTML
	Trouble  []string
	Compare  string // address of the comparison
}

// listRow is one run of the list.
type listRow struct {
	Name, At, Time, Kind, Dataset, State, Size string
	Title, Agent                               string // the name by the user or the ablation; models or agents
	Queries                                    string
	Configurations                             []rated
	Fresh                                      []freshRun
	Gates                                      []gateSaid
	Before                                     string // address of the comparison with the previous run
}

// freshRun is a folder of fresh traces of a run.
type freshRun struct{ Name, At string }

// rated is a configuration with its pass rate. Live is the prefix of the names of an active run's figures.
type rated struct{ Name, Rate, Done, Live string }

// entries returns the runs of the folder, newest first, and the errors of runs that cannot be read.
func (s *server) entries() (runs []listed, trouble []string, err error) {
	folders, err := os.ReadDir(s.RunsDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a missing folder has no runs
		return nil, nil, err
	}
	for _, f := range folders {
		if _, err := os.Lstat(filepath.Join(s.RunsDir, f.Name(), "run.yaml")); err != nil {
			continue // not a run
		}
		e, err := s.entry(f.Name())
		var l listed
		if err == nil {
			l, err = e.listed()
		}
		if err != nil {
			trouble = append(trouble, err.Error())
		}
		if l.entry != nil {
			runs = append(runs, l)
		}
	}
	slices.SortStableFunc(runs, func(a, b listed) int {
		return cmp.Or(b.Start.Compare(a.Start), cmp.Compare(a.name, b.name))
	})
	return runs, trouble, nil
}

func (s *server) list(w http.ResponseWriter, r *http.Request) error {
	runs, trouble, err := s.entries()
	if err != nil {
		return err
	}
	body := listBody{Folder: s.RunsDir, Trouble: trouble, Compare: s.root + "/compare"}
	var all []listing.RunEntry
	for _, l := range runs {
		all = append(all, l.RunEntry)
	}
	if body.OverTime, err = page.OverTime(all); err != nil {
		return err
	}
	fresh := map[string][]freshRun{}
	for _, l := range runs {
		if l.FreshOf != "" {
			fresh[l.FreshOf] = append(fresh[l.FreshOf], freshRun{l.Run, runAddress(s.root, l.Run)})
		}
	}
	for i, l := range runs {
		if l.FreshOf != "" && slices.ContainsFunc(runs, func(o listed) bool { return o.Run == l.FreshOf }) {
			continue // the row of its run shows it
		}
		row := listRow{
			Name: l.Run, At: runAddress(s.root, l.Run), Time: page.Minute(l.Start), Kind: string(l.Kind()),
			Dataset: l.Dataset.Name,
			Title:   listing.NameOf(l.Manifest), Agent: listing.AgentsOf(l.Manifest), Fresh: fresh[l.Run],
			Queries: text.Counted(l.Dataset.Queries, "query"), State: string(l.State), Size: listing.Megabytes(l.Bytes),
			Gates: gatesOf(l.dir),
		}
		if l.State == store.Complete {
			body.Complete = append(body.Complete, l.Run)
		}
		if at := slices.IndexFunc(runs[i+1:], func(o listed) bool { return alike(o.Manifest, l.Manifest) }); at >= 0 {
			row.Before = s.root + "/compare?" + url.Values{"before": {runs[i+1+at].name}, "after": {l.name}}.Encode()
		}
		for j, title := range naming.Titles(l.Manifest) {
			shown := rated{Name: title}
			if len(l.Configurations) == 1 { // the row shows its name
				shown.Name = ""
			}
			if l.Summary != nil { // the summary has the same number, from fewer reads
				shown.Rate = page.PassRate(&result.Headlines(l.Summary).Configurations[j])
			}
			row.Configurations = append(row.Configurations, shown)
		}
		if l.State != store.Complete {
			p, err := progress(r.Context(), l.entry, false)
			if err != nil {
				body.Trouble = append(body.Trouble, err.Error())
			}
			for j := range min(len(p.Rows), len(row.Configurations)) {
				c := &row.Configurations[j]
				c.Rate, c.Done, c.Live = p.Rows[j].Rate, p.Rows[j].Done, liveKey(l.Run, j)
			}
		}
		body.Runs = append(body.Runs, row)
	}
	s.show(w, http.StatusOK, "list", "Runs", s.root+"/events", body)
	return nil
}

// alike reports whether a person is likely to compare a run with an earlier one.
func alike(before, now store.Manifest) bool {
	return before.State == store.Complete && now.State == store.Complete && before.Dataset.Hash == now.Dataset.Hash &&
		before.Kind() == now.Kind() && before.Ablation == now.Ablation
}

// gateSaid is a decision of the gate on a run, for a page.
type gateSaid struct {
	Of       string // the question's name or the configuration; "" for the question of the whole run
	Decision gate.Decision
	Reasons  []string
}

// largestGate is the size of the largest decision file that is read, in bytes. The file may come from another
// person.
const largestGate = 16 << 20

// gatesOf returns the decisions on a run. A file that cannot be read is listed too, with the error.
func gatesOf(dir string) []gateSaid {
	folder, err := os.ReadDir(dir)
	if err != nil {
		return nil // nil shows no decisions
	}
	var out []gateSaid
	for _, f := range folder {
		name := f.Name()
		if !f.Type().IsRegular() || !strings.HasPrefix(name, "gate") || filepath.Ext(name) != ".json" {
			continue
		}
		var g gatereport.Report
		file, err := disk.OpenFile(filepath.Join(dir, name))
		if err == nil {
			err = json.NewDecoder(io.LimitReader(file, largestGate)).Decode(&g)
			file.Close() // opened only for reading
		}
		said := gateSaid{g.As, g.Decision, g.Reasons}
		switch {
		case err != nil:
			said = gateSaid{name, "unreadable", []string{err.Error()}}
		case strings.HasPrefix(name, "gate-"):
			said.Of = cmp.Or(g.As, g.Configuration)
		}
		out = append(out, said)
	}
	return out
}

// compare sends a page with two runs side by side.
func (s *server) compare(w http.ResponseWriter, r *http.Request) error {
	var runs [2]*store.Run
	brief := false
	for i, key := range []string{"before", "after"} {
		name := r.URL.Query().Get(key)
		if name == "" {
			return problem{http.StatusBadRequest,
				"Choose two runs in the list of runs: this address needs ?before=RUN&after=RUN."}
		}
		e, err := s.entry(name)
		if err == nil {
			runs[i], err = e.open()
		}
		if err != nil {
			return err
		}
		is, err := large(runs[i])
		if err != nil {
			return err
		}
		brief = brief || is
	}
	compared, err := ablations.CompareRuns(runs, nil, ablations.Options{Margin: ablations.DefaultMargin})
	if err != nil {
		return err
	}
	return s.page(w, page.Page{Result: compared, Runs: runs[:], Brief: brief}, topBody{Title: "Two runs"})
}

// summarized returns the figures of a run. If the run is so large that summing up its records would take long,
// it uses the stored figures.
func (e *entry) summarized(run *store.Run, brief bool) (*result.Result, error) {
	if brief {
		if stored, err := e.figures(run); err != nil || stored != nil {
			return stored, err
		}
	}
	return ablations.Summarize(run.Manifest, run.Records(), "", ablations.Options{Margin: ablations.DefaultMargin})
}

// largeRun is the size in bytes from which the page of a run has no queries and traces, which then have pages
// of their own. A run of 3,000 traces has about this size.
const largeRun = 128 << 20

func large(run *store.Run) (bool, error) {
	size, err := run.Size()
	return size > largeRun, err
}
