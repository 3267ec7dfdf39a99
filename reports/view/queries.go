package view

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/ablations/naming"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports/page"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// perPage is the maximum number of queries of one page.
const perPage = 100

// queriesBody is one page of a run's queries.
type queriesBody struct {
	Run, Report, Self string
	Find              string
	Failed            bool
	All, Fitting      int
	From, To          int // numbers of the first and last query, from 1
	Earlier, Later    string
	Rows              []queryRow
}

// queryRow is a query with the results of the configurations.
type queryRow struct {
	ID, Category, Question, Expected string
	Decisions                        []queryDecision
}

type queryDecision struct {
	Configuration, Sign, Class, Words, Answer string
	Traces                                    []queryTrace
}

type queryTrace struct{ At, Name, Answer string }

// queries sends a page of the list of queries, in the order in which they were decided.
func (s *server) queries(w http.ResponseWriter, r *http.Request, e *entry) error {
	run, index, err := e.records(r.Context())
	if err != nil {
		return err
	}
	asks := r.URL.Query()
	at := runAddress(s.root, e.name)
	b := queriesBody{Run: e.name, Report: at, Self: at + "queries", Find: asks.Get("find"), Failed: asks.Has("failed")}
	of := map[string][]store.RecordAt{}
	failed := map[string]bool{}
	var ids []string
	for _, rec := range index.Records() {
		if of[rec.Query] == nil {
			ids = append(ids, rec.Query)
		}
		of[rec.Query] = append(of[rec.Query], rec)
		failed[rec.Query] = failed[rec.Query] || rec.Verdict != judge.Correct
	}
	b.All = len(ids)
	var fitting []string
	for _, id := range ids {
		if strings.Contains(strings.ToLower(id), strings.ToLower(b.Find)) && (!b.Failed || failed[id]) {
			fitting = append(fitting, id)
		}
	}
	b.Fitting = len(fitting)
	from, err := strconv.Atoi(asks.Get("from"))
	if err != nil || from < 0 || from >= len(fitting) {
		from = 0
	}
	shown := fitting[from:min(from+perPage, len(fitting))]
	b.From, b.To = min(from+1, len(fitting)), from+len(shown)
	turn := func(from int) string {
		next := url.Values{"from": {strconv.Itoa(from)}, "find": {b.Find}}
		if b.Failed {
			next.Set("failed", "1")
		}
		return b.Self + "?" + next.Encode()
	}
	if from > 0 {
		b.Earlier = turn(max(0, from-perPage))
	}
	if b.To < len(fitting) {
		b.Later = turn(b.To)
	}
	for _, id := range shown {
		records, err := index.ReadRecords(run, of[id])
		if err != nil {
			return err
		}
		b.Rows = append(b.Rows, s.queryRow(e.name, run.Manifest, records))
	}
	s.show(w, http.StatusOK, "queries", "Queries", "", b)
	return nil
}

func (s *server) queryRow(run string, m store.Manifest, records []store.Record) queryRow {
	first, titles := records[0], map[string]string{}
	for i, title := range naming.Titles(m) {
		titles[m.Configurations[i].Name] = title
	}
	row := queryRow{ID: first.Query, Category: first.Category, Question: first.Question, Expected: first.Expected}
	for _, r := range records {
		d := queryDecision{Configuration: titles[r.Configuration], Answer: r.Decided()}
		d.Sign, d.Class, d.Words = page.Mark(r)
		for _, a := range r.Answers {
			t := queryTrace{s.traceAt(run, trace.ID{Agent: r.Agent, Query: r.Query, Trace: a.Trace}),
				strconv.Itoa(a.Trace), string(a.Outcome)}
			if a.Answer != nil {
				t.Answer = *a.Answer
			}
			d.Traces = append(d.Traces, t)
		}
		row.Decisions = append(row.Decisions, d)
	}
	return row
}
