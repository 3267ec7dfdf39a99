package live_test

import (
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/reports/otel"
	"github.com/seed-5817661a/concur/reports/otel/live"
	"github.com/seed-5817661a/concur/reports/otel/oteltest"
	"github.com/seed-5817661a/concur/reports/otel/send"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/outputtest"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// collector keeps what it gets.
type collector struct {
	*httptest.Server
	down atomic.Bool // it then answers 500

	mu sync.Mutex
	oteltest.Messages
	requests []string // paths
}

func newCollector(t testing.TB) *collector {
	c := &collector{}
	c.Server = httptest.NewServer(c)
	t.Cleanup(c.Close)
	return c
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var got oteltest.Messages
	if err == nil {
		got, err = oteltest.Request(body, r.URL.Path == "/v1/logs")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests = append(c.requests, r.URL.Path)
	if err != nil || c.down.Load() {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	c.Messages.Join(got)
}

func (c *collector) endpoint() send.Endpoint {
	return send.Endpoint{Traces: c.URL + "/v1/traces", Logs: c.URL + "/v1/logs", From: "a test"}
}

// line is a span as a line of text.
func line(s *tracepb.Span) string {
	raw, err := proto.MarshalOptions{Deterministic: true}.Marshal(s)
	if err != nil {
		return err.Error()
	}
	return s.Name + " " + hex.EncodeToString(raw) + "\n"
}

// start returns an output, and the lines that it logs.
func start(run outputtest.Run, o live.Options) (*live.Output, func() string) {
	var mu sync.Mutex
	var log strings.Builder
	o.Log = func(s string) {
		mu.Lock()
		defer mu.Unlock()
		log.WriteString(s + "\n")
	}
	o.Warn = func(s string) { o.Log("WARN " + s) }
	return live.Start(run.Draft.Manifest, run.Folder, run.Prior, o), func() string {
		mu.Lock()
		defer mu.Unlock()
		return log.String()
	}
}

// folderOf describes a query from a run folder.
type folderOf struct {
	*store.Index
	run *store.Run
}

func (f folderOf) Events(id trace.ID) ([]trace.Event, error) { return f.ReadEvents(f.run, id) }
func (f folderOf) Exchanges(of model.Identity) ([]store.Exchange, error) {
	return f.ReadExchanges(f.run, of)
}
func (f folderOf) Questions(query string) ([]model.Identity, error) {
	return f.Index.Questions(query), nil
}

// The collector gets each span that a run describes. Batches of spans that are read from the folder come later than
// others, so the order of the calls is not compared.
func TestOutput(t *testing.T) {
	outputtest.Test(t, func(t testing.TB, run outputtest.Run) outputtest.Subject {
		c := newCollector(t)
		out, _ := start(run, live.Options{Endpoint: c.endpoint(), Describe: otel.Options{Content: true}})
		again := otel.New(run.Draft.Manifest, otel.Options{Content: true})
		var order []string
		keeps := func(call any) string {
			var s otel.Spans
			switch call := call.(type) {
			case store.Exchange:
				s = again.Exchange(call)
			case trace.Event:
				s = again.Event(call)
			case store.Record:
				s = described(t, again, run, call)
			}
			var b strings.Builder
			for _, span := range oteltest.Decode(t, s).Spans {
				order = append(order, line(span))
				b.WriteString(line(span))
			}
			return b.String()
		}
		return outputtest.Subject{Output: out, Keeps: keeps, Break: func() { c.down.Store(true) },
			Kept: func(testing.TB) string {
				var lines []string
				for _, s := range c.Spans {
					lines = append(lines, line(s))
				}
				slices.SortStableFunc(lines, func(a, b string) int { return slices.Index(order, a) - slices.Index(order, b) })
				return strings.Join(lines, "")
			}}
	})
}

// described returns the spans of a record; in a resumed run, with those of traces of earlier sessions.
func described(t testing.TB, d *otel.Describer, run outputtest.Run, r store.Record) otel.Spans {
	if run.Prior == nil {
		return d.Record(r)
	}
	read, err := store.Open(run.Folder.Dir())
	if err != nil {
		t.Fatal(err)
	}
	index := store.NewIndex()
	if err := index.UpdateTraces(t.Context(), read); err != nil {
		t.Fatal(err)
	}
	s, err := d.Read(folderOf{index, read}, r, d.Knows)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestChooses(t *testing.T) {
	chosen, first := 0, ""
	for i := range 1000 {
		query := strings.Repeat("q", 1+i%7) + string(rune('a'+i%26)) + strings.Repeat("z", i/7)
		if live.Chooses(config.Sample{Part: 0.1}, query) {
			chosen++
			first = query
		}
		if !live.Chooses(config.Sample{}, query) || !live.Chooses(config.Sample{Failed: true}, query) {
			t.Fatalf("%s is left out", query)
		}
	}
	if chosen < 60 || chosen > 140 {
		t.Errorf("%d of 1000 queries are chosen, want about 100", chosen)
	}
	if !live.Chooses(config.Sample{Part: 0.1}, first) || !live.Chooses(config.Sample{Part: 0.5}, first) {
		t.Errorf("%s is chosen once and then not", first)
	}
}
