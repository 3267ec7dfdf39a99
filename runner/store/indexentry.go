package store

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
	"github.com/seed-5817661a/concur/trace"
)

// indexEntry has the offsets of a query's lines, in the form of places.jsonl.
type indexEntry struct {
	Query     string           `json:"query"`
	Records   []recordPlace    `json:"records"`
	Traces    []tracePlace     `json:"traces"`
	Exchanges []exchangesPlace `json:"exchanges"`
}

type recordPlace struct {
	Configuration string       `json:"configuration"`
	Verdict       judge.Ruling `json:"verdict"`
	Offset        int64        `json:"offset"`
	Session       int          `json:"session"`
	Number        int          `json:"number"` // position among all records; see Index.Records
}

type tracePlace struct {
	Agent   string  `json:"agent"`
	Trace   int     `json:"trace"`
	Session int     `json:"session"`
	At      []int64 `json:"at"`
	End     int64   `json:"end"` // offset of the last event; 0 for a trace without an end
	ending
	Read        []int64 `json:"read"` // extractions
	ReadSession int     `json:"read_session"`
}

type exchangesPlace struct {
	Agent   string        `json:"agent"`
	Trace   int           `json:"trace"`
	Purpose model.Purpose `json:"purpose"`
	Session int           `json:"session"`
	At      []int64       `json:"at"`
}

// entries iterates over the entries of all queries, sorted by id.
func (x *Index) entries() iter.Seq[indexEntry] {
	return func(yield func(indexEntry) bool) {
		events, calls := x.names[runfiles.Traces], x.names[runfiles.Chat]
		traces := slices.SortedFunc(maps.Keys(x.traces), events.compare)
		exchanges := slices.SortedFunc(maps.Keys(x.exchanges), calls.compare)
		records := make([]int, len(x.records))
		for i := range records {
			records[i] = i
		}
		slices.SortStableFunc(records, func(a, b int) int { return cmp.Compare(x.records[a].Query, x.records[b].Query) })
		for len(records)+len(traces)+len(exchanges) > 0 {
			var e indexEntry
			next := func(query string) {
				if e.Query == "" || query < e.Query {
					e.Query = query
				}
			}
			if len(records) > 0 {
				next(x.records[records[0]].Query)
			}
			if len(traces) > 0 {
				next(events.texts[traces[0].query])
			}
			if len(exchanges) > 0 {
				next(calls.texts[exchanges[0].query])
			}
			for ; len(records) > 0 && x.records[records[0]].Query == e.Query; records = records[1:] {
				r := x.records[records[0]]
				e.Records = append(e.Records, recordPlace{r.Configuration, r.Verdict, r.Offset,
					x.decided.session(recordKey{r.Configuration, r.Query}), records[0]})
			}
			for ; len(traces) > 0 && events.texts[traces[0].query] == e.Query; traces = traces[1:] {
				id, t := events.id(traces[0]), x.traces[traces[0]]
				place := tracePlace{Agent: id.Agent, Trace: id.Trace, Session: t.session, At: t.offsets(),
					End: t.ending.Offset, ending: t.ending, Read: t.read.offsets()}
				if t.read != nil {
					place.ReadSession = t.read.session
				}
				e.Traces = append(e.Traces, place)
			}
			for ; len(exchanges) > 0 && calls.texts[exchanges[0].query] == e.Query; exchanges = exchanges[1:] {
				k, p := exchanges[0], x.exchanges[exchanges[0]]
				id := calls.id(k)
				e.Exchanges = append(e.Exchanges, exchangesPlace{id.Agent, id.Trace, calls.purpose(k), p.session, p.offsets()})
			}
			if !yield(e) {
				return
			}
		}
	}
}

// compare orders keys by query, agent, trace and purpose.
func (n *names) compare(a, b placeKey) int {
	return cmp.Or(cmp.Compare(n.texts[a.query], n.texts[b.query]), cmp.Compare(n.texts[a.agent], n.texts[b.agent]),
		cmp.Compare(a.trace, b.trace), cmp.Compare(n.texts[a.purpose], n.texts[b.purpose]))
}

// enter adds the offsets of a query.
func (x *Index) enter(e indexEntry) {
	for _, r := range e.Records {
		of := recordKey{x.names[runfiles.Results].shared(r.Configuration), e.Query}
		x.recordOf[of] = r.Number // sorted corrects the number
		x.decided.set(of, r.Session)
		x.records = append(x.records, RecordAt{of.configuration, e.Query, knownRuling(r.Verdict), r.Offset})
	}
	for _, t := range e.Traces {
		id := trace.ID{Agent: t.Agent, Query: e.Query, Trace: t.Trace}
		texts := &x.names[runfiles.Traces]
		places := &tracePlaces{places: placesOf(t.Session, t.At), ending: t.ending}
		places.ending.Offset = t.End
		places.ending.Outcome = trace.Outcome(texts.shared(string(t.Outcome)))
		places.ending.StopReason = trace.StopReason(texts.shared(string(t.StopReason)))
		if len(t.Read) > 0 {
			read := placesOf(t.ReadSession, t.Read)
			places.read = &read
		}
		x.traces[texts.key(id, "")] = places
	}
	for _, c := range e.Exchanges {
		*x.conversation(trace.ID{Agent: c.Agent, Query: e.Query, Trace: c.Trace}, c.Purpose) = placesOf(c.Session, c.At)
	}
}

// sorted brings the records into the order in which their queries were first decided.
func (x *Index) sorted() {
	slices.SortFunc(x.records, func(a, b RecordAt) int {
		return cmp.Compare(x.recordOf[recordKey{a.Configuration, a.Query}], x.recordOf[recordKey{b.Configuration, b.Query}])
	})
	for i, r := range x.records {
		x.recordOf[recordKey{r.Configuration, r.Query}] = i
	}
}

func placesOf(session int, offsets []int64) places {
	p := places{session: session}
	for _, at := range offsets {
		p.add(session, at)
	}
	return p
}
