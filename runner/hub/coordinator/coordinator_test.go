package coordinator_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/hub/coordinator"
	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/server"
	"github.com/seed-5817661a/concur/runner/hub/wire"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

const (
	run     = wire.Run("r")
	ackWait = time.Second
)

// times are those of tests that wait for an AckWait, patient those of tests in which nothing may depend on one. A lease
// is renewed many times before it ends, also on a busy machine.
var (
	times   = coordinator.Times{AckWait: ackWait, LeaseEvery: 100 * time.Millisecond, LeaseFor: 4 * time.Second}
	patient = coordinator.Times{AckWait: 10 * time.Minute, LeaseEvery: 100 * time.Millisecond, LeaseFor: 10 * time.Minute}
)

func patiently(o *coordinator.Options) { o.Times = patient }

func job(query string) trace.ID { return trace.ID{Agent: "a", Query: query} }

// fixture is a hub with a coordinator, and this test as its workers.
type fixture struct {
	*testing.T
	hub      *server.Server
	link     *link.Link
	dir      string
	c        *coordinator.Coordinator
	mu       sync.Mutex
	warnings []string
	logged   []string
	lines    map[string]int // number of lines of each query that came out
	causes   map[string]string
	waiting  sync.WaitGroup
}

func dialed(t *testing.T, url string) *link.Link {
	t.Helper()
	l, err := link.Dial(t.Context(), link.Options{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

func newFixture(t *testing.T, change ...func(*coordinator.Options)) *fixture {
	t.Helper()
	return fixtureAt(t, server.Options{}, change...)
}

// fixtureAt returns a fixture with a hub with these options.
func fixtureAt(t *testing.T, o server.Options, change ...func(*coordinator.Options)) *fixture {
	t.Helper()
	o.Dir, o.Listen, o.Store, o.MaxPayload = t.TempDir(), "127.0.0.1:0", cmp.Or(o.Store, 64<<20), 64<<10
	hub, err := server.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(hub.Close)
	return fixtureOf(t, hub, change...)
}

// fixtureOf returns a fixture with this hub.
func fixtureOf(t *testing.T, hub *server.Server, change ...func(*coordinator.Options)) *fixture {
	t.Helper()
	f := &fixture{T: t, hub: hub, link: dialed(t, hub.URL()), dir: t.TempDir(), lines: map[string]int{},
		causes: map[string]string{}}
	f.begin(change...)
	return f
}

func (f *fixture) begin(change ...func(*coordinator.Options)) {
	f.Helper()
	var err error
	f.c, err = begun(f, f.dir, change...)
	if err != nil {
		f.Fatal(err)
	}
}

func begun(f *fixture, dir string, change ...func(*coordinator.Options)) (*coordinator.Coordinator, error) {
	o := coordinator.Options{
		Link: dialed(f.T, f.hub.URL()), Run: run, Dir: dir, Agents: []string{"a"}, Losses: 3, Times: times,
		Has:      func(id trace.ID) bool { return id.Agent == "a" && strings.HasPrefix(id.Query, "q") && id.Trace == 0 },
		Finished: func(id trace.ID) bool { return id.Query == "q-finished" },
		Send:     func(context.Context, jetstream.ObjectStore) (wire.Plan, error) { return wire.Plan{}, nil },
		Log: func(text string) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.logged = append(f.logged, text)
		},
		Warn: func(text string) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.warnings = append(f.warnings, text)
		},
	}
	for _, c := range change {
		c(&o)
	}
	return coordinator.Begin(f.Context(), o)
}

// lines counts what comes out of a coordinator.
type lines struct {
	f     *fixture
	query string
}

func (l lines) Exchange(store.Exchange) { l.f.count(l.query, nil) }
func (l lines) Event(e trace.Event) {
	end, _ := e.Body.(trace.Conclusion)
	l.f.count(l.query, end.Cause)
}

func (f *fixture) count(query string, cause *string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lines[query]++
	if cause != nil {
		f.causes[query] = *cause
	}
}

// ask asks for traces in the background.
func (f *fixture) ask(queries ...string) {
	for _, query := range queries {
		f.waiting.Go(func() {
			stored, err := f.c.Run(f.Context(), runner.Job{ID: job(query)}, lines{f, query})
			if err != nil {
				f.Errorf("%s: %v", query, err)
				return
			}
			stored()
		})
	}
}

// delivery returns a finished trace, with a text of random letters of this length.
func delivery(query string, length int) wire.Delivery {
	id := job(query)
	text := make([]byte, length)
	for i := range text {
		text[i] = byte('A' + rand.IntN(58))
	}
	return wire.Delivery{ID: id, Worker: "w", Lines: []wire.Line{
		{Exchange: &store.Exchange{Identity: model.Identity{Agent: id.Agent, Query: id.Query, Purpose: model.Agent}}},
		{Event: &trace.Event{ID: id, Body: trace.Thought{Content: string(text)}}},
		{Event: &trace.Event{ID: id, Body: trace.Conclusion{StopReason: trace.Final, Timing: trace.Timing{CallsSent: 1}}}},
	}}
}

func (f *fixture) parts(d wire.Delivery) [][]byte {
	f.Helper()
	parts, err := d.Encode(f.link.Most())
	if err != nil {
		f.Fatal(err)
	}
	return parts
}

func (f *fixture) send(messages ...[]byte) {
	f.Helper()
	for _, m := range messages {
		if err := f.link.Publish(f.Context(), run.DoneSubject(), m); err != nil {
			f.Fatal(err)
		}
	}
}

func (f *fixture) until(what string, is func() bool) {
	f.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			f.Fatalf("waited in vain until %s", what)
		}
	}
}

// messages returns the number of messages in a stream.
func (f *fixture) messages(stream string) int {
	s, err := f.link.JS.Stream(f.Context(), stream)
	if err != nil {
		return -1
	}
	return int(s.CachedInfo().State.Msgs)
}

// warned reports whether a warning has this text.
func (f *fixture) warned(text string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return strings.Contains(strings.Join(f.warnings, "\n"), text)
}

func (f *fixture) end(complete bool) coordinator.Counts {
	f.Helper()
	n, err := f.c.End(context.Background(), complete)
	if err != nil {
		f.Error(err)
	}
	return n
}

// A liar is refused by name, and the traces are asked for again.
func TestLies(t *testing.T) {
	f := newFixture(t, patiently)
	f.ask("q1", "q2", "q3")
	f.until("the traces are asked for", func() bool { return f.messages(run.Work()) == 3 })
	work, err := f.link.JS.Stream(t.Context(), run.Work())
	if err != nil || work.Purge(t.Context()) != nil {
		t.Fatal(err)
	}
	stolen := delivery("q1", 10)
	stolen.Lines[1].Event.ID = job("q2")
	half := delivery("q2", 10)
	half.Lines = half.Lines[1:]
	foreign := delivery("other", 10)
	f.send(f.parts(stolen)...)
	f.send(f.parts(half)...)
	f.send(f.parts(foreign)...)
	f.send([]byte("nonsense"))
	f.send(bomb(t, "q3"))
	f.until("all are dropped, and three are asked for again", func() bool {
		return f.messages(run.Done()) == 0 && f.messages(run.Work()) == 3
	})
	if text := strings.Join(f.logged, "\n"); !strings.Contains(text, "the delivery has more than 64 MiB of lines") {
		t.Errorf("the bomb is not named:\n%s", text)
	}
	for _, want := range []string{`worker "w" sent a result that is refused: a line is of another trace`,
		`worker "w" delivered trace 0 of "other", which is not of this run`} {
		if !f.warned(want) {
			t.Errorf("no warning %q in %q", want, f.warnings)
		}
	}
	for _, query := range []string{"q1", "q2", "q3"} {
		f.send(f.parts(delivery(query, 10))...)
	}
	f.waiting.Wait()
	n := f.end(true)
	n.Refused = min(n.Refused, 4) // on a busy machine, the bomb may come again before it is refused
	if want := (coordinator.Counts{Refused: 4, Foreign: 1}); n != want {
		t.Errorf("counts %+v, want %+v", n, want)
	}
	if f.lines["q1"] != 3 || f.lines["q2"] != 3 {
		t.Errorf("lines that came out: %v", f.lines)
	}
}

// bomb returns a small message with 65 MiB of lines.
func bomb(t *testing.T, query string) []byte {
	t.Helper()
	var out bytes.Buffer
	zip, err := zstd.NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	line := []byte(`{"event":"` + strings.Repeat("0", 1<<20) + `"`)
	for range 65 {
		if _, err := zip.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(out.Bytes())
	head, err := json.Marshal(wire.PartHead{Schema: wire.DeliverySchema, ID: job(query), Worker: "w", Parts: 1,
		SHA256: hex.EncodeToString(sum[:])})
	if err != nil || out.Len() > 60<<10 {
		t.Fatalf("a bomb of %d bytes: %v", out.Len(), err)
	}
	return append(append(head, '\n'), out.Bytes()...)
}

// Parts may come in any order, twice, and mixed with those of other attempts; the first whole result counts.
func TestParts(t *testing.T) {
	f := newFixture(t, patiently)
	f.ask("q1", "q2")
	first, second := f.parts(delivery("q1", 200<<10)), f.parts(delivery("q1", 150<<10))
	if len(first) < 4 || len(second) < 3 {
		t.Fatalf("%d and %d parts", len(first), len(second))
	}
	f.send(second[0], first[2], first[0], first[0], second[1])
	f.until("the parts are in files, and no longer at the hub", func() bool { return f.messages(run.Done()) == 0 })
	files, err := filepath.Glob(filepath.Join(f.dir, "incoming", "*", "*"))
	if err != nil || len(files) != 4 {
		t.Errorf("files of parts: %v, %v", files, err)
	}
	f.send(first[1:2]...)
	f.send(first[3:]...)
	f.send(second[2:]...) // too late
	other := f.parts(delivery("q2", 10))
	f.send(other...)
	f.waiting.Wait()
	f.send(other...) // doubled
	f.until("the late ones are dropped", func() bool { return f.messages(run.Done()) == 0 })
	n := f.end(true)
	if n.Twice != 1 || n.Doubled < 2 || n.Refused != 0 {
		t.Errorf("counts %+v", n)
	}
	if f.lines["q1"] != 3 || f.lines["q2"] != 3 {
		t.Errorf("lines that came out: %v", f.lines)
	}
	if text := strings.Join(f.logged, "\n"); !strings.Contains(text, `worker "w" sent part 1 of`) ||
		!strings.Contains(text, "twice: the second one is dropped") {
		t.Errorf("the part that came twice is not named:\n%s", text)
	}
	if _, err := os.Stat(filepath.Join(f.dir, "incoming")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of parts is left: %v", err)
	}
}

// A result that comes before it is asked for waits; one of a trace that an earlier session finished is dropped.
func TestEarlyAndFinished(t *testing.T) {
	f := newFixture(t, patiently)
	f.send(f.parts(delivery("q-early", 10))...)
	f.send(f.parts(delivery("q-early-parts", 100<<10))...)
	f.send(f.parts(delivery("q-finished", 10))...)
	f.until("nothing is left at the hub", func() bool { return f.messages(run.Done()) == 0 })
	f.ask("q-early", "q-early-parts")
	f.waiting.Wait()
	if f.messages(run.Work()) != 0 {
		t.Error("the trace was asked for although it was there")
	}
	if n := f.end(true); n.Early != 2 || n.Doubled != 1 {
		t.Errorf("counts %+v", n)
	}
}

// What the hub has lost is made again: messages, and then all streams with the lease.
func TestHubLosesEverything(t *testing.T) {
	f := newFixture(t)
	f.ask("q1", "q2")
	f.until("the traces are asked for", func() bool { return f.messages(run.Work()) == 2 })
	work, err := f.link.JS.Stream(t.Context(), run.Work())
	if err != nil || work.Purge(t.Context()) != nil {
		t.Fatal(err)
	}
	f.until("they are asked for again", func() bool { return f.messages(run.Work()) == 2 })
	if err := f.link.Remove(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	f.until("the streams are there again", func() bool { return f.messages(run.Work()) == 2 && f.messages(run.Done()) == 0 })
	f.send(f.parts(delivery("q1", 10))...)
	f.send(f.parts(delivery("q2", 10))...)
	f.waiting.Wait()
	if n := f.end(true); n.Again < 4 {
		t.Errorf("counts %+v", n)
	}
	if !f.warned("the hub has lost streams of this run") {
		t.Errorf("warnings: %q", f.warnings)
	}
}

// A second coordinator waits as long as the first one renews its lease. It takes over when that stops; the first one
// then stops, and does not disturb the second.
func TestTakeover(t *testing.T) {
	f := newFixture(t)
	first := f.c
	short, cancel := context.WithTimeout(t.Context(), 3*times.LeaseFor/2)
	defer cancel()
	if _, err := coordinator.Begin(short, coordinator.Options{Link: dialed(t, f.hub.URL()), Run: run, Dir: t.TempDir(),
		Times: times, Warn: func(string) {}, Log: func(string) {}}); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("a second coordinator: %v", err)
	}
	keys, err := f.link.JS.KeyValue(t.Context(), run.Bucket())
	if err != nil {
		t.Fatal(err)
	}
	foreign := wire.Lease{Host: "elsewhere", Process: 7, ID: "x"}
	if _, err := keys.Put(t.Context(), wire.LeaseKey, foreign.Encode()); err != nil {
		t.Fatal(err)
	}
	_, err = first.Run(t.Context(), runner.Job{ID: job("q1")}, lines{f, "q1"})
	if !errors.Is(err, coordinator.ErrTaken) || !strings.Contains(err.Error(), "process 7 of elsewhere") {
		t.Errorf("the first coordinator: %v", err)
	}
	f.begin() // waits until "elsewhere" has given no sign for a while
	if _, err := first.End(context.Background(), true); err != nil {
		t.Error(err)
	}
	f.ask("q1")
	f.send(f.parts(delivery("q1", 10))...)
	f.waiting.Wait()
	f.end(true)
}

// begins tells that a worker lives, and then, when this is known, that the trace begins there.
func (f *fixture) begins(worker string, alone bool) {
	f.Helper()
	f.says(run.AliveSubject(worker), wire.Alive{Worker: worker, Places: 1}.Encode())
	f.until("the worker is known", func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return strings.Contains(strings.Join(f.logged, "\n"), fmt.Sprintf("worker %q (", worker))
	})
	f.says(run.TakenSubject(), wire.Taken{Worker: worker, ID: job("q1"), Alone: alone}.Encode())
}

// asks returns the advice for a worker that got the trace which another worker had before.
func (f *fixture) asks(worker string) (a wire.Advice) {
	f.Helper()
	question := wire.Taken{Worker: worker, ID: job("q1")}.Encode()
	m, err := f.link.Conn.Request(run.AgainSubject(), question, time.Minute)
	if err == nil {
		err = json.Unmarshal(m.Data, &a)
	}
	if err != nil {
		f.Fatal(err)
	}
	return a
}

// says sends what a worker says about itself.
func (f *fixture) says(subject string, message []byte) {
	f.Helper()
	if err := errors.Join(f.link.Conn.Publish(subject, message), f.link.Conn.Flush()); err != nil {
		f.Fatal(err)
	}
}

func (f *fixture) work() (w wire.Work) {
	stream, err := f.link.JS.Stream(f.Context(), run.Work())
	if err != nil {
		f.Fatal(err)
	}
	if m, err := stream.GetLastMsgForSubject(f.Context(), run.WorkSubject(job("q1"))); err == nil {
		if err := json.Unmarshal(m.Data, &w); err != nil {
			f.Fatal(err)
		}
	}
	return w
}

// A worker that is heard, and one that gave the trace back, are not lost.
func TestNotLost(t *testing.T) {
	f := newFixture(t)
	f.ask("q1")
	f.until("the trace is asked for", func() bool { return f.messages(run.Work()) == 1 })
	f.begins("w1", false)
	f.says(run.TakenSubject(), wire.Taken{Worker: "w2", ID: job("q1")}.Encode())
	f.says(run.TakenSubject(), wire.Taken{Worker: "w3", ID: job("q1"), GivenBack: 1}.Encode()) // w2 gave it back
	for begun := time.Now(); time.Since(begun) < 2*ackWait; time.Sleep(ackWait / 50) {         // in which a loss would be counted
		f.says(run.AliveSubject("w1"), wire.Alive{Worker: "w1", Places: 1}.Encode())
	}
	f.send(f.parts(delivery("q1", 10))...)
	f.waiting.Wait()
	if n := f.end(true); n.Losses != 0 {
		t.Errorf("counts %+v", n)
	}
}

// The number of traces that are asked for grows with the places of the workers.
func TestPlaces(t *testing.T) {
	f := newFixture(t, patiently)
	if n := f.c.Places(); n != 64 {
		t.Errorf("%d places without workers", n)
	}
	for i := range 600 { // within the time in which a silent worker counts
		if err := f.link.Conn.Publish(run.AliveSubject("w"), wire.Alive{Worker: fmt.Sprint("w", i), Places: 1}.Encode()); err != nil {
			t.Fatal(err)
		}
	}
	f.until("600 workers are known", func() bool { return f.c.Places() == 2400 })
	f.says(run.TroubleSubject(), wire.Trouble{Worker: "w", Cause: "no key"}.Encode())
	f.until("the trouble is shown", func() bool { return f.warned(`worker "w" takes no work: no key`) })
	f.end(false)
	if f.messages(run.Done()) != 0 {
		t.Error("the streams of an unfinished run are removed")
	}
}

// Clean removes runs without a coordinator, and no others.
func TestClean(t *testing.T) {
	f := newFixture(t)
	dead := wire.Run("dead")
	if err := f.link.MakeStreams(t.Context(), dead, ackWait); err != nil {
		t.Fatal(err)
	}
	removed, kept, err := coordinator.Clean(t.Context(), f.link, times)
	if err != nil || len(removed) != 1 || removed[0] != dead || len(kept) != 1 || kept[0] != run {
		t.Errorf("removed %v, kept %v, %v", removed, kept, err)
	}
	if f.messages(dead.Work()) != -1 || f.messages(run.Work()) != 0 {
		t.Error("the streams at the hub are not those of the living run")
	}
	f.end(false)
	if removed, _, err = coordinator.Clean(t.Context(), f.link, times); err != nil || len(removed) != 1 {
		t.Errorf("an interrupted run: removed %v, %v", removed, err)
	}
}
