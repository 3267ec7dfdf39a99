package view_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/net/html"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/view"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

const agent = "b5450c68"

// manifest is of a run of one configuration with K=1.
func manifest(name string, queries int, at time.Time) store.Manifest {
	c := store.Configuration{Name: "default", Agent: agent, Configuration: config.New()}
	c.K = 1
	return store.Manifest{Run: name, Start: at, Seed: 1, Configurations: []store.Configuration{c}, Dataset: store.Dataset{
		Name: "set", Hash: "sha256:00", Queries: queries, Of: queries, Categories: []string{"lookup"}, ByCategory: map[string]int{"lookup": queries},
	}}
}

// sentence is what everything is about that a fixture writes about a query.
type sentence struct{ query, question, answer, text string }

// solve writes a trace of two exchanges, and the record of its query.
func solve(w *store.Writer, m store.Manifest, s sentence, right bool) {
	converse(w, m, s)
	conclude(w, m, s, right)
}

func converse(w *store.Writer, m store.Manifest, s sentence) {
	id := trace.ID{Agent: m.Configurations[0].Agent, Query: s.query}
	of := model.Identity{Agent: id.Agent, Query: id.Query, Purpose: model.Agent}
	call := model.Message{Role: model.Assistant, Content: "I look it up.", Thought: s.text, ToolCalls: []model.ToolCall{{ID: "call_1", Name: "web_search", Arguments: `{"query":"` + s.query + `"}`}}}
	w.Exchange(store.Exchange{
		Identity: of, Messages: []model.Message{{Role: model.System, Content: "You answer questions. " + s.text}, {Role: model.User, Content: s.question}},
		RequestSettings: &store.RequestSettings{Model: "m", Tools: []model.ToolSpec{{Name: "web_search", Description: s.text}}}, Response: &call, Model: &s.text,
	})
	of.Step = 1
	w.Exchange(store.Exchange{
		Identity: of, Kept: 3, Messages: []model.Message{{Role: model.ToolRole, Content: "found: " + s.text, ToolCallID: "call_1"}},
		RequestSettings: &store.RequestSettings{Model: "m", Tools: []model.ToolSpec{{Name: "web_search", Description: s.text}}}, Response: &model.Message{Role: model.Assistant, Content: "Answer: " + s.answer},
	})
	add := func(step int, b trace.Body) { w.Event(trace.Event{ID: id, Step: step, Time: start, Body: b}) }
	add(0, trace.Thought{Content: "I think about " + s.text})
	add(0, trace.Action{Name: "web_search", Input: trace.InputOf(s.text), CallID: "call_1"})
	add(0, trace.Observation{CallID: "call_1", Documents: []trace.Document{{ID: "corpus_1", Title: s.text, Source: s.text, Snippet: s.text}}})
}

func conclude(w *store.Writer, m store.Manifest, s sentence, right bool) {
	c := m.Configurations[0]
	w.Event(trace.Event{ID: trace.ID{Agent: c.Agent, Query: s.query}, Step: 1, Time: start,
		Body: trace.Conclusion{Message: s.text, Answer: &s.answer, Outcome: trace.Answered, StopReason: trace.Final, Steps: 2}})
	w.Exchange(store.Exchange{
		Identity: model.Identity{Agent: "correctness:judge", Query: s.query, Purpose: model.Judge}, RequestSettings: &store.RequestSettings{Model: "j"},
		Messages: []model.Message{{Role: model.User, Content: "Is this right? " + s.text}}, Error: &s.text,
	})
	ruling := judge.Incorrect
	if right {
		ruling = judge.Correct
	}
	w.Record(store.Record{
		Configuration: c.Name, Query: s.query, QueryHash: "h", Category: "lookup", Question: s.question, Expected: s.text, Agent: c.Agent,
		Answers:   []store.Answer{{Answer: &s.answer, Key: &s.answer, Outcome: trace.Answered, StopReason: trace.Final, Steps: 2, Verdict: ruling}},
		Consensus: consensus.Decision{Method: consensus.Single, Outcome: trace.Answered, Answer: &s.answer, Key: &s.answer, Valid: 1, Votes: []consensus.Class{{Key: s.answer, Keys: []string{s.answer}, Traces: []int{0}}}},
		Verdict:   judge.Verdict{Verdict: ruling, By: judge.ByGold, Reason: s.text},
	})
}

func created(t testing.TB, dir string, m store.Manifest) *store.Writer {
	t.Helper()
	w, err := store.Create(dir, m)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// completed ends a run, with its summary as the command writes it.
func completed(t testing.TB, w *store.Writer) {
	t.Helper()
	if err := w.Finish(store.Complete, start.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	run, err := store.Open(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	r, err := ablations.Summarize(run.Manifest, run.Records(), "", ablations.Options{Margin: ablations.DefaultMargin})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := document.WriteJSON(&b, r); err != nil {
		t.Fatal(err)
	}
	write(t, result.Path(run.Dir), b.String())
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// threeQueries are what a plain run is of; the second is wrong.
var threeQueries = []sentence{
	{"q1", "What is the first?", "one", "a text on one"},
	{"q2", "What is the second?", "two", "a text on two"},
	{"q3", "What is the third?", "three", "a text on three"},
}

// plainRun is a complete run of these.
func plainRun(t testing.TB, dir, name string, at time.Time) {
	t.Helper()
	m := manifest(name, len(threeQueries), at)
	w := created(t, dir, m)
	for i, s := range threeQueries {
		solve(w, m, s, i != 1)
	}
	completed(t, w)
}

// site is a server that is running.
type site struct {
	testing.TB
	base string // http://127.0.0.1:PORT
	root string // /TOKEN
}

// served begins to serve a folder.
func served(t testing.TB, dir string) site { return servedBy(t, view.Options{RunsDir: dir}) }

// servedBy begins to serve with these options.
func servedBy(t testing.TB, o view.Options) site {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	token := view.NewToken()
	ended := make(chan error, 1)
	go func() {
		o.Token, o.Poll = token, time.Millisecond
		ended <- view.Serve(ctx, l, o)
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
		http.DefaultClient.CloseIdleConnections()
	})
	return site{t, "http://" + l.Addr().String(), "/" + token}
}

// ask sends a request that a test has changed.
func (s site) ask(path string, change func(*http.Request)) (int, http.Header, string) {
	s.Helper()
	r, err := http.NewRequestWithContext(s.Context(), http.MethodGet, s.base+path, nil)
	if err != nil {
		s.Fatal(err)
	}
	if change != nil {
		change(r)
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		s.Fatal(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		s.Fatal(err)
	}
	return reply.StatusCode, reply.Header, string(text)
}

// page is a page beneath the root that must be shown.
func (s site) page(path string) string {
	s.Helper()
	status, _, text := s.ask(s.root+path, nil)
	if status != http.StatusOK {
		s.Fatalf("%s: status %d: %s", path, status, words(s, text))
	}
	return text
}

func (s site) has(path string, wants ...string) {
	s.Helper()
	text := words(s, s.page(path))
	for _, want := range wants {
		if !strings.Contains(text, want) {
			s.Errorf("%s lacks %q: %s", path, want, text)
		}
	}
}

// words are the texts of a page, with single spaces.
func words(t testing.TB, page string) string {
	t.Helper()
	var out []string
	for n := range parsed(t, page).Descendants() {
		if n.Type == html.TextNode {
			out = append(out, strings.Fields(n.Data)...)
		}
	}
	return strings.Join(out, " ")
}

func parsed(t testing.TB, page string) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// addresses are the links of a page to others.
func addresses(t testing.TB, page string) []string {
	t.Helper()
	var out []string
	for n := range parsed(t, page).Descendants() {
		for _, a := range n.Attr {
			if (a.Key == "href" || a.Key == "src" || a.Key == "action" || a.Key == "data-events") && !strings.HasPrefix(a.Val, "#") {
				out = append(out, a.Val)
			}
		}
	}
	return out
}

func traceOf(run, query string) string {
	return fmt.Sprintf("/run/%s/trace?agent=%s&query=%s&trace=0", run, agent, query)
}
